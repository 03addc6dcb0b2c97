"""SQLite sources are read by another process, so that the caller's own SQLite keeps its locks."""

import sqlite3
import subprocess
import sys

import pytest

import scrim


@pytest.fixture
def database(folder):
    path = folder / "people.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE people (who TEXT, age INTEGER)")
        connection.executemany("INSERT INTO people VALUES (?, ?)", [(f"p{i}", i % 90) for i in range(500)])
    connection.close()
    return path


def declare(vault, database):
    vault.add(
        "people", database, format={"table": "people"}, unit="who", columns={"age": "int[0,120]"}, bounds={"rows_per_unit": 1}, budget=9
    )


def is_locked(path):
    """Whether another process can write."""
    program = (
        "import sqlite3, sys\n"
        "try:\n sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')\n"
        "except sqlite3.OperationalError as error:\n sys.exit(str(error))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
    return "locked" in done.stderr


def test_queries_of_a_database(vault, database):
    declare(vault, database)
    result = vault.query("people", "SELECT COUNT(*) AS n, AVG(age) AS a", epsilon=2)
    assert abs(result.rows[0]["n"].value - 500) < 60
    assert vault.query("people", "SELECT COUNT(*) AS n, AVG(age) AS a", epsilon=2).is_repeated
    batch = vault.batch("people", ["SELECT COUNT(*)", "SELECT SUM(age)"], epsilon=2)
    assert len(batch) == 2 and vault.ledger("people")[0]["time"].year >= 2026
    with pytest.raises(scrim.ParameterError, match="did you mean age") as caught:
        vault.query("people", "SELECT AVG(agee)", epsilon=1)
    assert "^^" in caught.value.caret
    with pytest.raises(scrim.InputError):
        vault.add("none", database, format={"table": "nobody"}, unit="row", columns={"age": "int[0,120]"}, budget=1)


def test_the_callers_lock_stays(vault, database):
    declare(vault, database)
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("SELECT COUNT(*) FROM people").fetchone()
    assert is_locked(database)
    vault.query("people", "SELECT COUNT(*)", epsilon=1)
    assert is_locked(database), "reading the source has dropped the lock of the caller's connection"
    writer.execute("ROLLBACK")
    assert not is_locked(database)
    writer.close()


def test_the_check_above_sees_a_lost_lock(database):
    """Had scrim opened the file in this process, closing it would have dropped the lock."""
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert is_locked(database)
    open(database, "rb").close()
    assert not is_locked(database)
    writer.close()


def test_a_vault_keeps_its_own_lock(vault, database):
    """Python's SQLite may look at a vault in the same process: transactions hold a lock of their own."""
    declare(vault, database)
    for _ in range(3):
        looked = sqlite3.connect(f"file:{vault.path}?mode=ro", uri=True)
        assert looked.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] > 0
        looked.close()
        vault.query("people", "SELECT COUNT(*)", epsilon=1)
    assert vault.verify()["releases"] == 1


def test_progress_comes_from_the_other_process(vault, database):
    declare(vault, database)
    heard = []
    vault.query("people", "SELECT COUNT(*)", epsilon=1, progress=lambda *told: heard.append(told))
    assert all(0 <= done <= total for done, total in heard)
