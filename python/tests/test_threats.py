"""THREATS through Python: what is not a release says nothing of the data."""

import os
import random
import subprocess
import sys
from array import array
from decimal import Decimal

import pytest
from conftest import ADULT, BY_SEX, LONG, ROOT

import scrim

POLICY = {"unit": "who", "columns": {"k": "text", "x": "int[0,9]"}, "bounds": {"max_groups": 1, "max_rows": 2}, "budget": 1000}


def test_a54_rows_come_in_one_order(vault):
    """Public keys are all shown in their order, whatever rows there are and however they lie."""
    keys = ["c", "a", "b"]
    vault.add("t", live=True, keys={"k": keys}, **POLICY)
    rng = random.Random(5)
    shapes = set()
    for count in (0, 1, 50):
        for _ in range(3):
            data = {"who": list(range(count)), "k": [rng.choice("abcz") for _ in range(count)], "x": [1] * count}
            result = vault.query("t", "SELECT k, COUNT(*) AS n, SUM(x) AS s GROUP BY k", epsilon=1, data=data)
            shapes.add((tuple(row["k"] for row in result), tuple(column.kind for column in result.columns)))
            # Text, and 64-bit integers: types of exported columns do not depend on the rows.
            assert [kind for _, kind, _, _ in result._arrow()] == ["U", *["l"] * 6]
    assert len(shapes) == 1


def test_a54_private_keys_are_not_named(vault):
    vault.add("t", live=True, **{**POLICY, "budget": {"epsilon": 1000, "delta": "0.1"}})
    data = {"who": list(range(1000)) + ["only"], "k": ["many"] * 1000 + ["CANARY"], "x": [1] * 1001}
    for _ in range(5):
        result = vault.query("t", "SELECT k, COUNT(*) AS n GROUP BY k", epsilon=1, delta="1e-9", data=data)
        shown = repr(result.rows) + str(result) + result._repr_html_()
        assert "CANARY" not in shown and "many" in shown
    assert "CANARY" not in repr(vault.ledger())


def test_a56_errors_do_not_depend_on_rows(vault, folder):
    """The same refusals, word for word, with quiet rows and with hostile ones."""
    said = []
    for name, cell in (("quiet", "1"), ("hostile", "9e999\xff'; DROP")):
        path = folder / f"{name}.csv"
        path.write_bytes(b"who,k,x\n" + b"".join(f"p{i},a,{cell}\n".encode("latin-1") for i in range(20)))
        vault.add(name, path, keys={"k": ["a"]}, **POLICY)
        for query in ("SELECT AVG(x), 1/0", "SELECT SUM(x) / 0 AS z", "SELECT MAX(x)", "SELECT x", "SELECT SUM(x)"):
            try:
                said.append((name, len(vault.query(name, query, epsilon=1).rows)))
            except scrim.Error as error:
                said.append((name, type(error).__name__, str(error).replace(name, "NAME")))
    half = len(said) // 2
    assert [entry[1:] for entry in said[:half]] == [entry[1:] for entry in said[half:]]


def test_a57_rows_are_in_no_file(vault, folder):
    vault.add("t", live=True, keys={"k": ["a"]}, **POLICY)
    data = {"who": [f"CANARY{i}" for i in range(3000)], "k": ["a"] * 3000, "x": [1] * 3000}
    vault.query("t", "SELECT COUNT(*)", epsilon=1, data=data, memory=1 << 16)
    for path in folder.rglob("*"):
        assert path.is_dir() or b"CANARY" not in path.read_bytes(), path


def test_a58_explain_and_labels_open_no_data(vault, folder):
    path = folder / "adult.csv"
    path.write_bytes((ROOT / "data/adult.csv").read_bytes())
    vault.add("adult", path, **ADULT, budget={"epsilon": 10, "delta": "1e-4"})
    before = str(vault.explain("adult", BY_SEX, epsilon=1))
    result = vault.query("adult", BY_SEX, epsilon="0.5")
    os.remove(path)
    assert str(vault.explain("adult", BY_SEX, epsilon=1)).replace("9.5", "10").replace("8.5", "9") == before
    assert vault.replay(result.release).rows == result.rows
    assert vault.label(result.release)["release.number"] == "1"
    assert vault.query("adult", BY_SEX, epsilon="0.5").is_repeated
    with pytest.raises(scrim.InputError):
        vault.query("adult", BY_SEX, epsilon="0.25")


def test_a09_a_copy_of_the_vault_is_refused(adult, folder):
    """A snapshot that is put back would spend the budget twice."""
    copy = folder / "copy.vault"
    copy.write_bytes(open(adult.path, "rb").read())
    copy.chmod(0o600)
    with pytest.raises(scrim.LedgerError) as caught:
        scrim.open(copy)
    assert caught.value.reason == "moved" and "moved=True" in str(caught.value)


