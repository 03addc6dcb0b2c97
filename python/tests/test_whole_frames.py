"""Synthetic records, bodies and checks of rows in memory: the same as of a file, charged as queries are."""

import os
import signal
import subprocess
import sys

import pytest
from conftest import LONG, ROOT
from test_feed import LIVE, TWIN, Spent, frames, rows, write_csv

import scrim

BUDGET = {"epsilon": 10**6, "delta": "0.5"}
SYNTH = {"epsilon": 4, "delta": "1e-5", "columns": ["x", "k", "b"], "cuts": {"x": 20}}


@pytest.fixture
def live(vault):
    vault.add("t", live=True, **LIVE, budget=BUDGET)
    return vault


def found(inspection, before=0):
    """Counts, and rows as they are numbered without the lines before them."""
    return [
        (line["column"], line["finding"], line["count"], line["effect"], [row - before for row in line["rows"]])
        for line in inspection.lines
    ]


PARITY = """
import pathlib, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import scrim
from scrim import _native
assert scrim.__file__.startswith(sys.argv[1])
from test_feed import LIVE, frames, rows, write_csv
from test_whole_frames import BUDGET, SYNTH, found
folder, tables = pathlib.Path(sys.argv[3]), int(sys.argv[4])
compared = 0

def record(vault, dataset):
    made = _native.vault_release(vault._handle, vault.ledger()[-1]["release"])
    assert made["dataset"] == dataset
    return made["answer"].replace(f"dataset {dataset}", "", 1).replace("live=yes", "").replace(f"csv={folder}/t.csv", "")

for seed in range(3, 3 + tables):
    columns = rows(1 + seed * 37 % 211, seed)
    write_csv(folder / "t.csv", columns)
    vault = scrim.init(folder / f"{seed}.vault", witness=False)  # all have one key, and one number
    vault.add("file", folder / "t.csv", **LIVE, budget=BUDGET)
    vault.add("push", live=True, **LIVE, budget=BUDGET)
    asks = [
        lambda name, **data: vault.synth(name, **SYNTH, **data),
        lambda name, **data: vault.body(name, ["x", "y"], epsilon=4, **data),
        lambda name, **data: vault.deep_point(name, "x,y", epsilon=4, expected_units=100, **data),
    ]
    for ask in asks:
        ask("file")
        wanted = record(vault, "file")
        for name, frame in frames(columns).items():
            ask("push", data=frame)
            assert record(vault, "push") == wanted, (seed, name)
            compared += 1
    for name, frame in frames(columns).items():
        assert found(vault.check("push", data=frame)) == found(vault.check("file"), 1), (seed, name)
        compared += 1
    vault.close()
print(compared)
"""


