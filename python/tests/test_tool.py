"""Mechanisms, draws, audits, composition, calibration, distances."""

import array
import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest

import scrim

COPIES = (lambda it: pickle.loads(pickle.dumps(it)), copy.copy, copy.deepcopy)


def test_release_charges_a_ledger():
    ledger = scrim.Ledger(epsilon=1)
    count = scrim.mechanism("laplace", sensitivity=1, epsilon="0.5")
    assert count.text == "laplace sensitivity=1 epsilon=0.5 neighbours=add-remove" and count.cost.epsilon == 0.5
    answer = count.apply(1234, ledger)
    assert len(answer) == 1 and answer[0].low <= answer[0].value <= answer[0].high
    assert isinstance(answer[0].value, int) and abs(answer[0].value - 1234) < 200
    assert ledger.spent.epsilon == 0.5 and ledger.left.epsilon == 0.5
    count.apply([7], ledger)
    with pytest.raises(scrim.BudgetError, match="charged; use a smaller epsilon, or make a Ledger with a larger budget$"):
        count.apply(1, ledger)


def test_data_may_be_lists_arrays_or_exact_numbers():
    ledger = scrim.Ledger(epsilon=1000)
    grid = scrim.mechanism("laplace", sensitivity=1, epsilon=10, grid="0.01", lower=0, upper=100, size=2)
    for data in ([1.5, 2.5], ["1.5", "2.5"], [Fraction(3, 2), 2.5], array.array("d", [1.5, 2.5])):
        answer = grid.apply(data, ledger)
        assert abs(answer[0].value - 1.5) < 10 and abs(answer[1].value - 2.5) < 10
    # Integers are numbers in the unit, not steps of the grid.
    answer = grid.apply(array.array("q", [50, 60]), ledger)
    assert abs(answer[0].value - 50) < 10
    with pytest.raises(scrim.ParameterError):
        grid.apply([1.0], ledger)


def test_no_value_is_an_error():
    """THREATS A56: what is private is never in a message."""
    ledger = scrim.Ledger(epsilon=1000)
    count = scrim.mechanism("laplace", sensitivity=1, epsilon=1, lower=0, upper=100, grid=1)
    for value in (1e308, float("nan"), float("inf"), "not a number", 10**40, -1):
        assert -60 <= count.apply([value], ledger)[0].value <= 160
    two = scrim.mechanism("laplace", sensitivity=1, epsilon=1, size=2, whole=True)
    for value in (float("nan"), Decimal("NaN"), None, True, object(), "\ud800", "1\0", b"x"):
        assert -60 <= two.apply([3, value], ledger)[1].value <= 60


def test_mechanism_curves():
    gaussian = scrim.mechanism("gaussian", sensitivity=1, sigma=1)
    assert gaussian.cost.epsilon is None and gaussian.cost.rho == 0.5
    assert gaussian.epsilon_at("1e-6") == pytest.approx(4.4996, abs=1e-3)
    assert gaussian.delta_at(gaussian.epsilon_at("1e-6")) == pytest.approx(1e-6, rel=1e-3)
    assert gaussian.renyi_at(2) == pytest.approx(1, abs=1e-6)
    assert float(gaussian.accuracy("0.95")["radius"]) == 2
    laplace = scrim.mechanism("laplace", sensitivity=1, epsilon=1)
    assert laplace.group_cost(4).epsilon == 4


def test_sample_fills_arrays():
    draws = scrim.sample("discrete-laplace", 10000, scale=10)
    assert len(draws) == 10000 and abs(sum(map(int, draws)) / 10000) < 2
    out = array.array("q", bytes(80))
    assert scrim.sample("uniform", 10, out=out, n=5) is out and set(out) <= set(range(5))
    with pytest.raises(TypeError):
        scrim.sample("uniform", 10, out=array.array("i", [0] * 10), n=5)
    with pytest.raises((TypeError, BufferError)):
        scrim.sample("uniform", 1, out=bytes(8), n=5)
    wide = scrim.sample("discrete-laplace", 5, scale=2**60)
    assert len(wide) == 5 and any(abs(int(draw)) > 2**50 for draw in wide)
    noise = scrim.Distribution("discrete-gaussian", variance=4)
    assert noise.variance[0] <= 4 <= noise.variance[1] + 1e-9 and noise.quantile("0.5") == 0
    low, high = noise.probability(-100, 100)
    assert low <= high and low > 0.999999
    assert low <= 1 and noise.probability(0)[0] == pytest.approx(0.1995, abs=1e-3)
    with pytest.raises(scrim.ParameterError):
        scrim.sample("discrete-laplace", 5, scale=-1)


def test_audit():
    audit = scrim.audit("laplace", epsilon=1)
    assert audit.holds and audit.is_tight and audit.points
    assert all(point["delta_lower"] <= point["delta_upper"] for point in audit.points)


