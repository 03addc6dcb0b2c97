#!/usr/bin/env python3
"""Ten questions each about Adult and about a shop, by scrim and by others at the same guarantee: the error of their answers.

usage: bench/question_rivals.py FOLDER [--runs N] [--seconds S] [--only NAME] [--ask TEXT] [--page] [--out FILE]

FOLDER is a build folder with python/. Pure differential privacy, epsilon 1 a question, add or remove one person: a row of Adult (data/adult.csv),
all orders of a customer of the shop (tests/scene/shop.awk). Groups are public. Contribution bounds of the shop are chosen for each library and
question: of those that it has (rows of a person; groups and rows in each; groups and a clamped sum in each) the ones with the smallest error by
the data, the same rule for all. Each library comes from PyPI by name, into an environment of its own in build/rivals; one that does not install or
does not answer is listed with its reason.

The error is the mean distance from the true value of all rows, over groups and runs. Up to --runs answers to each question are asked for, for
about --seconds. Writes bench/question_rivals.json and the tables of docs/question-rivals.md; with --only or --ask, the other results stay.
"""

import argparse
import collections
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import doc_table
import question_answers
import rival_run
import rival_venv
from rival_venv import ROOT

PACKAGES = {"OpenDP": ["opendp[polars]"], "Tumult Analytics": ["tmlt.analytics"], "SmartNoise SQL": ["smartnoise-sql", "pyarrow"],
            "PipelineDP": ["pipeline-dp", "pandas", "pyarrow"]}
VERSIONS = {"OpenDP": "opendp", "Tumult Analytics": "tmlt.analytics", "SmartNoise SQL": "smartnoise-sql", "PipelineDP": "pipeline-dp"}


def asked(data, name, what, key=None, column=None, low=0, high=0, step="1", where=None):
    return {"data": data, "name": name, "what": what, "key": key, "column": column, "low": low, "high": high, "step": step, "where": where}


AGE, HOURS = {"column": "age", "low": 0, "high": 100}, {"column": "hours_per_week", "low": 0, "high": 100}
AMOUNT = {"column": "amount", "low": 0, "high": 200, "step": "0.01"}
BESIDE = "mean age by sex, beside a count"  # and that count, which is a line of its own
QUESTIONS = [
    asked("adult", "people", "count"),
    asked("adult", "people by sex", "count", "sex"),
    asked("adult", "people by education", "count", "education"),
    asked("adult", "people above 50K by occupation", "count", "occupation", where=["salary", ">50K"]),
    asked("adult", "sum of hours", "sum", **HOURS),
    asked("adult", "sum of hours by occupation", "sum", "occupation", **HOURS),
    asked("adult", "mean age", "mean", **AGE),
    asked("adult", "mean hours by education", "mean", "education", **HOURS),
    asked("adult", BESIDE, "count+mean", "sex", **AGE),
    asked("adult", "median age", "median", **AGE),
    asked("shop", "orders", "count"),
    asked("shop", "orders by region", "count", "region"),
    asked("shop", "orders by category", "count", "category"),
    asked("shop", "orders by month", "count", "year_month"),
    asked("shop", "orders by city", "count", "city"),
    asked("shop", "revenue", "sum", **AMOUNT),
    asked("shop", "revenue by region", "sum", "region", **AMOUNT),
    asked("shop", "revenue by category", "sum", "category", **AMOUNT),
    asked("shop", "average basket by category", "mean", "category", **AMOUNT),
    asked("shop", "customers by category", "people", "category"),
]
LADDER = [1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100, 120, 150, 200, 250, 300]


