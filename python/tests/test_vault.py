"""Vaults, questions and answers on files."""

import copy
import multiprocessing
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from conftest import ADULT, BY_SEX, ROOT

import scrim


def test_a_query_is_charged_and_repeated(adult):
    first = adult.query("adult", BY_SEX, epsilon="0.5")
    assert first.release == 1 and not first.is_repeated
    assert [row["sex"] for row in first.rows] == ["Female", "Male", None]
    n = first.rows[1]["n"]
    assert n.low <= n.value <= n.high and abs(n.value - 21790) < 200
    assert first.cost.epsilon == 0.5 and first.cost.neighbours == "add-remove"
    again = adult.query("adult", BY_SEX, epsilon="0.5")
    assert again.is_repeated and again.release == 1 and again.rows == first.rows
    assert adult.budget("adult")[0]["spent"] == 0.5


def test_bounds_of_a_question(adult):
    plain = adult.query("adult", BY_SEX, epsilon="0.5")
    bounded = adult.query("adult", BY_SEX, epsilon="0.5", bounds={"max_total_rows": 2})
    assert not bounded.is_repeated and bounded.release != plain.release
    text = BY_SEX.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5, max_rows_contributed = 2)")
    assert adult.query("adult", text).release == bounded.release
    with pytest.raises(scrim.ParameterError, match="whole number"):
        adult.explain("adult", BY_SEX, epsilon="0.5", bounds={"max_rows": 0})
    with pytest.raises(TypeError):
        adult.explain("adult", BY_SEX, epsilon="0.5", bounds={"max_total": 5})


def test_explain_reads_and_spends_nothing(adult):
    plan = adult.explain("adult", BY_SEX, epsilon="0.5")
    assert plan.cost.epsilon == 0.5 and plan.left == 10 and plan.after == 9.5
    assert plan.columns[1]["aggregate"] == "COUNT" and float(plan.columns[1]["error"]) > 0
    assert plan.parts and plan.repeats is None
    compared = plan.facts["statements"][0]["compared"]
    assert [plan["other"] for plan in compared] == ["separate counts"]
    assert float(compared[0]["columns"][1]["times"]) > 1
    assert "± " in str(plan) and "<table>" in plan._repr_html_()
    assert adult.ledger() == []
    adult.query("adult", BY_SEX, epsilon="0.5")
    assert adult.explain("adult", BY_SEX, epsilon="0.5").repeats == 1


@pytest.mark.parametrize(
    "tenth", ["0.1", "1/10", 0.1, Fraction(1, 10), Decimal("0.1"), Decimal("1e-1")], ids=repr
)
def test_numbers_are_exact(adult, tenth):
    assert adult.explain("adult", "SELECT COUNT(*)", epsilon=tenth).facts["epsilon"] == "0.1"


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), Decimal("NaN"), Decimal("Infinity")], ids=repr)
def test_what_is_no_number_is_refused(adult, wrong):
    with pytest.raises(ValueError):
        adult.explain("adult", "SELECT COUNT(*)", epsilon=wrong)


@pytest.mark.parametrize("wrong", [True, None.__class__, [1], b"1"], ids=repr)
def test_other_types_are_no_numbers(adult, wrong):
    with pytest.raises(TypeError):
        adult.explain("adult", "SELECT COUNT(*)", epsilon=wrong)


def test_float_and_int_are_one_question(adult):
    first = adult.query("adult", "SELECT COUNT(*)", epsilon=1)
    assert adult.query("adult", "SELECT COUNT(*)", epsilon=1.0).release == first.release
    assert adult.query("adult", "SELECT COUNT(*)", epsilon=Decimal("1.00")).is_repeated


