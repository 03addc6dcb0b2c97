#!/usr/bin/env python3
"""Synthetic rows of the Adult table by scrim and by others, from PyPI, with one measure of error.

14 columns with public cuts, 32561 rows, epsilon 1, delta 1e-9; MWEM has five of the columns, as it keeps every
possible row. The error is the mean total variation between data and rows over all pairs of columns, and over all
triples. Everybody gets the same codes, a number for each category, and rows are compared as codes.

Each run is a process of its own, on one core and with one thread. Its seconds are those of the processor, from the
codes to the rows: what a library imports is not counted, what scrim's program reads and writes is. A run that needs
more than --limit seconds of the processor is stopped. Nobody takes a seed for the noise: each run draws anew.

Writes bench/synth_rivals.json and the tables of docs/synthetic-rivals.md. With --only, the other rows stay.

usage: bench/synth_rivals.py [--limit SECONDS] [--clock SECONDS] [--runs N] [--only NAME] [--page] [OUTPUT]
"""

import argparse
import importlib
import itertools
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import doc_table
import rival_run
import rival_venv
from rival_venv import ROOT

PROGRAM = ROOT / "build/release/scrim"
DATA = ROOT / "data/adult.csv"
EPSILON, DELTA = 1, 1e-9
RHO = 0.014973  # of epsilon 1 and delta 1e-9
RIVAL_RUNS, LONG = 3, 90  # a rival that takes longer than so many seconds has one run
CUTS = {"age": (17, 5, 15), "fnlwgt": (0, 99000, 15), "education_num": (1, 1, 16), "capital_gain": (0, 6667, 15),
        "capital_loss": (0, 300, 15), "hours_per_week": (1, 7, 15)}
WORDS = ["workclass", "marital_status", "occupation", "relationship", "race", "sex", "native_country", "salary"]
FIVE = ["education_num", "marital_status", "relationship", "sex", "salary"]
ALL = list(CUTS) + WORDS


def read_table(path):
    import pandas
    return pandas.read_csv(path, keep_default_na=False, na_values=[""])


