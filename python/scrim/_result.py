"""Answers of queries: rows with values and intervals, and the label as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, overload

from . import _columns, _command, _native, _number, _table, _words
from ._columns import Frame
from ._estimate import Cost, Estimate
from ._errors import ParameterError, StateError
from ._label import Label
from ._opened import OpenVault
from ._plot import Plot

class Column:
    """A column of an answer: ``name``, ``kind``, and what its interval does not cover."""

    __slots__ = ("name", "kind", "note", "certificate", "is_certain", "asked")

    name: str
    kind: str
    note: str | None
    certificate: str | None
    is_certain: bool
    asked: str  #: its name in the text of the query

    def __init__(self, facts: dict[str, Any]):
        for name in ("name", "kind", "note", "certificate", "is_certain"):
            setattr(self, name, facts[name])
        self.asked = self.name

    @property
    def is_value(self) -> bool:
        """True for a number with an interval, False for a key of GROUP BY."""
        return self.kind in ("value", "date_value", "timestamp_value")

    def __repr__(self) -> str:
        return f"<Column {self.name}: {self.kind}>"


class Cut:
    """People whose rows contribution bounds left out of an answer: ``words``, and ``caution`` where it may be much.

    ``people`` is their share, from ``people_low`` to ``people_high``. At least ``rows_low`` rows were left out;
    ``rows_high`` is the upper end of that number, and even more may have been. ``rows_share_low`` and ``rows_share_high``
    are shares of all rows, or None if the query does not count these. Shares are in percent.
    """

    __slots__ = (
        "words", "caution", "people", "people_low", "people_high", "rows_low", "rows_high", "rows_share_low",
        "rows_share_high",
    )  # fmt: skip

    words: str
    caution: str | None
    people: float
    people_low: float
    people_high: float
    rows_low: int
    rows_high: int
    rows_share_low: float | None
    rows_share_high: float | None

    def __init__(self, facts: dict[str, str]):
        self.words = _words.worded(facts["words"])
        self.caution = _words.worded(facts["caution"]) or None
        self.rows_low = int(facts["rows_low"])
        self.rows_high = int(facts["rows_high"])
        for name in ("people", "people_low", "people_high", "rows_share_low", "rows_share_high"):
            setattr(self, name, float(facts[name]) if facts[name] else None)

    def __repr__(self) -> str:
        return f"<Cut: {self.words}>"


class Statement(Frame):
    """The answer of one query: ``rows``, ``columns``, and what a ``Frame`` has.

    In frames a value ``n`` has its interval in the columns ``n_low`` and ``n_high``, as in CSV. A value whose interval is
    all that is possible is missing there, beside that interval: it would be noise alone. Counts and sums beyond 0 stay as
    they were drawn, since sums of them have no bias. ``rows`` has all numbers as they were drawn.
    ``cut`` tells whose rows were left out (``Cut``); it is None if bounds can leave nothing out.
    """

    def __init__(self, facts: dict[str, Any]):
        self.query: str = facts["query"]
        self.columns: list[Column] = [Column(column) for column in facts["columns"]]
        self.kept: str | None = facts["kept"]
        self.missing: str | None = facts["missing"] and _words.worded(facts["missing"])
        self.cut: Cut | None = None if facts["cut"] is None else Cut(facts["cut"])
        self._cells: list[list[Any]] = facts["rows"]
        self._totals: set[tuple[int, int]] = set(facts["totals"])
        self._rows: list[dict[str, Any]] | None = None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each row: keys as Python values, numbers as ``Estimate``."""
        if self._rows is None:
            self._rows = [
                {column.name: _cell(column, cell) for column, cell in zip(self.columns, row)} for row in self._cells
            ]
        return self._rows

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: str) -> list[Any]: ...
    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: Any) -> Any:
        """A row by its place, or a column by its name."""
        if not isinstance(index, str):
            return self.rows[index]
        if all(index != column.name for column in self.columns):
            raise KeyError(f"no column '{index}'; there are {', '.join(column.name for column in self.columns)}")
        return [row[index] for row in self.rows]

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        for column in self.columns:
            cells = [row[column.name] for row in self.rows]
            if not column.is_value:
                yield column.name, column.kind, cells
                continue
            kind = {"value": "number", "date_value": "date", "timestamp_value": "timestamp"}[column.kind]
            if kind == "number" and any(isinstance(cell.value, float) for cell in cells):
                kind = "real"  # also where all of these are missing
            yield column.name, kind, [None if cell.is_open else cell.value for cell in cells]
            kind = "number" if kind == "real" else kind
            yield f"{column.name}_low", kind, [cell.low for cell in cells]
            yield f"{column.name}_high", kind, [cell.high for cell in cells]

    def _sheet(self) -> tuple[list[str], list[Sequence[str]], list[bool]]:
        header = [column.name for column in self.columns]
        body = _table.abridged(
            [
                ["(all)" if (i, j) in self._totals else _shown(cell) for j, cell in enumerate(row.values())]
                for i, row in enumerate(self.rows)
            ]
        )
        return header, body, [column.is_value or column.kind == "number" for column in self.columns]

    def __str__(self) -> str:
        return _table.plain(*self._sheet())

    def __repr__(self) -> str:
        return f"<Statement of {len(self)} rows: {', '.join(column.name for column in self.columns)}>"


