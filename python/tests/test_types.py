"""The package is typed, and its stubs are those of the module."""

import ast
import inspect
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import LONG, ROOT

import scrim

PACKAGE = pathlib.Path(scrim.__file__).parent


def run(*arguments):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent), "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=PACKAGE.parent, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_and_stubtest_are_content():
    pytest.importorskip("mypy")
    settings = str(ROOT / "pyproject.toml")
    if not LONG:
        run("mypy", "--config-file", settings, "-p", "scrim")
        return
    # It also checks the types, as mypy does.
    run("mypy.stubtest", "--mypy-config-file", settings, "scrim")


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
