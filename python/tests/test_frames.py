"""Results as frames of pandas, polars and Arrow, and their values as numbers."""

import datetime
import json
import math
import pickle
import statistics
from decimal import Decimal
from fractions import Fraction

import pytest
from conftest import BY_SEX

import scrim

FLAT = ["sex", "n", "n_low", "n_high", "mean_age", "mean_age_low", "mean_age_high"]


def test_dictionaries(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    columns = result.to_dict()
    assert list(columns) == FLAT
    assert columns["n"] == [row["n"].value for row in result]
    assert float(result[0]["n"]) == columns["n"][0]


def test_pandas(adult):
    pandas = pytest.importorskip("pandas")
    result = adult.query("adult", BY_SEX, epsilon=1)
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == FLAT
    assert frame["n"].tolist() == [row["n"].value for row in result] and frame["n"].dtype.kind == "i"
    assert frame["sex"].isna().tolist() == [False, False, True]


def test_polars(adult):
    polars = pytest.importorskip("polars")
    frame = adult.query("adult", BY_SEX, epsilon=1).to_polars()
    assert frame.columns == FLAT and frame["sex"].to_list() == ["Female", "Male", None]
    assert frame.schema["n"] == polars.Int64 and frame.schema["mean_age"] == polars.Float64


def test_arrow(adult):
    pyarrow = pytest.importorskip("pyarrow")
    result = adult.query("adult", BY_SEX, epsilon=1)
    table = result.to_arrow()
    assert table.column_names == FLAT and table.to_pydict() == result.to_dict()
    table.validate(full=True)
    batch = pyarrow.record_batch(result)
    assert batch.to_pydict() == result.to_dict()
    del result, batch
    assert table.column("sex").to_pylist() == ["Female", "Male", None]  # the buffers outlive the result


def test_arrow_without_pyarrow_taking_it(adult):
    """Capsules that nobody takes are freed by themselves."""
    result = adult.query("adult", BY_SEX, epsilon=1)
    for _ in range(100):
        result.__arrow_c_stream__()
        result.__arrow_c_array__()
        result.__arrow_c_schema__()


def test_duckdb_reads_a_result(adult):
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    answer = adult.query("adult", BY_SEX, epsilon=1).to_arrow()
    assert answer.num_rows == 3 and duckdb.sql("SELECT count(*), sum(n) > 0 FROM answer").fetchall() == [(3, True)]


def test_every_kind_of_key_and_value(vault, folder):
    pyarrow = pytest.importorskip("pyarrow")
    path = folder / "t.csv"
    path.write_text("b,d,i,t,x\ntrue,2026-03-01,3,2026-03-29 14:05:00,1.25\nfalse,2026-03-02,4,,2.5\n")
    vault.add(
        "t", path, unit="row", budget=1000, format={"zone": "UTC"},
        columns={
            "b": "bool", "d": "date[2026-03-01,2026-03-03]", "i": "int[3,4]", "x": "decimal[0,10]",
            "t": "timestamp[2026-03-29,2026-03-29 23:59:59]",
        },
    )  # fmt: skip
    results = {key: vault.query("t", f"SELECT {key}, SUM(x) AS s GROUP BY {key}", epsilon=50) for key in "bdi"}
    assert {row["b"] for row in results["b"]} == {True, False, None}
    assert results["d"].rows[0]["d"] == datetime.date(2026, 3, 1)
    assert [row["i"] for row in results["i"]] == [3, 4, None]
    for result in results.values():
        table = pyarrow.table(result)
        assert table.to_pydict() == result.to_dict()
        assert result.to_pandas().shape == (len(result), 4)
    latest = vault.query("t", "SELECT MEDIAN(d) AS day, MEDIAN(t) AS at", epsilon=50)
    assert isinstance(latest.rows[0]["day"].value, datetime.date)
    assert latest.rows[0]["at"].value.tzinfo is not None
    assert pyarrow.table(latest).num_rows == 1


def test_an_empty_frame_has_a_known_number_of_rows():
    """0 means that nobody knows, and takes the memory of a stream: one row must not decide (A106)."""
    from scrim import _frame

    assert [_frame.rows({"x": [0] * count}) for count in (0, 1, 2)] == [1, 1, 2]
    assert _frame.rows({}) == 1 and _frame.rows(None) == 0


WIDE = 9007199254740993  # no float


def test_types_of_pandas_follow_the_column(vault):
    """A NULL beside them changes neither digits nor days."""
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    columns = {
        "i": f"int[0,{WIDE + 6}]", "d": "date[2026-03-01,2026-03-03]", "b": "bool", "s": "decimal[0,1]/0.5",
        "t": "timestamp[2026-03-29,2026-03-29 23:59:59]",
    }  # fmt: skip
    keys = {"i": [WIDE], "d": ["2026-03-01"], "s": ["0.5", "1"]}
    vault.add("t", live=True, unit="row", columns=columns, keys=keys, format={"zone": "Europe/Berlin"}, budget=1000)
    rows = {
        "i": [WIDE, None], "d": [datetime.date(2026, 3, 1), None], "b": [True, None], "s": ["0.5", "1"],
        "t": ["2026-03-29 01:00:00", "2026-03-29 04:00:00"],
    }  # fmt: skip
    found = {key: vault.query("t", f"SELECT {key}, COUNT(*) AS n GROUP BY {key}", epsilon=50, data=rows) for key in "idbs"}
    frames = {key: result.to_pandas() for key, result in found.items()}
    assert str(frames["i"]["i"].dtype) == "Int64" and frames["i"]["i"].tolist() == [WIDE, pandas.NA]
    assert str(frames["b"]["b"].dtype) == "boolean" and frames["b"]["b"].isna().sum() == 1
    assert frames["d"]["d"].dtype.kind == "M" and frames["d"]["d"][0] == pandas.Timestamp("2026-03-01")
    assert frames["d"]["d"].isna().tolist() == [False, True]
    assert frames["s"]["s"].dtype.kind == "f" and frames["s"]["s"].dropna().tolist() == [0.5, 1]
    assert [row["s"] for row in found["s"]][0] == Fraction(1, 2)
    times = vault.query("t", "SELECT b, MEDIAN(t) AS at GROUP BY b", epsilon=50, data=rows).to_pandas()
    assert all(str(times[name].dtype).startswith("datetime64[") and "UTC" in str(times[name].dtype) for name in ("at", "at_low"))
    # Wider than 64 bits: Python's int, and a decimal of Arrow.
    wide = scrim.Records([("w", "number", [2**63, None, -(10**37)])])
    assert wide.to_pandas()["w"].tolist() == [2**63, None, -(10**37)]
    table = pyarrow.table(wide)
    table.validate(full=True)
    assert table.column("w").to_pylist() == [2**63, None, -(10**37)]


def test_an_answer_is_a_table(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    assert result["sex"] == ["Female", "Male", None] and result["n"] == [row["n"] for row in result]
    assert len(result) == 3 and result[-1]["sex"] is None and len(result[:2]) == 2
    with pytest.raises(KeyError, match="no column 'm'; there are sex, n, mean_age"):
        result["m"]
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    assert pyarrow.table(result).num_rows == polars.DataFrame(result).height == 3
    assert polars.from_arrow(pyarrow.table(result)).columns == FLAT


def test_an_estimate_is_a_number():
    n = scrim.Estimate("21790", "21700", "21880")
    mean = scrim.Estimate("38.6", "38.1", "39.1")
    low, value, high = n
    assert (low, value, high) == (21700, 21790, 21880) and int(n) == 21790 and float(mean) == 38.6
    assert round(mean) == 39 and round(mean, 0) == 39.0 and math.floor(mean) == 38 and f"{n:,d}" == "21,790"
    assert f"{mean:.2f}" == "38.60" and str(n) == f"{n}" == "21790 (21700 to 21880)"
    assert n > 20000 and n >= 21790 and 20000 < n < 22000 and n == 21790 and n != 5 and mean < n and hash(n) == hash(21790)
    assert n == scrim.Estimate("21790", "21700", "21880") != scrim.Estimate("21790", "21700", "21881")
    assert sorted([n, mean], key=lambda each: each) == [mean, n] and max(n, mean) is n and bool(n)
    with pytest.raises(TypeError):
        assert n < "x"
    plain = (n // 1000, 50_000 // n, n % 1000, 7 % n, n**2, 2**mean, divmod(n, 1000), divmod(50_000, n), n // mean)
    assert plain == (21, 2, 790, 7, 21790**2, 2**38.6, (21, 790), (2, 6420), 21790 // 38.6)
    assert not any(isinstance(each, scrim.Estimate) for each in plain)
    assert statistics.mean([n, n]) == 21790 and not isinstance(statistics.mean([n, mean]), scrim.Estimate)
    with pytest.raises(TypeError):
        n % "text"
    day = scrim.Estimate("2026-03-02", "2026-03-01", "2026-03-03", kind="date_value")
    assert day > datetime.date(2026, 3, 1) and day == datetime.date(2026, 3, 2)
    for wrong in (lambda: day + 1, lambda: int(day), lambda: n + "1", lambda: n * None):
        with pytest.raises(TypeError):
            wrong()


def test_several_estimates_never_get_the_interval_of_one():
    """A sum adds one after another: what two gave is not known exactly, so that a third one is no interval around it."""
    numpy = pytest.importorskip("numpy")
    n, mean = scrim.Estimate("10", "5", "30"), scrim.Estimate("2.5", "2", "3")
    several = [
        sum([n, n, n]), sum([mean] * 5), n - n + n, 2 * (n + n) - 1 + mean, (n + mean) / 2 * n, n // 3 + mean, n**2 - mean, 5 - (n + n) + n,
        abs(n - mean) + n, round(n, -1) + mean, -(n * n) + n, divmod(n, 3)[1] + n, mean * (n / n), statistics.mean([n, mean]) + n,
        (n + n) * Fraction(1, 3) + n, (n + n) * Decimal(2) + n, (n + mean) + numpy.int64(3) + n, numpy.float64(2) * (n + n) + n, numpy.int64(3) - (n + n) + n,
    ]  # fmt: skip
    assert not any(isinstance(each, scrim.Estimate) for each in several)
    assert several[:6] == [30, 12.5, 10, 41.5, 62.5, 5.5]
    total = sum([n, n, n])
    assert isinstance(total, int) and repr(total) == "30" and json.dumps([total, total / 4]) == "[30, 7.5]"
    assert isinstance(pickle.loads(pickle.dumps(total)) + n, int) and {total: 1}[30] == 1 and range(30)[total - 1] == 29
    assert numpy.mean([n, n, n]) == 10 and not isinstance(numpy.mean([n, n, mean]), scrim.Estimate)
    assert numpy.sqrt(total) == 30**0.5
    assert (numpy.array([1, 2]) * total).tolist() == [30, 60]


def test_an_estimate_keeps_an_interval_that_holds():
    n = scrim.Estimate("10", "-5", "30")
    assert [end.exact for end in (n + 1, 1 + n, n - 1, 100 - n, -n)] == [
        ("11", "-4", "31"), ("11", "-4", "31"), ("9", "-6", "29"), ("90", "70", "105"), ("-10", "-30", "5"),
    ]  # fmt: skip
    assert [end.exact for end in (n * 2, n * -2, n * 0, n / 4, n * 0.1, abs(n))] == [
        ("20", "-10", "60"), ("-20", "-60", "10"), ("0", "0", "0"), ("2.5", "-1.25", "7.5"), ("1", "-0.5", "3"),
        ("10", "0", "30"),
    ]  # fmt: skip
    assert (n / 3).exact == ("10/3", "-5/3", "10") and (n / 3).value == 10 / 3
    above, below = scrim.Estimate("4", "2", "5"), scrim.Estimate("-4", "-5", "-2")
    assert (20 / above).exact == ("5", "4", "10") and (20 / below).exact == ("-5", "-10", "-4") and (-20 / above).exact == ("-5", "-10", "-4")
    assert abs(below) == scrim.Estimate("4", "2", "5")
    # Its divisor may be 0, or two intervals must hold at once: a plain number.
    assert 20 / n == 2 and isinstance(20 / n, float) and n + n == 20 and isinstance(n - above, int) and sum([n, above]) == 14
    with pytest.raises(ZeroDivisionError):
        n / 0
    unbounded, none = scrim.Estimate("3", "1", None), scrim.Estimate(None, None, None)
    assert (unbounded * -1).exact == ("-3", None, "-1") and (none + 1).exact == (None, None, None)
    assert math.isnan(float(none)) and not none < 1 and not none > 1 and none != 0 and f"{none:.1f}" == "-"
    numpy = pytest.importorskip("numpy")
    assert (numpy.float64(2) * n).exact == ("20", "-10", "60") and numpy.array([n, above], dtype=float).tolist() == [10, 4]
