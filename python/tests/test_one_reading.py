"""A101, A106, A115: a value is read by itself and its column's declaration, whatever columns, rows and libraries stand around it."""

import array
import datetime
import os
import random
import sqlite3
import tempfile
from decimal import Decimal

import pytest
from conftest import LONG
from test_rows_alone import KEYS, ODD, TYPES, answer, declare

import scrim

LIBRARIES = ("numpy", "pandas", "polars", "pyarrow", "duckdb")
FILES = tempfile.TemporaryDirectory()


@pytest.fixture
def libraries():
    for module in LIBRARIES:
        pytest.importorskip(module)


def files_of(tables):
    """A dataset of pyarrow, one file for each table."""
    import pyarrow.dataset
    from pyarrow import parquet

    folder = tempfile.mkdtemp(dir=FILES.name)
    for i, table in enumerate(tables):
        parquet.write_table(table, f"{folder}/{i}.parquet")
    return pyarrow.dataset.dataset(folder)


def narrow_columns(values, width):
    """Floating-point numbers of 2 or 4 bytes, in every column that holds such."""
    import numpy
    import pandas
    import polars
    import pyarrow

    letter, kind = {2: ("e", pyarrow.float16()), 4: ("f", pyarrow.float32())}[width]
    held = numpy.array(values, letter)
    yield "numpy", held
    yield "reversed", held[::-1][::-1].astype(held.dtype.newbyteorder(">"))
    yield "scalars", list(held)
    yield "objects", numpy.array(list(held), object)
    yield "masked", numpy.ma.masked_array(held, [False] * len(held))
    yield "complex", held.astype("complex64") if width == 4 else list(held)
    yield "pandas", pandas.Series(held)
    yield "pandas objects", pandas.Series(list(held), dtype=object)
    yield "category", pandas.Series(held.astype("f")).astype("category") if width == 4 else list(held)
    yield "of arrow", pandas.Series(pyarrow.array(held), dtype=pandas.ArrowDtype(kind))
    yield "arrow", pyarrow.array(held)
    yield "chunks", pyarrow.chunked_array([pyarrow.array(held[:2]), pyarrow.array(held[2:])])
    yield "runs", pyarrow.RunEndEncodedArray.from_arrays(numpy.arange(1, len(held) + 1), pyarrow.array(held))
    if width == 4:
        yield "buffer", array.array("f", values)
        yield "nullable", pandas.Series(held, dtype="Float32")
        yield "nullable category", pandas.Series(pandas.Categorical(pandas.Series(held, dtype="Float32")))
        yield "sparse", pandas.Series(pandas.arrays.SparseArray(held))
        yield "polars", polars.Series(held, dtype=polars.Float32)
        yield "dictionary", pyarrow.array(held).dictionary_encode()
    elif hasattr(polars, "Float16"):
        yield "polars", polars.Series(values, dtype=polars.Float16)


def roads(column, count):
    """Every frame that may have the column."""
    import pandas
    import polars
    import pyarrow

    g, library = [0] * count, type(column).__module__.partition(".")[0]
    yield "mapping", {"v": column, "g": g}
    yield "iterator", iter([{"v": column, "g": g}])
    if library in ("numpy", "pandas"):
        yield "frame of pandas", pandas.DataFrame({"v": column, "g": g})
        yield "frame beside broken text", pandas.DataFrame({"v": column, "g": g, "w": pandas.Series(["\ud800"] * count, dtype=pandas.StringDtype("python"))})
        yield "frames of pandas", iter([pandas.DataFrame({"v": column, "g": g})])
    if library == "polars":
        yield "frame of polars", polars.DataFrame({"v": column, "g": g})
        yield "lazy", polars.DataFrame({"v": column, "g": g}).lazy()
        yield "frames of polars", iter([polars.DataFrame({"v": column, "g": g})])
    if library == "pyarrow":
        table = pyarrow.table({"v": column, "g": g})
        yield "table", table
        yield "reader", table.to_reader()
        yield "tables", iter([table])
        if not str(column.type).startswith("run"):
            yield "files", files_of([table])
            yield "files of two types", files_of([table, pyarrow.table({"v": ["none"], "g": [1]})])


