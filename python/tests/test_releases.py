"""Series of pushed rows, suggestions, checks, synthetic records and bodies."""

import datetime
import sqlite3
import threading
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from conftest import ROOT

import scrim

WEEKS = {"unit": "who", "columns": {"day": "int[1,30]", "x": "int[0,100]"}, "bounds": {"max_groups": 1, "max_rows": 5}}
COLUMNS = {"who": [f"p{i % 40}" for i in range(120)], "day": [1 + i % 30 for i in range(120)], "x": [i % 100 for i in range(120)]}


def truth(low, high):
    return sum(low <= day <= high for day in COLUMNS["day"])


@pytest.fixture
def weeks(vault):
    vault.add("t", live=True, **WEEKS, budget={"epsilon": 10000})
    return vault


def test_a_series_of_pushed_windows(weeks):
    series = weeks.create_series("weekly", "t", "SELECT COUNT(*) AS n", epsilon=100, releases=3, window="day")
    first = series.answer(data=COLUMNS)
    assert abs(first.rows[0]["n"].value - truth(1, 10)) < 3 and not first.is_repeated
    again = series.answer(1, data={name: [] for name in COLUMNS})
    assert again.is_repeated and again.rows == first.rows
    with pytest.raises(scrim.StateError, match="comes next"):
        series.answer(3, data=COLUMNS)
    second = weeks.series("weekly").answer(2, data=COLUMNS)
    assert abs(second.rows[0]["n"].value - truth(11, 20)) < 3
    assert weeks.series("weekly").facts["made"] == 2 and len(weeks.ledger("t")) == 2
    with pytest.raises(scrim.InputError):
        series.answer()
    with pytest.raises(scrim.InputError, match="day"):
        series.answer(data={"who": ["a"]})
    assert len(weeks.ledger("t")) == 2


def test_a_series_of_live_rows_needs_no_version(weeks):
    series = weeks.create_series("often", "t", "SELECT SUM(x) AS s", epsilon=100, releases=2)
    releases = [series.answer(data=COLUMNS, confidence="0.9") for _ in range(2)]
    assert [result.release for result in releases] == [1, 2] and releases[0].confidence == "0.9"
    with pytest.raises(scrim.StateError, match="all 2 releases"):
        series.answer(data=COLUMNS)


def test_a_series_of_a_frame_and_of_parquet(vault, folder):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    vault.add("frame", COLUMNS, **WEEKS, budget={"epsilon": 10000})
    vault.create_series("a", "frame", "SELECT COUNT(*) AS n", epsilon=100, releases=2)
    assert abs(vault.series("a").answer().rows[0]["n"].value - 120) < 3
    path = folder / "t.parquet"
    parquet.write_table(pyarrow.table(COLUMNS), path)
    vault.add("file", path, **WEEKS, budget={"epsilon": 10000})
    vault.create_series("b", "file", "SELECT COUNT(*) AS n", epsilon=100, releases=2)
    first = vault.series("b").answer()
    assert vault.series("b").answer().is_repeated  # a file has a version
    parquet.write_table(pyarrow.table({**COLUMNS, "x": [1] * 120}), path)
    vault.update("file")
    assert vault.series("b").answer().release != first.release


def test_files_of_a_series_take_no_frame(adult):
    adult.create_series("s", "adult", "SELECT COUNT(*) AS n", epsilon=1, releases=2)
    with pytest.raises(scrim.PolicyError):
        adult.series("s").answer(data={"person_id": ["a"]})
    assert adult.ledger() == []


# Suggestions.

ORDERS = {"unit": "who", "columns": {"x": "int[0,1000]", "k": "text"}, "keys": {"k": ["a", "b"]}, "bounds": {"max_groups": 2, "max_rows": 9}}


def orders():
    return {
        "who": [f"p{i % 4000}" for i in range(12000)],
        "x": [i % 50 for i in range(12000)],
        "k": ["ab"[i % 2] for i in range(12000)],
    }


def write(path, columns):
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]
    path.write_text("\n".join(lines) + "\n")
    return path