def write_data(folder):
    """The CSV files, and their rows; the shop's days as months."""
    made = {}
    shop = subprocess.run(["awk", "-f", ROOT / "tests/scene/shop.awk"], check=True, capture_output=True, text=True).stdout
    for data, text in (("adult", (ROOT / "data/adult.csv").read_text(encoding="utf-8")), ("shop", shop)):
        rows = list(csv.DictReader(text.splitlines()))
        if data == "shop":
            rows = [{**row, "year_month": row["day"][:7]} for row in rows]
        with open(folder / f"{data}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        made[data] = rows
    return made


class People:
    """Rows, and what they add, of each person in each group of a question: a line a pair of both."""

    def __init__(self, question, rows):
        import numpy

        self.numpy = numpy
        unit, key, column = question_answers.UNIT[question["data"]], question["key"], question["column"]
        pairs, self.values = collections.defaultdict(lambda: [0, 0.0]), collections.defaultdict(list)
        for row in rows:
            if question["where"] and row[question["where"][0]] != question["where"][1]:
                continue
            pair = pairs[row[unit], row[key] if key else "all"]
            pair[0] += 1
            if column:
                value = min(max(float(row[column]), question["low"]), question["high"])
                pair[1] += value
                self.values[row[key] if key else "all"].append(value)
        who, place = (numpy.unique([pair[i] for pair in pairs], return_inverse=True) for i in (0, 1))
        self.groups, self.place = list(place[0]), place[1]
        self.rows, self.sums = (numpy.array([pair[i] for pair in pairs.values()], dtype=float) for i in (0, 1))
        self.in_all = numpy.bincount(who[1], self.rows)[who[1]]  # rows of the person
        self.in_groups = numpy.bincount(who[1])[who[1]]

    def by_group(self, numbers):
        return self.numpy.bincount(self.place, numbers)

    def numbers(self, what):
        return {"sum": self.sums, "people": self.numpy.ones_like(self.rows)}.get(what, self.rows)

    def truth(self, what):
        if what in ("mean", "median"):
            return {group: (statistics.fmean if what == "mean" else statistics.median_low)(self.values[group]) for group in self.groups}
        return dict(zip(self.groups, map(float, self.by_group(self.numbers(what)))))

    def kept(self, bounds, what):
        """What bounds keep of each group on average."""
        minimum, numbers = self.numpy.minimum, self.numbers(what)
        if "groups" not in bounds:
            return self.by_group(numbers * minimum(1, bounds["rows"] / self.in_all))
        if "total" in bounds:
            numbers = minimum(numbers, bounds["total"])
        elif what != "people":
            numbers = numbers * minimum(1, bounds["rows"] / self.rows)
        return self.by_group(numbers * minimum(1, bounds["groups"] / self.in_groups))

    def error(self, bounds, what, high):
        """The mean error of a group: what bounds leave out, and Laplace noise."""
        numpy = self.numpy
        rows = bounds.get("groups", 1) * bounds.get("rows", 1)
        if what == "mean":
            kept, there = self.kept(bounds, "count"), self.by_group(self.rows)
            spread = numpy.array([statistics.pvariance(self.values[group]) for group in self.groups])
            return float(numpy.sqrt(spread * (1 - kept / there) / kept + 2 * (rows * high / kept) ** 2).mean())
        scale = bounds["groups"] * bounds["total"] if "total" in bounds else rows * (high if what == "sum" else 1)
        lost = numpy.abs(self.by_group(self.numbers(what)) - self.kept(bounds, what))
        return float((lost + scale * numpy.exp(-lost / scale)).mean())


def candidates(question, styles):
    groups = len(question["values"] or [1])
    most = [n for n in LADDER if n < groups] + [groups]
    if question["what"] == "people":
        return [{"groups": n, "rows": 1} for n in most]
    has_rows = "rows" in styles or ("rows of counts" in styles and question["what"] == "count")
    found = [{"rows": n} for n in LADDER] if has_rows else []
    if "pair" in styles and (question["key"] or not found):
        found += [{"groups": g, "rows": r} for g in most for r in LADDER if r <= 150]
    if "total" in styles and question["what"] == "sum":
        found += [{"groups": g, "total": 100 * n} for g in most for n in LADDER]
    return found


def choose(question, people, styles, held):
    """The bounds with the smallest error; those of one style are tried once for all libraries."""
    best = None
    for bounds in candidates(question, styles):
        place = json.dumps([question["name"], bounds])
        if place not in held:
            held[place] = people.error(bounds, question["what"], question["high"])
        if best is None or held[place] < held[json.dumps([question["name"], best])]:
            best = bounds
    return best


def measure(name, build, folder, questions, runs, seconds):
    """For each question of a library its answers, or a reason."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    if name == "scrim":
        python, reason = pathlib.Path(sys.executable), None
        variables["PYTHONPATH"] = str(build / "python")
    else:
        python, reason = rival_venv.install(f"python/{name.split()[0].lower()}", PACKAGES[name])
    if python is None:
        return name, [f"does not install: {reason}"] * len(questions)
    variables["PYSPARK_PYTHON"] = str(python)
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    limit, clock = 3600, 1100
    done = rival_run.run([python, ROOT / "bench/question_answers.py", name, folder, str(runs), str(seconds)], limit, clock, folder=folder,
                         variables=variables)
    answers = [[] for _ in questions]
    for line in done.out.splitlines():
        if line.startswith("["):
            number, answer = json.loads(line)
            answers[number] = answer if isinstance(answer, str) else [*answers[number], answer]
    reason = done.reason(limit) or "no answer"
    version = f" {rival_venv.version(python, VERSIONS[name])}" if name in VERSIONS else ""
    return name + version, [found or reason for found in answers]


def rate(truth, answers, which):
    """The mean error of one number of the answers, and its standard error; a group that is missing counts as 0."""
    errors = [statistics.fmean(abs(answer.get(group, [0, 0])[which] - value) for group, value in truth.items()) for answer in answers]
    deviation = statistics.stdev(errors) / math.sqrt(len(errors)) if len(errors) > 1 else math.inf
    return {"error": errors and statistics.fmean(errors), "deviation": deviation, "runs": len(errors)}


def show_bounds(bounds):
    if not bounds:
        return ""
    if "total" in bounds:
        return f"{bounds['groups']} x {bounds['total']}"
    return f"{bounds['groups']} x {bounds['rows']} rows" if "groups" in bounds else f"{bounds['rows']} rows"


def digits(x):
    return f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def wobble(question, own, other):
    """How far the mean error of other's runs may be from the one that it would have after many: its standard error, if it had own's noise.

    The size of Laplace noise has a standard deviation that is its mean, so that an error tells how much the mean of a few runs may
    vary; the spread of a handful of runs would not.
    """
    return own["error"] / math.sqrt(other["runs"] * question["groups"])


def shown_wobble(question, result):
    """Two standard errors: of the runs where there are many, else what the noise alone explains, if that is more."""
    few = 0 if result["runs"] >= 30 else wobble(question, result, result)
    return 2 * max(few, result["deviation"])


def is_beaten(question, name):
    """Another one's error is smaller by more than chance explains: by two standard errors, if it had the same noise."""
    own = question["results"][name]
    return any("error" in other and own["error"] - other["error"] > 2 * math.hypot(own["deviation"], wobble(question, own, other))
               for other in question["results"].values())


def table(held, data):
    names = [name for name in question_answers.LIBRARIES if name in held["names"]]
    lines = ["| question | true value | " + " | ".join(held["names"][name] for name in names) + " |", "|---|---:" + "|---:" * len(names) + "|"]
    notes = []
    for question in held["questions"]:
        if question["data"] != data:
            continue
        cells = []
        for name in names:
            result = question["results"].get(name, {"reason": "not measured"})
            if "reason" in result:
                notes = notes if result["reason"] in notes else [*notes, result["reason"]]
                cells.append(f"none ({notes.index(result['reason']) + 1})")
                continue
            bounds = show_bounds(result["bounds"])
            text = f"{digits(result['error'])} ± {digits(shown_wobble(question, result))}"
            cells.append((text if is_beaten(question, name) else f"**{text}**") + (f"<br>{bounds}" if bounds else ""))
        lines.append(f"| {question['name']} | {digits(question['mean'])} | " + " | ".join(cells) + " |")
    return lines, [f"({number + 1}) {reason}" for number, reason in enumerate(notes)]


def standing(held):
    """A line a library: the questions that it has answered, those with an error that none is below by more than chance explains, and runs."""
    lines = ["| library | questions answered | of these, no error is smaller | answers to a question |", "|---|---:|---:|---:|"]
    for name in [name for name in question_answers.LIBRARIES if name in held["names"]]:
        own = [question for question in held["questions"] if "error" in question["results"].get(name, {})]
        runs = [question["results"][name]["runs"] for question in own]
        best = sum(not is_beaten(question, name) for question in own)
        lines.append(f"| {held['names'][name]} | {len(own)} | {best} | {min(runs, default=0)} to {max(runs, default=0)} |")
    return lines


def write_pages(held):
    page = ROOT / "docs/question-rivals.md"
    doc_table.replace(page, "standing", standing(held))
    for data in question_answers.UNIT:
        lines, notes = table(held, data)
        doc_table.replace(page, data, lines)
        doc_table.replace(page, f"{data}, without an answer", ["| | |", "|---|---|"] + [f"| {note.replace(') ', ') | ', 1)} |" for note in notes])


def main():
    parser = argparse.ArgumentParser(description="ten questions about two tables: others beside scrim")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30, help="for one question of one library")
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--ask", default="", help="questions that hold this text")
    parser.add_argument("--page", action="store_true", help="measure nothing; write the page again")
    parser.add_argument("--out", dest="output", type=pathlib.Path, default=ROOT / "bench/question_rivals.json")
    given = parser.parse_args()
    if not given.page:
        run(given)
    held = read(given.output)
    if given.output == ROOT / "bench/question_rivals.json":
        write_pages(held)


