"""Local privacy: configurations, simulated reports, sums, estimates, and what a shuffler adds."""

import math
import pickle
import subprocess

import pytest
from conftest import BUILD

import scrim
from scrim import local

COLOURS = ["red", "green", "blue", "yellow", "other"]
HELD = {"red": 800, "green": 400, "blue": 400, "yellow": 0, "other": 400}
VALUES = ["red", "red", "green", "blue", "pink"] * 400  # pink is not listed, and counts as the last one


@pytest.fixture(scope="module")
def colour():
    return local.plan(epsilon=2, users=2000, domain=5, question="colour")


def test_a_plan_recommends_a_protocol(colour):
    assert colour.recommended.protocol == "randomised-response" and colour.reason
    assert colour.config.epsilon <= 2 and colour.config.values == 5 and colour.config.question == "colour"
    assert colour["hadamard"].standard_error > colour.recommended.standard_error
    frame = colour.to_dict()
    assert frame["protocol"][0] == "randomised-response" and frame["epsilon"][0] <= 2
    with pytest.raises(KeyError):
        colour["hadamart"]
    with pytest.raises(scrim.ParameterError):
        local.plan(epsilon=9, users=10, domain=3)
    with pytest.raises(scrim.ParameterError):
        local.plan(epsilon=1, users=0, domain=3)


def test_configurations_are_facts(colour, tmp_path):
    colour.config.save(tmp_path / "c")
    assert local.Config.read(tmp_path / "c") == colour.config == pickle.loads(pickle.dumps(colour.config))
    with pytest.raises(scrim.SyntaxRefused):
        local.Config("randomised-response values=3")
    with pytest.raises(scrim.ParameterError):
        local.Config("scrim-local/1 question=q protocol=randomised-response values=4 a=1 b=3")


def test_estimates_hold_what_was_encoded(colour):
    """Twenty collections at 99.99 %: a false alarm in one of 10,000."""
    for _ in range(20):
        found = local.collect(colour.config, colour.config.encode(VALUES, names=COLOURS)).decode(names=COLOURS, confidence="0.9999")
        assert [row.value for row in found] == COLOURS
        assert all(row.joint_low <= HELD[row.value] <= row.joint_high for row in found)


def test_no_value_is_an_error(colour):
    odd = [None, -1, 2**40, float("nan"), "x", object(), True, 4.9, 10**400]
    assert len(colour.config.encode(odd)) == 16 + len(odd) * colour.config.report_bytes
    collection = local.collect(colour.config, colour.config.encode(odd), colour.config.encode([]))
    assert len(collection) == len(odd) and collection.facts["dropped"] == 0


def test_sums_add_up_and_are_those_of_the_program(colour, tmp_path):
    parts = [colour.config.encode([value] * 100) for value in range(5)]
    (tmp_path / "part").write_bytes(parts[4])
    whole = local.collect(colour.config, *parts[:4], tmp_path / "part")
    halves = [local.collect(colour.config, *parts[:2]), local.collect(colour.config, *parts[2:])]
    assert local.collect(colour.config, *(half.sums() for half in halves)).sums() == whole.sums()
    colour.config.save(tmp_path / "config")
    for number, part in enumerate(parts):
        (tmp_path / str(number)).write_bytes(part)
    command = [f"{BUILD}/scrim", "local", "collect", "--config", tmp_path / "config", *(tmp_path / str(i) for i in range(5))]
    assert subprocess.run(command, capture_output=True, check=True).stdout == whole.sums()
    (tmp_path / "sums").write_bytes(whole.sums())
    command = [f"{BUILD}/scrim", "local", "decode", "--config", tmp_path / "config", tmp_path / "sums"]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    first = whole.decode()[0]
    assert [float(cell) for cell in lines[1].split(",")[:4]] == [0, first.estimate, first.low, first.high]


def test_refused_reports(colour):
    collection = local.Collection(colour.config)
    with pytest.raises(scrim.ParameterError):
        collection.texts(["a"])
    with pytest.raises(scrim.StateError):
        collection.decode()
    with pytest.raises(scrim.InputError):
        collection.read(b"no reports")
    other = local.plan(epsilon=2, users=2000, domain=6).config
    with pytest.raises(scrim.InputError):
        local.collect(other, colour.config.encode([0]))
    with pytest.raises(scrim.Error):
        local.collect(colour.config, colour.config.encode([0])).decode(post="simplx")


def test_post_processing_and_significant_values(colour):
    collection = local.collect(colour.config, colour.config.encode(VALUES, names=COLOURS))
    refined = collection.decode(post="simplex")
    assert math.isclose(sum(row.refined for row in refined), 2000, rel_tol=1e-6) and min(row.refined for row in refined) >= 0
    assert refined.bias["simulated"] > 0 and collection.decode().bias is None
    listed = collection.decode(significant=True, confidence="0.999", names=COLOURS)
    assert "red" in [row.value for row in listed] and all(row.p < 0.001 for row in listed)
    assert list(listed.to_dict()) == ["value", "estimate", "low", "high", "standard_error", "joint_low", "joint_high", "p"]
    assert "red" in str(listed) and "<table>" in listed._repr_html_()


def test_numbers_have_a_mean():
    plan = local.plan(epsilon=2, users=4000, domain=101, is_ordered=True)
    for name in ("square-wave", "one-bit-mean"):
        config = plan[name].config
        mean = local.collect(config, config.encode([20, 60] * 2000)).decode(confidence="0.9999").mean
        assert mean.low <= 40 <= mean.high


TEXTS = ["home", "home", "search", "home", "search", "cart"] * 3000


@pytest.mark.parametrize("name", ["text-hashing", "prefix", "rappor"])
def test_texts_are_found(name):
    config = local.plan(epsilon=4, users=18000, length=6, question="page")[name].config
    collection = local.collect(config, config.encode(TEXTS[:9000]), config.encode(TEXTS[9000:]))
    assert len(collection) == 18000
    found = collection.texts(None if name == "prefix" else ["home", "search", "cart", "none"])
    by_text = {row[0]: row for row in found}
    assert {"home", "search"} <= set(by_text)
    for text, held in (("home", 9000), ("search", 6000)):
        assert abs(by_text[text][1] - held) <= 6 * by_text[text][2]
    assert found.to_dict()["text"][0] == "home"
    with pytest.raises(scrim.ParameterError):
        collection.decode()
    if name != "rappor":
        with pytest.raises(scrim.InputError):
            collection.read(b"x" * 40)


def test_a_shuffler_adds_privacy():
    found = local.amplify(devices=100_000, epsilon=4, delta="1e-6", protocol="randomised-response values=1024")
    assert 0 < found.lower <= found.upper < 0.1
    with pytest.raises(scrim.ParameterError):
        local.amplify(devices=0, epsilon=1, delta="1e-6")
    seen = []
    local.amplify(devices=1000, epsilon=1, delta="1e-6", progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] <= seen[-1][1]