def check_suggestion(found):
    bounds = {(bound["bound"], bound["column"]): bound for bound in found.lines}
    assert abs(found.people - 4000) < 1000 and ("max-rows", None) in bounds
    assert found.bounds["max_rows"] <= 20 and found.bounds["max_groups"] == int(bounds["max-groups", None]["high"])
    assert 30 <= found.clamps["x"][1] <= 500 and found.clamps["x"][0] == 0
    assert {quantile["quantity"] for quantile in found.quantiles} >= {"groups", "rows", "largest total", "value"}
    rows = [rung for rung in found.ladder if rung["quantity"] == "rows"]
    assert [rung["rung"] for rung in rows[:4]] == ["1", "2", "5", "10"] and rows[-1]["is_last"] and len(rows) == 19
    assert abs(int(rows[2]["people"]) - 4000) < 100 and int(rows[2]["above_low"]) <= 0 <= int(rows[2]["above_high"])
    assert bounds["max-total-rows", None]["is_sure"]
    assert found.cost.epsilon == 8 and "max-rows" in str(found) and "<table>" in found._repr_html_()


def test_suggestions_of_files_and_frames(vault, folder):
    vault.add("live", live=True, **ORDERS, budget={"epsilon": 100})
    vault.add("csv", write(folder / "t.csv", orders()), **ORDERS, budget={"epsilon": 100})
    with sqlite3.connect(folder / "t.db") as connection:
        connection.execute("CREATE TABLE t (who, x, k)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", zip(*orders().values()))
    connection.close()
    vault.add("sqlite", folder / "t.db", format={"table": "t"}, **ORDERS, budget={"epsilon": 100})
    told = []
    for name in ("csv", "sqlite"):
        found = vault.suggest(name, ["x"], by="k", epsilon=8, progress=lambda done, total: told.append(total))
        check_suggestion(found)
        again = vault.suggest(name, "x", by=["k"], epsilon="8")
        assert again.answer.is_repeated and again.lines == found.lines
    check_suggestion(vault.suggest("live", "x", by="k", epsilon=8, data=orders()))
    assert [charge["amount"] for charge in vault.ledger()] == [8] * 3 and set(told) <= {1000}
    with pytest.raises(scrim.InputError):
        vault.suggest("live", "x", epsilon=8)
    with pytest.raises(scrim.ParameterError):
        vault.suggest("csv", "y", epsilon=8)
    assert len(vault.ledger()) == 3
    answer = vault.query("csv", "SELECT k, COUNT(*) AS n GROUP BY k", epsilon=4, bounds="auto")
    assert vault.query("csv", "SELECT k, COUNT(*) AS n GROUP BY k", epsilon=4, bounds="auto=1/5").is_repeated
    assert [row["k"] for row in answer.rows] == ["a", "b", None] and "rows" in (answer.kept or "") and "left out" in (answer.kept or "")
    assert float(vault.explain("csv", "SELECT COUNT(*)", epsilon=4, bounds="auto").cost.epsilon) == 4
    with pytest.raises(scrim.ParameterError):
        vault.query("live", "SELECT COUNT(*)", epsilon=4, bounds="auto", data=orders())
    assert len(vault.ledger()) == 4
    # The options are those of add.
    vault.add("again", folder / "t.csv", **{**ORDERS, "bounds": found.bounds}, account={"population": "csv"})


# What the owner sees.


def test_people_whose_rows_are_left_out(vault):
    """A count of them comes with the answer, unless its share is 0."""
    vault.add("visits", columns={"k": "text"}, keys={"k": ["a", "b"]}, unit="who", bounds={"max_total_rows": 2}, live=True, budget=1e4)
    rows = {"who": [f"p{i % 100}" for i in range(100)] + ["p1"] * 30, "k": ["a"] * 130}
    answer = vault.query("visits", "SELECT COUNT(*) AS n", epsilon=1000, data=rows)
    cut = answer.cut
    assert cut.words in answer.kept and cut.words in str(answer) and cut.caution == answer.missing
    assert (cut.people, cut.rows_low) == (1.0, 9) and cut.people_low < 1 < cut.people_high and cut.rows_share_low > 8
    assert repr(cut).startswith("<Cut: about 1.00 % of units [")
    none = vault.query("visits", "SELECT COUNT(*) AS n", epsilon=1000, data=rows, cut_share=0)
    assert none.cut is None and none.kept == "2 rows per who; further rows were left out"
    parts = [part["what"] for part in vault.explain("visits", "SELECT COUNT(*) AS n", epsilon=1).parts]
    assert parts == ["rows", "people cut"]


