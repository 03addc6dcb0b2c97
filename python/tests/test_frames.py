"""Results as frames of pandas, polars and Arrow."""

import datetime

import pytest
from conftest import BY_SEX

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
        "t", path, unit="row", budget=1000, zone="UTC",
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
