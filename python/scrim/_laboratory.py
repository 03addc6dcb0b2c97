"""Attacks on published numbers, and the experiments of the papers: research beside the library. No vault, no private data."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, get_args

from . import _errors, _native, _number, _plot, _progress, _table, _words
from ._columns import Frame


class Finding(Frame):
    """A table of an attack: texts, as the page shows them."""

    def __init__(self, facts: dict[str, Any]):
        self.name: str = facts["name"]
        self.heading: str = facts["heading"]
        self.columns: list[str] = facts["columns"]
        cells, width = facts["cells"], len(self.columns)
        self.rows: list[list[str]] = [cells[place : place + width] for place in range(0, len(cells), width)]

    def __len__(self) -> int:
        return len(self.rows)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        for place, name in enumerate(self.columns):
            yield name, "text", [row[place] for row in self.rows]

    def __str__(self) -> str:
        return f"{self.heading}\n{_table.sheet(self)}"

    def _repr_html_(self) -> str:
        return f"<p>{_table.escape(self.heading)}</p>{_table.html_sheet(self)}"

    def __repr__(self) -> str:
        return f"<Finding {self.name}: {len(self)} rows>"


class Attack:
    """What an attacker learnt: ``learnt`` without privacy, at which ``cost``, and what ``stopped`` it. ``tables`` has numbers."""

    def __init__(self, facts: dict[str, Any]):
        self.name: str = facts["name"]
        self.summary: str = facts["summary"]
        self.source: str = facts["source"]
        self.target: str = facts["target"] or ""
        self.learnt: str = facts["learnt"] or ""
        self.cost: str = facts["cost"] or ""
        self.stopped: str = facts["stopped"] or ""
        self.tables: list[Finding] = [Finding(table) for table in facts["tables"]]
        self._svg: str | None = facts["svg"]

    def plot(self) -> _plot.Plot:
        """The charts of the attack, as SVG. Some attacks have none: ParameterError."""
        if self._svg is None:
            raise _errors.ParameterError(f"the attack {self.name} has no chart", "unsupported", "plot")
        return _plot.Plot(f"the attack {self.name}", self._svg)

    def _words(self) -> list[tuple[str, str]]:
        return [("target", self.target), ("learnt", self.learnt), ("cost", self.cost), ("stopped by", self.stopped)]

    def __str__(self) -> str:
        return "\n\n".join([*(str(table) for table in self.tables), *(f"{name}: {words}" for name, words in self._words() if words)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{name}: {_table.escape(words)}</p>" for name, words in self._words() if words)
        return "".join(table._repr_html_() for table in self.tables) + notes

    def __repr__(self) -> str:
        return f"<Attack {self.name}: {self.learnt}>"


def attacks() -> list[dict[str, Any]]:
    """All attacks: name, summary, source, and whether one needs a file of public data."""
    return _native.attack_kinds()


def attack(
    name: _words.AttackName,
    *,
    file: str | os.PathLike[str] | None = None,
    columns: str | Sequence[str] | None = None,
    sensitive: str | None = None,
    progress: _progress.Progress = None,
) -> Attack:
    """Runs an attack twice: on answers without privacy, and on scrim's releases. It never touches a vault.

    - ``name`` is one of ``attacks()``. People are simulated, or come from ``file``, a public CSV file with a header that
      ``link`` and ``k-anonymity`` need, such as the Adult data.
    - ``columns`` is what the attacker knows of a person, ``sensitive`` what they want to know.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    """
    return Attack(
        _native.attack_run(name, None if file is None else os.fspath(file), _words.names(columns), sensitive, _progress.listener(progress))
    )


class Experiment(Frame):
    """The rows of an experiment: dictionaries, with exact numbers as text. ``plots`` are its drawings, ``facts`` all it says.

    In frames numbers are floats, and a number with a mean, an error and a quantile has a column for each.
    """

    def __init__(self, name: str, facts: dict[str, Any], plots: list[_plot.Plot]):
        self.name: str = name
        self.facts: dict[str, Any] = facts
        self.rows: list[dict[str, Any]] = facts["rows"]
        self.plots: list[_plot.Plot] = plots

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        rows = [_flattened(row) for row in self.rows]
        for name in rows[0] if rows else ():
            values = [row.get(name) for row in rows]
            numbers = [_as_number(value) for value in values]
            is_number = all((number is None) == (value is None) for number, value in zip(numbers, values))
            yield name, "number" if is_number else "text", numbers if is_number else [None if v is None else str(v) for v in values]

    def __str__(self) -> str:
        return _table.sheet(self)

    def _repr_html_(self) -> str:
        return _table.html_sheet(self) + "".join(plot.svg for plot in self.plots)

    def __repr__(self) -> str:
        return f"<Experiment {self.name}: {len(self)} rows>"


def _flattened(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        parts = {f"{name}_{part}": each for part, each in value.items()} if isinstance(value, Mapping) else {name: value}
        found.update(parts)
    return found


def _as_number(value: Any) -> int | float | None:
    """A number, perhaps written as text; None of anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return value if isinstance(value, (int, float)) else float(value)
    except (TypeError, ValueError):
        return None