def test_stated_guarantees_and_groups_compose():
    stated = scrim.compose("epsilon=1 delta=1e-6 x3; rho=0.5; renyi order=2 epsilon=1; gdp mu=1", delta="1e-4")
    assert 3 < stated.upper < 40
    assert scrim.compose("gdp mu=1/4", group=4, delta="1e-5").upper == pytest.approx(4.37718, abs=1e-5)
    assert scrim.compose("epsilon=1/4", group=4, delta=0).upper == pytest.approx(1)
    alone, couple = (scrim.compose("renyi order=8 epsilon=1", group=group, delta="1e-5").upper for group in (1, 2))
    assert 2 * alone < couple < 40
    for group, parts in ((0, "rho=1"), (2, "poisson rate=0.1 gaussian sigma=3")):
        with pytest.raises(scrim.ParameterError):
            scrim.compose(parts, group=group, delta="1e-5")


def test_compose_and_calibrate():
    bounds = scrim.compose(["laplace scale=10 x100"], delta="1e-6")
    assert 0 < bounds.lower <= bounds.upper < 10 and bounds.best
    assert scrim.compose("laplace scale=10 x100", epsilon=bounds.upper).upper <= 1e-6 * 1.001
    with pytest.raises(TypeError):
        scrim.compose("laplace scale=10")
    found = scrim.calibrate("gaussian", sensitivity=1, target_epsilon=1, target_delta="1e-6", count=100)
    assert found.parameter == "sigma" and float(found.joint.epsilon) <= 1
    again = scrim.compose(f"gaussian sensitivity=1 sigma={found.value} x100", delta="1e-6")
    assert again.upper <= 1.0000001


def test_costs_round_up():
    """THREATS A13: no sum of charges is below the true one."""
    ledger = scrim.Ledger(epsilon=1)
    third = scrim.mechanism("laplace", sensitivity=1, epsilon=Fraction(1, 3))
    for _ in range(3):
        third.apply(0, ledger)
    assert ledger.left.epsilon == 0
    with pytest.raises(scrim.BudgetError):
        scrim.mechanism("laplace", sensitivity=1, epsilon="1e-15").apply(0, ledger)


def test_distance():
    assert scrim.distance("drop", {1: 3, 5: 2}, {1: 2, 5: 2}) == Fraction("0.2")
    assert scrim.distance("wasserstein", [0, 0], [3, 3]) == 3
    assert scrim.distance("l1", {1: 3, 5: 2}, {1: 1, 7: 2}) == 6
    assert scrim.distance("l2", {1: 3, 2: 4}, {}) == 5
    assert scrim.distance("move", [1], [1, 2]) == float("inf")
    assert scrim.distance("wasserstein", {(0, 0): 1}, {(3, 4): 1}, dimensions=2, norm="2") == 5
    with pytest.raises(scrim.ParameterError):
        scrim.distance("sideways", [1], [1])


def test_lists():
    assert any(entry["name"] == "laplace" for entry in scrim.mechanisms())
    assert any(entry["name"] == "discrete-gaussian" for entry in scrim.distributions())
    with pytest.raises(scrim.ParameterError, match="laplace"):
        scrim.mechanism("laplac", sensitivity=1, epsilon=1)


def test_a_refused_release_leaves_the_vault_free(vault):
    vault.add("budget", unit="row", budget=1)
    for data, epsilon, kind in ((1, 5, scrim.BudgetError), (None, 1, TypeError)):
        with pytest.raises(kind), scrim.open(vault.path) as other:
            other.apply("budget", scrim.mechanism("laplace", sensitivity=1, epsilon=epsilon), data)


def test_interactive_runs(adult):
    """Charged whole at the start; each answer is one of the batch, recorded before it is shown."""
    sure = scrim.mechanism("sparse-vector", epsilon=1000, sensitivity=1, threshold=20, count=2, numeric=True)
    ledger = scrim.Ledger(epsilon=1500)
    with sure.run(ledger) as run:
        assert ledger.spent.epsilon == 1000 and run.cost.epsilon == 1000
        assert [run.ask(query) for query in (5, "x", 50)] == [(False, None, False), (False, None, False), (True, 50, False)]
        assert not run.has_halted and run.ask(80.0) == (True, 80, True) and run.has_halted
        with pytest.raises(scrim.StateError, match="given all its answers"):
            run.ask(1)
        with pytest.raises(TypeError, match="keeps a secret"):
            pickle.dumps(run)
        assert pickle.loads(pickle.dumps(run.answers)) == run.answers
    with pytest.raises(ValueError, match="closed"):
        run.ask(1)
    with pytest.raises(scrim.BudgetError):
        sure.run(ledger)
    with pytest.raises(scrim.ParameterError, match="not interactive"):
        scrim.mechanism("laplace", sensitivity=1, epsilon=1).run(ledger)
    guess = scrim.mechanism("guess-and-check", epsilon=1000, sensitivity=1, threshold=5, count=2, guesses=[10, 20])
    with guess.run(scrim.Ledger(epsilon=1000)) as run:
        assert [run.ask(query) for query in (12, 50, 13, -30)] == [
            (False, None, False), (True, 50, False), (False, None, False), (True, -30, True)]
    model = scrim.mechanism("online-weights", epsilon=1000, bins=2, total=400, threshold=40, updates=2)
    ledger = scrim.Ledger(epsilon=1000)
    with model.run(ledger, [100, 300]) as run:
        with pytest.raises(scrim.ParameterError, match="2 coefficients from 0 to 1"):
            run.ask([1])
        assert run.ask((1, 1)) == (False, 400, False) and run.ask([1, 0]) == (True, 100, False)
        assert run.ask([1, 0]).has_halted and run.has_halted
    with pytest.raises(scrim.ParameterError, match="needs its data"):
        model.run(scrim.Ledger(epsilon=1000))
    with pytest.raises(scrim.ParameterError, match="open the run without data"):
        sure.run(scrim.Ledger(epsilon=1000), [1])
    small = scrim.mechanism("above-threshold", epsilon="0.1", sensitivity=1, threshold=100)
    with adult.run("adult", small) as run:
        run.ask(-(10**6))
        assert adult.ledger()[-1]["release"] == run.entry
    adult.verify()