@pytest.mark.skipif(not (TWIN / "scrim/_native.abi3.so").exists(), reason="make python-test has not run")
def test_the_same_rows_give_the_same_record(folder):
    tables = 20 if LONG else 1
    done = subprocess.run(
        [sys.executable, "-c", PARITY, str(TWIN), str(ROOT / "python/tests"), str(folder), str(tables)],
        capture_output=True, text=True, env={**os.environ, "SCRIM_TEST_KEY": "one key for all of them"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) >= 4 * tables and int(done.stdout) % (4 * tables) == 0


def test_each_is_charged_unless_its_contents_have_a_name(live):
    data = rows(300)
    asks = [
        lambda **more: live.synth("t", **SYNTH, data=data, **more).release,
        lambda **more: live.body("t", "x,y", epsilon=1, data=data, **more).release,
        lambda **more: live.deep_point("t", "x", epsilon=1, expected_units=100, data=data, **more) and live.ledger()[-1]["release"],
    ]  # fmt: skip
    for number, ask in enumerate(asks):
        first = 3 * number + 1
        assert [ask(), ask(version="may"), ask(version="may")] == [first, first + 1, first + 1]
        assert ask(version="june") == first + 2
    # The same rows in memory are known again.
    assert live.synth("t", **SYNTH, data=rows(300)).release == 1 and live.body("t", "x,y", epsilon=1, data=rows(300)).is_repeated
    assert live.synth("t", **SYNTH, data=data, version="may").is_repeated
    assert live.explain_synth("t", **SYNTH, version="may")["is_known"]
    assert not live.explain_synth("t", **SYNTH)["is_known"]
    assert "version=may" in live.ledger()[1]["measurement"]
    with pytest.raises(scrim.ParameterError, match="version must be letters"):
        asks[0](version="in may")
    assert len(live.ledger()) == 9


class Untouched:
    """Rows that nobody may ask for."""

    columns = list(LIVE["columns"])

    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("the rows were read")


def test_what_is_known_needs_no_rows(live):
    asks = [
        lambda data: live.query("t", "SELECT COUNT(*) AS n", epsilon=1, data=data, version="may"),
        lambda data: live.synth("t", **SYNTH, data=data, version="may"),
        lambda data: live.body("t", "x,y", epsilon=1, data=data, version="may"),
    ]
    for number, ask in enumerate(asks):
        assert not ask(rows(20)).is_repeated
        known = ask(Untouched())
        assert known.is_repeated and known.release == number + 1
    assert len(live.ledger()) == 3


def test_labels_say_where_rows_came_from(live):
    made = live.synth("t", **SYNTH, data=rows(30))
    body = live.body("t", "x,y", epsilon=1, data=rows(30))
    for release in (made.release, body.release):
        assert live.label(release)["unprotected.2"].endswith("of the rows, which a program pushed")


def test_what_is_refused_is_not_charged(live, folder):
    write_csv(folder / "t.csv", rows(3))
    live.add("file", folder / "t.csv", **LIVE, budget=BUDGET)
    asks = [
        lambda name, data: live.synth(name, **SYNTH, data=data),
        lambda name, data: live.body(name, "x,y", epsilon=1, data=data),
        lambda name, data: live.check(name, data=data),
    ]
    for ask in asks:
        with pytest.raises(scrim.PolicyError, match="the rows of this dataset are those of its file"):
            ask("file", rows(3))
        with pytest.raises(scrim.InputError, match="a program must push them: data=FRAME"):
            ask("t", None)
        with pytest.raises(scrim.InputError, match="the rows have no column 'x'"):
            ask("t", {name: values for name, values in rows(3).items() if name != "x"})
        with pytest.raises(TypeError, match="expected a data frame, a mapping of columns or an Arrow stream, not list"):
            ask("t", [1, 2])
        with pytest.raises(scrim.InputError, match="different lengths"):
            ask("t", {**rows(3), "x": [1]})
    assert live.ledger() == []


def test_only_columns_that_are_read_are_needed(live):
    data = rows(50)
    assert live.body("t", "x,y", epsilon=1, data={name: data[name] for name in ("who", "x", "y")}).release == 1
    assert live.synth("t", epsilon=1, delta="1e-5", columns="b", data={"b": data["b"], "who": data["who"]}).release == 2


def test_frames_that_are_remembered_and_files_that_others_read(vault, folder):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table(rows(300))
    vault.add("frame", table, **LIVE, budget=BUDGET)
    parquet.write_table(table, folder / "t.parquet", row_group_size=70)
    vault.add("parquet", folder / "t.parquet", **LIVE, budget=BUDGET)
    names = ["frame", "parquet"]
    if "duckdb" in frames(rows(3)):
        vault.add("duckdb", duckdb=f"SELECT * FROM read_parquet('{folder}/t.parquet')", **LIVE, budget=BUDGET)
        names.append("duckdb")
    for name in names:
        assert found(vault.check(name)) == found(vault.check("frame"))
        first = vault.synth(name, **SYNTH)
        assert vault.synth(name, **SYNTH).is_repeated == (name != "duckdb") and not first.is_repeated
        assert vault.body(name, "x,y", epsilon=1).names == ["x", "y"]
    with pytest.raises(scrim.ParameterError, match="a version of its own"):
        vault.body("parquet", "x,y", epsilon=2, version="may")
    charges = len(vault.ledger())
    parquet.write_table(table.slice(1), folder / "t.parquet")
    for ask in (lambda: vault.body("parquet", "x,y", epsilon=2), lambda: vault.synth("parquet", **{**SYNTH, "epsilon": 5})):
        with pytest.raises(scrim.InputError, match="not that of this version"):
            ask()
    assert len(vault.ledger()) == charges
    assert ("source-changed", "refused") in {(line["finding"], line["effect"]) for line in vault.check("parquet").lines}


def test_a_stream_that_fails_keeps_the_charge(live):
    """Whether it fails may depend on a row, so that is not told free of charge; as for queries."""
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(rows(20))

    def fails():
        yield table.to_batches()[0]
        raise ValueError("CANARY")

    def fails_at_once():
        raise ValueError("CANARY")
        yield

    for ask, charges in (
        (lambda data: live.check("t", data=data), 0),
        (lambda data: live.synth("t", **SYNTH, data=data), 2),
        (lambda data: live.body("t", "x,y", epsilon=1, data=data), 4),
    ):
        for source in (fails, fails_at_once):
            with pytest.raises(scrim.InputError, match="the source of the rows failed while it was read") as refused:
                ask(pyarrow.RecordBatchReader.from_batches(table.schema, source()))
            assert "CANARY" not in str(refused.value)
            assert charges == 0 or "is charged and has no answer" in str(refused.value)
        with pytest.raises(ValueError, match="read already"):
            ask(Spent())
        assert [entry["state"] for entry in live.ledger()] == ["charged"] * charges


def interrupt(done, total):
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_while_rows_are_read(live):
    """The charge stays, as that of a query; a check ends with nothing."""
    pyarrow = pytest.importorskip("pyarrow")
    many = {"data": pyarrow.concat_tables([pyarrow.table(rows(5000))] * 100), "workers": 1, "progress": interrupt}
    asks = [
        (lambda: live.synth("t", **SYNTH, **many), "release 1 is charged and has no answer.* it is finished at no further charge"),
        (lambda: live.body("t", "x,y", epsilon=1, **many), "release 2 is charged and has no answer.* it is finished at no further charge"),
        (lambda: live.check("t", **many), "nothing was charged"),
    ]
    for ask, said in asks:
        with pytest.raises(scrim.QueryInterrupted, match=said):
            ask()
    assert [entry["state"] for entry in live.ledger()] == ["pending", "pending"]


def test_ctrl_c_while_rows_come(live):
    """Nothing is charged, but where it is raised in the generator: pyarrow says only that the source failed."""
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(rows(20))

    def endless():
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            yield from table.to_batches()

    for ask in (lambda data: live.synth("t", **SYNTH, data=data), lambda data: live.check("t", data=data)):
        with pytest.raises((KeyboardInterrupt, scrim.InputError)) as caught:
            ask(pyarrow.RecordBatchReader.from_batches(table.schema, endless()))
        if caught.type is not scrim.InputError:
            assert live.ledger() == []
    assert all(entry["state"] == "charged" for entry in live.ledger())