def test_a101_a_narrow_float_is_one_decimal_by_every_road(vault, libraries):
    """A float32 was 0.35 in an array and 0.3499999940395355 in a list of the same frame."""
    values = [0.35, 0.1, 2.5, -0.25, 0.75]
    for kind in ("text", "decimal[-3,3]/0.1", "int[-3,30]", "unit"):
        name = kind[:3]
        keys = {"v": ["0.35", "0.1", "2.5", "-0.25", "0.75"]} if kind == "text" else None
        unit = {"unit": "v", "bounds": {"rows_per_unit": 1}} if kind == "unit" else {"unit": "row"}
        columns = {"g": "int[0,1]"} if kind == "unit" else {"g": "int[0,1]", "v": kind}
        vault.add(name, live=True, columns=columns, keys=keys, budget=10**12, **unit)
        query = TYPES.get(kind, "SELECT COUNT(v) AS n, SUM(v) AS s WHERE g = 0")
        expected = answer(vault, name, query, {"v": list(map(str, values)), "g": [0] * 5})
        assert expected[1] == 1 and isinstance(expected[0], list)
        for width in (2, 4):
            # Half numbers have 3 digits, so that these values are their own shortest decimals.
            for door, column in narrow_columns(values, width):
                for road, frame in roads(column, 5):
                    if LONG or kind == "decimal[-3,3]/0.1" or (len(door) + len(road)) % 3 == 0:
                        assert answer(vault, name, query, frame) == expected, (kind, width, door, road)


