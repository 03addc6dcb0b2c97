"""Synthetic records: rows with the columns of a dataset and none of its people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from . import _command, _native, _number, _table, _words
from ._columns import READERS, Frame
from ._estimate import Cost
from ._label import Label
from ._opened import OpenVault

_KINDS = {"date": "date", "timestamp": "timestamp", "bool": "bool"}


class Records(Frame):
    """Synthetic rows: ``names`` of the columns, and what a ``Frame`` has."""

    def __init__(self, columns: list[tuple[str, str, list[Any]]]):
        self._columns = columns
        self.names: list[str] = [name for name, _, _ in columns]

    def __len__(self) -> int:
        return len(self._columns[0][2]) if self._columns else 0

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        return iter(self._columns)

    def _sheet(self, most: int = 10) -> tuple[list[str], list[list[str]], list[bool]]:
        body = [
            ["NULL" if column[2][i] is None else str(column[2][i]) for column in self._columns]
            for i in range(min(most, len(self)))
        ]
        return self.names, body, [kind == "number" for _, kind, _ in self._columns]

    def __str__(self) -> str:
        return f"{_table.plain(*self._sheet())}\n{len(self)} synthetic rows"

    def _repr_html_(self) -> str:
        return _table.html(*self._sheet(), caption=f"{len(self)} synthetic rows")

    def __repr__(self) -> str:
        return f"<Records: {len(self)} synthetic rows of {', '.join(self.names)}>"


def _column(name: str, cells: list[str | None], kind: str) -> tuple[str, str, list[Any]]:
    """The values; as text where they are not what the policy says."""
    read = _number.read if kind == "number" else READERS[kind]
    try:
        return name, kind, [None if cell is None else read(cell) for cell in cells]
    except ValueError:
        return name, "text", list(cells)


class Synthetic:
    """A release of noisy counts and the model that they determine. Drawing rows from it is free.

    ``columns`` says how each column was cut, ``rows`` how many rows the data seem to have, with noise, and
    ``max_rows`` how many rows of a unit count.
    """

    def __init__(self, vault: OpenVault, handle: Any):
        self._vault = vault
        self._handle = handle
        facts = _native.synth_read(handle)
        self.release: int = facts["release"]
        self.time: datetime | None = _number.moment(facts["time"])
        self.is_repeated: bool = facts["is_repeated"]
        self.dataset: str = facts["dataset"]
        self.method: str = facts["method"]
        self.version: int = facts["version"]
        self.rows: int = facts["rows"]
        self.max_rows: int = facts["max_rows"]
        self.columns: list[dict[str, Any]] = facts["columns"]
        self.cost: Cost = Cost(facts["cost"])

    def draw(self, rows: int | None = None, *, given: Mapping[str, Any] | None = None) -> Records:
        """Rows of the model; as many as the data seem to have, unless ``rows`` says otherwise.

        ``given`` keeps rows with these values: ``{"sex": "Female"}``; a number means its bin. The same arguments give
        the same rows. If the privacy unit is a column, it is the first one and numbers the rows.
        """
        kept = [f"{name}={value}" for name, value in (given or {}).items()]
        drawn = _native.synth_draw(self._handle, _words.count("rows", rows), kept)
        kinds = {column["name"]: self._kind(column) for column in self.columns}
        return Records([_column(name, cells, kinds.get(name, "number")) for name, cells in drawn])

    def save(self, path: _command.Files, rows: int | None = None, *, given: Mapping[str, Any] | None = None) -> None:
        """Writes the rows of ``draw`` to a file, and their label, signed by the vault, to PATH.label: ``scrim.verify`` checks both.

        - ``path``: the file; ``.json`` and ``.jsonl`` are of these kinds, others CSV.
        - ``rows``: how many rows.
        - ``given``: only rows with these values.
        """
        kept = [f"{name}={value}" for name, value in (given or {}).items()]
        _command.save_release(self._vault, self.release, path, rows=_words.count("rows", rows) or None, given=kept)

    def _kind(self, column: dict[str, Any]) -> str:
        if column["is_number"]:
            return "number"
        declared = self._vault._types(self.dataset).get(column["name"], "text")
        return _KINDS.get(declared.partition("[")[0].strip(), "text")

    def report(
        self, *, rows: int | None = None, ways: int = 3, confidence: _number.Number | None = None
    ) -> list[dict[str, Any]]:
        """What the rows preserve, free of charge: for every column, two and three columns together the total variation
        between data and rows is between ``low`` and ``high``. ``basis`` says how that is known.

        - ``ways``: how many columns go together.
        - ``confidence``: that of the intervals (0.95).
        """
        return _native.synth_report(self._handle, _words.count("rows", rows), ways, _number.optional(confidence))

    def answers(self, *, rows: int | None = None, confidence: _number.Number | None = None) -> list[dict[str, Any]]:
        """What the rows answer to the queries that they were made for, free of charge: how many ``rows`` each counts and
        their ``share``; the share in the data differs from it by between ``low`` and ``high``. ``basis`` says how that
        is known. Empty without queries.

        - ``confidence``: that of the intervals (0.95).
        """
        return _native.synth_queries(self._handle, _words.count("rows", rows), 1, _number.optional(confidence))

    def label(self) -> Label:
        """The label of the release, free of charge."""
        return Label(_native.label_new(self._vault._handle, self.release))

    def __str__(self) -> str:
        names = [name for name in self.columns[0] if name != "labels"] if self.columns else []
        rows = [["-" if column[name] is None else _table.shown(column[name]) for name in names] for column in self.columns]
        summary = f"release {self.release}, {self.cost.amounts()}, {self.method}: about {self.rows} rows; draw() makes rows, free"
        return f"{_table.plain(names, rows, [False] * len(names))}\n{summary}"

    def _repr_html_(self) -> str:
        return str(self.label()._repr_html_())

    def __repr__(self) -> str:
        return f"<Synthetic {self.release} of {self.dataset}: {self.method}, about {self.rows} rows>"
