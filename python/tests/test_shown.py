"""What print and notebooks show of answers and plans: the words of the command line."""

import re

import pytest
from conftest import BY_SEX

import scrim
from scrim import Estimate

NOISY = "SELECT town, COUNT(*) AS n, AVG(age) AS a GROUP BY town"


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """An answer about 40 groups without rows."""
    folder = tmp_path_factory.mktemp("noisy")
    with scrim.init(folder / "scrim.vault") as vault:
        empty = vault.add("empty", {"id": [1], "age": [30], "town": ["x"]}, unit="id", bounds={"rows_per_unit": 1},
                          columns={"age": "int[0,120]", "town": "text"}, keys={"town": [str(i) for i in range(40)]},
                          budget=9)  # fmt: skip
        yield empty.query(NOISY, epsilon="0.1")


@pytest.mark.parametrize(
    "given, words, usable",
    [
        (Estimate("-5", "-5", "12", is_beyond=True), "about 0 (0 to 12)", True),
        (Estimate("-6235", "-6236", "112018", is_beyond=True), "about 0 (0 to 112018)", True),
        (Estimate("5", "-12", "5", is_beyond=True), "about 0 (-12 to 0)", True),
        (Estimate("-509", "-509", "0", is_beyond=True), "no usable value", False),
        (Estimate("509.0", "0.0", "509.0", is_beyond=True), "no usable value", False),
        (Estimate("11.179", "0.000", "20.000", is_open=True), "no usable value", False),
        (Estimate("2024-05-01", "2024-01-01", "2024-12-31", kind="date_value", is_open=True), "no usable value", False),
        (Estimate(None, None, None, is_open=True), "- (- to -)", False),
        (Estimate("-5", "-9", "12"), "-5 (-9 to 12)", True),
    ],
)
def test_a_number_that_is_noise_alone_is_not_shown(given, words, usable):
    assert str(given) == words == f"{given}" and given.is_usable is usable


def test_computing_keeps_what_a_number_means():
    below = Estimate("-509", "-509", "100", is_beyond=True)
    assert str(below / 10) == "about 0 (0 to 10)" and str(-below) == "about 0 (-100 to 0)"
    assert str(below + 10) == "-499 (-499 to 110)" and below.value == -509


def test_an_answer_shows_no_noise_as_a_number(noisy):
    shown = str(noisy)
    page = noisy._repr_html_()
    rows = [line for line in shown.splitlines() if re.match(r"(\d+|NULL) ", line)]
    assert len(rows) == 41 and not any("-" in row for row in rows)
    below = [row["n"] for row in noisy if row["n"] < 0]
    assert below and sum("about 0 (0 to " in row for row in rows) == sum(each.is_usable for each in below)
    assert sum("no usable value" in row for row in rows) >= 20  # means of no rows
    for words in (shown, page):
        assert "about 0: noise took the number beyond 0" in words and "no usable value: the noise leaves everything possible" in words


def test_totals_are_told_from_keys_that_are_missing(tmp_path):
    with scrim.init(tmp_path / "scrim.vault", witness=False) as vault:
        people = vault.add("people", {"id": [1, 2, 3], "town": ["x", "y", None]}, unit="id", bounds={"rows_per_unit": 1},
                           columns={"town": "text"}, keys={"town": ["x", "y"]}, budget=9000)  # fmt: skip
        query = "SELECT town, COUNT(*) AS n GROUP BY ROLLUP(town)"
        assert [each["set"] for each in people.explain(query, epsilon="900").facts["statements"]] == ["town", "all rows"]
        plan = str(people.explain(query, epsilon="900"))
        assert [line.split()[0] for line in plan.splitlines()[:5]] == ["column", "town", "n", "n", "costs"]
        answer = people.query(query, epsilon="900")
    assert [(row["town"], row["n"].value, row["grouping"]) for row in answer] == [
        ("x", 1, 0), ("y", 1, 0), (None, 1, 0), (None, 3, 1)]  # fmt: skip
    assert [line.split()[0] for line in str(answer).splitlines()[1:5]] == ["x", "y", "NULL", "(all)"]


def test_a_frame_has_no_value_that_is_noise_alone(noisy):
    columns = noisy.to_dict()
    for row, value, low, high in zip(noisy, columns["a"], columns["a_low"], columns["a_high"]):
        assert (value is None) is row["a"].is_open and (low, high) == (row["a"].low, row["a"].high)
    assert columns["a"].count(None) >= 20 and columns["n"] == [row["n"].value for row in noisy] and min(columns["n"]) < 0
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(noisy.to_pandas())
    polars = pytest.importorskip("polars")
    assert noisy.to_polars()["a"].dtype == polars.Float64 and noisy.to_polars()["a"].null_count() == columns["a"].count(None)
    assert frame["a"].isna().sum() == columns["a"].count(None) and frame["a"].dtype == float and frame["n"].dtype == "int64"


