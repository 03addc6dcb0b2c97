"""Commands of the program, each in a process of its own, and what they list."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, Union

from . import _errors, _native, _number, _progress, _table
from ._columns import Frame
from ._opened import OpenVault

Files = Union[str, "os.PathLike[str]"]
"""The path of a file."""


class Listing(Frame):
    """What a command lists: ``rows`` are dictionaries, with exact numbers as text; ``facts`` is all that it says.

    ``text`` is what it wrote, JSON where the command has that. In frames numbers are floats, and a number with several parts has
    a column for each.
    """

    def __init__(self, name: str, text: str):
        self.name: str = name
        self.text: str = text
        self.facts: dict[str, Any] = _facts(text)
        self.rows: list[dict[str, Any]] = self.facts["rows"]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, fact: str | int) -> Any:
        return self.rows[fact] if isinstance(fact, int) else self.facts[fact]

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        rows = [_flattened(row) for row in self.rows]
        for name in dict.fromkeys(name for row in rows for name in row):
            values = [row.get(name) for row in rows]
            numbers = [_as_number(value) for value in values]
            is_number = all((number is None) == (value is None) for number, value in zip(numbers, values))
            if is_number and not all(isinstance(value, (int, type(None))) for value in numbers):
                numbers = [None if number is None else float(number) for number in numbers]
            yield name, "number" if is_number else "text", numbers if is_number else [None if v is None else str(v) for v in values]

    def _said(self) -> list[str]:
        """What it says beside the rows."""
        told = [(name, value) for name, value in self.facts.items() if isinstance(value, (str, int, float)) and value != ""]
        return _table.folded(f"{name}: {value}" for name, value in told)

    def __str__(self) -> str:
        if len(self.rows) == 1:
            return "\n".join(_table.folded([*self._said(), *(f"{name}: {_table.shown(value)}" for name, value in self.rows[0].items())]))
        said = self._said() if self.rows or len(self.facts) > 1 else [self.text]
        return "\n".join([*said, *([_table.sheet(self)] if self.rows else [])])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{_table.escape(line)}</p>" for line in self._said())
        return said + (_table.html_sheet(self) if self.rows else "")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self)} rows>"


def _facts(text: str) -> dict[str, Any]:
    import json

    try:
        said = json.loads(text)
    except ValueError:
        return {"rows": []}
    if isinstance(said, Mapping):
        rows = said.get("rows")
        return {**said, "rows": rows if isinstance(rows, list) else []}
    return {"rows": said if isinstance(said, list) else [said]}


def _flattened(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        parts = {name if part == "value" else f"{name}_{part}": each for part, each in value.items()} if isinstance(value, Mapping) else {name: value}
        found.update(parts)
    return found


def _as_number(value: Any) -> int | float | None:
    """A number, perhaps written as text; None of anything else, such as the name 002."""
    if isinstance(value, bool) or value is None or re.match("0[0-9]", str(value)):
        return None
    try:
        return value if isinstance(value, (int, float)) else float(value)
    except (TypeError, ValueError):
        return None


# A command writes to standard output, and closes it: each has a process of its own.
# Of the package it needs two parts.
_PROGRAM = """
import json, os, sys, types
os.umask(os.umask(0) & 0o077)
sys.modules["scrim"] = types.ModuleType("scrim")
sys.modules["scrim"].__path__ = [sys.argv[1]]
from scrim import _errors, _native

def tell(done, total):
    sys.stderr.write(json.dumps({"done": done, "total": total}) + "\\n")
    sys.stderr.flush()

try:
    _native.command_run(json.loads(sys.argv[2]), tell if sys.argv[3:] else None)
except _errors.Error as error:
    sys.stderr.write("\\n" + json.dumps(_errors.parts(error)))
    sys.exit(1)
