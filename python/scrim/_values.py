"""Columns of rows, whatever library holds them: as Arrow where scrim reads their type, else as texts.

How a value is read follows from the value and the declared type of its column, and from nothing else: no other value, no
other column, and not the kind of frame. So each column is read by itself. Where a column must become texts, ``values``
gives the values of its type exactly: a narrow float is its own shortest decimal, a time is its ticks.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from itertools import accumulate
from typing import Any

from . import _cell, _native
from ._columns import bits
from ._errors import InputError

# Formats of the buffer protocol, and those of Arrow.
_FORMATS = {
    "b": "c", "B": "C", "h": "s", "H": "S", "i": "i", "I": "I", "q": "l", "Q": "L", "l": "l", "L": "L",
    "e": "e", "f": "f", "d": "g",
}  # fmt: skip
_CODES = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q", "e": "e", "f": "f", "g": "d"}
_OF_POLARS = {
    "Int8": "c", "UInt8": "C", "Int16": "s", "UInt16": "S", "Int32": "i", "UInt32": "I", "Int64": "l", "UInt64": "L",
    "Float16": "e", "Float32": "f", "Float64": "g",
}  # fmt: skip
_ARROW = re.compile(
    r"u?int(?:8|16|32|64)|halffloat|float|double|bool|(?:large_)?string|string_view|date(?:32|64)\[.*\]|timestamp\[.*\]|null"
    r"|decimal128\(.*\)"
)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_TEXTS = ("string", "large_string", "string_view")
_WIDTHS = {"halffloat": 2, "float": 4}

Column = tuple[str, str, int, tuple[Any, ...]]
"""The name, the format of Arrow, how many values are missing, and the buffers."""


def library(data: Any) -> str:
    """The package that an object comes from; for a class that somebody has derived from one of theirs, that one."""
    for kind in type(data).__mro__:
        package = kind.__module__.partition(".")[0]
        if package in ("pandas", "polars", "pyarrow", "duckdb", "_duckdb", "ibis"):
            return package
    return type(data).__module__.partition(".")[0]


def is_arrow(kind: Any) -> bool:
    """Is it a type of Arrow that scrim reads (scrim/feed.h)?"""
    return _ARROW.fullmatch(str(getattr(kind, "value_type", kind) if str(kind).startswith("dictionary<") else kind)) is not None


class Stream:
    """Columns as a stream of Arrow: buffers, and arrays of pyarrow."""

    def __init__(self, length: int, columns: Sequence[tuple[str, Any]]):
        self._length = length
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        given = [held for _, held in self._columns if isinstance(held, tuple)]
        if len(given) == len(self._columns):
            return _native.arrow_stream(self._length, given)
        from pyarrow import Table

        names = [name for name, _ in self._columns]
        arrays = [arrow(held, self._length) if isinstance(held, tuple) else held for _, held in self._columns]
        return Table.from_arrays(arrays, names).__arrow_c_stream__()


def arrow(column: Column, length: int) -> Any:
    """A column as an array of pyarrow, without a copy."""
    from pyarrow import table

    return table(Stream(length, [(column[0], column)])).column(0)


def read(name: str, column: Any, form: _cell.Form) -> tuple[str, Any]:
    """A column for ``Stream``: buffers of its own type, an array of pyarrow, or texts."""
    column = _inner(column)
    if library(column) == "pyarrow":
        return name, column if is_arrow(column.type) else texts(name, column, form)
    typed = _typed(column)
    if typed is None:
        _refuse_other(name, column)
    return name, texts(name, column, form) if typed is None else (name, *typed)


def _refuse_other(name: str, column: Any) -> None:
    """Refuses an array whose type has no values of a column, by its type alone."""
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    if kind is not None and getattr(column, "ndim", 1) != 1:
        raise InputError(f"column {name} has more than one dimension", "unsupported", name[:31])
    if (kind is None or kind in "iufV") and not _is_masked(column) and not _is_long(column):
        try:
            view = memoryview(column)
        except TypeError:
            return
        if view.ndim != 1 or view.format not in _FORMATS:
            raise InputError(f"column {name} has a type that cannot be pushed", "unsupported", name[:31])


def texts(name: str, column: Any, form: _cell.Form) -> Column:
    """The values of any column as texts, each by itself: no value is refused."""
    cells = cells_of(name, column, form)
    ends = array("q", accumulate((len(cell or b"") for cell in cells), initial=0))
    gone = sum(cell is None for cell in cells)
    valid = bits([cell is not None for cell in cells]) if gone else None
    return name, "U", gone, (valid, ends, b"".join(cell or b"" for cell in cells))


def cells_of(name: str, column: Any, form: _cell.Form) -> list[bytes | None]:
    """The text of each value."""
    column = _inner(column)
    categories = getattr(getattr(column, "dtype", None), "categories", None) if library(column) == "pandas" else None
    if categories is not None:
        known = cells_of(name, categories, form)
        return [known[code] if code >= 0 else None for code in column.array.codes.tolist()]
    return [form.cell(name, value) for value in _values(column)]


def _inner(column: Any) -> Any:
    """The array that a column of pandas or of another library of Arrow is: of numpy, or of pyarrow."""
    if library(column) != "pandas":
        if library(column) in ("polars", "pyarrow") or not hasattr(column, "to_pylist"):
            return column
        return _of_another(column)
    dtype = column.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow":
        return column.array.__arrow_array__()
    if type(dtype).__name__ == "SparseDtype":
        return column.array.to_dense()
    return column.to_numpy() if hasattr(dtype, "newbyteorder") else column


def _of_another(column: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        return column
    if hasattr(column, "__arrow_c_stream__"):
        return pyarrow.chunked_array(column)
    return pyarrow.array(column) if hasattr(column, "__arrow_c_array__") else column


def _values(column: Any) -> list[Any]:
    """The values of a column that ``_inner`` gave, each by itself."""
    kind = library(column)
    if kind == "pyarrow":
        return _scalars(column)
    typed = _typed(column)
    if typed is not None:
        return _decoded(len(column), *typed)
    if kind == "polars":
        return plain_polars(column)
    if _is_masked(column):
        gone = column.mask.tolist() if column.mask.shape else [False] * len(column)
        return [None if is_gone else value for value, is_gone in zip(column.data, gone)]
    if hasattr(column, "to_pylist"):
        return [_quietly(lambda i=i: column[i].as_py()) for i in range(len(column))]  # type: ignore[misc]
    try:
        return list(column.tolist() if kind == "pandas" else column)
    except MemoryError:
        raise
    except Exception:  # a value that its library cannot give
        return [_quietly(lambda i=i: column[i] if kind != "pandas" else column.array[i]) for i in range(len(column))]  # type: ignore[misc]


def _quietly(give: Callable[[], Any]) -> Any:
    """A value; None for one that its library cannot give."""
    try:
        return give()
    except MemoryError:
        raise
    except Exception:
        return None


def _is_masked(column: Any) -> bool:
    return hasattr(column, "mask") and hasattr(column, "filled")


def _is_long(column: Any) -> bool:
    """Is it an array of floating-point numbers of more than 8 bytes?"""
    return getattr(getattr(column, "dtype", None), "kind", None) == "f" and column.dtype.itemsize > 8


_Typed = tuple[str, int, tuple[Any, ...]]


def _typed(column: Any) -> _Typed | None:
    """The format, the missing values and the buffers of a column whose type scrim reads; None for any other."""
    kind = library(column)
    if kind == "polars":
        return _typed_polars(column)
    if kind == "pandas":
        return _typed_pandas(column)
    letter: Any = getattr(getattr(column, "dtype", None), "kind", None)
    if letter is not None and (_is_masked(column) or getattr(column, "ndim", 1) != 1):
        return None  # a masked value is missing, whatever lies under the mask
    if letter is not None and letter in "iufM" and hasattr(column.dtype, "newbyteorder"):
        column = column.astype(column.dtype.newbyteorder("="), copy=False)
    if letter == "M" and hasattr(column, "view"):
        return _moments(column, "")
    if letter == "b":
        return "b", 0, (None, bits([bool(value) for value in column]))
    if letter in ("m", "c", "U", "O", "T", "S", "V") or _is_long(column):
        return None
    try:
        view = memoryview(column)
    except TypeError:
        return None
    if view.ndim != 1 or view.format not in _FORMATS:
        return None
    return _FORMATS[view.format], 0, (None, view if view.c_contiguous else view.tobytes())


def _typed_pandas(column: Any) -> _Typed | None:
    """Types of pandas with missing values, and times with a zone."""
    held = column.array
    if type(column.dtype).__name__ == "DatetimeTZDtype":
        import numpy

        return _moments(numpy.asarray(held.tz_convert("UTC").tz_localize(None)), "UTC")
    if type(held).__name__ not in ("IntegerArray", "FloatingArray", "BooleanArray"):
        return None
    gone = held.isna()
    typed = _typed(held.to_numpy(dtype=column.dtype.numpy_dtype, na_value=0))
    if typed is None:
        return None
    return typed[0], int(gone.sum()), (bits((~gone).tolist()) if gone.any() else None, *typed[2][1:])


def _typed_polars(series: Any) -> _Typed | None:
    """Days and times are the numbers that the series holds: Python has no year above 9999."""
    kind = type(series.dtype).__name__
    if kind not in _OF_POLARS and kind not in ("Boolean", "Date", "Datetime"):
        return None
    held = (series.to_physical() if kind in ("Date", "Datetime") else series).to_list()
    gone = series.null_count()
    valid = bits([value is not None for value in held]) if gone else None
    if kind == "Boolean":
        return "b", gone, (valid, bits([bool(value) for value in held]))
    if kind == "Date":
        written = "tdD"
    elif kind == "Datetime":
        written = f"ts{series.dtype.time_unit[0]}:{'UTC' if series.dtype.time_zone else ''}"
    else:
        written = _OF_POLARS[kind]
    return written, gone, (valid, struct.pack(f"={len(held)}{_code(written)}", *[value or 0 for value in held]))


def _code(written: str) -> str:
    """The letter that struct has for a format of Arrow."""
    return "i" if written == "tdD" else _CODES.get(written, "q")


def plain_polars(series: Any) -> list[Any]:
    """The values of a series whose type scrim does not read. None where Python may not have one: polars panics."""
    kind = type(series.dtype).__name__
    if kind in ("Duration", "List", "Array", "Struct"):
        return [None] * len(series)  # no value of any declared type
    if kind == "Time":
        return [_clock(nanoseconds) for nanoseconds in series.to_physical().to_list()]
    values: list[Any] = series.to_list()
    return values


def _clock(nanoseconds: int | None) -> time | None:
    try:
        return None if nanoseconds is None else (datetime.min + timedelta(microseconds=nanoseconds // 1000)).time()
    except OverflowError:
        return None


def _moments(column: Any, zone: str) -> _Typed:
    """numpy.datetime64; NaT is missing."""
    unit, whole = _cell.ticks(column)
    missing = whole == -(2**63)
    valid = bits([not gone for gone in missing.tolist()]) if missing.any() else None
    return f"ts{unit[0]}:{zone}", int(missing.sum()), (valid, whole)


def _decoded(length: int, written: str, gone: int, buffers: tuple[Any, ...]) -> list[Any]:
    """The values of a typed column, as C reads them."""
    valid, held = buffers
    raw = memoryview(held).tobytes()
    if written == "b":
        found: Sequence[Any] = [bool(raw[i // 8] >> i % 8 & 1) for i in range(length)]
    else:
        found = struct.unpack_from(f"={length}{_code(written)}", raw)
    if valid is not None:
        found = [value if valid[i // 8] >> i % 8 & 1 else None for i, value in enumerate(found)]
    if written in ("e", "f"):
        width = 2 if written == "e" else 4
        return [_cell.narrow(value, width) for value in found]
    if written == "tdD":
        return [_cell.day(value) for value in found]
    if written.startswith("ts"):
        unit, _, zone = written[2:].partition(":")
        second = _PER_SECOND[{"m": "ms", "u": "us", "n": "ns"}.get(unit, unit)]
        return [_cell.moment(value, second, zone != "") for value in found]
    return list(found)


def _scalars(column: Any) -> list[Any]:
    """The values of an array of pyarrow, each by itself: an iterator would end at one that leads nowhere."""
    made: list[Any] = []
    for chunk in getattr(column, "chunks", [column]):
        give = _reader(chunk.type)
        made.extend(_quietly(lambda i=i: give(chunk[i])) for i in range(len(chunk)))  # type: ignore[misc]
    return made


def _reader(kind: Any) -> Callable[[Any], Any]:
    """How a value of a type of Arrow is read, as C reads one of that type. A union may lead to no value."""
    words = str(kind)
    if words in _WIDTHS:
        return lambda value: _cell.narrow(value.as_py(), _WIDTHS[words])
    if words in _TEXTS:
        return lambda value: _cell.Held(value.as_buffer().to_pybytes()) if value.is_valid else None
    if words.startswith("timestamp["):
        return lambda value: _cell.moment(value.value, _PER_SECOND[kind.unit], kind.tz is not None)
    if words.startswith("date"):
        return lambda value: _cell.day(value.value if words == "date32[day]" or not value.is_valid else value.value // 86400000)
    if words.startswith("time"):
        return lambda value: _clock(value.value * (10**9 // _PER_SECOND[kind.unit]) if value.is_valid else None)
    if words.startswith(("dictionary<", "run_end_encoded<")):
        give = _reader(kind.value_type)
        return lambda value: give(value.value)
    if "union<" in words:
        return lambda value: _reader(value.value.type)(value.value)
    storage = str(getattr(kind, "storage_type", ""))
    if storage in _WIDTHS:
        return lambda value: _cell.narrow(value.as_py(), _WIDTHS[storage])
    return lambda value: value.as_py()