def test_a_plot_and_a_page_show_no_noise_as_a_number(noisy):
    page = noisy.label().html()
    assert ">no usable value</text>" in noisy.plot("a").svg and ">about 0</text>" in noisy.plot("n").svg
    assert "no usable value<small>the noise leaves everything possible" in page and "about\xa00<small>0 to " in page
    outside = sum(not row["n"].is_usable for row in noisy)
    assert page.count("<small>the noise is larger than its interval</small>") == outside
    drawn = noisy.plot("n").svg.count("class=") + noisy.plot("n").svg.count("<circle")
    assert drawn + noisy.plot("n").svg.count(">no usable value</text>") >= 40


def test_a_plan_says_what_its_numbers_mean(adult):
    shown = str(adult.explain("adult", BY_SEX, epsilon="0.5"))
    for words in (
        "attacker: a guess about one person is right at most 59.4 % (chance: 50 %)",
        "error: half of the 95 % interval, assuming 1000 rows per group (expect=)",
        "keys: public: ",
        "rows whose sex is not a listed key are ignored",
        "intervals hold together with probability 0.95 if each has confidence=0.9",
    ):
        assert words in shown and words in adult.explain("adult", BY_SEX, epsilon="0.5")._repr_html_()
    private = str(adult.explain("adult", "SELECT education, COUNT(*) AS n GROUP BY education", epsilon=1, delta="1e-6"))
    assert "keys: private: only groups that pass partition selection are released" in private
    assert "with hours_per_week=40:12 (expect=)" in str(
        adult.explain("adult", "SELECT AVG(hours_per_week) AS h", epsilon=1, expect={"rows": 500, "hours_per_week": (40, 12)})
    )
    assert "assuming 500 rows per group" in str(adult.explain("adult", "SELECT COUNT(*) AS n", epsilon=1, expect={"rows": 500}))


def test_a_caution_is_said_once(vault):
    rows = {"who": [f"p{i % 100}" for i in range(900)], "city": ["x", "y", "z"] * 300}
    trips = vault.add("trips", rows, unit="who", bounds={"max_groups": 2, "max_rows": 1}, columns={"city": "text"},
                      keys={"city": ["x", "y", "z"]}, budget=9)  # fmt: skip
    query = "SELECT city, COUNT(*) AS n GROUP BY city"
    answer, batch = trips.query(query, epsilon=1), trips.batch([query, "SELECT COUNT(*) AS n"], epsilon=1)
    for words in ("too few units, or too low an epsilon", "totals may be"):
        assert " ".join(str(answer).split()).count(words) <= 1
    lines = [line for result in batch for line in result._cautions()]
    shown = " ".join(str(batch).split())
    assert lines and all(shown.count(" ".join(line.split())) == 1 for line in lines)


def test_a_plan_says_that_asking_is_free(adult):
    assert "costs epsilon 1; left: 10, after: 9" in str(adult.explain("adult", BY_SEX, epsilon=1))
    adult.query("adult", BY_SEX, epsilon=1)
    plan = adult.explain("adult", BY_SEX, epsilon=1)
    assert "free: release 1 answers it already; left: 9" in str(plan) and "costs" not in str(plan) and plan.after == plan.left == 9


def test_a_plan_knows_the_rows_of_a_frame_again(vault):
    rows = {"who": ["a", "b"], "x": [1, 2]}
    live = vault.add("live", rows, unit="who", bounds={"rows_per_unit": 1}, columns={"x": "int[0,9]"}, budget=9)
    query = "SELECT SUM(x) AS s"
    assert live.explain(query, epsilon=1).repeats is None
    live.query(query, epsilon=1)
    assert live.explain(query, epsilon=1).repeats == 1 == vault.explain("live", query, epsilon=1, data=dict(rows)).repeats
    assert live.explain(query, epsilon=1, data={**rows, "x": [1, 3]}).repeats is None
    assert len(vault.ledger()) == 1 and vault.budget()[0]["spent"] == 1


def test_facts_are_shown_as_tables(adult):
    data = adult["adult"]
    assert "unit person_id; age int[0,120], " in repr(data) and "epsilon 10 of 10 left" in repr(data)
    made = data.synth(columns=["age", "sex"], epsilon=1, delta="1e-6", cuts={"age": 20})
    assert str(made).splitlines()[0].startswith("name") and "about" in str(made) and "age" in str(made)
    label = str(adult.label(made.release))
    assert label.startswith("fact") and "release.number" in label
    composed = scrim.compose("epsilon=0.1 x10", delta="1e-6")
    assert str(composed).startswith("accountant") and str(composed).count("best") == 1
    adult.close()
    assert repr(data) == f"<Dataset adult of {adult.path}>"


def test_a_mechanism_is_audited_as_it_is():
    laplace = scrim.mechanism("laplace", sensitivity=1, epsilon=1)
    assert scrim.audit(laplace).holds and scrim.audit(laplace, points=5).summary == laplace.audit(points=5).summary
    with pytest.raises(TypeError, match="leave epsilon= out"):
        scrim.audit(laplace, epsilon=2)