def _cell(column: Column, cell: Any) -> Any:
    if column.is_value:
        return Estimate(*cell[:3], kind=column.kind, is_open=cell[3], is_beyond=cell[4])
    return None if cell is None else _columns.READERS[column.kind](cell)


def _shown(cell: Any) -> str:
    return "NULL" if cell is None else str(cell)


class Result(Statement):
    """The answer of a query, with its release number and its cost.

    ``rows`` has a dictionary for each row; the result exports Arrow, and ``to_pandas()``, ``to_polars()`` and
    ``to_arrow()`` make frames. A notebook shows the values, and the label to open: who is protected, the cost, plots.
    """

    def __init__(self, vault: OpenVault | None, facts: dict[str, Any], statement: int = 0):
        super().__init__(facts["statements"][statement])
        self._vault = vault
        self.release: int = facts["release"]
        self.time: datetime | None = _number.moment(facts["time"])
        self.is_repeated: bool = facts["is_repeated"]
        self.is_view: bool = facts["is_view"]
        self.dataset: str = facts["dataset"]
        self.version: int = facts["version"]
        self.confidence: str = facts["confidence"]
        self.cost: Cost = Cost(facts["cost"])
        self.unit: str = facts["unit"]
        earlier = [Column(column) for each in facts["statements"][:statement] for column in each["columns"]]
        self._earlier = [column.name for column in earlier if column.is_value]

    def plot(self, column: str | None = None) -> Plot:
        """The values of a column with their intervals, as SVG: the first column of numbers, unless one is named.

        A notebook shows it; ``plot().save("n.svg")`` writes it. It is the drawing of the label.
        """
        values = [each for each in self.columns if each.is_value and column in (None, each.name)]
        if not values:
            names = ", ".join(each.name for each in self.columns if each.is_value)
            raise KeyError(f"no column of numbers {column!r}; there are {names}")
        if self.is_view:
            return self._recorded(values[0])
        found = [plot for plot in self.label().plots if plot.title == values[0].asked]
        return found[self._earlier.count(values[0].asked)]

    def _recorded(self, column: Column) -> Plot:
        """The plot of the released column that has the numbers of a column of this view."""
        facts = _native.query_replay(self._live()._handle, self.release, self.confidence)
        shown = [estimate.exact for estimate in self[column.name]]
        for statement in range(len(facts["statements"])):
            released = Result(self._vault, facts, statement)
            for each in released.columns:
                numbers = [estimate.exact for estimate in released[each.name]] if each.is_value else []
                if numbers and all(number in numbers for number in shown):
                    return released.plot(each.name)
        words = f"{column.name} is computed from what release {self.release} has; vault.replay({self.release}).plot() draws that"
        raise ParameterError(words, "unsupported", "column")

    def _live(self) -> OpenVault:
        if self._vault is None:
            raise StateError(f"a copied result has no vault; use vault.replay({self.release})")
        return self._vault

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if any(name == column.name for column in self.__dict__.get("columns", ())):
                raise AttributeError(f"{type(self).__name__} has no {name!r}; use answer[{name!r}]")
            raise _words.no_attribute(self, name, is_answer=True)

    def label(self) -> Label:
        """The label of the release, free of charge. A copy of a result has no vault: use ``vault.label(result.release)``."""
        if self._vault is None:
            raise StateError(f"a copied result has no vault; use vault.label({self.release})")
        return Label(_native.label_new(self._vault._handle, self.release))

    def save(self, path: _command.Files) -> None:
        """Writes the released answer to a file, free of charge, and its label, signed by the vault, to PATH.label.

        ``scrim.verify(path, key=...)`` checks every byte of it. Files named ``.json`` and ``.jsonl`` are of these kinds, others
        CSV; all queries of a batch are in one file.

        - ``path``: the file.
        """
        _command.save_release(self._live(), self.release, path, confidence=self.confidence)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_vault": None}  # facts alone: they need no vault

    def _repr_html_(self) -> str:
        return _page([self])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": str(self), "text/html": self._repr_html_()}
        return {
            kind: shown
            for kind, shown in bundle.items()
            if (not include or kind in include) and (not exclude or kind not in exclude)
        }

    def _summary(self) -> str:
        charged = "repeated free of charge" if self.is_repeated else "charged"
        if self.is_view:
            charged = "another view of it, free of charge"
        return f"release {self.release}, {self.cost.amounts()}, {charged}; intervals at {self.confidence}"

    def _oddities(self) -> list[str]:
        """The meaning of the words that stand in place of numbers."""
        values = [cell for row in self.rows for cell in row.values() if isinstance(cell, Estimate) and cell.value is not None]
        found = []
        if any(cell.is_beyond and cell.is_usable for cell in values):
            found.append("about 0: noise took the number beyond 0; rows and frames have it as it was drawn")
        if any(cell.is_open for cell in values):
            found.append("no usable value: the noise leaves everything possible; a larger epsilon or fewer groups help")
        elif any(not cell.is_usable for cell in values):
            found.append("no usable value: the noise is larger than its interval; a larger epsilon or fewer groups help")
        return found

    def _cautions(self) -> list[str]:
        cut = [] if self.cut is None or self.cut.words in (self.missing or "") else [self.cut.words]
        long = [f"{len(self)} rows, of which {2 * _table.ENDS} are shown; to_pandas() has all"] if _table.is_long(len(self)) else []
        return list(dict.fromkeys([*long, *self._oddities(), *cut, *([self.missing] if self.missing else [])]))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), self._summary(), *_table.folded(self._cautions())])

    def __repr__(self) -> str:
        return f"<Result {self.release} of {self.dataset}: {len(self)} rows>"