def code(table, keys, names):
    """Codes of the categories; a missing value is one category more."""
    import numpy
    coded = {}
    for name in names:
        if name in CUTS:
            first, width, bins = CUTS[name]
            values = ((table[name] - first) // width).clip(0, bins - 1).fillna(bins)
        else:
            places = {key: place for place, key in enumerate(keys[name])}
            values = table[name].map(places).fillna(len(places))
        coded[name] = values.astype(numpy.int64).to_numpy()
    return coded


def sizes_of(keys, names):
    return {name: CUTS[name][2] if name in CUTS else len(keys[name]) for name in names}


def error(truth, rows, keys, names, ways):
    """The mean total variation over all sets of so many columns, the same for everybody."""
    import numpy
    sizes = sizes_of(keys, names)
    found = []
    for chosen in itertools.combinations(names, ways):
        shape = [sizes[name] + 1 for name in chosen]
        counts = []
        for table in (truth, rows):
            cells = numpy.ravel_multi_index([table[name] for name in chosen], shape)
            count = numpy.bincount(cells, minlength=int(numpy.prod(shape)))
            counts.append(count / count.sum())
        found.append(abs(counts[0] - counts[1]).sum() / 2)
    return float(numpy.mean(found))


# Each takes codes and their sizes, draws rows, and gives a function that returns them as codes.


def scrim(method):
    def run(coded, sizes, names, keys, folder):
        def call(*words):
            subprocess.run([PROGRAM, *words, "--quiet"], check=True, cwd=folder)
        columns = []
        for name in names:
            if name in CUTS:
                first, width, bins = CUTS[name]
                columns += ["--column", f"{name}=int[{first},{first + width * bins - 1}]"]
            else:
                pathlib.Path(folder, name).write_text("\n".join(keys[name]) + "\n", encoding="ascii")
                columns += ["--column", f"{name}=text", "--keys", f"{name}=@{name}"]
        cuts = [word for name in names if name in CUTS
                for word in ("--cut", name + "=" + ":".join(map(str, CUTS[name])))]
        call("init", "--no-witness")
        call("dataset", "add", "adult", "--csv", DATA, "--unit", "person_id", "--rows-per-unit", "1", *columns,
             "--budget", "epsilon=1,delta=1e-9")
        call("synth", "adult", "--method", method, "--epsilon", "1", "--delta", "1e-9", "--out", "rows.csv", *cuts)
        return lambda: code(read_table(f"{folder}/rows.csv"), keys, names)
    return run


def opendp(kind):
    def run(coded, sizes, names, keys, folder):
        import opendp.prelude as dp
        import polars
        from opendp.extras.mbi import AIM, MST, make_contingency_table
        from opendp.extras.polars import Bound
        dp.enable_features("contrib", "honest-but-curious")
        frame = polars.LazyFrame({name: coded[name] for name in names})
        domain = dp.lazyframe_domain([dp.series_domain(name, dp.atom_domain(T="i64")) for name in names])
        algorithm = AIM(queries=2) if kind == "aim" else MST()
        measurement, _, _ = make_contingency_table(
            domain, dp.frame_distance(dp.symmetric_distance()), dp.zero_concentrated_divergence(),
            [Bound(per_group=1)], RHO,
            keys={name: list(range(sizes[name])) for name in names}, algorithm=algorithm)
        rows = measurement(frame).synthesize()
        return lambda: {name: rows[name].to_numpy() for name in names}
    return run


def smartnoise(kind):
    def run(coded, sizes, names, keys, folder):
        import pandas
        frame = pandas.DataFrame({name: coded[name] for name in names})
        if kind == "mwem":
            from snsynth.mwem import MWEMSynthesizer
            maker = MWEMSynthesizer(EPSILON, split_factor=len(names))
        elif kind == "mst":
            from snsynth.mst import MSTSynthesizer
            maker = MSTSynthesizer(EPSILON, DELTA)
        else:
            from snsynth.aim import AIMSynthesizer
            maker = AIMSynthesizer(EPSILON, DELTA)
        maker.fit(frame, categorical_columns=list(names))
        rows = maker.sample(len(frame))
        return lambda: {name: rows[name].astype(int).to_numpy() for name in names}
    return run


def dpmm(kind):
    def run(coded, sizes, names, keys, folder):
        import pandas
        from dpmm.models.aim import AIMGM
        from dpmm.models.mst import MSTGM
        frame = pandas.DataFrame({name: coded[name] for name in names})
        maker = (AIMGM if kind == "aim" else MSTGM)(epsilon=EPSILON, delta=DELTA, domain=sizes, n_jobs=1)
        maker.fit(frame)
        rows = maker.generate(n_records=len(frame))
        return lambda: {name: rows[name].astype(int).to_numpy() for name in names}
    return run


# The home of a package, what is installed there, and what is imported before the clock starts.
HOMES = {"plain": (["pandas<3"], []),
         "opendp": (["opendp[mbi]", "pandas<3"], ["opendp.prelude", "opendp.extras.mbi", "polars", "mbi"]),
         "smartnoise": (["smartnoise-synth", "pandas<3"], ["snsynth.mwem", "snsynth.mst", "snsynth.aim", "pandas"]),
         "dpmm": (["dpmm"], ["dpmm.models.mst", "dpmm.models.aim", "pandas"])}
RUNS = {"scrim mst": (scrim("mst"), ALL, "plain", None), "scrim aim": (scrim("aim"), ALL, "plain", None),
        "scrim mwem": (scrim("mwem"), FIVE, "plain", None),
        "SmartNoise mwem": (smartnoise("mwem"), FIVE, "smartnoise", "smartnoise-synth"),
        "dpmm mst": (dpmm("mst"), ALL, "dpmm", "dpmm"),
        "SmartNoise mst": (smartnoise("mst"), ALL, "smartnoise", "smartnoise-synth"),
        "OpenDP mst": (opendp("mst"), ALL, "opendp", "opendp"),
        "OpenDP aim": (opendp("aim"), ALL, "opendp", "opendp"),
        "dpmm aim": (dpmm("aim"), ALL, "dpmm", "dpmm"),
        "SmartNoise aim": (smartnoise("aim"), ALL, "smartnoise", "smartnoise-synth")}
ABSENT = {"name": "private-pgm mst, mwem, aim", "version": "", "columns": 14,
          "reason": "not on PyPI: mbi, which is, has its inference alone; dpmm carries its mst and aim"}


def used():
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in times)


def one(name):
    """In a process of its own: prints a line of JSON."""
    make, names, home, _ = RUNS[name]
    table = read_table(DATA)
    keys = {word: sorted(table[word].unique()) for word in WORDS}
    truth = code(table, keys, names)
    for module in HOMES[home][1]:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory() as folder:
        start, clock = used(), time.monotonic()
        decode = make(truth, sizes_of(keys, names), names, keys, folder)
        seconds, wall = used() - start, time.monotonic() - clock
        rows = decode()
    print(json.dumps({"pairs": error(truth, rows, keys, names, 2), "triples": error(truth, rows, keys, names, 3),
                      "seconds": seconds, "wall": wall}))