def test_errors_have_their_class_a_caret_and_advice(adult):
    with pytest.raises(scrim.ParameterError) as caught:
        adult.query("adult", "SELECT sx, COUNT(*) GROUP BY sx", epsilon=1)
    error = caught.value
    assert (error.reason, error.parameter) == ("misspelt", "column")
    assert "did you mean sex" in str(error) and "^^" in error.caret and error.caret in str(error)
    assert isinstance(error, ValueError) and isinstance(error, scrim.Error)
    with pytest.raises(scrim.ParameterError, match=r"add delta="):
        adult.query("adult", "SELECT education, COUNT(*) GROUP BY education", epsilon=1)
    with pytest.raises(scrim.ParameterError, match=r"add epsilon="):
        adult.query("adult", "SELECT COUNT(*)")
    with pytest.raises(scrim.SyntaxRefused):
        adult.query("adult", "SELECT COUNT(", epsilon=1)
    with pytest.raises(scrim.BudgetError, match="nothing was charged"):
        adult.query("adult", "SELECT COUNT(*)", epsilon=11)
    with pytest.raises(scrim.ParameterError, match=r"vault.datasets\(\)"):
        adult.query("nobody", "SELECT COUNT(*)", epsilon=1)
    assert adult.ledger() == []
    assert pickle.loads(pickle.dumps(error)).caret == error.caret


def test_each_status_has_its_class():
    from scrim import _errors

    statuses = {}
    for line in (ROOT / "include/scrim/status.h").read_text().splitlines():
        name, _, number = line.strip().partition(" = ")
        if name.startswith("SCRIM_E_"):
            statuses[int(number.split(",")[0].split()[0])] = name
    assert set(statuses) == set(_errors._CLASSES)
    assert len(set(_errors._CLASSES.values())) == len(statuses)
    assert all(name in scrim.__all__ for name in _errors.__all__)


def test_an_answer_shows_the_caution_about_its_bounds(vault):
    rows = {"who": ["a"] * 9, "city": ["x", "y", "z"] * 3}
    keys = {"keys": {"city": ["x", "y", "z"]}, "missing": {"city": "x"}}
    vault.add("trips", rows, unit="who", bounds={"max_groups": 2, "max_rows": 1}, columns={"city": "text"}, **keys, budget=9)
    query = "SELECT city, COUNT(*) AS n GROUP BY city"
    answer = vault.query("trips", query, epsilon=1)
    words = "max_groups 2 is for the whole query: each who counts in at most 2 of the 3 groups"
    assert words in " ".join(str(vault.explain("trips", query, epsilon=2)).split())
    words = answer.missing
    assert words.startswith(answer.cut.caution) and words.startswith("too few units, or too low an epsilon")
    batch = vault.batch("trips", [query], epsilon=1)
    for shown in (str(answer), answer._repr_html_(), str(batch), batch._repr_html_()):
        assert " ".join(shown.split()).count(words) >= 1
    assert " ".join(str(answer).split()).endswith(answer.missing) and max(map(len, str(answer).splitlines())) <= 100
    quiet = str(vault.query("trips", "SELECT COUNT(DISTINCT who) AS n", epsilon=1)).partition("intervals at 0.95")[2]
    assert "totals" not in quiet and answer.missing not in quiet


def test_missing_vaults_and_files(folder):
    with pytest.raises(scrim.LedgerError):
        scrim.open(folder / "nothing.vault")
    with scrim.init(folder / "v") as vault:
        with pytest.raises(scrim.InputError):
            vault.add("adult", folder / "nothing.csv", **ADULT, budget=1)
        (folder / "semicolons.csv").write_text("person_id;age\n1;30\n")
        with pytest.raises(scrim.InputError, match=r"if that separates columns, add format={'separator': ';'}"):
            vault.add("adult", folder / "semicolons.csv", **ADULT, budget=1)
        (folder / "adult.xlsx").write_bytes(b"PK\x03\x04\n")
        with pytest.raises(scrim.InputError, match="a zip archive, not a CSV file; unpack it"):
            vault.add("adult", folder / "adult.xlsx", **ADULT, budget=1)
        with pytest.raises(TypeError, match=r"vault must be a Vault, such as scrim.open\('scrim.vault'\)"):
            scrim.verify(folder / "adult.xlsx", vault="scrim.vault")
        with pytest.raises(scrim.ParameterError, match=r"unit='COLUMN'"):
            vault.add("adult", ROOT / "data/adult.csv", columns={"age": "int[0,120]"}, budget=1)
        with pytest.raises(ValueError):
            vault.add("a", ROOT / "data/adult.csv", unit="person_id\nbudget=epsilon=9", budget=1)
    with pytest.raises(scrim.LedgerError):
        scrim.init(folder / "v")


