"""Datasets by name, questions that are built from parts, and values beside the text of a query."""

import builtins
import copy
import inspect
import pickle
import sqlite3
import typing
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from conftest import ADULT, BY_SEX, ROOT

import scrim
from scrim import _words

LIVE = {"unit": "who", "bounds": {"rows_per_unit": 1}, "budget": {"epsilon": 1000, "delta": "1e-3"}}


def test_a_built_question_is_the_one_of_its_text(adult):
    data = adult["adult"]
    question = data.group_by("sex").agg(n=scrim.count(), mean_age=scrim.mean("age"))
    assert question.sql == BY_SEX
    first = adult.query("adult", BY_SEX, epsilon="0.5")
    again = question.query(epsilon="0.5")
    assert again.is_repeated and again.rows == first.rows and len(data.ledger()) == 1
    assert question.explain(epsilon="0.5").repeats == first.release
    assert data.query(question, epsilon="0.5").is_repeated
    both = data.batch([question, "SELECT AVG(age) AS a"], epsilon="0.5")
    assert [each.query for each in both][0] == BY_SEX
    assert "costs" in str(data.explain([question, question.where(sex="Male")], epsilon=1))


def test_a_number_may_have_the_name_of_its_column(adult):
    question = adult["adult"].where(sex="Male").group_by("sex").agg(n=scrim.count(), age=scrim.mean("age")).order_by("age")
    assert question.sql == "SELECT sex, COUNT(*) AS n, AVG(age) AS age_ WHERE sex = 'Male' GROUP BY sex HAVING sex = 'Male' ORDER BY age_"
    assert [column["name"] for column in question.explain(epsilon=1).columns] == ["sex", "n", "age"]
    answer = question.query(epsilon=1)
    men = [row["age"] for row in answer if row["sex"] == "Male"]
    assert 30 < men[0] < 50 and list(answer.to_dict())[-1] == "age_high" and "age_" not in answer.to_dict()


def test_a_column_is_drawn(adult, folder):
    xml = pytest.importorskip("xml.etree.ElementTree")
    question = adult["adult"].group_by("sex").agg(n=scrim.count(), age=scrim.mean("age"))
    answer = question.query(epsilon=1)
    for column, title in ((None, "n"), ("n", "n"), ("age", "age_")):
        plot = answer.plot(column)
        assert plot.title == title and plot._repr_svg_() == plot.svg and "class=" not in plot.svg and "var(" not in plot.svg
        texts = [each.text for each in xml.fromstring(plot.svg).iter() if each.tag.endswith("}text")]
        assert "Female" in texts and answer[column or "n"][0].exact[0] in texts
    answer.plot().save(folder / "n.svg")
    assert (folder / "n.svg").read_text() == answer.plot().svg and "Plot of n" in repr(answer.plot())
    assert [plot.title for plot in answer.label().plots] == ["n", "age_", "the budget of the population"]
    first, second = adult.batch("adult", ["SELECT COUNT(*) AS n", BY_SEX], epsilon=1)
    assert "Female" not in first.plot().svg and "Female" in second.plot("n").svg
    with pytest.raises(KeyError, match="there are n, mean_age"):
        second.plot("sex")
    with pytest.raises(scrim.StateError):
        copy.copy(answer).plot()


def test_each_part_makes_a_new_question(adult):
    data = adult["adult"]
    some = data.where("age >= ?", 18)
    women = some.where(sex="Female").agg(n=scrim.count())
    assert some.agg(n=scrim.count()).sql == "SELECT COUNT(*) AS n WHERE age >= 18"
    assert women.sql == "SELECT COUNT(*) AS n WHERE (age >= 18) AND (sex = 'Female')"
    listed = data.where(sex=["Female", "Male"], age=None).agg(n=scrim.count())
    assert listed.sql == "SELECT COUNT(*) AS n WHERE (sex IN ('Female', 'Male')) AND (age IS NULL)"
    whole = (
        data.where("age > ?", 20).group_by("sex", decade=scrim.expr("BUCKET(age, ?)", 10))
        .agg(n=scrim.count(), share=100 * scrim.sum("hours_per_week") / scrim.count())
        .having("n > ?", 100).order_by("n", descending=True).limit(3)
    )  # fmt: skip
    assert whole.sql == (
        "SELECT sex, BUCKET(age, 10) AS decade, COUNT(*) AS n, ((100 * SUM(hours_per_week)) / COUNT(*)) AS share WHERE age > 20 "
        "GROUP BY sex, decade HAVING n > 100 ORDER BY n DESC LIMIT 3"
    )
    answer = whole.query(epsilon=1)
    assert len(answer) == 3 and [column.name for column in answer.columns] == ["sex", "decade", "n", "share"]
    assert "Question of adult: SELECT" in repr(whole) and "no aggregate yet" in repr(some)