def test_a101_shortest_decimals_are_those_of_the_library(vault):
    """All half numbers and borders of single ones: C reads the typed array, Python the same one as texts."""
    numpy = pytest.importorskip("numpy")
    from scrim import _cell, _values

    halves = numpy.arange(1, 0x7C00, dtype="uint16").view("float16")
    rng = random.Random(101)
    borders = [power << 23 | part for power in range(255) for part in (0, 1, 0x7FFFFF)]
    singles = numpy.array([*borders[1:], *(rng.randrange(1, 0x7F800000) for _ in range(20_000))], "uint32").view("float32")
    for numbers in (halves, singles):
        for number in numbers:
            assert _cell.narrow(float(number), number.dtype.itemsize) == Decimal(numpy.format_float_scientific(number, unique=True)), number
    some = [*halves[:: len(halves) // 400], *singles[: 3 * 255 : 2], *singles[-400:]]
    vault.add("form", live=True, unit="row", columns={"v": "text"}, budget=1)
    form = _cell.Form(scrim._native.vault_policy(vault._handle, "form"))
    for width in (2, 4):
        column = numpy.array([number for number in some if number.dtype.itemsize == width])
        keys = sorted({cell.decode() for cell in _values.cells_of("v", column, form)})
        vault.add(f"d{width}", live=True, unit="row", columns={"v": "text"}, keys={"v": keys}, budget=10**6)
        seen = vault.query(f"d{width}", "SELECT v, COUNT(*) AS n GROUP BY v", epsilon=1000, data={"v": column})
        counts = {row["v"]: row["n"].value for row in seen}
        assert min(counts[key] for key in keys) >= 1 and sum(counts[key] for key in keys) == len(column) > 300


def test_a101_times_have_one_reading_by_every_road(vault, libraries):
    """Nanoseconds, and years that Python does not have: a time of an array was missing in a list of the same frame."""
    import numpy
    import pandas
    import polars
    import pyarrow

    ticks = [0, 1, -1, 1_704_067_200_123_456_789, 5 * 10**8]
    texts = ["1970-01-01 00:00:00", "1970-01-01 00:00:00.000000001", "1969-12-31 23:59:59.999999999", "2024-01-01 00:00:00.123456789", "1970-01-01 00:00:00.5"]
    held = numpy.array(ticks, "datetime64[ns]")
    zoned = pandas.Series(held).dt.tz_localize("UTC")
    plain = [
        held, list(held), pandas.Series(held), pandas.Series(list(held), dtype=object), pyarrow.array(held), polars.Series(ticks).cast(polars.Datetime("ns")),
        pandas.Series(pyarrow.array(held), dtype=pandas.ArrowDtype(pyarrow.timestamp("ns"))), pandas.Series(held).astype("category"),
        numpy.ma.masked_array(held, [False] * 5),
    ]  # fmt: skip
    aware = [
        zoned, zoned.dt.tz_convert("Asia/Tokyo"), list(zoned), zoned.astype("category"), pyarrow.array(ticks, pyarrow.timestamp("ns", "Asia/Tokyo")),
        polars.Series(ticks).cast(polars.Datetime("ns")).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo"),
    ]  # fmt: skip
    far = {  # the years 0 and 9999, and those before and behind them
        "ts": pyarrow.array([day * 86400 for day in (-719528, -719529, 2932896, 2932897, 0)], pyarrow.timestamp("s")),
        "day": pyarrow.array([-719528, -719529, 2932896, 2932897, 0], pyarrow.date32()),
    }
    days = ["0000-01-01", None, "9999-12-31", None, "1970-01-01"]
    wanted = [(plain, texts), (aware, [text + "Z" for text in texts]), ([far["day"]], days), ([far["ts"]], [day and day + " 00:00:00" for day in days])]
    for i, (columns, keys) in enumerate(wanted):
        vault.add(f"d{i}", live=True, unit="row", columns={"v": "text", "g": "int[0,1]"}, keys={"v": sorted(filter(None, keys))}, budget=10**12)
        expected = answer(vault, f"d{i}", TYPES["text"], {"v": keys, "g": [0] * 5})
        for column in columns:
            for road, frame in roads(column, 5):
                assert answer(vault, f"d{i}", TYPES["text"], frame) == expected, (i, type(column), road)


def test_a101_bytes_of_a_unit_that_are_no_text(vault, libraries):
    """Columns of texts keep them, whether pyarrow reads them one by one or not; other bytes have no text."""
    import pyarrow

    vault.add("d", live=True, unit="v", bounds={"rows_per_unit": 1}, columns={"g": "int[0,1]"}, budget=10**12)
    ends = pyarrow.py_buffer(array.array("i", [0, 1, 2, 3, 4]).tobytes())
    column = pyarrow.Array.from_buffers(pyarrow.string(), 4, [None, ends, pyarrow.py_buffer(b"a\xfe\xffb")])
    query = "SELECT COUNT(DISTINCT v) AS n WHERE g = 0"
    for road, frame in roads(column, 4):
        assert answer(vault, "d", query, frame) == ([[4]], 1), road
    for values in (["a", "\ud800", "\ud801", "b"], [b"a", b"\xfe", b"\xff", b"b"]):
        seen = [answer(vault, "d", query, frame) for _, frame in roads(values, 4)]
        assert seen == [seen[0]] * len(seen)


# Pairs of frames of several columns.

NARROW = [0.35, 0.1, 0.75, 0.25]
WORDS = ["a", "1", "true", "2.5"]
TIMES = [datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=7 * i, microseconds=i) for i in range(4)]
SEVERAL = (
    "SELECT COUNT(*) AS n, SUM(v) AS s, COUNT(t) AS c, COUNT(m) AS k WHERE g = 0",
    "SELECT t, SUM(v) AS s, COUNT(m) AS k WHERE g = 0 GROUP BY t",
)


def makers():
    """What makes a column of values: each for numbers, texts and times."""
    import numpy
    import pandas
    import polars
    import pyarrow

    def objects(change):
        return lambda values: pandas.Series([change(value) if isinstance(value, float) else value for value in values], dtype=object)

    def of_arrow(kind):
        return lambda values: pandas.Series(pyarrow.array(values, kind), dtype=pandas.ArrowDtype(kind))

    def inferred(values):
        narrow = all(value is None or isinstance(value, float) for value in values)
        return pyarrow.array(values, pyarrow.float32()) if narrow else pyarrow.array(values, from_pandas=True)

    def nanoseconds(values):
        times = all(value is None or isinstance(value, datetime.datetime) for value in values)
        return pyarrow.array(values, pyarrow.timestamp("ns")) if times else pyarrow.array(values, from_pandas=True)

    numbers = [
        *(lambda values, kind=kind: pandas.Series(values, dtype=kind) for kind in ("float32", "Float32", "float16")),
        lambda values: pandas.Series(pandas.Categorical(pandas.Series(values, dtype="Float32"))), of_arrow(pyarrow.float32()), of_arrow(pyarrow.float16()),
        lambda values: pandas.Series(pandas.arrays.SparseArray(numpy.array(values, "float32"))), objects(numpy.float32), objects(numpy.float16),
    ]  # fmt: skip
    texts = [
        lambda values: pandas.Series(values, dtype=pandas.StringDtype("python")), lambda values: pandas.Series(values, dtype=pandas.StringDtype("pyarrow")),
        of_arrow(pyarrow.string()), lambda values: pandas.Series(values, dtype=object), lambda values: pandas.Series(values, dtype=object).astype("category"),
    ]  # fmt: skip
    times = [
        lambda values: pandas.Series(values, dtype="datetime64[ns]"), lambda values: pandas.Series(values, dtype="datetime64[ns, UTC]"),
        of_arrow(pyarrow.timestamp("ns")), lambda values: pandas.Series(values, dtype=object),
    ]  # fmt: skip
    def of_polars(values):
        if not all(value is None or isinstance(value, datetime.datetime) for value in values):
            raise ValueError("polars panics")
        return polars.Series(values, dtype=polars.Datetime("ns"))

    other = {
        "polars": (lambda values: polars.Series(values, dtype=polars.Float32), lambda values: polars.Series(values, dtype=polars.String), of_polars),
        "arrow": (inferred, pyarrow.array, nanoseconds),
    }
    return (numbers, texts, times), other


def several(rng):
    """A function that makes a frame of rows; it makes the same kind of frame of others."""
    import numpy
    import pandas
    import polars
    import pyarrow

    (numbers, texts, times), other = makers()
    door = rng.choice(["pandas", "pandas", "mapping", "frames", "iterator", "polars", "arrow", "dataset", "dataset", "mappings", "mixed"])
    chosen = dict(zip("vtm", (rng.choice(numbers), rng.choice(texts), rng.choice(times))))
    cut = rng.randrange(1, 4)

    def columns(rows, make):
        made = {name: make[name]([row[name] for row in rows]) for name in "vtm"}
        return {**made, "g": [row["g"] for row in rows]}

    def arrow(rows):
        return pyarrow.table(columns(rows, dict(zip("vtm", other["arrow"]))))

    def make(rows):
        if door in ("pandas", "mapping"):
            return (pandas.DataFrame if door == "pandas" else dict)(columns(rows, chosen))
        if door == "frames":
            return iter([pandas.DataFrame(columns(part, chosen)) for part in (rows[:cut], rows[cut:])])
        if door == "iterator":  # pandas chooses the types by the values
            single = {name: lambda values: [numpy.float32(value) if isinstance(value, float) else value for value in values] for name in "vtm"}
            parts = [pandas.DataFrame(columns(part, single)) for part in (rows[:cut], rows[cut:])]
            if any(part["v"].dtype == "float64" for part in parts):
                raise ValueError("pandas has made other numbers of them")
            return iter(parts)
        if door in ("arrow", "dataset"):
            return arrow(rows) if door == "arrow" else files_of([arrow(rows[:cut]), arrow(rows[cut:-1]), arrow(rows[-1:])])
        if door == "mixed":
            return iter([arrow(rows[:cut]), columns(rows[cut:-1], chosen), columns(rows[-1:], dict.fromkeys("vtm", list))])
        held = columns(rows, dict(zip("vtm", other["polars"])))
        return polars.DataFrame(held) if door == "polars" else iter([held])

    return door, make


def test_a101_pairs_of_frames_of_several_columns(folder, libraries):
    """The last person's values, in all of their columns, change nothing of the others: narrow numbers beside broken texts, files
    of several types, frames one after another."""
    rng = random.Random(1010)
    made, most, doors = 0, 20_000 if LONG else 70, set()
    vault = scrim.init(folder / "scrim.vault", witness=False)
    columns = {"v": "decimal[0,1]/0.1", "t": "text", "m": "timestamp[2024-01-01,2024-03-01]", "g": "int[0,1]"}
    vault.add("d", live=True, unit="row", columns=columns, keys={"t": KEYS}, format={"zone": "UTC"}, budget=10**12)
    while made < most:
        door, make = several(rng)
        rows = [{"v": rng.choice(NARROW), "t": rng.choice(WORDS), "m": rng.choice(TIMES), "g": 0} for _ in range(5)]
        left = {"v": rng.choice(NARROW), "t": "a", "m": TIMES[0], "g": 1}
        odd = [value for value in ODD if not (isinstance(value, int) and value > 10**40)]  # polars prints it in an error, and fails
        changes = {"v": odd, "t": [None, "\ud800", "x", *odd], "m": [None, TIMES[2], *odd]}
        right = {**left, **{name: rng.choice(values) for name, values in changes.items() if rng.random() < 0.5}}
        try:
            frames = make([*rows, left]), make([*rows, right])
        except Exception:
            continue  # the library does not make such a frame at all
        query = rng.choice(SEVERAL)
        seen = [answer(vault, "d", query, frame) for frame in frames]
        assert seen[0] == seen[1] and isinstance(seen[0][0], list), (door, query, rows, right)
        made += 1
        doors.add(door)
    assert len(doors) == 9
    vault.close()


@pytest.mark.parametrize("name", ["self", "other", "columns", "data", "kwargs", "index"])
def test_a101_names_of_columns_that_python_uses(vault, name):
    """A column `self` beside a text: pandas was called with its name, and refused before the charge."""
    pandas = pytest.importorskip("pandas")
    vault.add("d", live=True, unit="row", columns={name: "int[0,9]"}, budget=10**6)
    frames = [pandas.DataFrame({name: [1, 2, 3, last]}) for last in (4, "x", None, "\ud800")]
    assert [answer(vault, "d", f"SELECT COUNT({name}) AS n", frame) for frame in frames] == [([[n]], 1) for n in (4, 3, 3, 3)]
    assert str(vault["d"].where(**{name: 3}).agg(n=scrim.count())) == str(vault["d"].where(f"{name} = 3").agg(n=scrim.count()))
    assert vault["d"].group_by(**{name: scrim.expr("1")}).agg(n=scrim.count())


def test_a101_frames_derived_from_those_of_a_library(vault):
    """A class that somebody derived from a frame of pandas was taken as a stream, whose types pandas chose by the values."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")

    class Frame(pandas.DataFrame):
        @property
        def _constructor(self):
            return Frame

    declare(vault, "d", "text", "plain")
    seen = [answer(vault, "d", TYPES["text"], Frame({"v": [1, 1, last], "g": [0, 0, 1]})) for last in (1, 2.5, "x", b"\xff", [])]
    assert seen == [seen[0]] * 5 and seen[0][1] == 1 and ["1", 2] in seen[0][0]


RAGGED = [{"v": [1], "t": ["a", "b", "c"]}, {"v": [1, 2], "t": []}, {"v": [], "t": ["a"]}]


def test_a101_columns_of_unlike_length(vault):
    """An iterator cut the columns of a mapping to the first one, be it read or not. A mapping alone is refused."""
    vault.add("d", live=True, unit="row", columns={"v": "int[0,9]", "t": "text"}, budget=10**9)
    query = "SELECT COUNT(*) AS n, SUM(v) AS s, COUNT(t) AS c"
    for ragged in RAGGED:
        assert answer(vault, "d", query, ragged) == (("InputError", "the columns have different lengths"), 0)
        failed = (("InputError", "the source of the rows failed while it was read; release N is charged and has no answer"), 1)
        assert answer(vault, "d", query, iter([ragged])) == failed
        assert answer(vault, "d", "SELECT COUNT(*) AS n", ragged)[0][0] == "InputError"
        assert answer(vault, "d", "SELECT COUNT(*) AS n", iter([ragged])) == failed
    # A column that is not read has no say.
    for frame in ({"z": [], "v": [1, 2]}, iter([{"z": [], "v": [1, 2]}]), iter([{"v": [1]}, {"z": [1, 2, 3], "v": [2]}])):
        assert answer(vault, "d", "SELECT COUNT(v) AS n, SUM(v) AS s", frame) == ([[2, 3]], 1)


def test_a106_every_column_counts_for_the_size(vault):
    """A first column that is not read said how many rows there are."""
    numpy = pytest.importorskip("numpy")
    vault.add("d", live=True, unit="row", columns={"v": "int[0,9]", "t": "text"}, format={"max_size": "1MiB"}, budget=10)
    large = numpy.ones(140_000, "int8")
    for data in ({"v": large}, {"z": [1], "v": large}, {"v": large, "z": [1]}, {"z": 7, "v": large}):
        with pytest.raises(scrim.LimitError, match="max-size"):
            vault.query("d", "SELECT COUNT(v) AS n", epsilon=1, data=data)
    assert not vault.ledger()


def test_a106_a_frame_without_rows_has_a_known_size(vault, libraries):
    """As one with a row has: no rows are not a stream, whose size is not known, and whose memory is another."""
    import numpy
    import pandas
    import polars
    import pyarrow
    from scrim import _frame

    frames = [{"v": []}, {"v": numpy.array([], "int64")}, pandas.DataFrame({"v": []}), polars.DataFrame({"v": []}), pyarrow.table({"v": []}), {}]
    assert [_frame.rows(frame) for frame in frames] == [1] * len(frames)
    assert _frame.rows(pandas.DataFrame({"v": [1]})) == 1 and _frame.rows(iter([])) == 0
    assert _frame.rows(polars.DataFrame({"v": [1]}).lazy()) == 0 and _frame.rows({"v": [1, 2], "z": [1]}) == 2


def test_a101_words_in_the_names_of_a_duckdb_table(vault):
    """A table is refused for a generated column, and not for a name."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("""CREATE TABLE generated_2026 (v INT, generated VARCHAR DEFAULT 'generated always as', "GENERATED ALWAYS AS (" INT)""")
    connection.execute("INSERT INTO generated_2026 (v) VALUES (1), (2)")
    connection.execute('CREATE TABLE made (w VARCHAR, v INT GENERATED ALWAYS AS (CAST(w AS INT)) VIRTUAL, "a""b" INT)')
    connection.execute("CREATE TABLE short (w VARCHAR, v AS (CAST(w AS INT)))")
    vault.add("d", live=True, unit="row", columns={"v": "int[0,100]"}, budget=10**6)
    assert answer(vault, "d", "SELECT SUM(v) AS s", connection.table("generated_2026")) == ([[3]], 1)
    for name in ("made", "short"):
        assert answer(vault, "d", "SELECT SUM(v) AS s", connection.table(name))[0][1].startswith("a relation must be columns of one table"), name


def test_a101_places_of_rows_are_no_columns(vault):
    """rowid and the like say where a row stands among the others: one row more moves them."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT 1 AS v FROM range(3)")
    for name in ("rowid", "ROWID", "file_row_number", "file_index"):
        vault.add(name, live=True, unit="row", columns={name.lower(): "int[0,100]"}, budget=10**6)
        columns = [f"SELECT {name} FROM people", f'SELECT v, "{name}" FROM people'] if "rowid" in name.lower() else []
        for query in columns:
            seen = answer(vault, name, f"SELECT COUNT({name.lower()}) AS n", connection.sql(query))
            assert seen == (("InputError", "a relation must be columns of one table or Parquet file; pass relation.to_arrow_table()"), 0), query


