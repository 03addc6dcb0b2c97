"""Runs the commands of the papers' statements, and compares with the lines that the rows show.

usage: papers.py PROGRAM FOLDER

Writes a line for each command: ok or not ok, and its statements. The commands of one document run one after another in a folder
of their own, since some of them share names of files; the documents run side by side.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import zlib


# tests/cli/attack.sh runs them too.
SLOW = ("scrim attack k-anonymity", "scrim attack reconstruct")
# Commands with one of these compute for long: the short tier runs one of four. Which ones depends on the rows, so that a
# change of any row also changes them.
DEAR = ("scrim audit ", "scrim attack ", "scrim compose ", "scrim experiment ", "scrim errata 100")
ONE_OF = 4


def commands_of(rows):
    """Each command once, with the rows that it belongs to; slow ones in the long tier alone."""
    found = {}
    for row in rows:
        if row["command"]:
            found.setdefault(row["command"], []).append(row)
    if os.environ.get("LONG") == "yes":
        return found.items()
    first = zlib.crc32("\n".join(found).encode())
    dear = [command for command in found if any(word in command for word in DEAR) and not command.startswith(SLOW)]
    chosen = {command for index, command in enumerate(dear) if (index + first) % ONE_OF == 0}
    return [(command, group) for command, group in found.items() if command in chosen or not any(word in command for word in DEAR)]


def fault_of(rows, status, printed):
    for row in rows:
        if not any(row["prints"] in line for line in printed.split("\n")):
            return f"{row['place']} prints {row['prints']!r}, and the command printed:\n{printed}"
        # A refusal is what some rows show; every other command must succeed.
        if status != 0 and not row["prints"].startswith("scrim "):
            return f"status {status}:\n{printed}"
    return None


def run_document(program, folder, document, rows):
    place = os.path.join(folder, document)
    os.mkdir(place)
    for name in ("people-60.json", "people-90.json"):
        os.symlink(os.path.abspath(f"docs/examples/{name}"), os.path.join(place, name))
    surroundings = dict(os.environ, PATH=os.path.dirname(program) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8", COLUMNS="80")
    lines = []
    for command, group in commands_of(rows):
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=place,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        fault = fault_of(group, done.returncode, done.stdout.decode("utf-8", "replace"))
        names = ", ".join(row["place"] for row in group)
        lines.append(f"ok\t{document} {names}" if fault is None else f"not ok\t{document} {names}: $ {command}\n# " + fault.replace("\n", "\n# "))
    return lines


def main(program, folder):
    program = os.path.abspath(program)
    listed = json.loads(subprocess.check_output([program, "list", "papers", "--json"]))["rows"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = []
        for document in listed:
            number = document["document"]
            rows = json.loads(subprocess.check_output([program, "list", "papers", number, "--json"]))["rows"]
            assert len(rows) == document["statements"], number
            runs.append(pool.submit(run_document, program, folder, number, rows))
        for run in runs:
            print("\n".join(run.result()))


main(*sys.argv[1:])