def test_apply_to_a_vault(adult):
    count = scrim.mechanism("laplace", sensitivity=1, epsilon="0.5")
    answer = adult.apply("adult", count, 32561)
    assert abs(answer[0].value - 32561) < 200
    assert adult.ledger()[0]["release"] == answer.entry == 1
    assert adult.budget("adult")[0]["spent"] == 0.5


def test_counts_are_fitted():
    noisy = [61, -3, 40]
    assert scrim.fit_counts(noisy, 105) == [62, 0, 41] and scrim.fit_counts(noisy, 105, weight=0) == [61, 0, 40]
    assert scrim.fit_counts(iter(noisy), 105, method="sum") == [63, 0, 42] and noisy == [61, -3, 40]
    assert max(abs(a - b) for a, b in zip(scrim.fit_counts(noisy, 105, method="largest"), noisy)) <= 3
    with pytest.raises(scrim.ParameterError, match="use squares, largest or sum"):
        scrim.fit_counts(noisy, 105, method="round")
    with pytest.raises(scrim.ParameterError, match="1 to 134217728 cells"):
        scrim.fit_counts([], 105)
    with pytest.raises(TypeError):
        scrim.fit_counts([1.5], 2)
    with pytest.raises(OverflowError):
        scrim.fit_counts([2**64], 2)


def test_a_label_without_a_source_names_none(vault):
    vault.add("inputs", unit="row", columns={"x": "int[0,9]"}, budget=1)
    vault.apply("inputs", scrim.mechanism("laplace", sensitivity=1, epsilon=1), 3)
    assert vault.label(1)["unprotected.2"] == "that the values came from a program, as the dataset has no source"
    with pytest.raises(scrim.BudgetError, match="or ask the vault's owner$"):
        vault.apply("inputs", scrim.mechanism("laplace", sensitivity=1, epsilon=1), 3)


def test_facts_are_pickled_and_copied():
    ledger = scrim.Ledger(epsilon=1)
    count = scrim.mechanism("laplace", sensitivity=1, epsilon="0.25")
    model = scrim.Measurement("laplace epsilon=1", model=True)
    noise = scrim.Distribution("discrete-laplace", scale=10)
    answer = count.apply(3, ledger)
    for copied in COPIES:
        assert copied(count).text == count.text and copied(count).apply(3, scrim.Ledger(epsilon=1)).cost == count.cost
        assert copied(model).audit().holds
        assert copied(noise).text == noise.text and copied(noise).quantile("0.9") == noise.quantile("0.9")
        assert copied(answer).values == answer.values and copied(answer).cost == answer.cost
        # A copy of a ledger says what was spent; it cannot be spent twice.
        kept = copied(copied(ledger))
        assert kept.spent.epsilon == 0.25 and kept.left.epsilon == 0.75
        with pytest.raises(scrim.StateError, match="a copy of a ledger cannot be charged"):
            count.apply(3, kept)
    assert ledger.left.epsilon == 0.75


def test_amounts_are_exact_and_readable():
    third, eighth = scrim.Amount("1/3"), scrim.Amount("0.125")
    assert (str(third), str(eighth), str(scrim.Amount(-25, 2)), str(scrim.Amount("1e-7"))) == ("1/3", "0.125", "-12.5", "0.0000001")
    assert f"{third:.3f}" == "0.333" and f"{eighth}" == "0.125" and repr(eighth) == "Amount('0.125')"
    assert third + eighth == Fraction(11, 24) and isinstance(eighth, Fraction) and scrim.Amount("100") == 100
    for copied in COPIES:
        assert copied(third) == third and str(copied(eighth)) == "0.125"
