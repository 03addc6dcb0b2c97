"""Frames that lie, fail or hold odd values: nothing of a row shows, nothing is read twice or beyond its end."""

import ctypes
import decimal
import gc
import weakref

import pytest

import scrim

COUNT = "SELECT SUM(x) AS s, COUNT(x) AS c"


@pytest.fixture
def live(vault):
    columns = {"x": "int[0,10]", "t": "text", "e": "timestamp[2026-01-01,2026-12-31]"}
    vault.add("n", live=True, unit="row", columns=columns, format={"zone": "UTC", "max_size": "128MiB"}, keys={"t": ["None", "a"]}, budget=10**6)
    return vault


def shown(vault, data, query=COUNT):
    """Released numbers, with noise that is nothing."""
    result = vault.query("n", query, epsilon=1000, data=data)
    return [[cell.value if isinstance(cell, scrim.Estimate) else cell for cell in row.values()] for row in result]


class Unwritable:
    def __str__(self):
        raise ValueError("CANARY")


def test_no_value_of_a_list_is_an_error(live):
    """THREATS A56: whatever stands between 1 and 3 is missing, and nothing is said of it."""
    odd = [decimal.Decimal("sNaN"), 10**5000, float("inf"), decimal.Decimal("-Infinity"), Unwritable(), "\ud800", "1\0"]
    odd += [[], {}, object(), b"\xff", "x" * 5000]
    for value in odd:
        assert shown(live, {"x": [1, value, 3]}) == [[4, 2]], type(value)
    assert shown(live, {"x": [1, decimal.Decimal("1E+999999999"), 3]}) == [[14, 3]]
    assert shown(live, {"t": [b"a", b"a\0", b"\xff"]}, "SELECT t, COUNT(*) AS n GROUP BY t") == [
        ["None", 0], ["a", 1], [None, 2],
    ]  # fmt: skip


def test_no_value_of_a_series_is_an_error(live):
    pandas = pytest.importorskip("pandas")
    for kind in ("Int64", "object", "float64"):
        assert shown(live, {"x": pandas.Series([1, None, 3], dtype=kind)}) == [[4, 2]], kind
    assert shown(live, {"x": pandas.Series([1, pandas.NA, 3], dtype="object")}) == [[4, 2]]
    for zone in (None, "UTC"):
        moments = pandas.Series(pandas.to_datetime(["2026-03-01 10:00", None])).dt.tz_localize(zone)
        assert shown(live, {"e": moments}, "SELECT COUNT(e) AS n") == [[1]]


def test_no_value_of_a_frame_decides_about_the_others(live):
    """THREATS A56: pandas and pyarrow would give a column of Python values one type, by all of them, or refuse it."""
    pandas = pytest.importorskip("pandas")
    odd = ["x", [], {}, object(), Unwritable(), b"\xff", 10**5000, float("inf"), decimal.Decimal("sNaN"), "\ud800", None]
    for value in odd:
        frame = pandas.DataFrame({"x": pandas.Series([1, value, 3], dtype=object)})
        assert shown(live, frame) == [[4, 2]], type(value)
        assert shown(live, frame.set_index(pandas.Index([0, value, "i"], dtype=object))) == [[4, 2]], type(value)
    for value, more in ((2.0, 2), (True, 0), (b"2", 2), ("2", 2), (10**30, 10)):
        frame = pandas.DataFrame({"x": pandas.Series([1, value, 3], dtype=object)})
        assert shown(live, frame) == [[4 + more, 3 if more else 2]], type(value)
    counted = "SELECT t, COUNT(*) AS n GROUP BY t"
    for words, kind in ((["a", "\ud800", "a"], "object"), ([b"a", None, "a"], "object"), (["a", 1, "a"], "category")):
        frame = pandas.DataFrame({"t": pandas.Series(words, dtype=object).astype(kind)})
        assert shown(live, frame, counted)[1] == ["a", 2], words
    frame = pandas.DataFrame({"t": pandas.Series(["a", b"\xff", "\ud800"], dtype=object)})
    assert shown(live, frame, counted) == [["None", 0], ["a", 1], [None, 2]]


