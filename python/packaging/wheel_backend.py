"""Makes the wheel and the source package (PEP 517), with nothing but Python and make.

The extension module is built by the Makefile, for the limited API: one wheel serves Python 3.11 and all later ones. Python 3.9 and
3.10, whose limited API has no buffers, and builds without the interpreter's lock have a wheel each. `make wheel` also puts the
shared libraries into it (repair_wheel.py); `make wheel-portable` builds all of it for older systems (portable_wheel.py).
"""

import base64
import hashlib
import io
import os
import pathlib
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a build needs, and the tests of the package.
SOURCES = ["LICENSE", "Makefile", "README.md", "abi", "include", "pyproject.toml", "python", "src", "tools"]
CLASSIFIERS = [
    "Development Status :: 4 - Beta",
    "Intended Audience :: Developers",
    "Intended Audience :: Information Technology",
    "Intended Audience :: Science/Research",
    "License :: OSI Approved :: Apache Software License",
    "Operating System :: POSIX :: Linux",
    "Programming Language :: C",
    *(f"Programming Language :: Python :: 3.{minor}" for minor in range(9, 15)),
    "Programming Language :: Python :: Implementation :: CPython",
    "Topic :: Database",
    "Topic :: Scientific/Engineering :: Information Analysis",
    "Topic :: Security :: Cryptography",
    "Typing :: Typed",
]
MOMENT = (1980, 1, 1, 0, 0, 0)  # of every file, so that equal contents are equal bytes


def version():
    """That of the library."""
    for line in (ROOT / "include/scrim/status.h").read_text().splitlines():
        if line.startswith("#define SCRIM_VERSION "):
            return line.split('"')[1]
    raise RuntimeError("include/scrim/status.h has no version")


def metadata():
    """The core metadata; the description is a page for people who look for such a package."""
    head = [
        ("Metadata-Version", "2.1"),
        ("Name", "scrim"),
        ("Version", version()),
        ("Summary", "Differential privacy for tables: exact noise, a durable budget, and a label for every answer"),
        ("Keywords", "differential privacy,privacy,statistics,SQL,synthetic data,local differential privacy,pandas,polars"),
        ("License", "Apache-2.0"),
        ("Requires-Python", ">=3.9"),
        *(("Classifier", line) for line in CLASSIFIERS),
        ("Description-Content-Type", "text/markdown"),
    ]
    lines = "".join(f"{name}: {value}\n" for name, value in head)
    return lines + "\n" + (ROOT / "python/packaging/description.md").read_text()


def abi_tag():
    """cp311-abi3, one module for this Python and all later ones; or that of this one Python alone."""
    number = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return f"{number}-{number}t"
    return f"{number}-{number}" if sys.version_info < (3, 11) else "cp311-abi3"


def tag():
    """That, and the platform."""
    return f"{abi_tag()}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def build_package():
    """Has the Makefile build the package; returns its folder."""
    jobs = str(os.cpu_count() or 1)
    subprocess.run(
        ["make", "--no-print-directory", f"-j{jobs}", "BUILD=release", f"PYTHON={sys.executable}", "python"],
        cwd=ROOT,
        check=True,
        stdout=sys.stderr,
    )
    return ROOT / "build/release/python/scrim"


class Wheel:
    """A wheel that is being written, with the list of its files."""

    def __init__(self, path):
        self._file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, MOMENT)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._file.writestr(entry, content, compresslevel=9)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self, record):
        entry = zipfile.ZipInfo(record, MOMENT)
        entry.external_attr = 0o100644 << 16
        self._file.writestr(entry, "".join(self._record) + f"{record},,\n")
        self._file.close()


def stripped(path):
    """The module without the tables of debuggers."""
    out = path.with_suffix(".stripped")
    subprocess.run(["strip", "--strip-unneeded", "-o", out, path], check=True)
    content = out.read_bytes()
    out.unlink()
    return content


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = build_package()
    return write_wheel(wheel_directory, stripped(package / "_native.abi3.so"), tag())


def write_wheel(wheel_directory, module, of):
    """Writes a wheel with this module, and this tag; returns its name."""
    info = f"scrim-{version()}.dist-info"
    name = f"scrim-{version()}-{of}.whl"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    for path in sorted((ROOT / "python/scrim").iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            wheel.add(f"scrim/{path.name}", path.read_bytes())
    wheel.add("scrim/_native.abi3.so" if "abi3" in of else "scrim/_native.so", module, 0o755)
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(
        f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: scrim\nRoot-Is-Purelib: false\nTag: {of}\n".encode()
    )
    wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(f"{info}/RECORD")
    return name


def source_files():
    """The files of SOURCES: those that git knows, or all where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z", *SOURCES], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in listed.stdout.decode().split("\0") if name)
    found = []
    for source in SOURCES:
        path = ROOT / source
        found += [path] if path.is_file() else [child for child in path.rglob("*") if child.is_file()]
    return sorted(str(path.relative_to(ROOT)) for path in found if "__pycache__" not in path.parts)


def build_sdist(sdist_directory, config_settings=None):
    base = f"scrim-{version()}"
    name = f"{base}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:

        def add(path, content, mode):
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))

        add("PKG-INFO", metadata().encode(), 0o644)
        for path in source_files():
            add(path, (ROOT / path).read_bytes(), 0o755 if os.access(ROOT / path, os.X_OK) else 0o644)
    return name
