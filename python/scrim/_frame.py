"""Data frames as streams of Arrow: pandas, polars, pyarrow, DuckDB, numpy, and plain columns.

A frame is rows, one by one: what one row says changes neither how another is read, nor whether the rows are refused, nor a
message. Libraries choose the type of a column by its values, so every type is read as every declared one, each value by
its own text. Rows that are computed when they are asked for are computed after the charge.
"""

from __future__ import annotations

import os
import re
import struct
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from . import _cell, _lazy, _native
from ._errors import InputError, OutOfMemory
from ._columns import bits

# Formats of the buffer protocol, and those of Arrow.
_FORMATS = {
    "b": "c", "B": "C", "h": "s", "H": "S", "i": "i", "I": "I", "q": "l", "Q": "L", "l": "l", "L": "L",
    "e": "e", "f": "f", "d": "g",
}  # fmt: skip


def is_frame(data: Any) -> bool:
    """True for what can be pushed: Arrow by its interface, a mapping of columns, a structured array."""
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__") or hasattr(data, "collect_schema"):
        return True
    if _is_dataset(data) or _is_batches(data):
        return True
    return isinstance(data, Mapping) or getattr(getattr(data, "dtype", None), "names", None) is not None


def check_kind(data: Any) -> None:
    """Refuses what is no rows at all."""
    if not is_frame(data):
        words = f"expected a path, a data frame, a mapping of columns or an Arrow stream, not {type(data).__name__}"
        if isinstance(data, (list, tuple)):
            words += "; pass batches as pyarrow.RecordBatchReader.from_batches(schema, batches), or as iter(batches)"
        raise TypeError(words)


def is_held(data: Any) -> bool:
    """Are all rows in memory, so that they can be read twice and no row can fail? Not those of a stream, or of a plan."""
    if hasattr(data, "collect") or hasattr(data, "read_next_batch") or _is_duckdb(data) or _is_dataset(data):
        return False
    kind = _library(data)
    return kind == "pandas" or (kind in ("polars", "pyarrow") and hasattr(data, "select")) or isinstance(data, Mapping) or (
        getattr(getattr(data, "dtype", None), "names", None) is not None
    )


def check(data: Any) -> None:
    """Refuses rows that are computed in a way that may make them depend on each other, by its plan alone."""
    words = None
    if hasattr(data, "collect"):
        if _library(data) != "polars" or not _lazy.is_rows_of_polars(data):
            words = "a lazy frame may only select and compare columns of one frame, or select those of a Parquet file; pass frame.collect()"
    elif _is_duckdb(data) and not _lazy.is_rows_of_duckdb(data):
        words = "a relation must be columns of one table or Parquet file; pass relation.to_arrow_table()"
    elif _library(data) == "ibis" and _lazy.relation_of_ibis(data) is None:
        words = "an Ibis table must be columns of one table of DuckDB; pass table.to_pyarrow()"
    elif _is_dataset(data) and not _lazy.is_files_of_arrow(data):
        words = "a dataset must be Parquet files without a filter; pass dataset.to_table()"
    elif any(kind.__name__ == "CSVStreamingReader" for kind in type(data).__mro__):
        words = "a reader of CSV infers types from the rows; declare the file itself, or pass reader.read_all()"
    if words is not None:
        raise InputError(words, "unsupported", "data")


