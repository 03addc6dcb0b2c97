"""What the tests share: vaults on the bundled census data, and how a run closes."""

import os
import pathlib
import shutil
import signal

import pytest

import scrim

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SCRIM_BUILD", ROOT / "build/release")).resolve()
LONG = bool(os.environ.get("LONG"))
ADULT = {
    "unit": "person_id",
    "columns": {"age": "int[0,120]", "sex": "text", "education": "text", "hours_per_week": "int[0,100]"},
    "keys": {"sex": ["Female", "Male"]},
    "bounds": {"rows_per_unit": 1},
}
BY_SEX = "SELECT sex, COUNT(*) AS n, AVG(age) AS mean_age GROUP BY sex"


@pytest.fixture(autouse=True, scope="session")
def surroundings(tmp_path_factory):
    """The same terminal, zone and home everywhere; a test that wants others sets them itself."""
    kept = dict(os.environ)
    for name in ("LANG", "LANGUAGE", "COLUMNS", "LINES", "NO_COLOR", "PAGER", "SCRIM_VAULT", "XDG_STATE_HOME"):
        os.environ.pop(name, None)
    home = str(tmp_path_factory.mktemp("home"))
    os.environ.update(LC_ALL="C.UTF-8", TERM="xterm-256color", TZ="UTC", HOME=home)
    mask = os.umask(0o022)
    yield
    os.umask(mask)
    os.environ.clear()
    os.environ.update(kept)


@pytest.fixture(autouse=True, scope="session")
def ctrl_c():
    """Ctrl-C interrupts, also in a run that a shell started in the background, where it would be ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def folder(tmp_path):
    """A folder in memory where there is one: vaults are synced often."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    import tempfile

    place = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
    yield place
    shutil.rmtree(place)


@pytest.fixture
def vault(folder):
    """A vault without datasets."""
    with scrim.init(folder / "scrim.vault") as opened:
        yield opened


@pytest.fixture
def adult(vault):
    """A vault with the census data and a budget of epsilon 10, delta 1e-4."""
    vault.add("adult", ROOT / "data/adult.csv", **ADULT, budget={"epsilon": 10, "delta": "1e-4"})
    return vault


def pytest_terminal_summary(terminalreporter):
    """The last line that tools/run_tests adds up."""
    stats = terminalreporter.stats
    counts = {
        "passed": len(stats.get("passed", [])),
        "failed": len(stats.get("failed", [])) + len(stats.get("error", [])),
        "skipped": len(stats.get("skipped", [])),
    }
    for report in stats.get("skipped", []):
        terminalreporter.write_line(f"skipped: {report.nodeid}: {report.longrepr[2]}")
    target = os.environ.get("SCRIM_PYTEST_CLOSING")
    if target:
        pathlib.Path(target).write_text(", ".join(f"{count} {word}" for word, count in counts.items()) + "\n")