def test_check(vault, folder):
    write(folder / "t.csv", {"who": ["a", "b", ""], "x": ["5", "x", "2000"], "k": ["a", "z", "b"]})
    vault.add("t", folder / "t.csv", **ORDERS, budget={"epsilon": 1})
    found = vault.check("t")
    counts = {(line["column"], line["finding"]): line["count"] for line in found.lines}
    assert counts[None, "rows"] == 3 and counts["x", "unreadable"] == 1 and not found.is_right
    assert [line["rows"] for line in found.wrong if line["finding"] == "unreadable"] == [[3]]
    assert str(found).startswith("SENSITIVE") and "SENSITIVE" in repr(found) and "SENSITIVE" in found._repr_html_()
    assert vault.ledger() == []
    vault.add("live", live=True, **ORDERS, budget={"epsilon": 1})
    for ask in (vault.check, lambda name: vault.synth(name, epsilon=1, delta="1e-5"), lambda name: vault.body(name, "x", epsilon=1)):
        with pytest.raises(scrim.InputError, match="a program must push them: data=FRAME"):
            ask("live")
    assert vault.ledger() == []


def test_mock(adult):
    lines = adult.mock("adult", 20).splitlines()
    assert len(lines) == 21 and set(lines[0].split(",")) >= {"person_id", "age", "sex"}
    with pytest.raises(scrim.ParameterError):
        adult.mock("adult", -1)
    assert all(0 <= int(line.split(",")[lines[0].split(",").index("age")] or 0) <= 120 for line in lines[1:])


# Synthetic records.

PEOPLE = {
    "unit": "who", "bounds": {"rows_per_unit": 1}, "keys": {"k": ["a", "b", "c"]},
    "columns": {"k": "text", "x": "int[0,99]", "y": "decimal[0,10]", "d": "date[2026-01-01,2026-01-10]", "b": "bool"},
}  # fmt: skip


def people():
    return {
        "who": [f"p{i}" for i in range(3000)],
        "k": ["aab"[i % 3] for i in range(3000)],
        "x": [i % 20 for i in range(3000)],
        "y": [i % 10 + 0.5 for i in range(3000)],
        "d": [datetime.date(2026, 1, 1 + i % 5) for i in range(3000)],
        "b": ["true" if i % 4 else "false" for i in range(3000)],
    }


def check_records(made):
    rows = made.draw(500)
    columns = rows.to_dict()
    assert len(rows) == 500 and rows.names == ["who", "k", "x", "y", "d", "b"]
    assert columns["who"] == list(range(1, 501)) and 250 < columns["k"].count("a") < 420
    assert all(x is None or (isinstance(x, int) and 0 <= x <= 99) for x in columns["x"])
    assert {type(d) for d in columns["d"]} <= {datetime.date, type(None)} and {True, False} <= set(columns["b"])
    assert made.draw(500).to_dict() == columns
    assert set(made.draw(50, given={"k": "b"}).to_dict()["k"]) == {"b"}
    assert 2500 < made.rows < 3500 and len(made.draw()) == made.rows


def test_synthetic_records(vault, folder):
    vault.add("t", write(folder / "t.csv", people()), **PEOPLE, budget={"epsilon": 50, "delta": "1e-3"})
    plan = vault.explain_synth("t", epsilon=8, delta="1e-5", cuts={"x": 10})
    assert (plan["method"], plan["is_known"], plan["cost"].delta) == ("mst", False, Fraction("0.00001"))
    assert vault.ledger() == []
    made = vault.synth("t", epsilon=8, delta="1e-5", cuts={"x": 10, "y": [3, 7]}, never=[{"k": "c", "b": "true"}])
    check_records(made)
    assert {column["name"]: column["cut"] is not None for column in made.columns}["x"] and not made.is_repeated
    assert vault.replay_synth(made.release).draw(500).to_dict() == made.draw(500).to_dict()
    report = made.report(ways=2)
    assert {line["ways"] for line in report} == {1, 2} and all(0 <= line["low"] <= line["high"] <= 1 for line in report)
    assert "synth" in vault.ledger()[0]["measurement"] and made.label()["release.number"] == "1"
    assert "srcdoc" in made._repr_html_() and "500 synthetic rows" in str(made.draw(500))
    with pytest.raises(scrim.ParameterError):
        vault.replay_synth(2)
    with pytest.raises(scrim.ParameterError):
        made.draw(given={"k": "z"})
    again = vault.synth("t", epsilon=8, delta="1e-5", cuts={"x": 10, "y": [3, 7]}, never=[{"k": "c", "b": "true"}])
    assert again.is_repeated and len(vault.ledger()) == 1
    pandas = pytest.importorskip("pandas")
    frame = made.draw(100).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (100, 6)
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(made.draw(100))
    table.validate(full=True)
    assert table.schema.field("d").type == pyarrow.date32() and table.schema.field("b").type == pyarrow.bool_()


