"""Rows that are pushed: frames of every library, types, refusals, and the same answer as the same rows in a file."""

import array
import ast
import csv
import datetime
import decimal
import os
import pathlib
import re
import random
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest
from conftest import LONG, ROOT

import scrim

COLUMNS = {"x": "int[-50,50]", "y": "decimal[0,100]", "k": "text", "d": "date[2026-01-01,2026-12-31]", "b": "bool"}
LIVE = {"unit": "who", "columns": COLUMNS, "keys": {"k": ["red", "green", "é,blue"]}, "bounds": {"max_groups": 2, "max_rows": 3}}
QUERY = "SELECT k, COUNT(*) AS n, SUM(x) AS sx, AVG(y) AS ay GROUP BY k"


def rows(count, seed=1):
    """Columns of Python values, some of them missing or out of range."""
    rng = random.Random(seed)
    some = lambda value: None if rng.random() < 0.1 else value  # noqa: E731
    return {
        "who": [f"p{rng.randrange(count // 2 + 1)}" for _ in range(count)],
        "x": [some(rng.randrange(-80, 80)) for _ in range(count)],
        "y": [some(round(rng.uniform(-10, 120), 2)) for _ in range(count)],
        "k": [some(rng.choice(["red", "green", "é,blue", "other"])) for _ in range(count)],
        "d": [some(datetime.date(2026, 1, 1) + datetime.timedelta(rng.randrange(400))) for _ in range(count)],
        "b": [some(rng.random() < 0.5) for _ in range(count)],
    }


def write_csv(path, columns):
    text = {True: "true", False: "false", None: ""}
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in zip(*columns.values()):
            writer.writerow([text[v] if v is None or isinstance(v, bool) else v for v in row])


@pytest.fixture
def live(vault):
    vault.add("t", live=True, **LIVE, budget={"epsilon": 1000, "delta": "0.1"})
    return vault


def frames(columns):
    """The same rows in each library that is installed."""
    found = {"lists": columns}
    try:
        import pandas

        found["pandas"] = pandas.DataFrame(columns)
    except ImportError:
        pass
    try:
        import polars

        found["polars"] = polars.DataFrame(columns)
        found["lazy"] = polars.DataFrame(columns).lazy()
    except ImportError:
        pass
    try:
        import pyarrow

        table = pyarrow.table(columns)
        found["pyarrow"] = table
        found["batch"] = table.combine_chunks().to_batches()[0]
        found["slices"] = pyarrow.concat_tables([table.slice(0, 7), table.slice(7, 1), table.slice(8)])
        found["dictionary"] = table.set_column(3, "k", table["k"].dictionary_encode())
        found["reader"] = pyarrow.RecordBatchReader.from_stream(table)
    except ImportError:
        pass
    try:
        import duckdb

        connection, arrow = duckdb.connect(), found["pyarrow"]
        connection.execute("CREATE TABLE stored AS SELECT * FROM arrow")
        found["duckdb"] = connection.table("stored")
        assert arrow is not None
    except (ImportError, KeyError):
        pass
    return found


def test_frames_of_every_library(live):
    columns = rows(400)
    for name, frame in frames(columns).items():
        result = live.query("t", QUERY, epsilon=5, data=frame)
        counted = {row["k"]: row["n"].value for row in result}
        assert set(counted) == {"red", "green", "é,blue", None}, name
        assert all(40 < counted[key] < 160 for key in ("red", "green", "é,blue")), (name, counted)