def test_every_aggregate_is_one_of_the_language(adult):
    data = adult["adult"]
    for made in (scrim.count(), scrim.count("age"), scrim.sum("age"), scrim.mean("age"), scrim.var("age"), scrim.std("age"),
                 scrim.median("age"), scrim.quantile("age", "0.25"), scrim.quantile("age", Fraction(1, 4)), scrim.min("age"),
                 scrim.max("age"), scrim.count_distinct("person_id"), scrim.count().where("age > ?", 30),
                 scrim.mean(scrim.expr("CLAMP(age, ?, ?)", 18, 65)), 1 - scrim.mean("age") * 2 + 3, 2 / scrim.count()):  # fmt: skip
        assert data.agg(x=made).explain(epsilon=1, delta="1e-6").cost.epsilon <= 1, made
    assert scrim.count() == scrim.expr("count(*)") and hash(scrim.count()) == hash(scrim.expr("COUNT(*)"))


def test_names_are_quoted_where_they_must_be(vault):
    names = ["group", "hours per week", 'a"b', "Größe", "count", "x'y", "END"]
    data = vault.add("t", {"who": [1], **{name: [1] for name in names}}, **LIVE, columns={name: "int[0,9]" for name in names})
    for name in names:
        question = data.where(f'"{name.replace(chr(34), 2 * chr(34))}" > ?', 0).agg(total=scrim.sum(name))
        assert question.query(epsilon=1, cut_share=0)["total"][0].value is not None, name
    assert data.agg(n=scrim.sum("count")).sql == "SELECT SUM(count) AS n"


VALUES = [
    (30, "30"), (-2.5, "- 2.5"), (0.1, "0.1"), (Decimal("1e-9"), "1e-9"), (Fraction(1, 8), "0.125"), (True, "TRUE"), (None, "NULL"),
    ("it's", "'it''s'"), ("x' OR 'a' = 'a", "'x'' OR ''a'' = ''a'"), ("-- ?", "'-- ?'"), (date(2026, 1, 31), "DATE '2026-01-31'"),
    (datetime(2026, 1, 31, 10), "TIMESTAMP '2026-01-31 10:00:00'"),
    (datetime(2026, 1, 31, 10, tzinfo=timezone(timedelta(hours=2))), "TIMESTAMP '2026-01-31 08:00:00Z'"),
]  # fmt: skip


@pytest.mark.parametrize("value, literal", VALUES)
def test_values_are_literals(value, literal):
    assert scrim.bind("SELECT COUNT(*) WHERE x = ? -- why?", value) == f"SELECT COUNT(*) WHERE x = {literal}"


def test_numpy_values_are_literals():
    numpy = pytest.importorskip("numpy")
    for value, literal in ((numpy.int64(3), "3"), (numpy.float32(0.1), "0.1"), (numpy.bool_(True), "TRUE"), (numpy.str_("a"), "'a'")):
        assert scrim.bind("x = ?", value) == f"x = {literal}"


@pytest.mark.parametrize(
    "query, values, kind, words",
    [
        ("x = ?", (), scrim.ParameterError, "1 parameters ?, and 0 values; add parameters="),
        ("x = 3", (3,), scrim.ParameterError, "0 parameters ?, and 1 values"),
        ("age ?", (-5,), scrim.ParameterError, "stands for one value"),
        ("x = ?", ("a\nb",), scrim.ParameterError, "text of visible characters"),
        ("x = ?", (Fraction(1, 3),), ValueError, "as a quotient"),
        ("x = ?", (float("nan"),), ValueError, "not a finite number"),
        ("x = ?", ([1, 2],), TypeError, "expected a number, not list"),
    ],
)
def test_what_is_no_value_is_refused(query, values, kind, words):
    with pytest.raises(kind) as caught:
        scrim.bind(query, *values)
    assert words in str(caught.value)


