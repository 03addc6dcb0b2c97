"""Data frames as streams of Arrow: pandas, polars, pyarrow, DuckDB, numpy, and plain columns."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._errors import InputError
from ._result import _bits

# Formats of the buffer protocol, and those of Arrow.
_FORMATS = {
    "b": "c", "B": "C", "h": "s", "H": "S", "i": "i", "I": "I", "q": "l", "Q": "L", "l": "l", "L": "L",
    "e": "e", "f": "f", "d": "g",
}  # fmt: skip


def is_frame(data: Any) -> bool:
    """True for what can be pushed: Arrow by its interface, a mapping of columns, a structured array."""
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__") or hasattr(data, "collect_schema"):
        return True
    return isinstance(data, Mapping) or getattr(getattr(data, "dtype", None), "names", None) is not None


def run(plan: Any, data: Any) -> dict[str, Any]:
    """Pushes the columns of a frame that the plan reads; the facts of the result."""
    wanted = _native.feed_columns(plan)
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        data = data.select([name for name in wanted if name in data.collect_schema().names()]).collect()
    if hasattr(data, "__arrow_c_stream__"):
        return _native.feed_stream(plan, _stream(data, wanted))
    if hasattr(data, "__arrow_c_array__"):
        return _native.feed_array(plan, *data.__arrow_c_array__())
    return _native.feed_stream(plan, _columns(_mapping(data), wanted))


def _stream(data: Any, wanted: list[str]) -> Any:
    """The stream of what has one, without the columns that nobody asks for."""
    try:
        return _projected(data, wanted).__arrow_c_stream__()
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        # Messages of other libraries show values.
        raise InputError(
            f"the data cannot be read as Arrow ({type(error).__name__}); give each column one type", "unsupported"
        ) from None


def _projected(data: Any, wanted: list[str]) -> Any:
    names = _names(data)
    if names is None or set(names) <= set(wanted):
        return data
    kept = [name for name in wanted if name in names]
    kind = type(data).__module__.partition(".")[0]
    if kind == "pandas":
        return data[kept]
    if kind in ("polars", "pyarrow") and hasattr(data, "select"):
        return data.select(kept)
    if kind in ("duckdb", "_duckdb"):
        return data.project(", ".join('"' + name.replace('"', '""') + '"' for name in kept))
    return data


def _names(data: Any) -> list[Any] | None:
    for attribute in ("column_names", "columns"):
        names = getattr(data, attribute, None)
        if names is not None and not callable(names):
            found = list(names)
            return found if all(isinstance(name, str) for name in found) else None
    return None


def _mapping(data: Any) -> Mapping[str, Any]:
    if isinstance(data, Mapping):
        return data
    names = getattr(getattr(data, "dtype", None), "names", None)
    if names is None:
        raise TypeError(f"expected a data frame, a mapping of columns or an Arrow stream, not {type(data).__name__}")
    return {name: data[name] for name in names}


def _columns(data: Mapping[str, Any], wanted: list[str]) -> Any:
    """A stream of the columns of a mapping, without a copy where they are arrays of numbers."""
    kept = {name: data[name] for name in wanted if name in data}
    lengths = {len(column) for column in kept.values()}
    if len(lengths) > 1:
        raise InputError("the columns have different lengths", "conflict")
    length = lengths.pop() if lengths else 0
    return _native.arrow_stream(length, [_column(name, column) for name, column in kept.items()])


def _column(name: str, column: Any) -> tuple[str, str, int, tuple[Any, ...]]:
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    if kind == "M":
        return _moments(name, column)
    if kind is not None and kind in "iuf" and hasattr(column, "astype"):
        column = column.astype(column.dtype.newbyteorder("="), copy=False)
    if kind == "b":
        return name, "b", 0, (None, _bits([bool(value) for value in column]))
    if kind in ("U", "O", "T", "S"):
        return _texts(name, column.tolist())
    try:
        view = memoryview(column)
    except TypeError:
        return _texts(name, list(column))
    if view.ndim != 1 or view.format not in _FORMATS:
        raise InputError(f"column {name} has a type that cannot be pushed", "unsupported", name[:31])
    return name, _FORMATS[view.format], 0, (None, view if view.c_contiguous else _packed(view))


def _packed(view: memoryview) -> bytes:
    return view.tobytes()


def _moments(name: str, column: Any) -> tuple[str, str, int, tuple[Any, ...]]:
    """numpy.datetime64; NaT is missing."""
    unit = column.dtype.name.partition("[")[2].rstrip("]")
    if unit not in ("s", "ms", "us", "ns"):
        column, unit = column.astype("datetime64[s]"), "s"
    whole = column.view("int64") if column.flags.c_contiguous else column.copy().view("int64")
    missing = whole == -(2**63)
    valid = _bits([not gone for gone in missing.tolist()]) if missing.any() else None
    return name, {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}[unit], int(missing.sum()), (valid, whole)


def _text(value: Any) -> bytes:
    """A Python value as it stands in CSV."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, float):
        return float.__repr__(value).encode()
    if hasattr(value, "as_tuple"):
        return format(value, "f").encode()
    return str(value).encode("utf-8", "surrogatepass")


def _texts(name: str, values: Sequence[Any]) -> tuple[str, str, int, tuple[Any, ...]]:
    """Python values, each as its text: what is refused never depends on a value. None and NaN are missing."""
    parts = [b"" if value is None else _text(value) for value in values]
    gone = [value is None or value != value for value in values]
    ends = bytearray(8 * (len(parts) + 1))
    end = 0
    for i, part in enumerate(parts):
        end += len(part)
        struct.pack_into("=q", ends, 8 * i + 8, end)
    valid = _bits([not missing for missing in gone]) if any(gone) else None
    return name, "U", sum(gone), (valid, ends, b"".join(parts))


def parquet(path: str, wanted: list[str]) -> Any:
    """The columns of a Parquet file as a stream, by pyarrow or DuckDB."""
    try:
        from pyarrow import RecordBatchReader
        from pyarrow import parquet as files
    except ImportError:
        return duck("SELECT * FROM read_parquet($path)", {"path": path})
    file = files.ParquetFile(path, memory_map=True)
    kept = [name for name in wanted if name in file.schema_arrow.names]
    schema = file.schema_arrow.empty_table().select(kept).schema
    return RecordBatchReader.from_batches(schema, file.iter_batches(batch_size=1 << 17, columns=kept))


def duck(query: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """The rows of a query of DuckDB, by a connection of its own."""
    try:
        import duckdb
    except ImportError:
        raise InputError("this dataset is read by pyarrow or duckdb, and neither is installed", "missing") from None
    return duckdb.connect().sql(query, params=dict(parameters or {}) or None)
