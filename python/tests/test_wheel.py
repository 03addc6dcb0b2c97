"""The wheel in clean environments, without network; and the files from which it is made."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import LONG, ROOT

sys.path.insert(0, str(ROOT / "python/packaging"))
import wheel_backend

WHEELS = sorted((ROOT / "build/wheel").glob("scrim-*manylinux*.whl"))
# Interpreters to try, separated by blanks; by default those of these names.
PYTHONS = os.environ.get("SCRIM_PYTHONS", "python3.11 python3.12 python3.13").split()

PROGRAM = """
import sqlite3, sys, scrim
vault = scrim.init("scrim.vault")
with open("t.csv", "w") as file:
    file.write("who,x\\n" + "".join(f"p{i},{i % 10}\\n" for i in range(1000)))
options = dict(unit="who", columns={"x": "int[0,9]"}, bounds={"rows_per_unit": 1}, budget=9)
vault.add("t", "t.csv", **options)
n = vault.query("t", "SELECT COUNT(*) AS n", epsilon=1)
assert abs(n.rows[0]["n"].value - 1000) < 100 and "srcdoc" in n._repr_html_()
with sqlite3.connect("t.db") as connection:
    connection.execute("CREATE TABLE t (who, x)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(f"p{i}", i % 10) for i in range(1000)])
connection.close()
vault.add("u", "t.db", format={"table": "t"}, account={"population": "t"}, **{**options, "budget": None})
assert abs(vault.query("u", "SELECT COUNT(*) AS n", epsilon=1).rows[0]["n"].value - 1000) < 100
vault.add("live", live=True, account={"population": "t"}, **{**options, "budget": None})
pushed = {"who": [f"p{i}" for i in range(1000)], "x": [i % 10 for i in range(1000)]}
assert abs(vault.query("live", "SELECT COUNT(*) AS n", epsilon=1, data=pushed).rows[0]["n"].value - 1000) < 100
assert len(vault.synth("t", epsilon=1, method="mwem").draw(7)) == 7 and vault.body("t", "x", epsilon=1).center()
assert scrim.compose("gaussian sigma=20 x50", delta="1e-6").upper < 5
assert "site-packages" in scrim.__file__
print(*sys.version_info[:2])
"""


def test_metadata_and_sources():
    assert wheel_backend.version() == __import__("scrim").__version__
    assert wheel_backend.tag().startswith("cp311-abi3-linux_")
    files = wheel_backend.source_files()
    for needed in ("Makefile", "include/scrim.h", "python/native/native.h", "abi/libscrim.map", "tools/testing_sources"):
        assert needed in files
    assert not any(name.startswith(("data/", "build/")) for name in files)


def test_sdist(tmp_path):
    with tarfile.open(tmp_path / wheel_backend.build_sdist(tmp_path)) as archive:
        names = archive.getnames()
    base = f"scrim-{wheel_backend.version()}"
    assert f"{base}/PKG-INFO" in names and f"{base}/pyproject.toml" in names
    assert all(name.startswith(base + "/") for name in names)


@pytest.mark.skipif(not WHEELS, reason="make wheel has not run")
def test_the_wheel_has_libraries_and_licences():
    (wheel,) = WHEELS
    assert wheel.stat().st_size < 12_000_000
    names = zipfile.ZipFile(wheel).namelist()
    carried = {name.split("/")[1].split("-")[0] for name in names if name.startswith("scrim.libs/lib")}
    assert {"libcrypto", "libflint", "libgmp", "libsqlite3"} <= carried
    assert "libgf2x" not in carried  # partly under the GPL
    assert sum(name.endswith(".copyright") for name in names) >= 6
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.skipif(not LONG, reason="installing takes a while: make check-long")
@pytest.mark.skipif(not WHEELS, reason="make wheel has not run")
@pytest.mark.parametrize("python", PYTHONS, ids=os.path.basename)
def test_clean_environments(python, tmp_path):
    found = shutil.which(python)
    if found is None or subprocess.run([found, "--version"], capture_output=True).returncode != 0:
        pytest.skip(f"{python} is not installed")
    home = tmp_path / "home"
    subprocess.run([found, "-m", "venv", home], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP", "LD_"))}
    environment["PIP_NO_INDEX"] = "1"
    subprocess.run([home / "bin/pip", "install", "--quiet", WHEELS[0]], check=True, env=environment)
    done = subprocess.run(
        [home / "bin/python", "-c", PROGRAM], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert pathlib.Path(python).name.startswith("python3") and done.stdout.split()[0] == "3"