def test_parameters_stand_in_queries(adult):
    text = "SELECT COUNT(*) AS n WHERE age > ? AND sex = ?"
    plain = adult.query("adult", "SELECT COUNT(*) AS n WHERE age > 30 AND sex = 'Female'", epsilon=1)
    assert adult.query("adult", text, parameters=[30, "Female"], epsilon=1).is_repeated
    assert adult["adult"].explain(text, parameters=(30, "Female"), epsilon=1).repeats == plain.release
    with pytest.raises(scrim.ParameterError, match=r"missing value of the parameter \?; add parameters=\[VALUE\]"):
        adult.query("adult", text, epsilon=1)
    with pytest.raises(TypeError, match="a list of values"):
        adult.query("adult", text, parameters="30", epsilon=1)
    with pytest.raises(TypeError, match="scrim.bind"):
        adult.explain("adult", [text], parameters=[30, "Female"], epsilon=1)
    # A value that would be words, if it were pasted, is text that no row has.
    hostile = adult.query("adult", "SELECT COUNT(*) AS n WHERE sex = ? OR age = 0", parameters=["Male' OR sex = 'Female"], epsilon=5)
    assert abs(hostile["n"][0].value) < 30 and len(adult.ledger()) == 2


@pytest.mark.parametrize(
    "build, kind, words",
    [
        (lambda d: d.where("age > 3) OR (1 = 1").agg(n=scrim.count()), ValueError, "parentheses do not match"),
        (lambda d: d.where("(age > 3"), ValueError, "parentheses do not match"),
        (lambda d: d.where(""), ValueError, "empty"),
        (lambda d: d.where(), TypeError, "where needs a condition"),
        (lambda d: d.where(sex=[]), ValueError, "at least one value"),
        (lambda d: d.where("age > 3").sql, TypeError, "needs a number to release"),
        (lambda d: d.agg(n="COUNT(*)"), TypeError, "scrim.expr"),
        (lambda d: d.group_by(3), TypeError, "the name of a column"),
        (lambda d: d.agg(n=scrim.count()).query(), scrim.ParameterError, "add epsilon="),
        (lambda d: d.agg(n=scrim.count()).query(epsilon=1, workers=0), scrim.ParameterError, "workers must be at least 1, or None"),
        (lambda d: d.query(BY_SEX, epsilon=1, memory=-1), scrim.ParameterError, "memory must be at least 1"),
        (lambda d: d.vault["adlut"], KeyError, "there are adult; did you mean 'adult'?"),
        (lambda d: d.agg(scrim.count()), TypeError, "each number needs a name: agg(n=scrim.count())"),
        (lambda d: d.where(sex="Male").agg(scrim.mean("age")), TypeError, "agg(n=scrim.expr('AVG(age)'))"),
        (lambda d: d.where(age__gt=30), TypeError, "no column 'age__gt'; write where('age > ?', VALUE)"),
        (lambda d: d.where(age=float("nan")), ValueError, "None means missing"),
        (lambda d: d.query(BY_SEX, eps=1), TypeError, "query() has no argument 'eps'; did you mean epsilon=?"),
        (lambda d: d.vault.query("adult", BY_SEX, epsilonn=1), TypeError, "did you mean epsilon=?"),
        (lambda d: d.query(BY_SEX, epsilon=1, max_groups=2), TypeError, "did you mean bounds={'max_groups': N}?"),
        (lambda d: d.agg(n=scrim.count()).query(eps=1), TypeError, "did you mean epsilon=?"),
        (lambda d: d.query(BY_SEX, epsilon=1, zzz=2), TypeError, "query() has no argument 'zzz'"),
        (lambda d: d.query(BY_SEX, epsilon=1, bounds={"max-rows": 2}), TypeError, "did you mean 'max_rows'?"),
        (lambda d: d.vault.add("x", live=True, unit="row", budget={"eps": 2}), TypeError, "a budget has no 'eps'; did you mean 'epsilon'?"),
        (lambda d: d.vault.add("x", live=True, unit="row", neighbours="replace"), TypeError, "account={'neighbours': 'replace'}"),
        (lambda d: d.query(BY_SEX, epsilon=float("nan")), ValueError, "nan is not a finite number"),
        (lambda d: d.vault[1], TypeError, "the name of a dataset"),
        (lambda d: d.vault.add("x", live=True, bounds={"max_row": 1}), TypeError, "did you mean 'max_rows'?"),
        (lambda d: d.vault.add("x", live=True, format={"seperator": ";"}), TypeError, "did you mean 'separator'?"),
        (lambda d: d.vault.add("x", live=True, account={"zzz": 1}), TypeError, "use neighbours, population"),
        (lambda d: d.vault.add("x", live=True, bounds=1), TypeError, "bounds must be a mapping"),
        (lambda d: d.vault.add("x", live=True, bounds={"rows_per_unit": 1, "max_rows": 2}), scrim.ParameterError, "give one of both"),
        (lambda d: d.body(["age"], epsilon=1, bounds={"max_rows": 2}), scrim.ParameterError, "max_total_rows only"),
        (lambda d: d.query("SELECT SUMM(age)", epsilon=1), scrim.ParameterError, "did you mean SUM?"),
    ],
)
def test_a_question_says_what_to_type(adult, build, kind, words):
    with pytest.raises(kind) as caught:
        build(adult["adult"])
    assert words in str(caught.value) and not isinstance(caught.value, PermissionError) and not adult.ledger()


