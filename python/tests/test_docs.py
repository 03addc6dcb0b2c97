"""The pages about Python show what works."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import LONG, ROOT

FENCE = re.compile(r"^```python\n(.*?)^```$", re.S | re.M)
SIDES = re.compile(r"^```python (\w+)\n(.*?)^```$", re.S | re.M)
OTHERS = {"opendp": "opendp", "diffprivlib": "diffprivlib scikit-learn<1.6", "dp_accounting": "dp-accounting", "smartnoise": "smartnoise-sql", "tumult": "tmlt.analytics"}


@pytest.fixture
def place(folder, monkeypatch):
    """A folder with the bundled data."""
    (folder / "adult.csv").symlink_to(ROOT / "data/adult.csv")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("SCRIM_VAULT", raising=False)
    return folder


def run(sources, name):
    """One program: what a part defines, the next may use."""
    space = {"__name__": "__main__"}
    for source in sources:
        exec(compile(source, name, "exec"), space)
    return space


def test_the_page_runs(place):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")  # pandas makes Arrow by it
    sources = FENCE.findall((ROOT / "docs/python.md").read_text())
    assert len(sources) >= 12
    run(sources, "docs/python.md")


def test_the_readme_runs(place):
    pytest.importorskip("pandas")
    run(FENCE.findall((ROOT / "python/README.md").read_text()), "python/README.md")


def test_the_notebook_runs(place):
    pytest.importorskip("pandas")
    notebook = json.loads((ROOT / "docs/examples/adult.ipynb").read_text())
    assert notebook["nbformat"] == 4 and all(set(cell) >= {"cell_type", "metadata", "source"} for cell in notebook["cells"])
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) >= 8
    first, second = (run(code, "docs/examples/adult.ipynb") for _ in range(2))
    assert second["answer"].is_repeated and second["whole"]["spent"] == first["whole"]["spent"]


def test_the_reference_is_that_of_the_docstrings():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/python_reference", "--check"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def side(name):
    """The blocks of one library, of the page for those who come from another."""
    page = (ROOT / "docs/from-opendp-tumult-smartnoise.md").read_text()
    return [source for tag, source in SIDES.findall(page) if tag == name]


def test_our_side_runs(place):
    assert {tag for tag, _ in SIDES.findall((ROOT / "docs/from-opendp-tumult-smartnoise.md").read_text())} == {
        "scrim", *OTHERS
    }
    # The sampled composition takes two seconds: make check-long.
    run([source for source in side("scrim") if LONG or "poisson" not in source], "docs/from-opendp-tumult-smartnoise.md")


@pytest.mark.skipif(not LONG, reason="installs another library: make check-long")
@pytest.mark.parametrize("name", OTHERS)
def test_their_side_runs(name, place):
    """In an environment of its own, since they contradict one another."""
    if name == "tumult" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    home = ROOT / "build/others" / name
    if not (home / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        install = [home / "bin/pip", "install", "--quiet", "--no-compile", "--retries", "0", *OTHERS[name].split()]
        if subprocess.run(install, capture_output=True).returncode != 0:
            pytest.skip(f"{OTHERS[name]} could not be installed")
        (home / "complete").touch()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment["PYSPARK_PYTHON"] = str(home / "bin/python")
    done = subprocess.run(
        [home / "bin/python", "-c", "\n".join(side(name))], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert any(character.isdigit() for character in done.stdout)
