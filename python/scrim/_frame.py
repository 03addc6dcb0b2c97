"""Data frames as streams of Arrow: pandas, polars, pyarrow, DuckDB, numpy, and plain columns."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _native
from ._errors import InputError, OutOfMemory
from ._result import _bits

# Formats of the buffer protocol, and those of Arrow.
_FORMATS = {
    "b": "c", "B": "C", "h": "s", "H": "S", "i": "i", "I": "I", "q": "l", "Q": "L", "l": "l", "L": "L",
    "e": "e", "f": "f", "d": "g",
}  # fmt: skip

_INFINITE = (float("inf"), float("-inf"))


def is_frame(data: Any) -> bool:
    """True for what can be pushed: Arrow by its interface, a mapping of columns, a structured array."""
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__") or hasattr(data, "collect_schema"):
        return True
    return isinstance(data, Mapping) or getattr(getattr(data, "dtype", None), "names", None) is not None


def check_names(data: Any, wanted: Sequence[str]) -> None:
    """Refuses a frame that does not have all the wanted columns."""
    names = _quietly(lambda: _names(data))
    for name in wanted if names is not None else ():
        if name not in names:
            from difflib import get_close_matches  # rarely needed, and slow to import

            near = get_close_matches(name, names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InputError(f"the rows have no column '{name}'{hint}", "missing", name[:31])


def rows(data: Any) -> int:
    """How many rows it has, where that is known without reading them; else 0. A power of two above it decides how much
    memory is reserved, as the size of a file does."""
    if _library(data) in ("duckdb", "_duckdb"):
        return 0  # counting would run the query
    try:
        column = next(iter(data.values()), ()) if isinstance(data, Mapping) else data
        found = getattr(column, "num_rows", None)
        return found if isinstance(found, int) and found >= 0 else len(column)
    except Exception:  # whatever it is, pushing it says what is wrong
        return 0


def run(plan: Any, data: Any) -> dict[str, Any]:
    """Pushes the columns of a frame that the plan reads; the facts of the result."""
    capsules = _taken(data, _native.feed_columns(plan))
    return _native.feed_stream(plan, *capsules) if len(capsules) == 1 else _native.feed_array(plan, *capsules)


def whole(data: Any, wanted: list[str]) -> Any:
    """The wanted columns of a frame, all rows at once, for releases that are one call."""
    capsules = _taken(data, wanted)
    return _native.frame_stream(*capsules) if len(capsules) == 1 else _native.frame_array(*capsules)


def _taken(data: Any, wanted: list[str]) -> tuple[Any, ...]:
    if not is_frame(data):
        raise TypeError(f"expected a data frame, a mapping of columns or an Arrow stream, not {type(data).__name__}")
    check_names(data, wanted)
    made: tuple[Any, ...] = _quietly(lambda: _capsules(data, wanted))
    return made


def _quietly(make: Callable[[], Any]) -> Any:
    """What another library makes, or an error without its words: they show values. None of it stays in __context__."""
    try:
        return make()
    except InputError:
        raise
    except MemoryError:
        failure: Exception = OutOfMemory("out of memory for the rows")
    except Exception as error:
        failure = InputError(
            f"the data cannot be read as Arrow ({type(error).__name__}); give each column one type", "unsupported"
        )
    raise failure


def _capsules(data: Any, wanted: list[str]) -> tuple[Any, ...]:
    """A stream of Arrow, or a schema and an array, without the columns that nobody asks for where that is easy."""
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        data = data.select([name for name in wanted if name in data.collect_schema().names()]).collect()
    if hasattr(data, "__arrow_c_stream__"):
        data = _projected(data, wanted)
        return (_of_pandas(data) if _library(data) == "pandas" else data.__arrow_c_stream__(),)
    if hasattr(data, "__arrow_c_array__"):
        schema, array = data.__arrow_c_array__()
        return schema, array
    return (_columns(_mapping(data), wanted),)


def _library(data: Any) -> str:
    return type(data).__module__.partition(".")[0]


def _of_pandas(frame: Any) -> Any:
    """A stream of a frame of pandas. It gives a column of Python values one type, by all of them, or refuses: one value
    would decide about the others. So they become text, each by itself, as those of a list do."""
    frame = frame.reset_index(drop=True)  # an index would be one more column
    try:
        return _by_cell(frame, ("string", "empty")).__arrow_c_stream__()
    except UnicodeError:  # text that has no bytes
        return _by_cell(frame, ()).__arrow_c_stream__()


def _by_cell(frame: Any, text: tuple[str, ...]) -> Any:
    """The same frame, with the text of each Python value; columns of the kinds in ``text`` have only text already."""
    from pandas.api.types import infer_dtype

    made = {}
    for name in frame.columns:
        column = frame[name]
        values = getattr(column.dtype, "categories", column)
        if values.dtype == object and infer_dtype(values, skipna=True) not in text:
            made[name] = [_readable(_cell(value)) for value in column.tolist()]
    return frame.assign(**made)


def _readable(cell: bytes | None) -> str | None:
    """None as well for bytes that are no text."""
    try:
        return None if cell is None else cell.decode()
    except UnicodeError:
        return None


def _projected(data: Any, wanted: list[str]) -> Any:
    names = _names(data)
    if names is None or set(names) <= set(wanted):
        return data
    kept = [name for name in wanted if name in names]
    kind = _library(data)
    if kind == "pandas":
        return data[kept]
    if kind in ("polars", "pyarrow") and hasattr(data, "select"):
        return data.select(kept)
    if kind in ("duckdb", "_duckdb"):
        return data.project(", ".join('"' + name.replace('"', '""') + '"' for name in kept))
    return data


def _names(data: Any) -> list[str] | None:
    """The names of the columns; None where they are not known, or not all of them text."""
    if hasattr(data, "collect_schema"):
        return list(data.collect_schema().names())
    if isinstance(data, Mapping):
        return [name for name in data if isinstance(name, str)]
    fields = getattr(getattr(data, "dtype", None), "names", None)
    if fields is not None:
        return list(fields)
    for attribute in ("column_names", "columns"):
        names = getattr(data, attribute, None)
        if names is not None and not callable(names):
            found = list(names)
            return found if all(isinstance(name, str) for name in found) else None
    return None


def _mapping(data: Any) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else {name: data[name] for name in data.dtype.names}


def _columns(data: Mapping[str, Any], wanted: list[str]) -> Any:
    """A stream of the columns of a mapping, without a copy where they are arrays of numbers."""
    kept = {name: data[name] for name in wanted if name in data}
    lengths = {len(column) for column in kept.values()}
    if len(lengths) > 1:
        raise InputError("the columns have different lengths", "conflict")
    length = lengths.pop() if lengths else 0
    return _native.arrow_stream(length, [_column(name, column) for name, column in kept.items()])


def _column(name: str, column: Any) -> tuple[str, str, int, tuple[Any, ...]]:
    if hasattr(column, "to_pylist"):  # an array of Arrow
        return _texts(name, column.to_pylist())
    if hasattr(column, "iloc"):  # a series of pandas
        column = column.to_numpy()
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    if kind is not None and getattr(column, "ndim", 1) != 1:
        raise InputError(f"column {name} has more than one dimension", "unsupported", name[:31])
    if kind is not None and hasattr(column, "mask") and hasattr(column, "filled"):
        return _texts(name, column.tolist())  # what numpy masks is missing, whatever lies under the mask
    if kind is not None and kind in "iufM" and hasattr(column.dtype, "newbyteorder"):
        column = column.astype(column.dtype.newbyteorder("="), copy=False)
    if kind == "M" and hasattr(column, "view"):
        return _moments(name, column)
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
        seconds = column.astype("datetime64[s]")
        if unit.lstrip("0123456789") in ("Y", "M", "W", "D", "h", "m"):
            seconds[seconds.astype(column.dtype) != column] = "NaT"  # too far away for seconds
        column, unit = seconds, "s"
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
        return format(value, "f" if abs(value.adjusted()) <= 38 else "").encode()
    return str(value).encode("utf-8", "surrogatepass")


def _cell(value: Any) -> bytes | None:
    """The text of a value, or None for one that is missing: None, NaN, infinity, and what cannot be written."""
    try:
        return None if value is None or value != value or value in _INFINITE else _text(value)
    except Exception:
        return None


def _texts(name: str, values: Sequence[Any]) -> tuple[str, str, int, tuple[Any, ...]]:
    """Python values, each as its text: what is refused never depends on a value."""
    cells = [_cell(value) for value in values]
    ends = bytearray(8 * (len(cells) + 1))
    end = 0
    for i, cell in enumerate(cells):
        end += len(cell or b"")
        struct.pack_into("=q", ends, 8 * i + 8, end)
    gone = sum(cell is None for cell in cells)
    valid = _bits([cell is not None for cell in cells]) if gone else None
    return name, "U", gone, (valid, ends, b"".join(cell or b"" for cell in cells))


def parquet(path: str, wanted: list[str]) -> Any:
    """The columns of a Parquet file as a stream, by pyarrow or DuckDB."""
    try:
        from pyarrow import RecordBatchReader
        from pyarrow import parquet as files
    except ImportError:
        return duck("SELECT * FROM read_parquet($path)", {"path": path})

    def read() -> Any:
        file = files.ParquetFile(path, memory_map=True)
        kept = [name for name in wanted if name in file.schema_arrow.names]
        schema = file.schema_arrow.empty_table().select(kept).schema
        return RecordBatchReader.from_batches(schema, file.iter_batches(batch_size=1 << 17, columns=kept))

    return _quietly(read)


def duck(query: str, parameters: Mapping[str, Any] | None = None) -> Any:
    """The rows of a query of DuckDB, by a connection of its own."""
    try:
        import duckdb
    except ImportError:
        raise InputError("this dataset is read by pyarrow or duckdb, and neither is installed", "missing") from None
    return _quietly(lambda: duckdb.connect().sql(query, params=dict(parameters or {}) or None))