def test_listed_keys_are_the_groups(adult):
    question = adult["adult"].where(sex=["Male"]).group_by("sex").agg(n=scrim.count())
    assert question.sql == "SELECT sex, COUNT(*) AS n WHERE sex IN ('Male') GROUP BY sex HAVING sex IN ('Male')"
    assert [row["sex"] for row in question.query(epsilon=1)] == ["Male"]
    assert "HAVING" not in adult["adult"].where(age=[30]).group_by("sex").agg(n=scrim.count()).sql


def test_a_time_at_midnight_is_a_day(vault):
    pandas = pytest.importorskip("pandas")
    columns = {"day": "date[2024-01-01,2024-12-31]", "at": "timestamp[2024-01-01,2024-12-31]"}
    data = vault.add("days", live=True, unit="row", columns=columns, format={"zone": "UTC"}, budget=9)
    day = pandas.Timestamp("2024-05-01")
    count = {"n": scrim.count()}
    assert data.where(day=day).agg(**count).sql.endswith("WHERE day = DATE '2024-05-01'")
    assert "day BETWEEN DATE '2024-05-01' AND DATE '2024-05-01'" in data.where("day BETWEEN ? AND ?", day, day).agg(**count).sql
    assert "TIMESTAMP" in data.where("day > ? AND at > ?", day, day).agg(**count).sql
    data.where(day=[day]).agg(**count).explain(epsilon=1)


def test_bound_methods_explain_themselves(adult):
    import pydoc

    shown = pydoc.plain(pydoc.render_doc(adult["adult"].query))
    assert "Charges a query and answers it" in shown and "epsilon" in shown and "functools.partial" not in shown
    assert "name" not in inspect.signature(adult["adult"].query).parameters
    assert "query(query" in pydoc.plain(pydoc.render_doc(scrim.Dataset)) or "Charges a query" in pydoc.plain(pydoc.render_doc(scrim.Dataset))


def test_a_handle_shows_its_dataset(adult):
    data = adult["adult"]
    assert list(adult) == ["adult"] and "adult" in adult and "other" not in adult
    assert data.version == 1 and data.population == "adult" and data.columns["age"] == "int[0,120]"
    assert data.policy == adult.policy("adult") and data.budget() == adult.budget("adult") and data.mock(2) != ""
    assert data.check().is_right and "Dataset adult" in repr(data)
    for name in ("query", "explain", "batch", "suggest", "synth", "body", "check", "mock", "explain_synth", "deep_point"):
        ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (scrim.Dataset, scrim.Vault))
        assert list(ours.parameters) == [each for each in theirs.parameters if each != "name"]
        assert getattr(scrim.Dataset, name).__doc__ == getattr(scrim.Vault, name).__doc__
    assert "query" not in inspect.signature(scrim.Question.query).parameters