def test_a56_no_private_value_is_an_error():
    """Whatever stands between 1 and 3 is missing or beyond the range, in a list of any mixture."""
    grid = scrim.mechanism("laplace", sensitivity=1, epsilon=1000, grid="0.01", lower=0, upper=10, size=3)

    def released(data):
        return [value.text for value in grid.apply(data, scrim.Ledger(epsilon=1000))]

    for value in (float("nan"), None, Decimal("NaN"), Decimal("sNaN7"), "x", "\ud800", float("-inf"), -(10**5000)):
        assert released([1, value, 3]) == ["1", "0", "3"], type(value)
    for value in (float("inf"), Decimal("Infinity"), Decimal("1E+999999999"), 10**5000, "1e400"):
        assert released([1, value, 3]) == ["1", "10", "3"], type(value)
    assert released([1, True, 2.5]) == ["1", "1", "2.5"]
    numpy = pytest.importorskip("numpy")
    assert released(numpy.ma.array([1.0, 9.0, 3.0], mask=[False, True, False])) == ["1", "0", "3"]
    for array in (numpy.array([1, 2, 3], dtype=">i8"), numpy.array([1, 2, 3], dtype=">f8"), numpy.arange(1, 7)[::2] // 2 + 1):
        assert released(array) == ["1", "2", "3"], array.dtype


def releases(vault, name, frame):
    """Each kind of release about a file or about the same rows in a frame, by its name."""
    live = {"suggest": lambda: vault.suggest("live", "x", epsilon=1, data=frame).bounds}
    live["series"] = lambda: len(vault.series("s").answer(data=frame).rows)
    return {
        **live,
        "synth": lambda: vault.synth(name, columns="k", epsilon=1, delta="1e-6").draw(5).names,
        "body": lambda: vault.body(name, "x", epsilon=1).names,
        "check": lambda: vault.check(name).version,
    }


@pytest.mark.parametrize(
    ("rows", "cell"), [(0, "1"), (20, "9e999\xff'; DROP"), (20, "")], ids=["nobody", "hostile", "missing"]
)
def test_a55_a56_no_row_is_an_error_of_a_release(vault, folder, rows, cell):
    """Nobody is there, or only what cannot be read: every kind of release answers, and no file keeps a row (A57)."""
    path = folder / "t.csv"
    path.write_bytes(b"who,k,x\n" + b"".join(f"CANARY{i},a,{cell}\n".encode("latin-1") for i in range(rows)))
    frame = {"who": [f"CANARY{i}" for i in range(rows)], "k": ["a"] * rows, "x": [cell] * rows}
    for name, source in (("t", path), ("live", None)):
        vault.add(name, source, live=source is None, keys={"k": ["a", "b"]}, **{**POLICY, "budget": {"epsilon": 20, "delta": "1e-3"}})
    vault.create_series("s", "live", "SELECT COUNT(*) AS n, SUM(x) AS s", epsilon=1, releases=2)
    made = {kind: ask() for kind, ask in releases(vault, "t", frame).items()}
    assert (made["series"], made["synth"], made["body"]) == (1, ["who", "k"], ["x"])
    assert len(vault.ledger()) == 4
    for other in folder.rglob("*"):
        assert other == path or other.is_dir() or b"CANARY" not in other.read_bytes(), other


def test_a08_no_release_is_made_by_a_forked_child(vault, folder):
    from test_vault import _fork

    path = folder / "t.csv"
    path.write_text("who,k,x\n" + "".join(f"p{i},a,1\n" for i in range(20)))
    for name, source in (("t", path), ("live", None)):
        vault.add(name, source, live=source is None, keys={"k": ["a", "b"]}, **{**POLICY, "budget": {"epsilon": 20, "delta": "1e-3"}})
    vault.create_series("s", "live", "SELECT COUNT(*) AS n", epsilon=1, releases=2)
    for kind, ask in releases(vault, "t", {"who": ["a"], "k": ["a"], "x": [1]}).items():
        assert _fork(ask).startswith("StateError"), kind
    assert vault.ledger() == []


# Peak memory of a process of its own, in kilobytes, for frames of so many rows.
FRAMES = """
import array, resource, sys
import scrim

rows = int(sys.argv[2])
frame = {"who": array.array("q", range(1000)) * (rows // 1000 + 1), "x": array.array("b", bytes(rows))}
frame["who"] = frame["who"][:rows]
vault = scrim.open(sys.argv[1])
vault.query("live", "SELECT MEDIAN(x)", epsilon=1, data=frame, workers=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_a106_a_row_at_the_border_of_a_size_shows_in_nothing(vault):
    """Two columns of 8 bytes fill a size, and a row more. Memory is that of the declared size; a larger frame is refused."""
    size = 128 if LONG else 4  # MiB
    rows = (size << 20) // 16
    policy = {"unit": "who", "columns": {"x": "int[0,9]"}, "bounds": {"max_groups": 1, "max_rows": 1}, "budget": 100}
    vault.add("live", live=True, format={"max_size": f"{2 * size}MiB"}, account={"quantum": "0.01"}, **policy)
    peaks = [
        int(subprocess.run([sys.executable, "-c", FRAMES, vault.path, str(count)], check=True, capture_output=True).stdout)
        for count in (rows, rows + 1)
    ]
    assert abs(peaks[0] - peaks[1]) <= peaks[0] / 100, peaks
    vault.add("default", live=True, **policy)
    vault.add("small", live=True, format={"max_size": f"{size}MiB"}, **policy)
    rows = max(rows, (64 << 20) // 16)
    above = {"who": array("b", bytes(rows + 1)), "x": array("b", bytes(rows + 1))}
    charged = len(vault.ledger())
    for name, words in (("default", "larger than 64 MiB; declare its max-size: format={'max_size': '1GiB'}"), ("small", "larger than its max-size")):
        with pytest.raises(scrim.LimitError, match=words):
            vault.query(name, "SELECT COUNT(*)", epsilon=1, data=above)
        with pytest.raises(scrim.LimitError, match=words):  # by the owner's declaration, where it has a frame
            vault.add("frame", above, **{**policy, **({"format": {"max_size": f"{size}MiB"}} if name == "small" else {})})
    assert len(vault.ledger()) == charged