def _page(results: Sequence[Result]) -> str:
    """What a notebook shows of the answers of one release: their values, then the label to open."""
    from ._errors import Error

    tables = [_table.html(*result._sheet(), caption=result.query) for result in results]
    notes = [results[0]._summary(), *dict.fromkeys(line for result in results for line in result._cautions())]
    values = "".join(tables) + "".join(f"<p>{_table.escape(line)}</p>" for line in notes)
    try:
        label = results[0].label()._repr_html_()
    except Error:
        return values
    return f"{values}<details><summary>label: who is protected, the cost, plots</summary>{label}</details>"


class Batch(Sequence[Result]):
    """The answers of several queries that were charged together, as one release."""

    def __init__(self, vault: OpenVault | None, facts: dict[str, Any]):
        self._results = [Result(vault, facts, i) for i in range(len(facts["statements"]))]
        self.release: int = facts["release"]
        self.is_repeated: bool = facts["is_repeated"]
        self.is_view: bool = facts["is_view"]
        self.cost: Cost = Cost(facts["cost"])

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    def save(self, path: _command.Files) -> None:
        """Writes the answers to one file, and their signed label to PATH.label, as ``Result.save`` does.

        - ``path``: the file.
        """
        self._results[0].save(path)

    def _repr_html_(self) -> str:
        return _page(self._results)

    def __str__(self) -> str:
        tables = [
            "\n".join([result.query, Statement.__str__(result), ""]) for result in self._results
        ]
        cautions = dict.fromkeys(line for result in self._results for line in result._cautions())  # each once
        return "\n".join([*tables, self._results[0]._summary(), *_table.folded(cautions)])

    def __repr__(self) -> str:
        return f"<Batch {self.release}: {len(self)} queries>"