def test_synthetic_records_for_queries(vault, folder):
    rows = {"k": ["aab"[i % 3] for i in range(3000)], "x": [i % 100 for i in range(3000)]}
    vault.add(
        "t", write(folder / "t.csv", rows), unit="row", columns={"k": "text", "x": "int[0,99]"}, keys={"k": ["a", "b"]},
        budget={"epsilon": 50, "delta": "1e-3"},
    )  # fmt: skip
    asked = {"epsilon": 10, "method": "mwem", "cuts": {"x": 50}}
    queries = ["k=a, x=0..49", "x=50..", "k=b|NULL"]
    plan = vault.explain_synth("t", **asked, queries=queries)
    assert (plan["queries"], plan["measured_queries"]) == (3, 3) and float(plan["count_error"]) < 10
    made = vault.synth("t", **asked, queries=queries)
    answers = {line["query"]: line for line in made.answers(confidence="0.9")}
    assert set(answers) == {"k=a, x=0..49", "x=50..99", "k=b|NULL"}
    assert 0.25 < answers["k=a, x=0..49"]["share"] < 0.42 and answers["x=50..99"]["rows"] > 0
    assert all(line["basis"] == "measured" and 0 <= line["low"] <= line["high"] < 0.2 for line in answers.values())
    (folder / "asked").write_text("# the same\n\nk=NULL|b\nx=50..99\nk=a,x=..49\n")
    assert vault.synth("t", **asked, queries=folder / "asked").is_repeated
    assert vault.synth("t", **asked, queries=str(folder / "asked")).release == made.release
    with pytest.raises(scrim.ParameterError, match="line 2: '0..30' cuts the bin 0 to 49 of 'x'"):
        vault.explain_synth("t", **asked, queries=["k=a", "x=0..30"])
    assert vault.synth("t", epsilon=1, delta="1e-6").answers() == []


def test_synthetic_records_with_private_keys(vault, folder):
    words = [f"w{i}" if i % 50 == 0 else ("both", "either")[i % 2] for i in range(3000)]
    rows = {"k": ["aab"[i % 3] for i in range(3000)], "word": words}
    vault.add(
        "t", write(folder / "t.csv", rows), unit="row", columns={"k": "text", "word": "text"}, keys={"k": ["a", "b"]},
        budget={"epsilon": 50, "delta": "1e-3"},
    )  # fmt: skip
    with pytest.raises(scrim.ParameterError, match="text without public keys"):
        vault.explain_synth("t", epsilon=8, delta="1e-5")
    plan = vault.explain_synth("t", epsilon=8, delta="1e-5", private_keys={"word": 10})
    assert plan["selection"].startswith("threshold-") and 1 < plan["kept_half"] <= plan["kept_most"] < 60
    assert [column["has_private_keys"] for column in plan["columns"]] == [False, True]
    made = vault.synth("t", epsilon=8, delta="1e-5", private_keys={"word": 10})
    drawn = made.draw(1000).to_dict()["word"]
    assert set(drawn) == {"both", "either", None} and 400 < drawn.count("both") < 560
    assert made.columns[1]["categories"] == 3 and made.cost.epsilon == 8 and made.cost.rho is None
    assert vault.synth("t", epsilon=8, delta="1e-5", private_keys={"word": 10}).is_repeated
    refined = vault.synth("t", epsilon=8, delta="1e-5", refine=made.release)
    assert refined.columns[1]["categories"] == 3
    assert vault.explain_synth("t", epsilon=8, delta="1e-5", private_keys="word")["columns"][1]["categories"] == 65


def test_synthetic_records_of_sqlite(vault, folder):
    with sqlite3.connect(folder / "t.db") as connection:
        connection.execute("CREATE TABLE t (who, k, x, y, d, b)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", [tuple(map(str, row)) for row in zip(*people().values())])
    connection.close()
    vault.add("t", folder / "t.db", format={"table": "t"}, **PEOPLE, budget={"epsilon": 50, "delta": "1e-3"})
    made = vault.synth("t", epsilon=8, delta="1e-5")
    check_records(made)
    assert not made.is_repeated and vault.synth("t", epsilon=8, delta="1e-5").is_repeated


