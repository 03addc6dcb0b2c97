"""Attacks, experiments, microdata, drawings and the exported ledger."""

import json
import re
import subprocess
import typing
import xml.etree.ElementTree

import pytest
from conftest import BUILD, LONG, ROOT

import scrim
from scrim import _words

LEVELS = ["education", "sex"]


@pytest.fixture
def schooled(adult):
    """Adult with public keys of both levels."""
    keys = {"sex": ["Female", "Male"], "education": ["Bachelors", "HS-grad", "Masters"]}
    return adult.add(
        "schooled", ROOT / "data/adult.csv", unit="person_id", bounds={"rows_per_unit": 1},
        columns={"sex": "text", "education": "text"}, keys=keys, budget={"epsilon": 10, "delta": "1e-4"},
    )  # fmt: skip


def is_drawing(plot):
    root = xml.etree.ElementTree.fromstring(plot.svg)
    return root.tag.endswith("svg") and len(root) > 2 and plot._repr_svg_() == plot.svg


def test_a_tree_adds_up_and_is_repeated(schooled):
    plan = schooled.explain_microdata(LEVELS, epsilon=1)
    assert [level.name for level in plan.levels] == ["total", *LEVELS] and plan.cost.epsilon == 1
    tree = schooled.microdata(LEVELS, epsilon=1, known={"total": 2000})
    assert tree.total.count == 2000 and tree.total.standing == "known" and tree.guarantee
    assert sum(node.count for node in tree.level("education")) == 2000 == sum(node.count for node in tree.level(2))
    assert all(node.count >= 0 and node.low <= node.high for node in tree.nodes)
    assert plan.levels[2].noise == tree.levels[2].noise
    again = schooled.microdata(LEVELS, epsilon=1)
    assert again.is_repeated and not tree.is_repeated and again.release == tree.release
    assert [node.noisy for node in again.nodes] == [node.noisy for node in tree.nodes]
    assert list(again.to_dict()) == [*LEVELS, "count", "low", "high"] and len(again) == len(again.level(2))
    with pytest.raises(KeyError):
        tree.level("age")
    with pytest.raises(scrim.ParameterError):
        schooled.explain_microdata("educatin", epsilon=1)


def test_trees_have_tables_and_simulated_intervals(schooled):
    tree = schooled.microdata("education", epsilon=1, tables=[["sex"]], simulations=40)
    (table,) = tree.tables
    columns = table.to_dict()
    assert list(columns) == ["education", "sex", "count", "low", "high"]
    by_group = {}
    for group, count in zip(columns["education"][3:], columns["count"][3:]):
        by_group[group] = by_group.get(group, 0) + count
    assert by_group == {node.keys[0]: node.count for node in tree.level(1)}
    assert all(node.simulated[0] <= node.simulated[1] for node in tree.nodes)
    assert "education" in str(table) and "<table>" in tree._repr_html_()


def test_trees_of_frames_are_those_of_files(adult):
    """The same rows, pushed: known again by their contents, and every count exact at an epsilon where noise is 0."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"who": range(90), "g": ["a", "b", "b"] * 30, "s": ["x", "y"] * 45})
    live = adult.add(
        "grouped", live=True, unit="who", bounds={"rows_per_unit": 1}, columns={"g": "text", "s": "text"},
        keys={"g": ["a", "b"], "s": ["x", "y"]}, budget=10**4,
    )  # fmt: skip
    tree = live.microdata(["g", "s"], epsilon=1000, data=frame)
    counts = {node.keys: node.count for node in tree.level(2) if None not in node.keys}
    assert counts == {("a", "x"): 15, ("a", "y"): 15, ("b", "x"): 30, ("b", "y"): 30}
    assert live.microdata(["g", "s"], epsilon=1000, data=frame).is_repeated
    other = frame.assign(g="a")
    assert not live.microdata(["g", "s"], epsilon=1000, data=other).is_repeated


def test_flat_tables_are_planned():
    plan = scrim.plan_counts(1000, epsilon=1)
    assert plan.points.cell_error < plan.sums.cell_error and plan.sums.sum_error < plan.points.sum_error
    assert scrim.plan_counts(10, epsilon=1, delta="1e-6").bound > 0 and plan.bound is None
    with pytest.raises(scrim.ParameterError):
        scrim.plan_counts(10)


def test_the_ledger_is_exported_as_by_the_program(adult, tmp_path):
    adult.query("adult", "SELECT COUNT(*) AS n", epsilon="0.01")
    text = adult.export_ledger(tmp_path / "ledger")
    assert (tmp_path / "ledger").read_text() == text
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0] == {"scrim_ledger": 1} and lines[-1]["head"] == len(lines) - 2
    command = [f"{BUILD}/scrim", "ledger", "export", "--vault", adult.path]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == text


def test_series_audits_and_budgets_are_drawn(adult):
    series = adult.create_series("drawn", "adult", "SELECT sex, COUNT(*) AS n GROUP BY sex", epsilon="0.1", releases=3)
    series.answer()
    assert is_drawing(series.plot()) and "Female" in series.plot().svg
    drawing = scrim.audit("laplace", epsilon=1, points=5).plot()
    assert is_drawing(drawing) and "laplace" in drawing.svg
    budget = adult["adult"].plot_budget()
    assert is_drawing(budget) and "budget adult" in budget.svg
    with pytest.raises(scrim.ParameterError):
        adult.plot_budget("nobody")


def test_attacks_tell_what_they_learnt():
    names = [row["name"] for row in scrim.attacks()]
    assert sorted(names) == sorted(typing.get_args(_words.AttackName))
    found = scrim.attack("difference")
    assert found.learnt and found.stopped and found.cost and is_drawing(found.plot())
    exact = dict(zip(*(found.tables[0].to_dict()[name] for name in ("answers", "right_percent"))))
    assert exact["exact"] == "100.0" and found.tables[0].heading in str(found)
    with pytest.raises(scrim.ParameterError, match="scrim.attacks"):
        scrim.attack("differense")
    with pytest.raises(scrim.ParameterError, match="public table"):
        scrim.attack("link")
    if LONG:
        assert scrim.attack("link", file=ROOT / "data/adult.csv").learnt


def test_experiments_are_those_of_the_program():
    said = subprocess.run([f"{BUILD}/scrim", "experiment", "--help"], capture_output=True, text=True, check=True).stdout
    names = re.search(r"NAME is (.*?)\.\n", said, re.DOTALL).group(1)
    assert set(re.split(r",\s+|\s+or\s+", names)) == set(typing.get_args(_words.ExperimentName))
    bounds = scrim.experiment("linear-queries", "queries=9", "bins=8", "people=99", "epsilon=1")
    command = [f"{BUILD}/scrim", "experiment", "linear-queries", "queries=9", "bins=8", "people=99", "epsilon=1", "--json"]
    assert bounds.rows == json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["rows"]
    assert bounds.to_dict()["error"][0] == 47.0
    sale = scrim.experiment("pricing", epsilon="0.1", plots=True)
    assert [is_drawing(plot) for plot in sale.plots] == [True] and sale.to_dict()["price"][0] == 0.5
    told = []
    errors = scrim.experiment("flexible-accuracy", only=4, runs=2, sets=1, progress=lambda done, total: told.append((done, total)))
    assert told and told == sorted(told) and told[-1][0] == told[-1][1] > 1
    assert "raw_mean" in errors.to_dict() and len(errors) == 42
    with pytest.raises(scrim.ParameterError, match="unknown experiment"):
        scrim.experiment("pricin")
    with pytest.raises(scrim.ParameterError, match="epsilon"):
        scrim.experiment("pricing", epsilon=-1)
