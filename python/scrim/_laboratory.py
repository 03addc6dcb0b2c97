"""Attacks on published numbers, and the experiments of the papers: research beside the library. No vault, no private data."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from . import _command, _errors, _native, _plot, _progress, _table, _words
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


class Experiment(_command.Listing):
    """The rows of an experiment: dictionaries, with exact numbers as text. ``plots`` are its drawings, ``facts`` all it says.

    In frames numbers are floats, and a number with a mean, an error and a quantile has a column for each.
    """

    def __init__(self, name: str, text: str, plots: list[_plot.Plot]):
        super().__init__(name, text)
        if not self.rows:
            self.rows = self.facts["rows"] = [{name: value for name, value in self.facts.items() if name != "rows"}]
        self.plots: list[_plot.Plot] = plots

    def __str__(self) -> str:
        return _table.sheet(self)

    def _repr_html_(self) -> str:
        return _table.html_sheet(self) + "".join(plot.svg for plot in self.plots)


_DRAWN = ("flexible-accuracy", "emptiness", "suppression", "pricing", "central-local")


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
    import tempfile

    names = get_args(_words.ExperimentName)
    if name not in names:
        raise _errors.ParameterError(f"unknown experiment {name!r}; use {', '.join(names)}", "unknown", "name")
    tell = _progress.listener(progress)
    with tempfile.TemporaryDirectory() as place:
        line = ["experiment", name, *words]
        line += [word for key, value in options.items() for word in _command.option(key, value)]
        if plots and name in _DRAWN:
            line += ["--svg", place]
        made = _command.run(line, tell=tell)
        drawn = [_drawing(os.path.join(place, file)) for file in sorted(os.listdir(place))]
    return Experiment(name, made, drawn)


def _drawing(path: str) -> _plot.Plot:
    with open(path, encoding="utf-8") as file:
        return _plot.Plot(os.path.basename(path).removesuffix(".svg"), file.read())