# Bodies.


@pytest.fixture
def body(adult):
    return adult.body("adult", ["age", "hours_per_week"], epsilon=4, q="0.9")


def test_bodies(adult, body, folder):
    assert body.names == ["age", "hours_per_week"] and body.cost.epsilon == 4 and body.release == 1
    middle = body.center()
    assert 30 < middle["age"] < 60 and 25 < middle["hours_per_week"] < 55 and middle in body
    assert body.excess([middle["age"], middle["hours_per_week"]]) < 0 < body.excess({"age": 119, "hours_per_week": 99})
    nearest, distance = body.project([119, 99])
    assert distance > 0 and body.excess(nearest) < 1e-6
    place, value, gap = body.minimise("(age - 40)^2")
    assert abs(place["age"] - 40) < 1 and value < 1 and gap >= 0
    nearby, least = body.project([119, 99]), body.minimise("-(age) + hours_per_week")
    assert nearby.point == nearest and nearby.distance == distance
    assert least.value == pytest.approx(least.point["hours_per_week"] - least.point["age"]) and least.gap >= 0
    points = body.sample(200)
    assert len(points["age"]) == 200
    assert all(body.excess(point) < 1e-6 for point in zip(points["age"], points["hours_per_week"]))
    share, error = body.volume()
    assert 0 < share < 1 and error == 0 and len(body.half_spaces) == len(body.facts["half_spaces"]) > 2
    assert body.volume().share == share and body.distance(body) == (0, 0) and body.distance(body).high == 0
    other = adult.body("adult", "age,hours_per_week", epsilon=2, q="0.8", directions="axes")
    low, high = body.distance(other)
    assert 0 < low <= high
    body.save(folder / "body.json")
    read = scrim.read_body(folder / "body.json")
    assert read.half_spaces == body.half_spaces and scrim.read_body(body.text).center() == middle
    assert adult.replay_body(1).text == body.text
    again = adult.body("adult", ["age", "hours_per_week"], epsilon=4, q="0.9")
    assert again.is_repeated and len(adult.ledger()) == 2
    given = adult.body("adult", ["age", "hours_per_week"], epsilon=2, directions=[[1, 0], [-1, 0], [0, 1], [0, -1]])
    assert len(given.half_spaces) == 4 and "4 directions" in repr(given)


def test_files_are_signed(adult, body, folder):
    """A105: a body is refused once a byte of it was changed, and its key is that of its vault."""
    key = adult.key
    assert body.key == key and body.label["file.kind"] == "body" and body.label["release.number"] == "1"
    assert body.verify(key=key)["release.number"] == body.verify(vault=adult)["release.number"] == "1"
    with pytest.raises(scrim.CheckError, match=r"not checked: who made the label: give its vault \(vault=\) or the key .* \(key=\)"):
        body.verify()
    body.save(folder / "body.json")
    assert scrim.verify(folder / "body.json", key=key)["cost.epsilon"] == "4"
    with pytest.raises(scrim.CheckError, match="signed by another key"):
        scrim.verify(folder / "body.json", key="0" * 63 + "1")
    for before, after in ((b'"epsilon": "4"', b'"epsilon": "1"'), (b'"offset": ', b'"offset": 1'), (b'"}\n', b'"} \n')):
        forged = body.text.replace(before, after, 1)
        assert forged != body.text
        for look in (scrim.read_body, lambda text: scrim.verify(text, key=key), lambda text: scrim.verify(text, vault=adult)):
            with pytest.raises(scrim.CheckError, match="was changed"):
                look(forged)
    bare = body.text[: body.text.index(b',\n"scrim-label"')] + b"}\n"
    assert scrim.read_body(bare).key is None and scrim.read_body(bare).half_spaces == body.half_spaces
    with pytest.raises(scrim.SyntaxRefused, match="no label"):
        scrim.verify(bare, key=key)
    label = adult.query("adult", "SELECT COUNT(*) AS n", epsilon=1).label()
    label.save(folder / "label.html")
    assert scrim.verify(folder / "label.html", key=key).facts == label.facts