# Experiments write to standard output, so each has a process of its own.
_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from scrim import _errors, _native

def tell(done, total):
    sys.stderr.write(json.dumps({"done": done, "total": total}) + "\\n")
    sys.stderr.flush()

try:
    _native.experiment_run(json.loads(sys.argv[2]), tell if sys.argv[3:] else None)
except _errors.Error as error:
    sys.stderr.write("\\n" + json.dumps(_errors.parts(error)))
    sys.exit(1)
"""
_DRAWN = ("flexible-accuracy", "emptiness", "suppression", "pricing", "central-local")


def _option(name: str, value: Any) -> list[str]:
    word = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    return [word] if value is True else [word, _number.text(value)]


def experiment(
    name: _words.ExperimentName, *words: str, plots: bool = False, progress: _progress.Progress = None, **options: Any
) -> Experiment:
    """Runs an experiment of the papers on simulated data, as ``scrim experiment`` does: its words and options are those.

    ``experiment("flexible-accuracy", only=4, runs=10)``, ``experiment("linear-queries", "queries=9", "bins=8", "people=99",
    "epsilon=1")``, ``experiment("pricing", epsilon="0.1", plots=True)``. With ``plots=True`` it draws what it can.

    - ``name``: the experiment.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total). ``flexible-accuracy`` tells it; the others are short.
    """
    import json
    import tempfile

    names = get_args(_words.ExperimentName)
    if name not in names:
        raise _errors.ParameterError(f"unknown experiment {name!r}; use {', '.join(names)}", "unknown", "name")
    tell = _progress.listener(progress)
    with tempfile.TemporaryDirectory() as place:
        line = ["scrim", "experiment", name, *words, "--json", "--quiet"]
        line += [word for key, value in options.items() for word in _option(key, value)]
        if plots and name in _DRAWN:
            line += ["--svg", place]
        with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
            _run(line, out, tell)
            out.seek(0)
            made = _facts(json.load(out))
        drawn = [_drawing(os.path.join(place, file)) for file in sorted(os.listdir(place))]
    return Experiment(name, made, drawn)


def _run(line: list[str], out: IO[str], tell: Callable[[int, int], Any] | None) -> None:
    """Runs the words of a command in a second process, which says on its standard error how far it is, and what is wrong."""
    import json
    import subprocess

    if not sys.executable:
        raise _errors.StateError("experiments run in a second process, and sys.executable does not name Python")
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, folder, json.dumps(line), *([] if tell is None else ["tell"])],
        stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True,
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
        return _errors.made(*json.loads(said.strip().splitlines()[-1]))
    except (ValueError, IndexError, TypeError):
        return _errors.InternalError("the experiment ended without a result")


def _drawing(path: str) -> _plot.Plot:
    with open(path, encoding="utf-8") as file:
        return _plot.Plot(os.path.basename(path).removesuffix(".svg"), file.read())


def _facts(said: Any) -> dict[str, Any]:
    if isinstance(said, Mapping) and "rows" in said:
        return dict(said)
    return {"rows": said if isinstance(said, list) else [said]}