def test_the_same_question_of_the_same_frame_is_free(live):
    """A frame is known again by its values; one value more is another frame."""
    columns = rows(100)
    first = live.query("t", QUERY, epsilon=1, data=columns)
    again = live.query("t", QUERY, epsilon=1, data={**columns, "who": list(columns["who"])})
    assert (again.release, again.rows) == (1, first.rows) and again.is_repeated
    for name, frame in frames(columns).items():
        both = [live.query("t", QUERY, epsilon=2, data=frame) for _ in range(2)]
        assert both[1].is_repeated == (name not in ("duckdb", "lazy", "reader")), name
    with scrim.open(live.path) as other:
        assert other.query("t", QUERY, epsilon=1, data=columns).is_repeated
    charges = len(live.ledger())
    changed = {**columns, "k": ["é,blue" if key == "red" else key for key in columns["k"]]}
    fewer = {name: values[:-1] for name, values in columns.items()}
    for number, frame in enumerate((changed, fewer, {name: values[::-1] for name, values in columns.items()}), charges + 1):
        assert live.query("t", QUERY, epsilon=1, data=frame).release == number
    # Another column than those of the question changes nothing about its answer.
    assert live.query("t", QUERY, epsilon=1, data={**columns, "z": [0] * 100}).is_repeated
    names = [charge["measurement"].split()[1] for charge in live.ledger() if "version=" in charge["measurement"]]
    assert names and all(re.fullmatch(r"version=contents-\d{1,2}", name) for name in names)  # no digest is shown
    live.verify()
    # Only the vault gives such a name: a caller's own could name other rows.
    for ask in (live.query, live.explain):
        with pytest.raises(scrim.ParameterError, match="must not begin with contents-"):
            ask("t", QUERY, epsilon=1, version="contents-1")


def test_each_stream_is_new_unless_it_has_a_version(live):
    pyarrow = pytest.importorskip("pyarrow")
    columns = rows(100)
    streams = [Stream(pyarrow.table(columns)) for _ in range(2)]
    first, second = (live.query("t", "SELECT COUNT(*) AS n", epsilon=1, data=stream) for stream in streams)
    assert (first.release, second.release) == (1, 2)
    named = live.query("t", "SELECT COUNT(*) AS n", epsilon=1, data=columns, version="monday")
    again = live.query("t", "SELECT COUNT(*) AS n", epsilon=1, data=columns, version="monday")
    assert again.is_repeated and again.rows == named.rows
    assert live.explain("t", "SELECT COUNT(*) AS n", epsilon=1, version="monday").repeats == 3
    batch = live.batch("t", ["SELECT COUNT(*)", "SELECT SUM(x)"], epsilon=1, data=columns)
    assert batch.release == 4
    assert live.replay(1).rows == first.rows and live.label(1)["protection.unit"] == "who"


def test_a_frame_is_remembered(vault):
    columns = rows(50)
    vault.add("f", columns, **LIVE, budget=100)
    assert vault.query("f", "SELECT COUNT(*) AS n", epsilon=10).release == 1
    with scrim.open(vault.path) as other, pytest.raises(scrim.InputError):
        other.query("f", "SELECT COUNT(*) AS n", epsilon=10)
    with pytest.raises(TypeError):
        vault.add("g", 3, **LIVE, budget=1)
    assert len(vault.ledger()) == 1


def test_numpy_without_a_copy(vault):
    numpy = pytest.importorskip("numpy")
    vault.add("n", live=True, unit="row", columns={"x": "int[0,100]", "t": "date[2026-01-01,2026-12-31]"}, budget=1000)
    data = {
        "x": numpy.arange(1000) % 101,
        "t": numpy.array(["2026-03-01", "NaT"] * 500, dtype="datetime64[D]"),
    }
    result = vault.query("n", "SELECT COUNT(*) AS n, SUM(x) AS s, COUNT(t) AS c", epsilon=30, data=data)
    assert abs(result.rows[0]["n"].value - 1000) < 20 and abs(result.rows[0]["c"].value - 500) < 20
    total = int(data["x"].sum())
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", ">i4"):
        pushed = vault.query("n", "SELECT SUM(x) AS s", epsilon=30, data={"x": data["x"].astype(kind)})
        assert abs(pushed.rows[0]["s"].value - total) < 100, kind
    for shape in (data["x"][::2], numpy.array([1, 2]), numpy.zeros(0, dtype="int64"), numpy.array([numpy.nan, numpy.inf])):
        vault.query("n", "SELECT SUM(x) AS s", epsilon=1, data={"x": shape})
    table = numpy.zeros(10, dtype=[("x", "i4"), ("t", "M8[s]")])
    vault.query("n", "SELECT SUM(x) AS s", epsilon=1, data=table)
    vault.query("n", "SELECT SUM(x) AS s", epsilon=1, data={"x": array.array("h", [1, 2, 3])})
    vault.query("n", "SELECT SUM(x) AS s", epsilon=1, data={"x": numpy.zeros(3, dtype="complex64")})
    with pytest.raises(scrim.InputError, match="lengths"):
        vault.query("n", "SELECT SUM(x), COUNT(t)", epsilon=1, data={"x": [1], "t": [None, None]})