def test_bodies_have_outliers(body):
    middle = body.center()
    far = {"age": 119, "hours_per_week": 99}
    assert body.outliers([middle, far, [119, 0]]) == [far, [119, 0]] and body.outliers([]) == []
    columns = {"hours_per_week": [99, middle["hours_per_week"]], "age": [119, middle["age"]], "other": ["x", "y"]}
    assert body.outliers(columns) == [far] and body.outliers(body.sample(3)) == []
    pandas = pytest.importorskip("pandas")
    assert body.outliers(pandas.DataFrame(columns)) == [far]


def test_bodies_are_drawn(body, folder):
    drawing = body.svg()
    assert ElementTree.fromstring(drawing).tag.endswith("svg") and "Floating body of adult" in drawing and "age" in drawing
    assert body._repr_svg_() == drawing == body.svg(["age", "hours_per_week"]) != body.svg("hours_per_week,age")
    body.plot(folder / "body.svg")
    assert (folder / "body.svg").read_text(encoding="utf-8") == drawing
    with pytest.raises(scrim.ParameterError, match="'size' is not a column of the body"):
        body.svg(["age", "size"])
    with pytest.raises(scrim.ParameterError, match="a drawing has 2 to 6 columns; name those to draw: columns="):
        body.svg("age")


def test_a_deep_point(adult):
    point = adult.deep_point("adult", "age", epsilon=1, expected_units=30000)
    assert 25 < point["age"] < 60 and adult.replay_body(1) == point


def test_bodies_refuse_what_is_none(body):
    with pytest.raises(scrim.Error):
        scrim.read_body(b"{}")
    with pytest.raises(ValueError, match="2 numbers"):
        body.excess([1])
    with pytest.raises(TypeError):
        body.excess([1, None])
    with pytest.raises(scrim.Error):
        body.minimise("age +")
    with pytest.raises(scrim.ParameterError, match="'ages' is not a column of the body; body.names lists its columns"):
        body.minimise("ages")
    with pytest.raises(scrim.ParameterError):
        body.center("middle")
    assert body.center()  # it is not busy afterwards


def test_one_thread_at_a_time_uses_a_body(body):
    refused = []

    def use():
        for _ in range(200):
            try:
                body.project([119, 99])
            except scrim.StateError:
                refused.append(1)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert body.project([119, 99])[1] > 0


def test_releases_have_bounds_of_their_own(tmp_path):
    rows = "".join(f"p{person},{'a' if row % 2 else 'b'},{row % 5}\n" for person in range(200) for row in range(10))
    (tmp_path / "t.csv").write_text("person,side,x\n" + rows)
    with scrim.init(tmp_path / "v") as vault:
        vault.add(
            "t", tmp_path / "t.csv", unit="person", columns={"side": "text", "x": "int[0,9]"},
            keys={"side": ["a", "b"]}, bounds={"max_total_rows": 4}, budget={"epsilon": 1000, "delta": "0.1"},
        )  # fmt: skip
        wide = vault.synth("t", columns="side,x", epsilon=50, delta="1e-6", bounds={"max_total_rows": 10})
        usual = vault.synth("t", columns="side,x", epsilon=50, delta="1e-6")
        assert abs(wide.rows - 2000) < 100 and abs(usual.rows - 800) < 60
        plan = vault.explain_synth("t", columns="side", epsilon=50, delta="1e-6", bounds={"max_groups": 3, "max_rows": 2})
        assert plan["max_rows"] == 6
        assert vault.body("t", ["x"], epsilon=5, bounds={"max_total_rows": 7}).facts["max_rows"] == 7
        assert set(vault.deep_point("t", ["x"], epsilon=5, expected_units=200, bounds={"max_total_rows": 2})) == {"x"}
        series = vault.create_series("s", "t", "SELECT COUNT(*) AS n", epsilon=50, releases=1, bounds={"max_total_rows": 3})
        assert abs(series.answer().rows[0]["n"].value - 600) < 30
        clamped = vault.create_series("m", "t", "SELECT SUM(x) AS n", epsilon=50, releases=1, bounds={"max_total": {"x": 5}})
        assert abs(clamped.answer().rows[0]["n"].value - 1000) < 30
        with pytest.raises(scrim.ParameterError, match="whole number"):
            vault.body("t", ["x"], epsilon=1, bounds={"max_total_rows": 0})