def read(path):
    return json.loads(path.read_text(encoding="ascii")) if path.exists() else {"names": {}, "questions": [
        {"data": q["data"], "name": name, "results": {}} for q in QUESTIONS for name in [q["name"]] + ["that count"] * (q["name"] == BESIDE)]}


def keep(given, name, full, rated):
    """Puts the results of a library beside those of others, which may have been written meanwhile."""
    held = read(given.output)
    held["names"][name] = full
    for question in held["questions"]:
        if (question["data"], question["name"]) in rated:
            mean, groups, result = rated[question["data"], question["name"]]
            question.update(mean=mean, groups=groups)
            question["results"][name] = result
    given.output.write_text(json.dumps(held, indent=1) + "\n", encoding="ascii")


def run(given):
    questions = [dict(question) for question in QUESTIONS if given.ask in question["name"]]
    with tempfile.TemporaryDirectory(dir=given.build) as place:
        folder = pathlib.Path(place).resolve()
        rows, people, tried = write_data(folder), [], {}
        for question in questions:
            key = question["key"]
            question["values"] = sorted({row[key] for row in rows[question["data"]]}) if key else None
            people.append(People(question, rows[question["data"]]))
        for name, library in question_answers.LIBRARIES.items():
            if given.only not in name:
                continue
            for question, own in zip(questions, people):
                question["bounds"] = choose(question, own, library.STYLES, tried) if question["data"] == "shop" else {}
            full, answers = measure(name, given.build.resolve(), folder, questions, given.runs, given.seconds)
            rated = {}
            for question, own, found in zip(questions, people, answers):
                parts = question["what"].split("+")
                for number, part in enumerate(parts):
                    line = question["name"] if part == parts[-1] else "that count"
                    truth = own.truth(part)
                    result = {"reason": found} if isinstance(found, str) else {**rate(truth, found, number), "bounds": question["bounds"]}
                    rated[question["data"], line] = (statistics.fmean(truth.values()), len(truth), result)
                    print(f"{full}: {line}: {result}", flush=True)
            keep(given, name, full, rated)


if __name__ == "__main__":
    main()
