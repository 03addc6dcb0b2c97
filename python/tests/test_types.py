"""The package is typed, and its stubs are those of the module."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import LONG, ROOT

import scrim

PACKAGE = pathlib.Path(scrim.__file__).parent


# Each line has one mistake that somebody makes; the checkers must find all of them, and nothing else.
PLANTED = """
import scrim

vault = scrim.open("scrim.vault")
data = vault["adult"]
data.query("SELECT COUNT(*)", epsilom=1)  # a misspelt argument
vault.query("adult", "SELECT COUNT(*)", epsilon=1, mechanism="lapalce")  # a misspelt word
vault.add("t", "t.csv", unit="row", bounds={"max_row": 3})  # a misspelt bound
data.where("age > ?", 30).agg(n="COUNT(*)")  # text in place of an aggregate
data.agg(n=scrim.count()).query(epsilon="1").to_panda()  # a misspelt method
scrim.mechanism("laplace", epsilon=1).apply(3, vault)  # a vault in place of a ledger
left: str = data.agg(n=scrim.count()).explain(epsilon="1").left or ""  # an amount in place of a text
print(data.agg(total=scrim.sum("age")).sql, data.query("SELECT COUNT(*) AS n", epsilon="0.5", bounds={"max_rows": 3})["n"], left)
"""


def planted(place, *checker):
    """The lines that a checker finds wrong."""
    (place / "planted.py").write_text(PLANTED)
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-m", *checker, "planted.py"], capture_output=True, text=True, cwd=place, env=environment)
    found = {int(line) for line in re.findall(r"planted\.py:(\d+).*error", done.stdout)}
    return found, done.stdout + done.stderr


def wrong_lines():
    return {number for number, line in enumerate(PLANTED.splitlines(), 1) if "  # " in line}


@pytest.mark.skipif(not LONG, reason="takes seconds of a processor: make check-long")
def test_mypy_finds_planted_mistakes_and_none_in_the_package(tmp_path):
    """In one run, since it takes seconds."""
    pytest.importorskip("mypy")
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(PACKAGE.parent / ".mypy_cache")]
    found, said = planted(tmp_path, "mypy", *settings, str(PACKAGE))
    assert len(wrong_lines()) == 7 and found == wrong_lines() and said.count(": error: ") == 7, said


@pytest.mark.skipif(not LONG, reason="takes a minute: make check-long")
def test_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    # The rest of the package is typed in its sources.
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", str(ROOT / "pyproject.toml"), "scrim._native"],
        capture_output=True, text=True, cwd=PACKAGE.parent, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not LONG, reason="takes half a minute: make check-long")
def test_pyright_finds_planted_mistakes_and_knows_all_types(tmp_path):
    pytest.importorskip("pyright")
    found, said = planted(tmp_path, "pyright")
    if not found and "error" not in said:
        pytest.skip("pyright could not be run: it needs Node.js")
    assert found == wrong_lines(), said
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "pyright", "--ignoreexternal", "--verifytypes", "scrim"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    score = float(re.search(r"Type completeness score: ([\d.]+)%", done.stdout)[1])
    assert score >= 95, done.stdout


def test_native_signatures_are_those_of_the_stubs():
    """The names alone, at once; stubtest of the long tier looks at all of it."""
    from scrim import _native

    stubs = ast.parse((PACKAGE / "_native.pyi").read_text())
    for stub in [thing for thing in stubs.body if isinstance(thing, ast.FunctionDef)]:
        named = [argument.arg for argument in stub.args.posonlyargs]
        assert list(inspect.signature(getattr(_native, stub.name)).parameters) == named, stub.name


def test_no_files_include_one_another_in_a_circle():
    """Not even for types: a file can be read after those that it names."""
    uses = {}
    for path in PACKAGE.glob("*.py"):
        names = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names |= {node.module} if node.module else {each.name for each in node.names}
        uses[path.stem] = names - {"_native"}
    read = set()
    while len(read) < len(uses):
        ready = {name for name, wanted in uses.items() if wanted <= read} - read
        assert ready, sorted(set(uses) - read)
        read |= ready


def test_all_is_documented():
    undocumented = []
    for name in scrim.__all__:
        thing = getattr(scrim, name)
        if not thing.__doc__:
            undocumented.append(name)
        if isinstance(thing, type):
            undocumented += [
                f"{name}.{member}"
                for member, value in vars(thing).items()
                if not member.startswith("_") and (callable(value) or isinstance(value, property)) and not value.__doc__
            ]
    assert undocumented == []


def functions():
    """Public functions and methods by name, also those of bases."""
    for module, names in ((scrim, [*scrim.__all__, "open", "sum", "min", "max"]), (scrim.local, scrim.local.__all__)):
        for name in names:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield name, thing
            elif isinstance(thing, type) and not issubclass(thing, BaseException):
                for base in [base for base in thing.__mro__ if base.__module__.startswith("scrim")]:
                    for member, value in vars(base).items():
                        if not member.startswith("_") and inspect.isfunction(value):
                            yield f"{name}.{member}", value


def test_docstrings_name_all_parameters():
    """An editor shows them: no parameter is left to be guessed."""
    lacking = {}
    for name, function in functions():
        parameters = inspect.signature(function).parameters.values()
        named = [each.name for each in parameters if each.name != "self" and each.kind is not each.VAR_KEYWORD]
        missing = [each for each in named if not re.search(rf"\b{each}\b", function.__doc__)]
        if missing:
            lacking[name] = missing
    assert lacking == {}


@pytest.mark.skipif(not LONG, reason="times are no test of a busy machine: make check-long")
def test_import_is_quick(tmp_path):
    """Less than 50 ms of processor time, beyond that of Python itself; compiled, as pip installs it."""
    program = "import time; start = time.process_time(); import scrim; print(time.process_time() - start)"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    seconds = min(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment).stdout)
        for _ in range(6)
    )
    assert seconds < 0.05