"""


def option(name: str, value: Any) -> list[str]:
    """An option as words: True is a flag, and a list is the option again and again."""
    word = "--" + name.strip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if isinstance(value, (list, tuple)):
        return [each for one in value for each in option(name, one)]
    if value is True:
        return [word]
    return [word, os.fspath(value) if isinstance(value, os.PathLike) else _number.text(value)]


def run(words: list[str], given: str | None = None, tell: Callable[[int, int], Any] | None = None) -> str:
    """Runs the words of a command, with a text on its standard input; what it wrote."""
    import tempfile

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogateescape", newline="") as out:
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogateescape", newline="") as into:
            into.write(given or "")
            into.seek(0)
            _run(["scrim", *words], into, out, tell)
        out.seek(0)
        return out.read()


def of_vault(vault: OpenVault) -> list[str]:
    """The words that name a vault."""
    wait = vault._wait  # in milliseconds; 0 is the default, below it there is none
    return ["--vault", vault.path, *(["--wait", str(max(wait, 0) / 1000)] if wait else [])]


def save_release(vault: OpenVault, release: int, path: Files, **options: Any) -> None:
    """Writes a past answer to a file by its name, ``.json``, ``.jsonl`` or CSV, and its signed label beside it."""
    place = os.path.abspath(os.fspath(path))
    kind = os.path.splitext(place)[1].lower().lstrip(".")
    line = ["replay", str(release), "--out", place, "--format", kind if kind in ("json", "jsonl") else "csv"]
    run([*line, *(word for name, value in options.items() for word in option(name, value)), *of_vault(vault)])


def _run(line: list[str], given: IO[str], out: IO[str], tell: Callable[[int, int], Any] | None) -> None:
    """Runs it in a second process, which says on its standard error how far it is, and what is wrong."""
    import json
    import subprocess

    if not sys.executable:
        raise _errors.StateError("commands run in a second process, and sys.executable does not name Python")
    folder = os.path.dirname(os.path.abspath(__file__))
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, folder, json.dumps(line), *([] if tell is None else ["tell"])],
        stdin=given, stdout=out, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    )  # fmt: skip
    assert child.stderr is not None
    said = ""
    try:
        for said in child.stderr:
            if tell is not None and said.startswith('{"done"'):
                told = json.loads(said)
                tell(told["done"], told["total"])
        if child.wait() != 0:
            raise _failure(said)
    finally:
        child.kill()
        child.stderr.close()
        child.wait()


def _failure(said: str) -> BaseException:
    import json

    try:
        status, message, *rest = json.loads(said.strip().splitlines()[-1])
        return _errors.made(status, _worded(message), *rest)
    except (ValueError, IndexError, TypeError):
        return _errors.InternalError("the command ended without a result")


_FUNCTIONS = {"'scrim errata'": "scrim.errata()", "'scrim list papers'": "scrim.papers()", "'scrim ledger verify'": "vault.verify()", "'scrim ledger'": "vault.ledger()"}


def _worded(message: str) -> str:
    """A sentence of the program, with options as arguments: ``order=`` for ``--order``."""
    for words, function in _FUNCTIONS.items():
        message = message.replace(words, function)
    return re.sub(r"(?<!\S)--([a-z][a-z-]*)(?: (?='))?", lambda found: found[1].replace("-", "_") + "=", message)


def command(
    *words: str | int | os.PathLike[str],
    vault: OpenVault | None = None,
    input: str | None = None,
    progress: _progress.Progress = None,
    **options: Any,
) -> Listing:
    """Runs a command of the program `scrim`, for what this package has no function of its own; its manual has the options.

    ``command("distance", "divergence", "p.csv", "q.csv", order=[2, 3])``, ``command("audit", "laplace", "epsilon=1", losses=True)``,
    ``command("body", "admissible", q="0.9", directions=80, epsilon=1)``. Without words it lists the commands.

    - ``words``: the command, its subcommand and its arguments.
    - ``vault``: the vault, for a command that opens one.
    - ``input``: the text that the command reads from its standard input.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    - Options have ``_`` for ``-``; ``True`` is a flag, and a list gives an option several times.
    """
    if not words:
        import json

        return Listing("commands", json.dumps([{"command": name} for name in _native.command_names()]))
    given = [word if isinstance(word, str) else str(word) for word in words]
    line = [*given, *(word for name, value in options.items() for word in option(name, value))]
    if vault is not None:
        line += of_vault(vault)
    try:
        return Listing(" ".join(given), run(line, input, _progress.listener(progress)))
    except KeyboardInterrupt:
        if vault is None:
            raise
        raise _errors.interrupted("vault.ledger() shows whether it was charged") from None


def papers(*words: str) -> Listing:
    """The numbered statements of the papers that scrim implements, and the command that runs each.

    ``papers()`` lists the papers, ``papers("002")`` the statements of one; ``papers("002", "Theorem 4.2")`` has its ``command``,
    what that ``prints``, and the number ``in_document`` beside the one ``in_scrim``.

    - ``words``: the number of a paper, a statement, a number such as ``"6.8"``, words, or the name of a mechanism.
    """
    return command("list", "papers", *words)


def errata(*words: str | int, document: str | None = None, kind: str | None = None) -> Listing:
    """What is wrong in the papers, with computed counterexamples: a list, or one of them with its computation.

    ``errata(12)``, ``errata("Theorem 6.4", document="002")``, ``errata("noisy-max")``, ``errata(kind="false")``.

    - ``words``: the number of an erratum, a place of a paper, words, or the name of a mechanism.
    - ``document``: one paper, ``"000"`` to ``"004"``.
    - ``kind``: ``false``, ``loose``, ``gap``, ``ambiguous``, ``typo``, ``misleading``, ``unproved``, ``unusable`` or ``unreadable``.
    """
    return command("errata", *(str(word) for word in words), document=document, kind=kind)