def test_batch_is_one_release(adult):
    batch = adult.batch("adult", ["SELECT COUNT(*) AS n", "SELECT AVG(age) AS a"], epsilon=1)
    assert len(batch) == 2 and batch[0].release == batch[1].release == batch.release == 1
    assert abs(batch[0].rows[0]["n"].value - 32561) < 200
    assert abs(batch[1].rows[0]["a"].value - 38.6) < 1
    again = adult.replay(1)
    assert [result.rows for result in again] == [result.rows for result in batch]


def test_replay_and_report(adult, folder):
    result = adult.query("adult", BY_SEX, epsilon=1)
    wide = adult.replay(result.release, confidence="0.999")
    assert wide.rows[0]["n"].value == result.rows[0]["n"].value
    assert wide.rows[0]["n"].high > result.rows[0]["n"].high
    label = result.label()
    assert label["protection.unit"] == "person_id" and label["cost.epsilon"] == "1" and label.is_signed
    label.verify(vault=adult, key=adult.key)
    page = folder / "label.html"
    label.save(page)
    found = scrim.read_label(page)
    assert found.text == label.text
    found.verify(key=adult.key)
    found.compare(label)
    with pytest.raises(scrim.CheckError):
        found.verify(key="0" * 64)
    with pytest.raises(scrim.Error):
        scrim.read_label(page.read_bytes().replace(b"cost.epsilon 1\n", b"cost.epsilon 2\n"))


def test_long_answers_are_shown_by_their_ends(adult):
    answer = adult.query("adult", "SELECT age, COUNT(*) AS n GROUP BY age", epsilon=1)
    assert len(answer) == 122 and len(answer.to_dict()["age"]) == 122  # with the group of missing ages
    lines = str(answer).splitlines()
    assert [line.split()[0] for line in lines[1:22]] == [*map(str, range(10)), "…", *map(str, range(112, 121)), "NULL"]
    for shown in (str(answer), answer._repr_html_(), str(adult.batch("adult", [answer.query, BY_SEX], epsilon=1))):
        assert "122 rows, of which 20 are shown; to_pandas() has all" in shown
    assert "…" in answer._repr_html_() and ">60<" not in answer._repr_html_().partition("<details>")[0]
    short = adult.query("adult", BY_SEX, epsilon=1)
    assert "…" not in str(short) and "are shown" not in str(short)


