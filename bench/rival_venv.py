"""The virtual environment in build/rivals, where what others have written is measured."""

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