def test_a101_a_view_that_has_the_name_of_a_table(vault):
    """In another schema: which of the two a relation reads is not known by its name, and a view may be any query."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT '1' AS v")
    connection.execute("CREATE SCHEMA other")
    connection.execute("CREATE VIEW other.people AS SELECT CAST(v AS INT) AS v FROM main.people")
    connection.execute("CREATE VIEW seen AS SELECT 1 AS v")
    vault.add("d", live=True, unit="row", columns={"v": "int[0,100]"}, budget=10**6)
    for relation in (connection.sql("SELECT v FROM other.people"), connection.table("other.people"), connection.table("people"), connection.sql("FROM seen")):
        seen = answer(vault, "d", "SELECT SUM(v) AS s", relation)
        assert seen == (("InputError", "a relation must be columns of one table or Parquet file; pass relation.to_arrow_table()"), 0)


def test_a101_a_type_in_each_file_of_a_dataset(vault):
    """A column that has another type in a later file is read, and the first file as if it were alone."""
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("numpy")
    vault.add("d", live=True, unit="row", columns={"v": "decimal[0,1]/0.1", "t": "text"}, keys={"t": ["1", "x"]}, budget=10**6)
    first = pyarrow.table({"v": pyarrow.array([0.35] * 10, pyarrow.float32()), "t": pyarrow.array([1] * 10, pyarrow.int32())})
    others = [{"v": ["x"], "t": ["x"]}, {"v": [None], "t": [2.5]}, {"v": [0.0], "t": [datetime.date(2024, 1, 1)]}, {"v": [[1]], "t": [b"\xff"]}]
    for other in others:
        data = files_of([first, pyarrow.table(other)])
        assert answer(vault, "d", "SELECT SUM(v) AS s WHERE t = '1'", data) == ([[4]], 1), other


def test_a115_the_second_process_runs_nothing_of_the_caller(vault, folder, monkeypatch):
    """It opens the vault: modules in the folder where the caller works, or that its environment names, are not those it imports."""
    with sqlite3.connect(folder / "t.db") as made:
        made.execute("CREATE TABLE t (v INTEGER)")
        made.execute("INSERT INTO t VALUES (3)")
    vault.add("d", folder / "t.db", unit="row", columns={"v": "int[0,9]"}, format={"table": "t"}, budget=10**6)
    path = os.path.abspath(vault.path)
    for name in ("json", "sitecustomize", "usercustomize", "decimal"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'ran')!r}, 'a').write('{name} ')\nraise ImportError\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("PYTHONSTARTUP", str(folder / "json.py"))
    with scrim.open(path) as opened:
        assert opened.query("d", "SELECT SUM(v) AS s", epsilon=1000)[0]["s"].value == 3
    assert not (folder / "ran").exists()