def test_what_is_masked_or_null_is_missing(live):
    numpy = pytest.importorskip("numpy")
    assert shown(live, {"x": numpy.ma.array([1, 9, 3], mask=[False, True, False])}) == [[4, 2]]
    pyarrow = pytest.importorskip("pyarrow")
    keys = shown(live, {"t": pyarrow.array(["a", None])}, "SELECT t, COUNT(*) AS n GROUP BY t")
    assert keys == [["None", 0], ["a", 1], [None, 1]]


def test_moments_of_numpy(live):
    numpy = pytest.importorskip("numpy")
    count = "SELECT COUNT(e) AS n"
    for kind in ("<M8[s]", ">M8[s]", ">M8[ns]", "M8[h]", "M8[D]", "M8[10D]"):
        assert shown(live, {"e": numpy.array(["2026-03-01", "NaT"], dtype=kind)}, count) == [[1]], kind
    far = numpy.array([2**61, -(2**62)], dtype="M8[D]")
    assert shown(live, {"e": far}, count) == [[0]]
    with pytest.raises(scrim.InputError, match="dimension"):
        shown(live, {"e": numpy.zeros((2, 2), dtype="M8[s]")}, count)


def test_each_row_of_a_large_batch_counts_once(live):
    """It is put in slices of 2^22 rows: one that was put twice would count for two people."""
    numpy = pytest.importorskip("numpy")
    rows = numpy.zeros(2**22 + 10, dtype="int8")
    rows[2**22 - 1 :] = 1
    assert shown(live, {"x": rows}) == [[11, 2**22 + 10]]


class Longer(list):
    """A list that says it has more values than it gives."""

    def __len__(self):
        return 10**6


def test_columns_that_lie_about_their_length(live):
    with pytest.raises(scrim.InputError):
        live.query("n", COUNT, epsilon=1, data={"x": Longer([1, 2, 3])})
    numpy = pytest.importorskip("numpy")

    class Wider(numpy.ndarray):
        def __len__(self):
            return 10**9

    for kind in ("int64", "float32", "bool", "M8[s]"):
        with pytest.raises(scrim.InputError):
            live.query("n", COUNT, epsilon=1, data={"x": numpy.zeros(3).astype(kind).view(Wider)})
    assert live.ledger() == []
    from scrim import _native

    texts = (None, bytes(8) + (9).to_bytes(8, "little"), b"nine byte")
    for buffers in ((None, texts[1], texts[2][:8]), (b"", *texts[1:]), (None, texts[1][:15], texts[2]), (None, None, None)):
        with pytest.raises(ValueError):
            _native.arrow_stream(1, [("x", "U", 0, buffers)])
    _native.arrow_stream(1, [("x", "U", 0, texts)])


class Raises:
    """Fails with a value in its words, at one of its doors."""

    def __init__(self, door):
        def fail(*arguments, **more):
            raise ValueError("CANARY")

        setattr(type(self), door, fail)
        self.columns = ["x"]


@pytest.mark.parametrize("door", ["__arrow_c_stream__", "__arrow_c_array__", "collect_schema"])
def test_words_of_other_libraries_are_not_repeated(live, door):
    """THREATS A56, also for who looks behind the exception. A stream may be computed when it is asked for, and may fail
    because of a row: that is charged."""
    kind = type("Frame", (Raises,), {"collect": None} if door == "collect_schema" else {})
    with pytest.raises(scrim.InputError) as caught:
        live.query("n", COUNT, epsilon=1, data=kind(door))
    assert "CANARY" not in str(caught.value) and caught.value.__cause__ is None and caught.value.__context__ is None
    assert len(live.ledger()) == (door != "collect_schema")


def test_a_lazy_frame_that_fails_shows_nothing(live):
    polars = pytest.importorskip("polars")
    frame = polars.LazyFrame({"x": ["1", "CANARY"]}).select(polars.col("x").cast(polars.Int64))
    with pytest.raises(scrim.InputError) as caught:
        live.query("n", COUNT, epsilon=1, data=frame)
    assert "CANARY" not in repr(caught.value) and caught.value.__context__ is None
    assert live.ledger() == []


