"""The wheel in clean environments, without network; and the files from which it is made."""

import email
import os
import pathlib
import re
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

PROGRAM = ROOT / "python/packaging/try_wheel.py"


def test_metadata_and_sources():
    assert wheel_backend.version() == __import__("scrim").__version__
    assert wheel_backend.tag().startswith("cp311-abi3-linux_")
    head = email.message_from_string(wheel_backend.metadata())
    named = sorted(line.rsplit(".", 1)[1] for line in head.get_all("Classifier") if re.search(r":: 3\.\d", line))
    assert head["Requires-Python"] == ">=3.9" and named == ["10", "11", "12", "13", "14", "9"]
    assert "CONTRIBUTING" not in head.get_payload() and "scrim.open" in head.get_payload()
    files = wheel_backend.source_files()
    for needed in ("Makefile", "include/scrim.h", "python/native/native.h", "abi/libscrim.map", "tools/testing_sources"):
        assert needed in files
    assert not any(name.startswith(("data/", "build/")) for name in files)


@pytest.mark.skipif(not LONG, reason="packs all sources: make check-long")
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


PORTABLE = sorted((ROOT / "build/portable/wheels").glob("scrim-*.whl"))


@pytest.mark.skipif(not PORTABLE, reason="make wheel-portable has not run")
def test_portable_wheels_have_libraries_and_licences():
    for wheel in PORTABLE:
        assert re.search(r"-manylinux_2_28_(x86_64|aarch64)\.whl$", wheel.name) and wheel.stat().st_size < 7_000_000
        names = zipfile.ZipFile(wheel).namelist()
        carried = {name.split("/")[1].split("-")[0] for name in names if name.startswith("scrim.libs/lib")}
        assert carried == {"libcrypto", "libflint", "libgmp", "libmpfr", "libsqlite3"}
        named = {pathlib.Path(name).stem for name in names if name.endswith(".copyright")}
        assert named == {"arb", "flint", "gmp", "mpfr", "openssl", "sqlite", "zlib"}


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
        [home / "bin/python", "-I", PROGRAM], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert pathlib.Path(python).name.startswith("python3") and done.stdout.split()[0] == "3"
