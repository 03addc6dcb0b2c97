"""The pages about Python show what works."""

import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

FENCE = re.compile(r"^```python\n(.*?)^```$", re.S | re.M)


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
    run(code, "docs/examples/adult.ipynb")


def test_the_reference_is_that_of_the_docstrings():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/python_reference", "--check"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