def summary(found):
    """Mean, least and most of each number."""
    result = {}
    for key in ("pairs", "triples", "seconds", "wall"):
        values = [each[key] for each in found]
        result[key] = {"mean": round(statistics.mean(values), 4), "least": round(min(values), 4),
                       "most": round(max(values), 4)}
    return result


def measure(name, runs, limit, clock):
    """Yields what is known after each run, so that a bench that is stopped keeps it."""
    _, names, home, package = RUNS[name]
    python, reason = rival_venv.install(f"synth/{home}", HOMES[home][0])
    result = {"name": name, "version": "", "columns": len(names)}
    if python is None:
        yield {**result, "reason": f"does not install: {reason}"}
        return
    if package is not None:
        result["version"] = rival_venv.version(python, package)
    found = []
    while len(found) < (runs if package is None else RIVAL_RUNS):
        done = rival_run.run([python, __file__, "--run", name], limit, clock, one_core=True)
        reason = done.reason(limit)
        if reason is not None:
            yield {**result, "reason": reason}
            return
        found.append(json.loads(done.out.strip().splitlines()[-1]))
        print(f"{name}: run {len(found)}, pairs {found[-1]['pairs']:.4f}, {found[-1]['seconds']:.1f} s of processor time, "
              f"{found[-1]['wall']:.1f} s", flush=True)
        yield {**result, "runs": len(found), **summary(found)}
        if package is not None and found[-1]["seconds"] > LONG:
            return


def error_cell(numbers):
    if numbers["least"] == numbers["most"]:
        return f"{numbers['mean']:.4f}"
    return f"{numbers['mean']:.4f} ({numbers['least']:.4f} to {numbers['most']:.4f})"


def time_cell(numbers):
    return f"{numbers['mean']:,.0f}" if numbers["mean"] >= 10 else f"{numbers['mean']:.2f}"


def table(rows, ours):
    """Lines of Markdown; times are compared with scrim's of the same method."""
    lines = ["| | pairs | triples | processor seconds | times scrim's | seconds | runs |", "|---|---|---|---:|---:|---:|---:|"]
    for row in rows:
        who = f"{row['name']} {row['version']}".strip()
        if "reason" in row:
            lines.append(f"| {who} | {row['reason']} | | | | | |")
            continue
        base = next((each for each in ours if each["name"].split()[1] == row["name"].split()[1]), None)
        ratio = "" if base is None or row in ours else f"{row['seconds']['mean'] / base['seconds']['mean']:,.0f}"
        lines.append(f"| {who} | {error_cell(row['pairs'])} | {error_cell(row['triples'])} | {time_cell(row['seconds'])} "
                     f"| {ratio} | {time_cell(row['wall'])} | {row['runs']} |")
    return lines


def write_page(result):
    page = ROOT / "docs/synthetic-rivals.md"
    ours = [row for row in result["rows"] if row["name"].startswith("scrim") and "reason" not in row]
    for name, columns in (("all columns", 14), ("five columns", 5)):
        doc_table.replace(page, name, table([row for row in result["rows"] if row["columns"] == columns], ours))


def main():
    parser = argparse.ArgumentParser(description="synthetic rows of Adult: others beside scrim synth")
    parser.add_argument("--limit", type=float, default=1200, help="seconds of processor time of one run")
    parser.add_argument("--clock", type=float, help="seconds of the clock of one run; four times the limit unless given")
    parser.add_argument("--runs", type=int, default=10, help="runs of scrim; others have three, or one if it is long")
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--page", action="store_true", help="measure nothing; write the page again")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("output", nargs="?", default=str(ROOT / "bench/synth_rivals.json"))
    given = parser.parse_args()
    if given.run:
        one(given.run)
        return
    output = pathlib.Path(given.output)
    held = {}
    if (given.only or given.page) and output.exists():
        held = {row["name"]: row for row in json.loads(output.read_text(encoding="ascii"))["rows"]}
    held[ABSENT["name"]] = ABSENT
    for name in [] if given.page else [name for name in RUNS if given.only in name]:
        print(f"{name}: at most {given.limit:,.0f} s of processor time a run", flush=True)
        for row in measure(name, given.runs, given.limit, given.clock):
            held[name] = row
            if "reason" in row:
                print(f"{name}: {row['reason']}", flush=True)
            rows = [held[each] for each in [*RUNS, ABSENT["name"]] if each in held]
            result = {"epsilon": EPSILON, "delta": DELTA, "rows": rows}
            output.write_text(json.dumps(result, indent=1) + "\n", encoding="ascii")
    write_page(json.loads(output.read_text(encoding="ascii")))


if __name__ == "__main__":
    main()