class Stream:
    """The stream of another library: its types are known before there is a row."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__()


def test_what_cannot_be_pushed_is_refused_before_the_charge(live):
    pyarrow = pytest.importorskip("pyarrow")
    columns = rows(10)
    table = pyarrow.table(columns)
    for wrong in (pyarrow.array([[1]] * 10), pyarrow.array([b"1"] * 10), pyarrow.array([{"a": 1}] * 10)):
        with pytest.raises(scrim.InputError, match="x"):
            live.query("t", "SELECT SUM(x)", epsilon=1, data=Stream(table.set_column(1, "x", wrong)))
    with pytest.raises(scrim.InputError, match="x"):
        live.query("t", "SELECT SUM(x)", epsilon=1, data=table.drop(["x"]))
    with pytest.raises(scrim.InputError, match="who"):
        live.query("t", "SELECT SUM(x)", epsilon=1, data=table.drop(["who"]))
    with pytest.raises(TypeError):
        live.query("t", "SELECT SUM(x)", epsilon=1, data=3)
    assert live.ledger() == []
    # Columns that the query does not read may have any type.
    live.query("t", "SELECT SUM(x)", epsilon=1, data=table.append_column("z", pyarrow.array([[1]] * 10)))


def test_a_source_that_fails_keeps_the_charge(live):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(rows(10))

    def batches():
        yield from table.to_batches()
        raise ValueError("CANARY")

    reader = pyarrow.RecordBatchReader.from_batches(table.schema, batches())
    with pytest.raises(scrim.InputError, match="release 1 is charged and has no answer") as caught:
        live.query("t", "SELECT SUM(x)", epsilon=1, data=reader)
    assert "CANARY" not in str(caught.value)
    assert live.ledger()[0]["state"] == "charged" and live.budget("t")[0]["spent"] == 1
    with pytest.raises(ValueError):
        live.query("t", "SELECT SUM(x)", epsilon=1, data=Spent())


class Spent:
    """A stream that was read already."""

    def __arrow_c_stream__(self, requested_schema=None):
        import pyarrow

        reader = pyarrow.table(rows(3))
        capsule = reader.__arrow_c_stream__()
        pyarrow.RecordBatchReader._import_from_c_capsule(capsule)
        return capsule


def test_ctrl_c_between_batches(vault):
    numpy = pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    vault.add("n", live=True, unit="row", columns={"x": "int[0,100]"}, format={"max_size": "64GiB"}, budget=10)
    part = pyarrow.table({"x": numpy.arange(1_000_000) % 100})
    endless = pyarrow.concat_tables([part] * 5000)  # one part in memory
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(scrim.QueryInterrupted, match="interrupted: nothing was charged"):
        vault.query("n", "SELECT SUM(x)", epsilon=1, data=endless)  # its contents are looked at before the charge
    assert vault.ledger() == []
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    words = "interrupted: release 1 is charged and has no answer; the same query again finishes it at no further charge"
    with pytest.raises(scrim.QueryInterrupted, match=words):
        vault.query("n", "SELECT SUM(x)", epsilon=1, data=endless, version="big")
    vault.query("n", "SELECT SUM(x)", epsilon=1, data=part, version="big")
    assert [charge["state"] for charge in vault.ledger()] == ["released"] and vault.budget("n")[0]["spent"] == 1


def test_files_do_not_take_frames(adult):
    with pytest.raises(scrim.PolicyError):
        adult.query("adult", "SELECT COUNT(*)", epsilon=1, data={"person_id": ["a"]})
    assert adult.ledger() == []


def test_parquet_and_duckdb(vault, folder):
    pyarrow = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    from pyarrow import parquet

    assert duckdb
    path = folder / "t.parquet"
    parquet.write_table(pyarrow.table(rows(200)), path)
    vault.add("p", path, **LIVE, budget=100)
    first = vault.query("p", QUERY, epsilon=5)
    assert vault.query("p", QUERY, epsilon=5).is_repeated and sum(row["n"].value for row in first) > 100
    parquet.write_table(pyarrow.table(rows(250)), path)
    with pytest.raises(scrim.InputError, match=r"vault.update"):
        vault.query("p", "SELECT SUM(x)", epsilon=5)
    vault.update("p")
    vault.query("p", "SELECT SUM(x)", epsilon=5)
    vault.add("d", duckdb=f"SELECT * FROM read_parquet('{path}')", **LIVE, account={"population": "p"})
    positive = vault.query("d", "SELECT COUNT(*) AS n WHERE x > 0", epsilon=5)
    assert 0 < positive.rows[0]["n"].value < 220


def test_a_parquet_file_that_is_none(vault, folder):
    """Its refusal spoke of the types of columns."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = folder / "t.parquet"
    parquet.write_table(pyarrow.table(rows(20)), path)
    vault.add("p", path, **LIVE, budget=100)
    path.write_bytes(b"PAR1, and no more")
    with pytest.raises(scrim.InputError, match=r"t\.parquet' is not a Parquet file; check the file$"):
        vault.query("p", QUERY, epsilon=5)
    path.unlink()
    with pytest.raises(scrim.InputError, match=r"t\.parquet' cannot be read: No such file or directory; check its name") as failure:
        vault.query("p", QUERY, epsilon=5)
    assert failure.value.__context__ is None and failure.value.__cause__ is None
    assert vault.ledger() == []


