"""Answers: rows with values and intervals, data frames, Arrow, and the label as a page."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import _native, _number, _table

if TYPE_CHECKING:
    from ._vault import Vault


class Cost:
    """What a release costs: ``epsilon``, ``delta`` and ``rho`` as exact text, or None if not promised."""

    __slots__ = ("epsilon", "delta", "rho", "neighbours")

    epsilon: str | None
    delta: str | None
    rho: str | None
    neighbours: str

    def __init__(self, facts: dict[str, Any]):
        self.epsilon, self.delta, self.rho = facts["epsilon"], facts["delta"], facts["rho"]
        self.neighbours = facts["neighbours"]

    def __repr__(self) -> str:
        parts = [f"{name} {getattr(self, name)}" for name in ("epsilon", "delta", "rho") if getattr(self, name)]
        return f"<Cost {', '.join(parts) or 'by a curve'}, {self.neighbours}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cost) and all(getattr(self, name) == getattr(other, name) for name in Cost.__slots__)

    def __hash__(self) -> int:
        return hash((self.epsilon, self.delta, self.rho, self.neighbours))


class Estimate:
    """A released value with its interval: ``value``, ``low`` and ``high``.

    Numbers are an int, or the nearest float; ``exact`` holds the three texts as they were released. None is
    a value that does not exist, such as a divisor of 0, or an end that is unbounded.
    """

    __slots__ = ("value", "low", "high", "exact", "is_open")

    value: Any
    low: Any
    high: Any
    exact: tuple[str | None, str | None, str | None]
    is_open: bool

    def __init__(self, cell: Sequence[Any], kind: str):
        read = _READERS[kind]
        self.exact = (cell[0], cell[1], cell[2])
        self.value, self.low, self.high = (None if text is None else read(text) for text in self.exact)
        self.is_open = bool(cell[3])

    def __float__(self) -> float:
        return float("nan") if self.value is None else float(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Estimate) and self.exact == other.exact

    def __hash__(self) -> int:
        return hash(self.exact)

    def __repr__(self) -> str:
        return f"Estimate({self.exact[0]}, {self.exact[1]} to {self.exact[2]})"


class Column:
    """A column of an answer: ``name``, ``kind``, and what its interval does not cover."""

    __slots__ = ("name", "kind", "note", "certificate", "is_certain")

    name: str
    kind: str
    note: str | None
    certificate: str | None
    is_certain: bool

    def __init__(self, facts: dict[str, Any]):
        for name in Column.__slots__:
            setattr(self, name, facts[name])

    @property
    def is_value(self) -> bool:
        """True for a number with an interval, False for a key of GROUP BY."""
        return self.kind in ("value", "date_value", "timestamp_value")

    def __repr__(self) -> str:
        return f"<Column {self.name}: {self.kind}>"


def _read_date(text: str) -> Any:
    from datetime import date

    return date.fromisoformat(text)


def _read_timestamp(text: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(text)


def _read_number_key(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        from decimal import Decimal

        return Decimal(text)


_READERS: dict[str, Any] = {
    "text": str,
    "number": _read_number_key,
    "date": _read_date,
    "bool": lambda text: text == "true",
    "value": _number.read,
    "date_value": _read_date,
    "timestamp": _read_timestamp,
    "timestamp_value": _read_timestamp,
}


class Frame:
    """Columns of values, as data frames and as Arrow (``__arrow_c_stream__``): an answer, or synthetic records."""

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def to_dict(self) -> dict[str, list[Any]]:
        """Lists by column."""
        return {name: values for name, _, values in self._flat()}

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the same columns. Whole numbers beside a missing one are Int64: as floats they would lose digits."""
        import pandas

        return pandas.DataFrame({name: _of_pandas(values) for name, _, values in self._flat()})

    def to_polars(self) -> Any:
        """A polars.DataFrame with the same columns."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """A pyarrow.Table with the same columns; other libraries of Arrow take the object itself."""
        import pyarrow

        return pyarrow.table(self)

    def _arrow(self) -> list[tuple[str, str, int, tuple[Any, ...]]]:
        return [_arrow_column(name, kind, values) for name, kind, values in self._flat()]

    def __arrow_c_schema__(self) -> object:
        return _native.arrow_schema(self._arrow())

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return _native.arrow_array(len(self), self._arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _native.arrow_stream(len(self), self._arrow())


def _of_pandas(values: list[Any]) -> Any:
    whole = [value for value in values if type(value) is int]
    if not whole or len(whole) == len(values) or len(whole) + values.count(None) < len(values):
        return values
    import pandas

    return pandas.array(values, dtype="Int64" if all(abs(value) < 2**63 for value in whole) else object)


class Statement(Frame):
    """The answer of one query: ``rows``, ``columns``, and what a ``Frame`` has.

    In frames a value ``n`` has its interval in the columns ``n_low`` and ``n_high``, as in CSV.
    """

    def __init__(self, facts: dict[str, Any]):
        self.query: str = facts["query"]
        self.columns: list[Column] = [Column(column) for column in facts["columns"]]
        self.kept: str | None = facts["kept"]
        self.missing: str | None = facts["missing"]
        self._cells: list[list[Any]] = facts["rows"]
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

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.rows[index]

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        for column in self.columns:
            cells = [row[column.name] for row in self.rows]
            if not column.is_value:
                yield column.name, column.kind, cells
                continue
            kind = {"value": "number", "date_value": "date", "timestamp_value": "timestamp"}[column.kind]
            yield column.name, kind, [cell.value for cell in cells]
            yield f"{column.name}_low", kind, [cell.low for cell in cells]
            yield f"{column.name}_high", kind, [cell.high for cell in cells]

    def _sheet(self) -> tuple[list[str], list[list[str]], list[bool]]:
        header = [column.name for column in self.columns]
        body = [[_shown(cell) for cell in row.values()] for row in self.rows]
        return header, body, [column.is_value or column.kind == "number" for column in self.columns]

    def __str__(self) -> str:
        return _table.plain(*self._sheet())

    def __repr__(self) -> str:
        return f"<Statement of {len(self)} rows: {', '.join(column.name for column in self.columns)}>"


def _cell(column: Column, cell: Any) -> Any:
    if column.is_value:
        return Estimate(cell, column.kind)
    return None if cell is None else _READERS[column.kind](cell)


def _shown(cell: Any) -> str:
    if isinstance(cell, Estimate):
        value, low, high = ("-" if text is None else text for text in cell.exact)
        return f"{value} ({low} to {high})"
    return "NULL" if cell is None else str(cell)


def _bits(flags: list[bool]) -> bytes:
    out = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        if flag:
            out[i // 8] |= 1 << (i % 8)
    return bytes(out)


def _arrow_column(name: str, kind: str, values: list[Any]) -> tuple[str, str, int, tuple[Any, ...]]:
    """A column as the C data interface has it: format, nulls, buffers."""
    nulls = sum(value is None for value in values)
    valid = _bits([value is not None for value in values]) if nulls else None
    if kind == "text":
        parts = [(value or "").encode("utf-8", "surrogateescape") for value in values]
        ends, end = array("q", [0]), 0
        for part in parts:
            end += len(part)
            ends.append(end)
        return name, "U", nulls, (valid, ends, b"".join(parts))
    if kind == "bool":
        return name, "b", nulls, (valid, _bits([bool(value) for value in values]))
    if kind == "date":
        from datetime import date

        first = date(1970, 1, 1).toordinal()
        days = [0 if value is None else value.toordinal() - first for value in values]
        return name, "tdD", nulls, (valid, array("i", days))
    if kind == "timestamp":
        seconds = [0 if value is None else int(value.timestamp()) for value in values]
        return name, "tss:UTC", nulls, (valid, array("q", seconds))
    # A released number has as many decimals as its column: all of them are whole, or none is.
    if values and all(value is None or (isinstance(value, int) and abs(value) < 2**63) for value in values):
        return name, "l", nulls, (valid, array("q", [0 if value is None else value for value in values]))
    return name, "g", nulls, (valid, array("d", [0.0 if value is None else float(value) for value in values]))


class Result(Statement):
    """The answer of a query, with its release number and its cost.

    ``rows`` has a dictionary for each row; the result exports Arrow, and ``to_pandas()``, ``to_polars()`` and
    ``to_arrow()`` make frames. A notebook shows the values, and the label to open: who is protected, the cost, plots.
    """

    def __init__(self, vault: Vault | None, facts: dict[str, Any], statement: int = 0):
        super().__init__(facts["statements"][statement])
        self._vault = vault
        self.release: int = facts["release"]
        self.time: int | None = facts["time"] or None
        self.is_repeated: bool = facts["is_repeated"]
        self.dataset: str = facts["dataset"]
        self.version: int = facts["version"]
        self.confidence: str = facts["confidence"]
        self.cost = Cost(facts["cost"])
        self.unit: str = facts["unit"]

    def label(self) -> Any:
        """The label of the release, free of charge."""
        if self._vault is None:
            raise ValueError("the result has no vault")
        return self._vault.report(self.release)

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
        cost = ", ".join(
            f"{name} {getattr(self.cost, name)}"
            for name in ("epsilon", "delta")
            if getattr(self.cost, name) not in (None, "0")
        )
        return f"release {self.release}, {cost}, {charged}; intervals at {self.confidence}"

    def _cautions(self) -> list[str]:
        return [self.missing] if self.missing else []

    def __str__(self) -> str:
        return "\n".join([super().__str__(), self._summary(), *self._cautions()])

    def __repr__(self) -> str:
        return f"<Result {self.release} of {self.dataset}: {len(self)} rows>"


def _page(results: Sequence[Result]) -> str:
    """What a notebook shows of the answers of one release: their values, then the label to open."""
    from ._errors import Error

    tables = [_table.html(*result._sheet(), caption=result.query) for result in results]
    notes = [results[0]._summary(), *(line for result in results for line in result._cautions())]
    values = "".join(tables) + "".join(f"<p>{_table.escape(line)}</p>" for line in notes)
    try:
        label = results[0].label()._repr_html_()
    except (Error, ValueError):
        return values
    return f"{values}<details><summary>label: who is protected, the cost, plots</summary>{label}</details>"


class Batch(Sequence[Result]):
    """The answers of several queries that were charged together, as one release."""

    def __init__(self, vault: Vault | None, facts: dict[str, Any]):
        self._results = [Result(vault, facts, i) for i in range(len(facts["statements"]))]
        self.release: int = facts["release"]
        self.is_repeated: bool = facts["is_repeated"]
        self.cost = Cost(facts["cost"])

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    def _repr_html_(self) -> str:
        return _page(self._results)

    def __str__(self) -> str:
        tables = [
            "\n".join([result.query, Statement.__str__(result), *result._cautions(), ""]) for result in self._results
        ]
        return "\n".join([*tables, self._results[0]._summary()])

    def __repr__(self) -> str:
        return f"<Batch {self.release}: {len(self)} queries>"