def check_names(data: Any, wanted: Sequence[str]) -> None:
    """Refuses a frame that does not have all the wanted columns."""
    names = _quietly(lambda: _names(data))
    for name in wanted if names is not None else ():
        if names.count(name) > 1:
            raise InputError(f"the rows have {names.count(name)} columns '{name}'; rename all but one", "repeated", name[:31])
        if name not in names:
            if name in getattr(getattr(data, "index", None), "names", ()):
                raise InputError(f"the rows have no column '{name}': it is the index; pass frame.reset_index()", "missing", name[:31])
            from difflib import get_close_matches  # rarely needed, and slow to import

            near = get_close_matches(name, names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InputError(f"the rows have no column '{name}'{hint}", "missing", name[:31])


def rows(data: Any) -> int:
    """How many rows it has, and at least 1, where that is known without reading them; else 0.

    More than the dataset's max_size holds are refused before the charge. Memory follows max_size, not this number; one row
    less must not make it unknown, which takes the memory of a stream.
    """
    if _is_duckdb(data):
        return 0  # counting would run the query
    try:
        column = next(iter(data.values()), ()) if isinstance(data, Mapping) else data
        found = getattr(column, "num_rows", None)
        return max(1, found if isinstance(found, int) and found >= 0 else len(column))
    except Exception:  # whatever it is, pushing it says what is wrong
        return 0


def run(plan: Any, data: Any, form: _cell.Form) -> dict[str, Any]:
    """Pushes the columns of a frame that the plan reads; the facts of the result."""
    capsules = _taken(data, _native.feed_columns(plan), form)
    return _native.feed_stream(plan, *capsules) if len(capsules) == 1 else _native.feed_array(plan, *capsules)


def whole(data: Any, wanted: list[str], form: _cell.Form, mark: tuple[int, int, int, int, int] | None = None) -> Any:
    """The wanted columns of a frame, all rows at once, for releases that are one call.

    mark is that of the file which they are read from (``mark_of``), taken before they are.
    """
    capsules = _taken(data, wanted, form)
    return _native.frame_stream(*capsules, mark) if len(capsules) == 1 else _native.frame_array(*capsules)


def mark_of(path: str) -> tuple[int, int, int, int, int] | None:
    """A file as it is now, so that scrim can tell whether somebody has touched it since; None where it is missing."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _taken(data: Any, wanted: list[str], form: _cell.Form) -> tuple[Any, ...]:
    check_kind(data)
    check(data)
    check_names(data, wanted)
    made: tuple[Any, ...] = _quietly(lambda: _capsules(data, wanted, form))
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


def _capsules(data: Any, wanted: list[str], form: _cell.Form) -> tuple[Any, ...]:
    """A stream of Arrow, or a schema and an array, without the columns that nobody asks for where that is easy."""
    kind = _library(data)
    if kind == "pandas":
        return (_of_pandas(data, wanted, form),)
    if hasattr(data, "collect"):
        return (_of_lazy(data, wanted, form).__arrow_c_stream__(),)
    if kind == "ibis":
        data = _lazy.relation_of_ibis(data)
    if _is_duckdb(data):
        return (_of_duckdb(data, data.sql_query(), wanted, form).__arrow_c_stream__(),)
    if _is_dataset(data):
        return (_of_dataset(data, wanted, form).__arrow_c_stream__(),)
    if _is_batches(data):
        return (_of_iterator(data, wanted, form).__arrow_c_stream__(),)
    if hasattr(data, "read_next_batch"):
        return (_of_reader(data, wanted, form).__arrow_c_stream__(),)
    if kind in ("polars", "pyarrow") and hasattr(data, "select"):
        change = _of_polars if kind == "polars" else _of_arrow
        return (change(data, wanted, form).__arrow_c_stream__(),)
    if isinstance(data, Mapping) or not (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        return (_columns(_mapping(data), wanted, form),)
    return _of_others(data, wanted)


def _library(data: Any) -> str:
    return type(data).__module__.partition(".")[0]


def _is_duckdb(data: Any) -> bool:
    return _library(data) in ("duckdb", "_duckdb")


def _is_dataset(data: Any) -> bool:
    """Is it a dataset of pyarrow: files that are read when they are asked for?"""
    return _library(data) == "pyarrow" and hasattr(data, "get_fragments")


def _is_batches(data: Any) -> bool:
    """Is it an iterator over frames?"""
    return hasattr(data, "__next__") and not hasattr(data, "__arrow_c_stream__")


class Later:
    """Rows that are made after the charge. Their types are known before: ``types`` is an empty frame of them."""

    def __init__(self, types: Any, make: Callable[[], Iterable[Any]]):
        self._types = types
        self._make = make

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        made: list[Any] = []

        def following() -> object:
            if not made:
                made.append(iter(self._make()))
            for frame in made[0]:
                return frame.__arrow_c_stream__()
            return None

        return _native.arrow_pulled(self._types.__arrow_c_stream__(), following)


# A column of any other type has its values one by one, as one of Python values has: libraries choose it by the values,
# and another one, which can be read, if all of them are missing.
_POLARS = re.compile("U?Int(?:8|16|32|64)|Float(?:16|32|64)|Boolean|String|Utf8|Categorical|Enum|Date|Datetime|Decimal|Null")
_ARROW = re.compile(
    r"u?int(?:8|16|32|64)|halffloat|float|double|bool|(?:large_)?string|string_view|date(?:32|64)\[.*\]|timestamp\[.*\]|null"
    r"|decimal128\(.*\)"
)


def _of_polars(frame: Any, wanted: list[str], form: _cell.Form) -> Any:
    import polars

    kept = [name for name in wanted if name in frame.columns]
    frame = frame.select(kept or frame.columns[:1])  # without a column it would have no rows
    for name, kind in frame.schema.items():
        if name in kept and not _POLARS.fullmatch(type(kind).__name__):
            cells = [_readable(form.cell(name, value)) for value in _plain(frame[name])]
            frame = frame.with_columns(polars.Series(name, cells, dtype=polars.String))
    return frame


def _plain(series: Any) -> list[Any]:
    """The values of a series of polars whose type scrim does not read. None where Python may not have one: polars panics."""
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


def _of_series(name: str, series: Any, form: _cell.Form) -> _Column:
    """A series of polars. Days and times are the numbers that it holds: Python has no year above 9999."""
    kind = type(series.dtype).__name__
    if kind not in ("Date", "Datetime"):
        return _texts(name, _plain(series), form)
    whole = series.to_physical().to_list()
    gone = series.null_count()
    valid = bits([value is not None for value in whole]) if gone else None
    numbers = array("i" if kind == "Date" else "q", [value or 0 for value in whole])
    written = "tdD" if kind == "Date" else f"ts{series.dtype.time_unit[0]}:{series.dtype.time_zone or ''}"
    return name, written, gone, (valid, numbers)


def _is_arrow(kind: Any) -> bool:
    """Is it a type of Arrow that scrim reads (scrim/feed.h)?"""
    return _ARROW.fullmatch(str(getattr(kind, "value_type", kind) if str(kind).startswith("dictionary<") else kind)) is not None


def _of_arrow(table: Any, wanted: list[str], form: _cell.Form, mixed: Iterable[str] = ()) -> Any:
    """The columns of a table; as text, value by value, where scrim does not read the type, and of the mixed ones."""
    from pyarrow import array as made_of
    from pyarrow import string

    table = table.select([name for name in wanted if name in table.schema.names])
    for i, field in enumerate(table.schema):
        if not _is_arrow(field.type) or field.name in mixed:
            cells = [_readable(form.cell(field.name, value)) for value in _scalars(table.column(i))]
            table = table.set_column(i, field.name, made_of(cells, string()))
    return table


def _of_lazy(frame: Any, wanted: list[str], form: _cell.Form) -> Later:
    import polars

    file = _lazy.file_of_polars(frame)
    if file is not None:
        return _of_file(file, wanted, form)
    empty = polars.DataFrame(schema=frame.collect_schema())
    frame = frame.select([name for name in wanted if name in empty.columns] or empty.columns[:1])
    return Later(_of_polars(empty, wanted, form), lambda: [_of_polars(frame.collect(), wanted, form)])


def _of_duckdb(relation: Any, query: str, wanted: list[str], form: _cell.Form) -> Later:
    """DuckDB ends a query at text of a Parquet file that is not UTF-8; pyarrow does not, and reads it where it can."""
    file = _lazy.file_of_duckdb(query)
    if file is not None and _has_columns(file, wanted):
        return _of_file(file, wanted, form)
    kept = ['"' + name.replace('"', '""') + '"' for name in wanted if name in relation.columns]
    if kept:
        relation = relation.project(", ".join(kept))
    return Later(relation.limit(0), lambda: [relation])


def _of_reader(reader: Any, wanted: list[str], form: _cell.Form) -> Later:
    """Batch by batch: an exception that ends the program, such as KeyboardInterrupt, would be lost in its stream."""
    return _of_batches(reader.schema, reader, wanted, form)


def _of_batches(schema: Any, batches: Iterable[Any], wanted: list[str], form: _cell.Form) -> Later:
    from pyarrow import Table

    types = _of_arrow(schema.empty_table(), wanted, form)
    return Later(types, lambda: (_of_arrow(Table.from_batches([batch]), wanted, form) for batch in batches))


def _of_dataset(data: Any, wanted: list[str], form: _cell.Form) -> Later:
    """The files of a dataset, one after another. A column that has not one type in all of them is read value by value: a
    library chose its types by the rows of a file."""
    from pyarrow import Table
    from pyarrow import parquet as files

    schemas = [files.read_schema(path, filesystem=data.filesystem) for path in data.files]
    for schema in schemas:
        check_names(schema.empty_table(), wanted)
    kinds = {name: {str(schema.field(name).type) for schema in schemas} for name in wanted}
    mixed = [name for name in wanted if len(kinds[name]) > 1]
    read = wanted or schemas[0].names[:1]  # without a column there would be no rows

    def rows() -> Iterable[Any]:
        for path in data.files:
            with data.filesystem.open_input_file(path) as file:
                for batch in files.ParquetFile(file).iter_batches(batch_size=1 << 17, columns=read):
                    yield _of_arrow(Table.from_batches([batch]), wanted, form, mixed)

    return Later(_of_arrow(schemas[0].empty_table(), wanted, form, mixed), rows)


class _Texts:
    """Columns of text, as a stream."""

    def __init__(self, length: int, columns: list[_Column]):
        self._length = length
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _native.arrow_stream(self._length, self._columns)


def _of_iterator(batches: Iterable[Any], wanted: list[str], form: _cell.Form) -> Later:
    """Frames, one after another. Their types are not known before the first of them is made, and may differ: values are
    read one by one, as those of a list."""

    def texts(frame: Any) -> _Texts:
        length = len(next(iter(frame.values()), ())) if isinstance(frame, Mapping) else len(frame)
        return _Texts(length, [_texts(name, _cells(frame, name), form) for name in wanted])

    return Later(_Texts(0, [_texts(name, [], form) for name in wanted]), lambda: map(texts, batches))


def _cells(frame: Any, name: str) -> list[Any]:
    """The values of a column, each by itself, whatever library has made the frame."""
    column = frame.column(name) if _library(frame) == "pyarrow" else frame[name]
    library = _library(column)
    if library == "pandas":
        return _values(column)
    if library == "polars":
        is_moment = type(column.dtype).__name__ in ("Date", "Datetime")  # Python has no year above 9999
        return _scalars(column.to_arrow()) if is_moment else _plain(column)
    if hasattr(column, "to_pylist"):
        return _scalars(column)
    if hasattr(column, "mask") and hasattr(column, "filled"):
        masked: list[Any] = column.tolist()  # what numpy masks is None
        return masked
    return list(column)


def _of_others(data: Any, wanted: list[str]) -> tuple[Any, ...]:
    """Another library may compute rows when it is asked for its stream. If it fails then, a row may be the reason: that is
    for after the charge, with columns of any type."""
    try:
        if hasattr(data, "__arrow_c_stream__"):
            return (data.__arrow_c_stream__(),)
        schema, array = data.__arrow_c_array__()
        return schema, array
    except MemoryError:
        raise
    except Exception:
        types = [(name, "U", 0, (None, bytes(8), b"")) for name in wanted]
    return (_native.arrow_pulled(_native.arrow_stream(0, types), _fail),)


def _fail() -> Any:
    raise RuntimeError("the rows could not be made")


def _of_pandas(frame: Any, wanted: list[str], form: _cell.Form) -> Any:
    """A stream of a frame of pandas. It gives a column of Python values one type, by all of them, or refuses: one value
    would decide about the others. So they become text, each by itself, as those of a list do."""
    frame = frame[[name for name in wanted if name in frame.columns]]
    frame = frame.reset_index(drop=True)  # an index would be one more column
    try:
        return _by_cell(frame, _is_typed, form).__arrow_c_stream__()
    except Exception:  # text that has no bytes, or a value that Arrow does not know
        return _by_cell(frame, _is_number, form).__arrow_c_stream__()


def _is_number(dtype: Any) -> bool:
    """A type of numpy that Arrow has too."""
    return hasattr(dtype, "newbyteorder") and dtype.kind in "iufbM" and dtype.itemsize <= 8


def _is_typed(dtype: Any) -> bool:
    """Does Arrow have this type, whatever the values are?"""
    categories = getattr(dtype, "categories", None)
    if categories is not None and hasattr(categories, "dtype"):
        return _is_typed(categories.dtype)
    if hasattr(dtype, "pyarrow_dtype"):
        return _is_arrow(dtype.pyarrow_dtype)
    of_pandas = ("BooleanDtype", "DatetimeTZDtype", "StringDtype")
    return _is_number(dtype) or _is_number(getattr(dtype, "numpy_dtype", None)) or type(dtype).__name__ in of_pandas


def _by_cell(frame: Any, is_kept: Callable[[Any], bool], form: _cell.Form) -> Any:
    """The same frame, with the text of each value in columns of other types."""
    if not frame.columns.is_unique:
        return frame
    made = {
        name: [_readable(form.cell(name, value)) for value in _values(frame[name])]
        for name in frame.columns
        if not is_kept(frame[name].dtype)
    }
    return frame.assign(**made)


def _values(column: Any) -> list[Any]:
    """The values of a column of pandas, one by one: where Arrow holds them, None for one that Python does not have."""
    held = getattr(column, "array", column)
    categories = getattr(column.dtype, "categories", None)
    if categories is not None:
        known = _values(categories)
        return [known[code] if code >= 0 else None for code in held.codes.tolist()]
    if hasattr(column.dtype, "pyarrow_dtype") or getattr(column.dtype, "storage", None) == "pyarrow":
        return _scalars(held.__arrow_array__())
    values: list[Any] = column.tolist()
    return values


def _readable(cell: bytes | None) -> str | None:
    """None as well for bytes that are no text."""
    try:
        return None if cell is None else cell.decode()
    except UnicodeError:
        return None


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


def _columns(data: Mapping[str, Any], wanted: list[str], form: _cell.Form) -> Any:
    """A stream of the columns of a mapping, without a copy where they are arrays of numbers."""
    kept = {name: data[name] for name in wanted if name in data}
    lengths = {len(column) for column in (kept or data).values()}
    if len(lengths) > 1:
        raise InputError("the columns have different lengths", "conflict")
    length = lengths.pop() if lengths else 0
    return _native.arrow_stream(length, [_column(name, column, form) for name, column in kept.items()])


_Column = tuple[str, str, int, tuple[Any, ...]]


def _column(name: str, column: Any, form: _cell.Form) -> _Column:
    if hasattr(column, "to_pylist"):  # an array of Arrow
        return _texts(name, _scalars(column), form)
    if _library(column) == "polars":
        return _of_series(name, column, form)
    if _library(column) == "pandas":
        if not _is_number(column.dtype):
            return _texts(name, _values(column), form)
        column = column.to_numpy()
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    if kind is not None and getattr(column, "ndim", 1) != 1:
        raise InputError(f"column {name} has more than one dimension", "unsupported", name[:31])
    if kind is not None and hasattr(column, "mask") and hasattr(column, "filled"):
        return _texts(name, column.tolist(), form)  # what numpy masks is missing, whatever lies under the mask
    if kind is not None and kind in "iufM" and hasattr(column.dtype, "newbyteorder"):
        column = column.astype(column.dtype.newbyteorder("="), copy=False)
    if kind == "M" and hasattr(column, "view"):
        return _moments(name, column)
    if kind == "m":
        return _texts(name, [None] * len(column), form)  # a span of time is no value
    if kind == "b":
        return name, "b", 0, (None, bits([bool(value) for value in column]))
    if kind in ("U", "O", "T", "S", "c") or (kind == "f" and column.dtype.itemsize > 8):
        return _texts(name, list(column), form)
    try:
        view = memoryview(column)
    except TypeError:
        return _texts(name, list(column), form)
    if view.ndim != 1 or view.format not in _FORMATS:
        raise InputError(f"column {name} has a type that cannot be pushed", "unsupported", name[:31])
    return name, _FORMATS[view.format], 0, (None, view if view.c_contiguous else _packed(view))


def _scalars(column: Any) -> list[Any]:
    """The values of an array of Arrow, each by itself: an iterator would end at one that leads nowhere."""
    return [_scalar(chunk, i) for chunk in getattr(column, "chunks", [column]) for i in range(len(chunk))]


def _scalar(chunk: Any, i: int) -> Any:
    """A value; None for one that Python does not have, such as a year above 9999, or that leads to no value, in a union."""
    try:
        return chunk[i].as_py()
    except Exception:
        return None


def _packed(view: memoryview) -> bytes:
    return view.tobytes()


def _moments(name: str, column: Any) -> _Column:
    """numpy.datetime64; NaT is missing."""
    unit = column.dtype.name.partition("[")[2].rstrip("]")
    if unit not in ("s", "ms", "us", "ns"):
        seconds = column.astype("datetime64[s]")
        if unit.lstrip("0123456789") in ("Y", "M", "W", "D", "h", "m"):
            seconds[seconds.astype(column.dtype) != column] = "NaT"  # too far away for seconds
        column, unit = seconds, "s"
    whole = column.view("int64") if column.flags.c_contiguous else column.copy().view("int64")
    missing = whole == -(2**63)
    valid = bits([not gone for gone in missing.tolist()]) if missing.any() else None
    return name, {"s": "tss:", "ms": "tsm:", "us": "tsu:", "ns": "tsn:"}[unit], int(missing.sum()), (valid, whole)


def _texts(name: str, values: Sequence[Any], form: _cell.Form) -> _Column:
    """Python values, each as its text: what is refused never depends on a value."""
    cells = [form.cell(name, value) for value in values]
    ends = bytearray(8 * (len(cells) + 1))
    end = 0
    for i, cell in enumerate(cells):
        end += len(cell or b"")
        struct.pack_into("=q", ends, 8 * i + 8, end)
    gone = sum(cell is None for cell in cells)
    valid = bits([cell is not None for cell in cells]) if gone else None
    return name, "U", gone, (valid, ends, b"".join(cell or b"" for cell in cells))


def _of_file(path: str, wanted: list[str], form: _cell.Form) -> Later:
    """The columns of a Parquet file, by pyarrow: values that are no text are missing. polars and DuckDB fail at one."""
    from pyarrow import parquet as files

    schema = files.read_schema(path)
    check_names(schema.empty_table(), wanted)
    read = wanted or schema.names[:1]  # without a column there would be no rows

    def rows() -> Iterable[Any]:
        # Opened when the first row is asked for, as scrim then knows the file, and without a map: one of a file that is cut
        # off meanwhile ends the process.
        yield from files.ParquetFile(path).iter_batches(batch_size=1 << 17, columns=read)

    return _of_batches(schema, rows(), wanted, form)


def _has_columns(path: str, wanted: list[str]) -> bool:
    """Can pyarrow read these columns of a Parquet file, by the names that DuckDB gives them?"""
    try:
        from pyarrow import parquet as files

        return set(wanted) <= set(files.read_schema(path).names)
    except Exception:
        return False


def parquet(path: str, wanted: list[str], form: _cell.Form) -> Any:
    """The columns of a Parquet file as a stream, by pyarrow or DuckDB."""
    try:
        import pyarrow.parquet
    except ImportError:
        return duck("SELECT * FROM read_parquet($path)", wanted, form, {"path": path})
    assert pyarrow
    return _quietly(lambda: _of_file(path, wanted, form))


def duck(query: str, wanted: list[str], form: _cell.Form, parameters: Mapping[str, Any] | None = None) -> Any:
    """The rows of a query of DuckDB, by a connection of its own. The policy has only queries whose rows are alone."""
    try:
        import duckdb
    except ImportError:
        raise InputError("this dataset is read by pyarrow or duckdb, and neither is installed", "missing") from None

    def read() -> Later:
        relation = duckdb.connect().sql(query, params=dict(parameters or {}) or None)
        check_names(relation, wanted)
        return _of_duckdb(relation, query, wanted, form)

    return _quietly(read)
