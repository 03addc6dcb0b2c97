"""Columns of values, read from their texts, and as frames of pandas, polars and Arrow."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from . import _native, _number


def _read_date(text: str) -> Any:
    from datetime import date

    return date.fromisoformat(text)


def _read_timestamp(text: str) -> Any:
    from datetime import datetime

    return datetime.fromisoformat(text.replace("Z", "+00:00"))  # which Python 3.9 reads as well


def _read_number_key(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        from decimal import Decimal

        return Decimal(text)


READERS: dict[str, Any] = {
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
        """A pandas.DataFrame with the same columns.

        Whole numbers are int64, and Int64 beside a missing one: as floats they would lose digits. Dates are datetime64,
        times datetime64 in UTC, booleans bool, and boolean beside a missing one.
        """
        import pandas

        return pandas.DataFrame({name: _of_pandas(kind, values) for name, kind, values in self._flat()})

    def to_polars(self) -> Any:
        """A polars.DataFrame with the same columns, as ``polars.DataFrame(answer)`` makes it."""
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


def _of_pandas(kind: str, values: list[Any]) -> Any:
    """The values with the type of their kind, whichever of them are missing."""
    import pandas

    if kind == "bool":
        return pandas.array(values, dtype="boolean" if None in values else "bool")
    if kind == "date":
        import numpy

        return numpy.array(values, dtype="datetime64[s]")
    if kind == "timestamp":
        return pandas.to_datetime(pandas.Series(values, dtype=object), utc=True)
    if kind not in ("number", "real"):
        return values
    if kind == "real" or not all(value is None or isinstance(value, int) for value in values):
        return [float("nan" if value is None else value) for value in values]
    if any(value is not None and abs(value) >= 2**63 for value in values):
        return pandas.array(values, dtype=object)
    return pandas.array(values, dtype="Int64" if None in values else "int64")


def bits(flags: list[bool]) -> bytes:
    out = bytearray((len(flags) + 7) // 8)
    for i, flag in enumerate(flags):
        if flag:
            out[i // 8] |= 1 << (i % 8)
    return bytes(out)


def _arrow_column(name: str, kind: str, values: list[Any]) -> tuple[str, str, int, tuple[Any, ...]]:
    """A column as the C data interface has it: format, nulls, buffers."""
    nulls = sum(value is None for value in values)
    valid = bits([value is not None for value in values]) if nulls else None
    if kind == "text":
        parts = [(value or "").encode("utf-8", "surrogateescape") for value in values]
        ends, end = array("q", [0]), 0
        for part in parts:
            end += len(part)
            ends.append(end)
        return name, "U", nulls, (valid, ends, b"".join(parts))
    if kind == "bool":
        return name, "b", nulls, (valid, bits([bool(value) for value in values]))
    if kind == "date":
        from datetime import date

        first = date(1970, 1, 1).toordinal()
        days = [0 if value is None else value.toordinal() - first for value in values]
        return name, "tdD", nulls, (valid, array("i", days))
    if kind == "timestamp":
        seconds = [0 if value is None else int(value.timestamp()) for value in values]
        return name, "tss:UTC", nulls, (valid, array("q", seconds))
    # A released number has as many decimals as its column: all of them are whole, or none is.
    if values and kind != "real" and all(value is None or isinstance(value, int) for value in values):
        whole = [0 if value is None else value for value in values]
        most = max(map(abs, whole))
        if most < 2**63:
            return name, "l", nulls, (valid, array("q", whole))
        if most < 10**38:  # a decimal of Arrow: a double would lose digits
            return name, "d:38,0", nulls, (valid, b"".join(value.to_bytes(16, "little", signed=True) for value in whole))
    return name, "g", nulls, (valid, array("d", [0.0 if value is None else float(value) for value in values]))
