"""Every command that a message, a note or a page of help can print, as it stands in the sources.

    hints.py SCRIM FOLDER...

Finds 'scrim ...' in the texts of C files, and "example: scrim ..." in usages. The command, its subcommand and each of its options
must be known. One without a place for a name is run, where it only shows something. Prints TAP.
"""

import pathlib
import re
import shlex
import subprocess
import sys

SCRIM, FOLDERS = sys.argv[1], sys.argv[2:]
# Commands that only show something, whatever is behind them.
SHOWING = {"help", "list", "errata", "--version", "compose", "calibrate", "audit", "sample", "distance"}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def texts(path):
    """The texts of a C file: literals that stand behind each other are one."""
    source = re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S)
    source = re.sub(r'"\s*(?:PRI\w+|SC_PROGRAM)\s*"', "N", source)
    found, last = "", 0
    for match in STRING.finditer(source):
        if source[last : match.start()].strip() and found:
            yield found
            found = ""
        found += match[1].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
        last = match.end()
    yield found


def hints(text):
    for match in re.finditer(r"'(scrim [a-z-][^']*)'", text):
        yield " ".join(match[1].split())
    for match in re.finditer(r"^(?:example: |next: )(scrim [a-z].*(?:\\\n.*)*)", text, re.M):
        yield " ".join(match[1].replace("\\\n", " ").split())


helps = {}


def help_of(*words):
    if words not in helps:
        ran = subprocess.run([SCRIM, "help", *words], capture_output=True, text=True)
        helps[words] = ran.stdout if ran.returncode == 0 else None
    return helps[words]


def fault(hint):
    """Why nobody can type it; None: they can."""
    try:
        words = shlex.split(re.split(r" [|>] ?| 2?>|;| &&|, (?=[a-z])", hint)[0])[1:]
    except ValueError:
        words = re.split(r"[ ]+", hint)[1:]
    if words[0].startswith("-"):
        return None if words[0] in ("--version", "--help") else f"no option {words[0]}"
    if "%" in words[0] or words[0].isupper():
        return None
    page = help_of(words[0])
    if page is None:
        return f"no command {words[0]}"
    more = ""
    if len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]) and words[0] not in ("help", "list"):
        more = help_of(words[0], words[1]) or ""
    if len(words) > 1 and "%" in words[1]:  # a subcommand that is filled in
        return None
    for word in words[1:]:
        option = re.match(r"--[a-z][a-z-]*", word)
        if option and option[0] != "--help" and option[0] not in page and option[0] not in more:
            return f"no option {option[0]}"
    return None


def is_run(words):
    return words[0] in SHOWING and not any(re.search(r"%|N\b|[A-Z]{2,}|\.\.\.", word) for word in words)


def main():
    found = {}
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(folder).rglob("*.c")):
            if path.name.endswith(("_test.c", "_bench.c")):
                continue
            for text in texts(path):
                for hint in hints(text):
                    found.setdefault(hint, path)
    number = 0
    ran = 0
    for hint, path in sorted(found.items()):
        number += 1
        wrong = fault(hint)
        words = hint.split()[1:]
        if wrong is None and "'" not in hint and '"' not in hint and is_run(words):
            ran += 1
            run = subprocess.run([SCRIM, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if run.returncode != 0 and words[0] in ("help", "list", "errata"):
                wrong = run.stderr.strip()
        print(f"{'ok' if wrong is None else 'not ok'} {number} - {hint}" + ("" if wrong is None else f"\n# {path}: {wrong}"))
    number += 1
    print(f"{'ok' if number > 150 and ran > 10 else 'not ok'} {number} - {number - 1} hints, {ran} of them run")


main()