def test_empty_frames_are_answered(live):
    """THREATS A55: nobody is there, and that does not show."""
    empty = {name: [] for name in rows(1)}
    result = live.query("t", QUERY, epsilon=5, data=empty)
    assert [row["k"] for row in result] == [row["k"] for row in live.query("t", QUERY, epsilon=5, data=rows(50))]


# The same rows by every way, with one key of all noise.

TWIN = pathlib.Path(os.environ.get("SCRIM_BUILD", ROOT / "build/release")).resolve() / "python-test"
TABLES, ASKED = (1000, 500) if LONG else (2, 1)
PARITY = """
import pathlib, random, subprocess, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import scrim
from scrim import _native
assert scrim.__file__.startswith(sys.argv[1])
from test_feed import LIVE, frames, questions, rows, write_csv
folder, first, count, asked = pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:7])
checked = {}

def record(vault, number, dataset):
    made = _native.vault_release(vault._handle, number)
    text = made["answer"] + "\\n" + (made["note"] or "")
    assert f"dataset {dataset}\\n" in text
    return text.replace(f"dataset {dataset}\\n", "", 1)

for seed in range(first, first + count):
    columns = rows(1 + seed * 37 % 211, seed)
    write_csv(folder / "t.csv", columns)
    vault = scrim.init(folder / f"{seed}.vault", witness=False)  # all have one key, and one number
    budget = {"epsilon": 900000, "delta": "0.5"}
    vault.add("file", folder / "t.csv", **LIVE, budget=budget)
    vault.add("push", live=True, **LIVE, budget=budget)
    query = questions(random.Random(seed))
    options = dict(epsilon=random.Random(seed).choice(["0.5", "3", "100"]), delta="1e-5")
    if seed < asked:  # by the program
        subprocess.run(
            [sys.argv[1] + "/program", "query", "file", query, "--vault", vault.path, "--quiet", "--format", "csv",
             "--epsilon", options["epsilon"], "--delta", options["delta"]], check=True, stdout=subprocess.DEVNULL,
        )
        checked["program"] = checked.get("program", 0) + 1
    answer = vault.query("file", query, **options)
    assert answer.is_repeated == (seed < asked)
    wanted = record(vault, answer.release, "file")
    for name, frame in frames(columns).items():
        pushed = vault.query("push", query, **options, data=frame)
        assert record(vault, pushed.release, "push") == wanted, (seed, name, query)
        assert pushed._cells == answer._cells
        checked[name] = checked.get(name, 0) + 1
    vault.close()
print(checked)
"""


