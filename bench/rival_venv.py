"""Virtual environments in build/rivals, where what others have written is measured."""

import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "build/rivals"


def enter(script, packages, arguments, home=""):
    """Returns inside alone: from outside, the script is started again there with arguments.

    The environment is made where it is missing, and the packages come from PyPI by name; one that
    does not install is the script's to leave out. home is for packages that need one of their own.
    """
    place = HOME / home
    if pathlib.Path(sys.prefix) == place:
        return
    python = place / "bin/python"
    if not python.exists():
        venv.create(place, with_pip=True)
    for package in packages:
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=False)
    os.execv(python, [python, script, *arguments])


def install(home, packages):
    """The interpreter of an environment that holds the packages, and None; or None, and why they do not install."""
    place = HOME / home
    python, held = place / "bin/python", place / "packages"
    if held.exists() and held.read_text(encoding="ascii").split() == list(packages):
        return python, None
    venv.create(place, with_pip=True)
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-compile", *packages], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        return None, " ".join((lines[-1] if lines else "pip failed").split())[:160]
    held.write_text("\n".join(packages) + "\n", encoding="ascii")
    return python, None


def version(python, package):
    """The version of a package in the environment of an interpreter."""
    program = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return subprocess.run([python, "-c", program, package], capture_output=True, text=True, check=True).stdout.strip()