def test_a_file_that_fails_shows_nothing(vault, folder):
    pytest.importorskip("duckdb")
    path = folder / "rows.parquet"
    path.write_text("CANARY")
    policy = {"unit": "row", "columns": {"x": "int[0,100]"}, "budget": 10}
    vault.add("d", duckdb=f"SELECT * FROM read_parquet('{path}')", **policy)
    vault.add("e", duckdb="SELECT * FROM 'nowhere.parquet'", **policy)
    for name in ("d", "e"):
        with pytest.raises(scrim.InputError) as caught:
            vault.query(name, "SELECT SUM(x)", epsilon=1)
        assert "CANARY" not in repr(caught.value) and caught.value.__context__ is None


class Same:
    """Gives the same capsules again and again."""

    def __init__(self, capsules):
        self.capsules = capsules


class SameStream(Same):
    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsules


class SameArray(Same):
    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_capsules_are_read_once(live):
    pyarrow = pytest.importorskip("pyarrow")
    batch = pyarrow.record_batch({"x": [1, 2, 3]})
    frames = [SameStream(pyarrow.table(batch).__arrow_c_stream__()), SameArray(batch.__arrow_c_array__())]
    for number, frame in enumerate(frames, 1):
        assert shown(live, frame) == [[6, 3]]
        with pytest.raises(ValueError, match="read already"):
            shown(live, frame)
        assert len(live.ledger()) == number
    for capsules in (batch.__arrow_c_array__()[::-1], (1, 2)):
        with pytest.raises(TypeError):
            shown(live, SameArray(capsules))
    schema, array = batch.__arrow_c_array__()
    pyarrow.RecordBatch._import_from_c_capsule(schema, array)
    fresh, used = batch.__arrow_c_array__(), frames[1].capsules
    for capsules in ((schema, array), (fresh[0], array), (schema, fresh[1]), (fresh[0], used[1]), (used[0], fresh[1])):
        with pytest.raises(ValueError, match="read already"):
            shown(live, SameArray(capsules))
    assert len(live.ledger()) == 2


def test_a_batch_of_fewer_than_no_rows_is_refused(live):
    """Taken for an empty one it would be answered, at the full price."""
    pyarrow = pytest.importorskip("pyarrow")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for member in (0, 2):  # length, offset
        schema, array = pyarrow.record_batch({"x": [1, 2, 3]}).__arrow_c_array__()
        ctypes.cast(pointer(array, b"arrow_array"), ctypes.POINTER(ctypes.c_int64))[member] = -1
        with pytest.raises(scrim.InputError, match="does not fit its schema.* is charged and has no answer"):
            shown(live, SameArray((schema, array)))


def test_rows_are_let_go_of(live):
    """Whether they were read or refused, while the frame lives on."""
    pyarrow = pytest.importorskip("pyarrow")
    refused = pyarrow.list_(pyarrow.int64())
    for kind in (pyarrow.int64(), refused):
        rows = (pyarrow.record_batch({"x": [1, 2, 3]}) for _ in range(1))
        gone = weakref.ref(rows)
        reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("x", kind)]), rows)
        frame = SameStream(reader.__arrow_c_stream__())
        del rows, reader
        if kind is refused:
            with pytest.raises(scrim.InputError):
                live.query("n", COUNT, epsilon=1, data=frame)
        else:
            assert shown(live, frame) == [[6, 3]]
        gc.collect()
        assert gone() is None, "the rows live as long as the frame's capsule"
    numpy = pytest.importorskip("numpy")
    column = numpy.array([1, 2, 3])
    gone = weakref.ref(column)
    assert shown(live, {"x": column}) == [[6, 3]]
    del column
    gc.collect()
    assert gone() is None, "a buffer is held after the answer"


def test_policies_are_cut_as_the_library_cuts_them():
    from scrim import _policy

    read = _policy.read(" unit=p\r\n# sqlite=no\nkeys=k=a\u2028sqlite=no\nparquet  /a b \nsame-unit=\nunit=q\n")
    assert read == {"unit": "p", "keys": "k=a\u2028sqlite=no", "parquet": "/a b", "same-unit": ""}
