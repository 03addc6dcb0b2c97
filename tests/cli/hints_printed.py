"""Hints as they are printed, with names that a shell or a query must have in quotes: each is copied and run.

    hints_printed.py SCRIM

Works in the current folder. Prints TAP.
"""

import re
import subprocess
import sys

SCRIM = sys.argv[1]
# A word in capitals stands for something that only a person knows.
GAP = re.compile(r"\b(?:N|E|KEY|NAME|FILE|DAY|F|DATASET|RELEASE|A B)\b|\.\.\.")

ROWS = 'patients --csv rows.csv --unit "Patient No" --max-total-rows 3 --budget epsilon=9,delta=1e-5 --separator ";"'
COLUMNS = '--column "Cost EUR=decimal[0,1000]" --column Ward=text --column Smoker=bool --keys Ward=a,b'
# Each says what to type next.
ASKED = [
    "init",
    "query patients 'SELECT COUNT(*)' --epsilon 1",
    f"dataset add {ROWS} {COLUMNS}",
    "dataset check patients",
    "dataset check patients --bounds --epsilon 1 --format table",
    "dataset check patients --bounds --epsilon 1 --by Ward --format table",
    "query patients 'SELECT Ward, COUNT(*) AS n GROUP BY Ward' --epsilon 1",
    "query patients 'SELECT COUNT(*) AS n' --epsilon 50",
    "query patient 'SELECT COUNT(*) AS n' --epsilon 1",
    "query patients 'SELECT COUNT(*) AS n'",
    "suggest patients --columns 'Cost EUR' --epsilon 1",
    "series create months patients 'SELECT COUNT(*) AS n' --count 2 --epsilon 0.1",
    "series release months",
    "synth patients --method mst --epsilon 1 --delta 1e-6 --out made.csv",
    "report 99",
    "report",
    "replay 99",
    "ledger nobody",
    "list nothing",
    "help nothing",
    "qeury",
    "errata 999",
    "dataset show nobody",
    "dataset chck patients",
    "budget nobody",
]
# Questions whose refusal, or whose caution, names columns: what must be in it, and run as part of a question.
QUESTIONS = [
    ("SELECT SUM(Cost EUR)", '"Cost EUR"', "SELECT SUM({})"),
    ("SELECT SUM(\"cost eur\")", '"Cost EUR"', "SELECT SUM({})"),
    ("SELECT COUNT(\"Patient No\")", 'COUNT(DISTINCT "Patient No")', "SELECT {}"),
    ('SELECT SUM("Cost EUR") AS s', 'CLAMP("Cost EUR", 0, 100)', "SELECT SUM({})"),
]

number = 0


def tell(fine, what, why=""):
    global number
    number += 1
    print(f"{'ok' if fine else 'not ok'} {number} - {what}" + ("" if fine else f"\n# {why}"))


def run(command):
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return ran.returncode, re.sub(r"\s+", " ", ran.stdout + " " + ran.stderr)


def main():
    with open("rows.csv", "w", encoding="utf-8") as file:
        file.write("Patient No;Cost EUR;Ward;Smoker\n")
        for i in range(600):
            file.write(f"p{i % 150};{i % 1000};{'abc'[i % 3]};{['yes', 'nein'][i % 2]}\n")
    done = set()
    for command in ASKED:
        _, said = run(f"{SCRIM} {command}")
        for hint in re.findall(r"'(scrim [a-z-][^']*)'", said) + re.findall(r"next: (scrim [a-z]+ [a-z]+ [a-z]+)", said):
            if hint in done or GAP.search(hint):
                continue
            done.add(hint)
            # A command alone is named, and has a page of help.
            words = hint.split()
            status, why = run(f"{SCRIM} help {words[1]}" if len(words) == 2 else SCRIM + hint[len("scrim") :])
            # 5: a vault that is not there yet; 7: a check that does not hold.
            tell(status in (0, 5, 7), f"after '{command[:60]}': {hint}", why[:300])
    for question, hint, use in QUESTIONS:
        _, said = run(f"{SCRIM} explain patients '{question}' --epsilon 0.001")
        tell(hint in said, f"{question} names {hint}", said[:300])
        status, why = run(f"{SCRIM} explain patients '{use.format(hint)}' --epsilon 1")
        tell(status == 0, f"{use.format(hint)} can be asked", why[:300])
    tell(len(done) > 18, f"{len(done)} hints were copied")


main()