def test_budget_errors_say_how_much(adult, folder):
    def refused(ask):
        with pytest.raises(scrim.BudgetError) as caught:
            ask()
        return caught.value

    count = scrim.mechanism("laplace", sensitivity=1, epsilon="7/3")
    adult.query("adult", BY_SEX, epsilon="1/3")
    left = 10 - Fraction(1, 3)
    error = refused(lambda: adult.query("adult", BY_SEX, epsilon=20))
    assert (error.requested, error.left, error.parameter) == (20, left, "epsilon")
    for kept in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (kept.requested, kept.left, str(kept)) == (20, left, str(error))
    error = refused(lambda: adult["adult"].agg(x=scrim.max("age")).query(epsilon=1, delta="1e-3"))
    assert (error.requested, error.left, error.parameter) == (Fraction(1, 1000), Fraction(1, 10**4), "delta")
    error = refused(lambda: count.apply(3, scrim.Ledger(epsilon=1)))
    assert (error.requested, error.left) == (Fraction(7, 3), 1)
    adult.set_share("adult", adult.analyst, "1/3")
    error = refused(lambda: adult.apply("adult", count, 3))
    assert (error.reason, error.requested, error.left) == ("share", Fraction(7, 3), 0)
    assert refused(lambda: adult.synth("adult", columns="age", epsilon=30, delta="1e-6")).requested == 30
    with sqlite3.connect(folder / "t.db") as made:
        made.execute("CREATE TABLE t (who TEXT, x INTEGER)")
    made.close()
    adult.add("s", folder / "t.db", format={"table": "t"}, unit="who", bounds={"rows_per_unit": 1}, columns={"x": "int[0,9]"}, budget=1)
    error = refused(lambda: adult.query("s", "SELECT COUNT(*)", epsilon=2))  # by another process
    assert (error.requested, error.left) == (2, 1)


def test_one_name_for_one_thing():
    space = {}
    exec("from scrim import *", space)
    assert not {name for name in space if hasattr(builtins, name)} - {"__builtins__"}
    assert scrim.open and scrim.sum and scrim.min and scrim.max
    assert set(typing.get_args(_words.MechanismName)) == {each["name"] for each in scrim.mechanisms()}
    assert set(typing.get_args(_words.DistributionName)) == {each["name"] for each in scrim.distributions()}


def test_no_default_is_written_as_0():
    for name, kind in [(name, getattr(scrim, name)) for name in scrim.__all__]:
        members = [(name, kind)] if inspect.isfunction(kind) else inspect.getmembers(kind, inspect.isfunction)
        for member, function in members:
            if not function.__module__.startswith("scrim."):
                continue
            zeros = [each.name for each in inspect.signature(function).parameters.values() if each.default == 0 and each.default is not False]
            assert member.startswith("__") or not zeros, (name, member, zeros)


def test_the_bundled_declaration_is_the_same_again(vault):
    declared = {**ADULT, "budget": 3, "format": {"separator": ","}, "account": {"cap": 2}}
    for _ in range(2):
        assert vault.add("adult", ROOT / "data/adult.csv", **declared, exist_ok=True).name == "adult"
    with pytest.raises(scrim.ParameterError, match="declared with other cap; vault.policy"):
        vault.add("adult", ROOT / "data/adult.csv", **{**declared, "account": {"cap": 1}}, exist_ok=True)
    for _ in range(2):  # a second table of the population has its neighbours
        vault.add("again", live=True, **{**ADULT, "account": {"population": "adult"}}, exist_ok=True)
    with pytest.raises(scrim.ParameterError, match="declared with other neighbours"):
        vault.add("again", live=True, **{**ADULT, "account": {"population": "adult", "neighbours": "replace"}}, exist_ok=True)


