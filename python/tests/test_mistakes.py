"""What somebody types wrong: one clear message, with what to type instead, in the words of Python."""

import pytest

import scrim

COUNT = "SELECT COUNT(*) AS n"
ROWS = {"person_id": ["a", "b"], "age": [30, 40]}
LIVE = {"unit": "person_id", "bounds": {"rows_per_unit": 1}, "columns": {"age": "int[0,120]"}, "budget": 10}
LAPLACE = {"sensitivity": 1, "epsilon": 1}


@pytest.fixture
def live(vault):
    """A vault with a live dataset that has no rows yet."""
    vault.add("live", live=True, **LIVE)
    return vault


@pytest.mark.parametrize(
    "ask, kind, words",
    [
        (lambda v: v.query("live", COUNT, epsilon=1), scrim.InputError, "data=FRAME"),
        (lambda v: v.query("live", [COUNT], epsilon=1), TypeError, "batch() takes several"),
        (lambda v: v.batch("live", COUNT, epsilon=1), TypeError, "query() takes one"),
        (lambda v: v.query("live", COUNT, epsilon=1, data={"id": [1]}), scrim.InputError, "no column 'person_id'"),
        (lambda v: v.query("live", COUNT, epsilon=1, data={"person": [1]}), scrim.InputError, "'person_id'"),
        (lambda v: v.add("live", live=True, **LIVE), scrim.ParameterError, "vault.update(NAME)"),
        (lambda v: v.add("my rows", live=True, **LIVE), scrim.ParameterError, "invalid name 'my rows'"),
        (lambda v: v.add("x", live=True, **{**LIVE, "columns": ["age"]}), TypeError, "columns must be a mapping"),
        (lambda v: v.add("x", live=True, **LIVE, keys=["age"]), TypeError, "keys must be a mapping"),
        (lambda v: v.add("x", ROWS, **{**LIVE, "columns": {"aeg": "int[0,9]"}}), scrim.InputError, "did you mean 'age'?"),
        (lambda v: v.add("x", ROWS, **{**LIVE, "unit": "personid"}), scrim.InputError, "did you mean 'person_id'?"),
        (lambda v: scrim.init(v.path), scrim.LedgerError, "scrim.open()"),
        (lambda v: v.budget("lives"), scrim.ParameterError, "vault.budget() lists them"),
        (lambda v: v.replay(-1), scrim.ParameterError, "no release -1;"),
        (lambda v: v.label(-1), scrim.ParameterError, "no release -1;"),
        (lambda v: v.replay("1"), TypeError, "integer"),
        (lambda v: v.set_share("live", None, {"rho": 1}), scrim.ParameterError, "epsilon"),
        (lambda v: v.apply("live", "laplace", 1), TypeError, "scrim.mechanism()"),
    ],
)
def test_a_vault_says_what_to_type(live, ask, kind, words):
    with pytest.raises(kind) as caught:
        ask(live)
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert not live.ledger() and [row["name"] for row in live.datasets()] == ["live"]


@pytest.mark.parametrize(
    "ask, kind, words",
    [
        (lambda v: v.synth("adult", epsilon=1, delta="1e-6", cuts=["age=5"]), TypeError, "cuts must be a mapping"),
        (lambda v: v.synth("adult", epsilon=1, delta="1e-6", never={"sex": "Male"}), TypeError, "a list of mappings"),
        (lambda v: v.synth("adult", delta="1e-6", columns="age"), scrim.ParameterError, "add epsilon="),
        (lambda v: v.synth("adult", epsilon=1, delta="1e-6", columns="ag"), scrim.ParameterError, "did you mean 'age'?"),
        (lambda v: v.body("adult", ["person_id"], epsilon=1), scrim.ParameterError, "'person_id' is the privacy unit"),
        (lambda v: v.synth("adult", epsilon=1, delta="1e-6"), scrim.ParameterError, "select them privately: private_keys=['COLUMN']"),
        (lambda v: v.deep_point("adult", "age", epsilon=1), scrim.ParameterError, "; add expected_units=N"),
    ],
)
def test_other_releases_say_what_to_type(adult, ask, kind, words):
    with pytest.raises(kind) as caught:
        ask(adult)
    assert words in str(caught.value) and "\n" not in str(caught.value) and not adult.ledger()


def test_a_suggestion_says_where_people_are_too_few(vault):
    vault.add("few", {"p": [*range(50)], "x": [*range(50)]}, unit="p", bounds={"max_groups": 1, "max_rows": 1}, columns={"x": "int[0,99]"},
              budget=1)  # fmt: skip
    suggested = vault.suggest("few", "x", epsilon=1)
    assert any(words.startswith("max-total-rows is rough: the share of people") for words in suggested.cautions)
    for shown in (str(suggested), suggested._repr_html_()):
        assert "max-total-rows is rough" in shown and "clamp of x is rough" in shown
    with pytest.raises(scrim.ParameterError, match="vault.ledger\\(\\) says what it is"):
        vault.replay_body(suggested.release)


@pytest.mark.parametrize(
    "ask, kind, words",
    [
        (lambda m: m.apply(None, scrim.Ledger(epsilon=1)), TypeError, "a number or a sequence of numbers"),
        (lambda m: m.apply(1, 1), TypeError, "expected a Ledger, not int"),
        (lambda m: scrim.Ledger(epsilon=1, neighbours="both"), ValueError, "add-remove or replace"),
        (lambda m: scrim.calibrate("gaussian", sensitivity=1), TypeError, "target_epsilon="),
        (lambda m: scrim.calibrate("gaussian", sensitivity=1, target_epsilon=1), scrim.ParameterError, "add target_delta="),
    ],
)
def test_a_tool_says_what_to_type(ask, kind, words):
    with pytest.raises(kind) as caught:
        ask(scrim.mechanism("laplace", **LAPLACE))
    assert words in str(caught.value) and "SCRIM_" not in str(caught.value)


def test_the_names_of_a_frame_are_checked_wherever_they_are(vault):
    numpy, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    structured = numpy.array([(1, 30)], dtype=[("person_id", "i8"), ("age", "i8")])
    for frame in (ROWS, structured, pandas.DataFrame(ROWS), polars.DataFrame(ROWS), polars.LazyFrame(ROWS)):
        with pytest.raises(scrim.InputError, match="did you mean 'age'?"):
            vault.add("x", frame, **{**LIVE, "columns": {"ages": "int[0,9]"}})
    vault.add("x", pandas.DataFrame(ROWS), **{**LIVE, "unit": "row"})


def test_what_is_known_needs_no_rows(live):
    first = live.query("live", COUNT, epsilon=1, data=ROWS, version="may")
    again = live.query("live", COUNT, epsilon=1, version="may")
    assert again.is_repeated and again.rows == first.rows


def test_shares_and_parts_are_taken_in_either_form(adult):
    adult.set_share("adult", adult.analyst, {"epsilon": "0.5", "delta": "1e-6"})
    assert adult.budget("adult")[1]["share"] == 0.5
    laplace = scrim.mechanism("laplace", sensitivity=1, scale=10)
    assert scrim.compose([laplace, laplace], epsilon=1).upper == scrim.compose(f"{laplace.text} x2", epsilon=1).upper
