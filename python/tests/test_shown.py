"""What print and notebooks show of answers and plans: the words of the command line."""

import re

import pytest
from conftest import ROOT

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


def test_a_frame_has_no_value_that_is_noise_alone(noisy):
    columns = noisy.to_dict()
    for row, value, low, high in zip(noisy, columns["a"], columns["a_low"], columns["a_high"]):
        assert (value is None) is row["a"].is_open and (low, high) == (row["a"].low, row["a"].high)
    assert columns["a"].count(None) >= 20 and columns["n"] == [row["n"].value for row in noisy] and min(columns["n"]) < 0
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(noisy.to_pandas())
    assert frame["a"].isna().sum() == columns["a"].count(None) and frame["a"].dtype == float and frame["n"].dtype == "int64"


def test_a_plot_and_a_page_show_no_noise_as_a_number(noisy):
    page = noisy.label().html()
    assert ">no usable value</text>" in noisy.plot("a").svg and ">about 0</text>" in noisy.plot("n").svg
    assert "no usable value<small>0.000 to 120.000, the whole range" in page and "about\xa00<small>0 to " in page
    outside = sum(not row["n"].is_usable for row in noisy)
    assert page.count("<small>the noise is larger than its interval</small>") == outside
    drawn = noisy.plot("n").svg.count("class=") + noisy.plot("n").svg.count("<circle")
    assert drawn + noisy.plot("n").svg.count(">no usable value</text>") >= 40