def questions(rng):
    """A random question about the columns of rows()."""
    numbers = ["COUNT(*)", "COUNT(x)", "SUM(x)", "AVG(y)", "SUM(y)", "MEDIAN(x)", "COUNT(DISTINCT who)", "VAR(y)"]
    keys = rng.choice(["", "k", "b", "d", "k, b"])
    chosen = rng.sample(numbers, rng.randrange(1, 4))
    where = rng.choice(["", " WHERE x > 0", " WHERE b", " WHERE d >= '2026-06-01'", " WHERE y < 50.5 AND x IS NOT NULL"])
    named = ", ".join(f"{number} AS c{i}" for i, number in enumerate(chosen))
    return f"SELECT {keys + ', ' if keys else ''}{named}{where}{' GROUP BY ' + keys if keys else ''}"


@pytest.mark.skipif(not (TWIN / "scrim/_native.abi3.so").exists(), reason="make python-test has not run")
def test_the_same_rows_give_the_same_answer(folder):
    environment = {**os.environ, "SCRIM_TEST_KEY": "one key for all of them"}
    done = subprocess.run(
        [sys.executable, "-c", PARITY, str(TWIN), str(ROOT / "python/tests"), str(folder), "0", str(TABLES), str(ASKED)],
        capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    checked = ast.literal_eval(done.stdout)
    assert checked.pop("program") == ASKED and "lists" in checked and set(checked.values()) == {TABLES}


def test_decimals_are_exact(vault):
    vault.add("m", live=True, unit="row", columns={"y": "decimal[0,1]"}, budget=100000)
    exact = [decimal.Decimal("0.1")] * 1000
    for data in (exact, [0.1] * 1000, ["0.10"] * 1000):
        result = vault.query("m", "SELECT SUM(y) AS s", epsilon=900, data={"y": data})
        assert abs(result.rows[0]["s"].value - 100) < 0.2


@pytest.mark.parametrize("kind", ["csv", "sqlite", "parquet", "duckdb"])
def test_rows_of_a_file_are_those_of_the_file(vault, folder, kind):
    """A114: other rows would get the file's releases, windows and labels: refused by every method, and nothing is charged."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = folder / f"own.{kind}"
    if kind == "csv":
        path.write_text("w,v\n" + "1,1\n2,1\n3,1\n" * 10)
    elif kind == "sqlite":
        with sqlite3.connect(path) as base:
            base.execute("CREATE TABLE t (w INT, v INT)")
            base.executemany("INSERT INTO t VALUES (?, 1)", [(i % 3 + 1,) for i in range(30)])
        base.close()
    else:
        parquet.write_table(pyarrow.table({"w": [1, 2, 3] * 10, "v": [1] * 30}), path)
    source = {"duckdb": f"SELECT * FROM read_parquet('{path}')"} if kind == "duckdb" else {"source": path}
    table = {"format": {"table": "t"}} if kind == "sqlite" else {}
    vault.add("own", **source, **table, unit="row", columns={"w": "int[1,3]", "v": "int[0,9]"}, budget=1000)
    vault.create_series("s", "own", "SELECT COUNT(*) AS n", epsilon=5, window="w", releases=3)
    other = {"w": [1] * 100, "v": [9] * 100}
    calls = [
        lambda: vault.query("own", "SELECT SUM(v) AS s", epsilon=1, data=other),
        lambda: vault.batch("own", ["SELECT SUM(v) AS s", "SELECT COUNT(*) AS n"], epsilon=1, data=other),
        lambda: vault.series("s").answer(data=other),
        lambda: vault.suggest("own", epsilon=1, data=other),
        lambda: vault.microdata("own", "w", epsilon=1, data=other),
        lambda: vault.synth("own", epsilon=1, delta="1e-7", data=other),
        lambda: vault.body("own", "v", epsilon=1, q="1/4", data=other),
        lambda: vault.deep_point("own", "v", epsilon=1, data=other),
        lambda: vault.check("own", data=other),
        lambda: vault.risk("own", ["w"], data=other),
    ]
    for call in calls:
        with pytest.raises(scrim.PolicyError, match=r"rows of this dataset are those of its file") as refused:
            call()
        assert refused.value.parameter == kind
    assert vault.ledger() == []
    # Also where the answer is known: it is not that of these rows.
    vault.query("own", "SELECT SUM(v) AS s", epsilon=1)
    with pytest.raises(scrim.PolicyError):
        vault.query("own", "SELECT SUM(v) AS s", epsilon=1, data=other)