def test_answers_are_pickled_and_copied_without_their_vault(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    label, plan = result.label(), adult.explain("adult", BY_SEX, epsilon="0.5")
    batch = adult.batch("adult", [BY_SEX, "SELECT AVG(age) AS mean"], epsilon=1)
    for copied in (lambda it: pickle.loads(pickle.dumps(it)), copy.copy, copy.deepcopy):
        again = copied(result)
        assert again.rows == result.rows and again.cost == result.cost and again.time == result.time
        assert "Female" in str(again) and "Female" in again._repr_html_()
        with pytest.raises(scrim.StateError, match="vault.label\\(1\\)"):
            again.label()
        assert copied(label).text == label.text and copied(label).is_signed
        copied(label).verify(key=adult.key)
        assert [one.rows for one in copied(batch)] == [one.rows for one in batch]
        assert copied(plan).after == plan.after and copied(adult.ledger()) == adult.ledger()
    assert result.time.tzinfo is not None


def test_notebooks_show_the_values_and_the_label(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    bundle = result._repr_mimebundle_()
    values, label = bundle["text/html"].split("<details>")
    assert "<table>" in values and "Female" in values and "epsilon 1, charged" in values
    assert "srcdoc" in label and label.endswith("</details>")
    assert set(bundle) == {"text/plain", "text/html"}
    assert "Female" in bundle["text/plain"] and "release 1" in bundle["text/plain"]
    assert 'sandbox=""' in bundle["text/html"] and "&lt;svg" in bundle["text/html"]
    assert "<script" not in result.label().html()
    assert set(result._repr_mimebundle_(include=["text/plain"])) == {"text/plain"}


def test_a_batch_shows_all_of_its_answers(adult):
    batch = adult.batch("adult", [BY_SEX, "SELECT AVG(age) AS mean"], epsilon=1)
    for shown in (str(batch), batch._repr_html_().split("<details>")[0]):
        assert "Female" in shown and "mean" in shown and shown.count("release 1, epsilon 1, charged") == 1
    assert batch._repr_html_().count("srcdoc") == 1


def test_a_plan_shows_the_query_as_it_was_asked(adult):
    assert f">{BY_SEX}</caption>" in adult.explain("adult", BY_SEX, epsilon=1)._repr_html_()
    both = adult.explain("adult", [BY_SEX, "SELECT COUNT(*) AS all_rows"], epsilon=1)._repr_html_()
    assert ">SELECT COUNT(*) AS all_rows</caption>" in both


def test_ledger_changes_and_verify(adult):
    adult.query("adult", "SELECT COUNT(*)", epsilon="0.25")
    (charge,) = adult.ledger("adult")
    assert charge["amount"] == 0.25 and charge["state"] == "released" and charge["analyst"] == adult.analyst
    assert abs(charge["time"] - datetime.now(timezone.utc)) < timedelta(minutes=10)
    assert any(change["change"] == "added" for change in adult.changes("adult"))
    assert adult.verify()["releases"] == 1
    assert adult.is_owned
    assert adult.datasets()[0]["is_closed"] is False
    assert adult.datasets()[0]["name"] == "adult" and "column=age=int[0,120]" in adult.policy("adult")


def test_shares_limit_an_analyst(adult):
    adult.set_share("adult", adult.analyst, "0.5")
    with pytest.raises(scrim.BudgetError) as caught:
        adult.query("adult", "SELECT COUNT(*)", epsilon=1)
    assert caught.value.reason == "share"
    adult.set_share("adult", adult.analyst, None)
    adult.query("adult", "SELECT COUNT(*)", epsilon=1)


def test_update_and_remove(vault, folder):
    path = folder / "t.csv"
    path.write_text("who,x\na,1\nb,2\n")
    vault.add("t", path, unit="who", columns={"x": "int[0,9]"}, bounds={"rows_per_unit": 1}, budget=9)
    assert vault.query("t", "SELECT COUNT(*)", epsilon=1).version == 1
    path.write_text("who,x\na,1\nb,2\nc,3\n")
    with pytest.raises(scrim.InputError, match=r"vault.update"):
        vault.query("t", "SELECT SUM(x)", epsilon=1)
    vault.update("t")
    assert vault.query("t", "SELECT COUNT(*)", epsilon=1).version == 2
    vault.remove("t")
    assert vault.datasets() == []


def test_series(adult):
    series = adult.create_series(
        "ages", "adult", "SELECT COUNT(*) AS n", epsilon="0.5", releases=3, window="age"
    )
    assert adult.series_names() == ["ages"] and series.facts["releases"] == 3
    assert series.forecast()["remaining"] == 3
    first = series.answer()
    assert first.release == 1 and adult.series("ages").facts["made"] == 1
    assert adult.series("ages").steps[0]["release"] == 1
    assert series.answer(1).is_repeated


def test_keys_are_quoted(vault, folder):
    path = folder / "t.csv"
    keys = ["a,b", 'say "x"', " lead", "@at", "plain", "é"]
    path.write_text("k\n" + "".join('"' + key.replace('"', '""') + '"\n' for key in keys), encoding="utf-8")
    vault.add("t", path, unit="row", columns={"k": "text"}, keys={"k": keys}, budget=100)
    result = vault.query("t", "SELECT k, COUNT(*) AS n GROUP BY k", epsilon=50)
    counted = {row["k"]: row["n"].value for row in result}
    assert {key: counted[key] for key in keys} == dict.fromkeys(keys, 1)


def test_progress(adult, capsys):
    heard = []
    adult.query("adult", "SELECT COUNT(*)", epsilon=1, workers=1, progress=lambda done, total: heard.append((done, total)))
    assert heard and all(0 <= done <= total for done, total in heard)

    class Bar:
        total, n = None, 0

        def update(self, by):
            self.n += by

    bar = Bar()
    adult.query("adult", "SELECT AVG(age)", epsilon=1, workers=1, progress=bar)
    assert 0 < bar.n <= bar.total
    adult.query("adult", "SELECT MEDIAN(age)", epsilon=1, progress=True)
    assert capsys.readouterr().err == ""  # it took less than a second
    with pytest.raises(TypeError):
        adult.query("adult", "SELECT SUM(age)", epsilon=1, progress=3)


def test_what_progress_raises_reaches_the_caller(adult):
    def fail(done, total):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        adult.query("adult", "SELECT COUNT(*)", epsilon=1, workers=1, progress=fail)
    # The charge stays, and asking again finishes it at no further charge.
    assert adult.budget("adult")[0]["spent"] == 1
    adult.query("adult", "SELECT COUNT(*)", epsilon=1)
    assert adult.budget("adult")[0]["spent"] == 1


def test_threads_share_a_vault(adult):
    results, errors = [], []

    def work(number):
        try:
            for age in range(3):
                query = f"SELECT COUNT(*) AS n WHERE age > {20 + 10 * age}"
                results.append((age, adult.query("adult", query, epsilon="0.125").rows[0]["n"].exact))
                adult.explain("adult", BY_SEX, epsilon=1)
                adult.budget()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and len(set(results)) == 3  # one charge and one answer for each question
    assert adult.budget("adult")[0]["spent"] == 0.375


def test_a_vault_in_use_is_not_closed(adult):
    seen = []

    def close(done, total):
        try:
            adult.close()
        except scrim.StateError as error:
            seen.append(error)

    adult.query("adult", "SELECT COUNT(*)", epsilon=1, workers=1, progress=close)
    assert seen
    adult.close()
    with pytest.raises(scrim.StateError, match="closed"):
        adult.budget()
    adult.close()  # once more is harmless


def _fork(work):
    """What work() gives in a forked child."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def run():
        try:
            queue.put(repr(work()))
        except scrim.Error as error:
            queue.put(f"{type(error).__name__}: {error}")

    child = context.Process(target=run)
    child.start()
    said = queue.get(timeout=30)
    child.join()
    assert child.exitcode == 0
    return said


def test_a_forked_child_raises(adult):
    ledger = scrim.Ledger(epsilon=1)
    count = scrim.mechanism("laplace", sensitivity=1, epsilon="0.5")
    assert _fork(lambda: adult.query("adult", "SELECT COUNT(*)", epsilon=1)).startswith("StateError")
    assert _fork(lambda: count.apply(3, ledger)).startswith("StateError")
    # A child that opens the vault itself may ask; noise is not the parent's.
    assert "Result" in _fork(lambda: scrim.open(adult.path).query("adult", "SELECT COUNT(*)", epsilon=1))
    draws = {_fork(lambda: list(scrim.sample("uniform", 4, n=2**62))) for _ in range(3)}
    draws.add(repr(list(scrim.sample("uniform", 4, n=2**62))))
    assert len(draws) == 4
    with pytest.raises(TypeError, match="open it there"):
        pickle.dumps(adult)


def test_noise_of_one_distribution_differs_across_a_fork():
    """THREATS A08: a child never draws what its parent draws."""
    noise = scrim.Distribution("uniform", n=2**62)
    noise.sample(1)
    draws = [_fork(lambda: list(noise.sample(4))) for _ in range(3)]
    draws.append(repr(list(noise.sample(4))))
    assert len(set(draws)) == 4


def test_a_notebook_can_be_run_again(folder):
    """Each line once more: nothing is declared twice, and nothing is charged twice."""
    rows = {"who": ["a", "b"], "x": [1, 2]}
    declared = {"unit": "who", "columns": {"x": "int[0,9]"}, "bounds": {"rows_per_unit": 1}, "budget": {"epsilon": 3, "delta": "1e-6"}}
    for _ in range(2):
        with scrim.open(folder / "new.vault", create=True) as vault:
            vault.add("rows", rows, **declared, exist_ok=True)
            vault.add("adult", ROOT / "data/adult.csv", **ADULT, budget=1, exist_ok=True)
            vault.query("rows", "SELECT SUM(x) AS s", epsilon=1)
            vault.query("adult", "SELECT COUNT(*) AS n", epsilon=1)
            assert [row["spent"] for row in vault.budget() if row["analyst"] is None] == [1, 1]
            assert len(vault.datasets()) == 2
    with scrim.open(folder / "new.vault") as vault:
        for other in ({"budget": 4}, {"columns": {"x": "int[0,8]"}}, {"account": {"neighbours": "replace"}}):
            with pytest.raises(scrim.ParameterError, match=r"rows is declared with other \w+; vault.policy\('rows'\) shows it"):
                vault.add("rows", rows, **{**declared, **other}, exist_ok=True)
        with pytest.raises(scrim.ParameterError):
            vault.add("rows", rows, **declared)


def test_default_path(monkeypatch, folder):
    monkeypatch.chdir(folder)
    monkeypatch.delenv("SCRIM_VAULT", raising=False)
    with scrim.init() as vault:
        assert vault.path == os.path.join(os.getcwd(), "scrim.vault")
    monkeypatch.setenv("SCRIM_VAULT", str(folder / "other.vault"))
    with pytest.raises(scrim.LedgerError):
        scrim.open()


INTERRUPTED = """
import scrim, sys
vault = scrim.open(sys.argv[1])
print("ready", flush=True)
try:
    vault.query("big", "SELECT COUNT(*) AS n, AVG(x) AS a", epsilon=1, workers=1)
except KeyboardInterrupt as error:
    print(type(error).__name__, error, flush=True)
    again = vault.query("big", "SELECT COUNT(*) AS n, AVG(x) AS a", epsilon=1)
    print("again", again.release, vault.budget("big")[0]["spent"], flush=True)
"""


def test_ctrl_c_ends_a_query_and_its_charge_stays(vault, folder):
    path = folder / "big.csv"
    path.write_text("who,x\n" + "".join(f"p{i},{i % 100}\n" for i in range(200_000)) * 12)
    vault.add("big", path, unit="who", columns={"x": "int[0,99]"}, bounds={"max_groups": 1, "max_rows": 12}, budget=9)
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(scrim.__file__))}
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, vault.path], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert child.stdout.readline() == "ready\n"
    while vault.ledger("big") == []:
        time.sleep(0.002)
    child.send_signal(signal.SIGINT)
    first, second = child.communicate(timeout=120)[0].splitlines()
    assert child.returncode == 0
    assert first.startswith("QueryInterrupted interrupted: release 1 is charged and has no answer")
    assert second == "again 1 1"


@pytest.mark.parametrize("method", ["mst", "aim", "mwem", "body"])
def test_ctrl_c_ends_what_is_drawn_in_rounds_A102(vault, folder, method):
    path = folder / "wide.csv"
    path.write_text("a,b,c,d\n" + "".join(f"{i % 16},{i * 3 % 16},{i * 5 % 16},{i * 7 % 16}\n" for i in range(500)))
    columns = {name: "int[0,15]" for name in "abcd"}
    vault.add("wide", path, unit="row", columns=columns, budget="epsilon=9,delta=1e-5")

    def stop(done, total):
        if 2 * done > total:
            os.kill(os.getpid(), signal.SIGINT)

    def release(progress=None):
        if method == "body":
            return vault.body("wide", ["a", "b"], epsilon=1, direction_count=32, progress=progress)
        delta = None if method == "mwem" else "1e-6"
        return vault.synth("wide", method=method, epsilon=1, delta=delta, progress=progress)

    with pytest.raises(scrim.QueryInterrupted, match="interrupted: release 1 is charged and has no answer"):
        release(stop)
    assert release().release == 1
    assert vault.budget("wide")[0]["spent"] == 1


def test_a_backup_over_the_vault_is_refused_A108(tmp_path, monkeypatch):
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    path, backup = tmp_path / "scrim.vault", tmp_path / "backup"
    with scrim.init(path) as vault:
        backup.write_bytes(path.read_bytes())
        vault.add("people", unit="row", account={"neighbours": "add-remove"}, budget="epsilon=1")
    assert len(list((state / "scrim").iterdir())) == 1
    path.write_bytes(backup.read_bytes())
    for options in ({}, {"moved": True}):
        with pytest.raises(scrim.LedgerError, match=r"put back .* scrim\.open\(PATH, restored=True\)"):
            scrim.open(path, **options)
    scrim.open(path, restored=True).close()
    scrim.open(path).close()
    for number, (witness, files) in enumerate(((False, 1), (None, 1), (tmp_path / "named", 1), (True, 2))):
        scrim.init(tmp_path / f"vault-{number}", witness=witness).close()
        assert len(list((state / "scrim").iterdir())) == files
    assert (tmp_path / "named").exists()


def test_without_the_interpreters_lock_the_import_is_refused():
    """Handles rely on the lock; threads without it could free a vault that another one reads."""
    for is_on, code in ((True, 0), (False, 1)):
        program = f"import sys; sys._is_gil_enabled = lambda: {is_on}; import scrim"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == code and ("run Python without PYTHON_GIL=0" in done.stderr) == (not is_on)


def test_owners_see_who_can_be_told_apart(vault, folder):
    """The numbers of `scrim dataset check --risk` in tests/cli/dataset_check.sh, from files and from frames."""
    rows = [(1, 30, "F", "cook"), (1, 31, "F", "cook"), (2, 30, "M", "cook"), (3, 30, "M", "nurse"), (4, 40, "F", "nurse"), (5, 40, "F", "nurse")]
    names = ["person_id", "age", "sex", "job"]
    declared = {"unit": "person_id", "bounds": {"max_total_rows": 2}, "columns": {"age": "int[0,120]", "sex": "text", "job": "text"}, "budget": 1}
    (folder / "town.csv").write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")
    with sqlite3.connect(folder / "town.db") as connection:
        connection.execute(f"CREATE TABLE town ({', '.join(names)})")
        connection.executemany("INSERT INTO town VALUES (?, ?, ?, ?)", rows)
    connection.close()
    vault.add("csv", folder / "town.csv", **declared)
    vault.add("sqlite", folder / "town.db", format={"table": "town"}, **declared)
    frame = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    vault.add("live", live=True, **declared)
    seen = [vault[name].risk(["age", "sex"], sensitive="job") for name in ("csv", "sqlite")] + [vault.risk("live", "age,sex", sensitive="job", data=frame)]
    for risk in seen:
        assert (risk.people, risk.rows, len(risk)) == (5, 6, 2) and "SENSITIVE" in str(risk) and "cook" not in str(risk)
        assert risk.sets[1] == {"columns": ["age", "sex"], "unique": 1, "k": 1, "classes": 4, "l": 1, "t": 0.5, "certain": 3}
    alone = vault["csv"].risk()
    assert alone.sets[2]["unique"] == 3 and alone.sets[2]["l"] is None and list(alone.to_dict()) == ["columns", "unique", "k", "classes"]
    with pytest.raises(scrim.ParameterError, match="no column 'sx'"):
        vault["csv"].risk("age,sx")
    with pytest.raises(scrim.InputError, match="live"):
        vault["live"].risk()
    assert vault.ledger() == []
