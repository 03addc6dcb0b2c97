"""Data frames as streams of Arrow: pandas, polars, pyarrow, DuckDB, numpy, and plain columns.

A frame is rows, one by one: what one row says changes neither how another is read, nor whether the rows are refused, nor a
message. Libraries choose the type of a column by its values, so every type is read as every declared one, each value by
its own text. Rows that are computed when they are asked for are computed after the charge.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import _cell, _lazy, _native, _values
from ._errors import InputError, OutOfMemory

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
        words = f"expected a data frame, a mapping of columns or an Arrow stream, not {type(data).__name__}"
        if isinstance(data, (str, os.PathLike)):
            words += f"; declare a file: vault.add(NAME, {os.fspath(data)!r}, ...)"
        if isinstance(data, (list, tuple)):
            words += "; pass batches as pyarrow.RecordBatchReader.from_batches(schema, batches), or as iter(batches)"
        raise TypeError(words)


def is_held(data: Any) -> bool:
    """Are all rows in memory, so that they can be read twice and no row can fail? Not those of a stream, or of a plan."""
    if hasattr(data, "collect") or hasattr(data, "read_next_batch") or _is_duckdb(data) or _is_dataset(data):
        return False
    kind = _values.library(data)
    return kind == "pandas" or (kind in ("polars", "pyarrow") and hasattr(data, "select")) or isinstance(data, Mapping) or (
        getattr(getattr(data, "dtype", None), "names", None) is not None
    )


def check(data: Any) -> None:
    """Refuses rows that are computed in a way that may make them depend on each other, by its plan alone."""
    words = None
    if hasattr(data, "collect"):
        if _values.library(data) != "polars" or not _lazy.is_rows_of_polars(data):
            words = "a lazy frame may only select and compare columns of one frame, or select those of a Parquet file; pass frame.collect()"
    elif _is_duckdb(data) and not _lazy.is_rows_of_duckdb(data):
        words = "a relation must be columns of one table or Parquet file; pass relation.to_arrow_table()"
    elif _values.library(data) == "ibis" and _lazy.relation_of_ibis(data) is None:
        words = "an Ibis table must be columns of one table of DuckDB; pass table.to_pyarrow()"
    elif _is_dataset(data) and not _lazy.is_files_of_arrow(data):
        words = "a dataset must be Parquet files without a filter; pass dataset.to_table()"
    elif any(kind.__name__ == "TextFileReader" for kind in type(data).__mro__):
        words = "a reader of pandas infers types from the rows; declare the file itself, or pass reader.read()"
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
    if isinstance(data, Mapping):
        return max(1, *(_length(column) or 0 for column in data.values()), 0)
    return max(1, found) if (found := _length(data)) is not None else 0


def _length(data: Any) -> int | None:
    """How many rows a frame has, or values a column; None where that is not known."""
    try:
        found = getattr(data, "num_rows", None)
        return found if isinstance(found, int) and found >= 0 else len(data)
    except Exception:  # whatever it is, pushing it says what is wrong
        return None


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
    kind = _values.library(data)
    if kind == "pandas":
        return (_of_pandas(data, wanted, form).__arrow_c_stream__(),)
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
        return (_columns(_mapping(data), wanted, form).__arrow_c_stream__(),)
    return _of_others(data, wanted)


def _is_duckdb(data: Any) -> bool:
    return _values.library(data) in ("duckdb", "_duckdb")


def _is_dataset(data: Any) -> bool:
    """Is it a dataset of pyarrow: files that are read when they are asked for?"""
    return _values.library(data) == "pyarrow" and hasattr(data, "get_fragments")


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

def _of_polars(frame: Any, wanted: list[str], form: _cell.Form) -> Any:
    import polars

    kept = [name for name in wanted if name in frame.columns]
    frame = frame.select(kept or frame.columns[:1])  # without a column it would have no rows
    for name, kind in frame.schema.items():
        if name in kept and not _POLARS.fullmatch(type(kind).__name__):
            cells = [_readable(form.cell(name, value)) for value in _values.plain_polars(frame[name])]
            frame = frame.with_columns(polars.Series(name, cells, dtype=polars.String))
    return frame


def _of_arrow(table: Any, wanted: list[str], form: _cell.Form, mixed: Iterable[str] = ()) -> Any:
    """The columns of a table; as text, value by value, where scrim does not read the type, and of the mixed ones."""
    table = table.select([name for name in wanted if name in table.schema.names])
    for i, field in enumerate(table.schema):
        if not _values.is_arrow(field.type) or field.name in mixed:
            texts = _values.texts(field.name, table.column(i), form)
            table = table.set_column(i, field.name, _values.arrow(texts, table.num_rows))
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


def _of_iterator(batches: Iterable[Any], wanted: list[str], form: _cell.Form) -> Later:
    """Frames, one after another. Their types are not known before the first of them is made, and may differ: values are
    read one by one, as those of a list."""

    def texts(frame: Any) -> _values.Stream:
        is_arrow = _values.library(frame) == "pyarrow"
        columns = {name: frame.column(name) if is_arrow else frame[name] for name in wanted}
        length = _common_length(frame, columns)
        return _values.Stream(length, [(name, _values.texts(name, column, form)) for name, column in columns.items()])

    empty = _values.Stream(0, [(name, _values.texts(name, [], form)) for name in wanted])
    return Later(empty, lambda: map(texts, batches))


def _common_length(frame: Any, columns: Mapping[str, Any]) -> int:
    """How many rows a frame has: all columns that are read have that many values, or all columns where none is read."""
    if isinstance(frame, Mapping):
        lengths = {len(column) for column in (columns or frame).values()}
    else:
        lengths = {len(frame), *map(len, columns.values())}
    if len(lengths) > 1:
        raise InputError("the columns have different lengths", "conflict")
    return lengths.pop() if lengths else 0


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


def _of_pandas(frame: Any, wanted: list[str], form: _cell.Form) -> _values.Stream:
    """The columns of a frame of pandas, each by itself. pandas gives a column of Python values one type, by all of them, or
    refuses: one value would decide about the others. A frame that it hands out as Arrow fails as a whole."""
    return _values.Stream(len(frame), [_values.read(name, frame[name], form) for name in wanted if name in frame.columns])


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


def _columns(data: Mapping[str, Any], wanted: list[str], form: _cell.Form) -> _values.Stream:
    """A stream of the columns of a mapping, without a copy where they are arrays of numbers."""
    kept = {name: data[name] for name in wanted if name in data}
    return _values.Stream(_common_length(data, kept), [_values.read(name, column, form) for name, column in kept.items()])


def _of_file(path: str, wanted: list[str], form: _cell.Form) -> Later:
    """The columns of a Parquet file, by pyarrow: values that are no text are missing. polars and DuckDB fail at one."""
    from pyarrow import parquet as files

    schema = _schema_of(path)
    check_names(schema.empty_table(), wanted)
    read = wanted or schema.names[:1]  # without a column there would be no rows

    def rows() -> Iterable[Any]:
        # Opened when the first row is asked for, as scrim then knows the file, and without a map: one of a file that is cut
        # off meanwhile ends the process.
        yield from files.ParquetFile(path).iter_batches(batch_size=1 << 17, columns=read)

    return _of_batches(schema, rows(), wanted, form)


_SHOWN = 100  # of a path, from its end


def _schema_of(path: str) -> Any:
    """The schema of a Parquet file, which is at its end; no row is read."""
    from pyarrow import parquet as files

    name = path if len(path) <= _SHOWN else "..." + path[-_SHOWN:]
    try:
        return files.read_schema(path)
    except MemoryError:
        raise
    except OSError as error:
        why = f": {os.strerror(error.errno)}" if error.errno else ""
        words = f"the source '{name}' cannot be read{why}; check its name and its rights"
    except Exception:
        words = f"the source '{name}' is not a Parquet file; check the file"
    raise InputError(words, "unsupported")


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