def test_a_declaration_that_is_written_otherwise_is_the_same(vault):
    """scrim adds to a zone its changes of the clock; a float, a text and blanks say the same number and type."""
    columns = {"t": "timestamp[2025-03-01,2025-06-01]", "x": "int[0,9]"}
    declared = {"unit": "row", "columns": columns, "format": {"zone": "Europe/Berlin"}, "live": True}
    vault.add("t", **declared, budget={"epsilon": 3, "delta": "1e-6"})
    for same in ({"budget": {"epsilon": 3.0, "delta": 1e-6}}, {"budget": "epsilon=3, delta=0.000001", "columns": {**columns, "x": "int[0, 9]"}}):
        vault.add("t", **{**declared, **same}, exist_ok=True)
    others = {"budget": {"budget": 3}, "column": {"columns": {**columns, "x": "int[0,8]"}}, "zone": {"format": {"zone": "Europe/Paris"}}}
    for word, other in others.items():
        with pytest.raises(scrim.ParameterError, match=f"dataset t is declared with other {word}; vault.policy"):
            vault.add("t", **{**declared, "budget": {"epsilon": 3, "delta": "1e-6"}, **other}, exist_ok=True)


def test_facts_are_shown_as_a_table(adult):
    adult.query("adult", "SELECT COUNT(*) AS n", epsilon="0.5")
    budget, ledger = adult.budget(), adult["adult"].ledger()
    assert repr(budget).splitlines()[0].split()[:5] == ["population", "analyst", "unit", "total", "spent"] and "9.5" in repr(budget)
    assert "<td" in budget._repr_html_() and len(repr(ledger).splitlines()) == 2 and "query" in repr(ledger)
    assert adult.datasets()[0]["name"] == "adult" and budget == list(budget) and repr(adult.ledger("adult")[1:]) == "[]"
    assert repr(pickle.loads(pickle.dumps(ledger))) == repr(ledger) and repr(adult.changes()).startswith("entry")


def test_a_key_that_is_no_column_says_how(adult):
    data = adult["adult"]
    assert "GROUP BY decade" in data.group_by(decade=scrim.expr("BUCKET(age, 10)")).agg(n=scrim.count()).sql
    for key in ("BUCKET(age, 10)", scrim.expr("BUCKET(age, 10)")):
        with pytest.raises(TypeError, match=r"name an expression: group_by\(key=scrim.expr\('BUCKET\(age, 10\)'\)\)"):
            data.group_by(key)


def test_what_other_libraries_call_it_is_understood(adult):
    """The names that people bring along, and what to write instead."""
    data = adult["adult"]
    answer = data.query(BY_SEX, epsilon=1)
    for make, words in (
        (lambda: data.groupby, "group_by"), (lambda: data.filter, "where"), (lambda: data.where(sex="Male").mean, "scrim.mean"),
        (lambda: data.age, r"where\('age = \?', VALUE\)"), (lambda: data.batsh, "batch"), (lambda: answer.to_csv, "save"),
        (lambda: answer.n, "answer.'n'."), (lambda: answer.to_panda, "to_pandas"), (lambda: data.group_by("sex").agg(n=scrim.count()).collect, "query"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=words):
            make()
    assert not hasattr(data, "_repr_png_") and not hasattr(answer, "nothing") and not hasattr(data.where(sex="Male"), "columns")
    with pytest.raises(TypeError, match="epsilon=1"):
        data.query(BY_SEX, 1)
    with pytest.raises(TypeError, match=r"the type of age must be text .* 'int\[0,120\]'"):
        adult.add("other", live=True, unit="row", columns={"age": int}, budget=1)
    adult.close()
    assert not hasattr(data, "age")


def test_a_view_is_drawn_as_it_was_released(adult):
    data = adult["adult"]
    first = data.query("SELECT sex, COUNT(*) AS n, AVG(age) AS a GROUP BY sex", epsilon=1)
    view = data.query("SELECT sex, COUNT(*) AS people, AVG(age) / 2 AS half GROUP BY sex ORDER BY people", epsilon=1)
    assert view.is_view and view.plot("people").svg == first.plot("n").svg
    with pytest.raises(scrim.ParameterError, match=rf"vault.replay\({first.release}\).plot\(\)"):
        view.plot("half")
