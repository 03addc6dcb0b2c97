#!/usr/bin/env python3
"""Synthetic rows of the Adult table by scrim and by others, from PyPI, with one measure of error.

14 columns with public cuts, 32561 rows, epsilon 1, delta 1e-9; MWEM has five of the columns, as it keeps every
possible row. The error is the mean total variation between data and rows over all pairs of columns, and over all
triples. Everybody gets the same codes, a number for each category, and rows are compared as codes.

Each run has a process of its own and a limit of seconds, so that all of them end within ten minutes; one that does not
end is said to have been stopped. Seconds are those of the processor, in all threads, with fitting and drawing.

usage: bench/synth_rivals.py [--limit SECONDS] [--seeds N] [--only NAME] [OUTPUT]
"""

import argparse
import importlib.metadata
import itertools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import rival_venv
from rival_venv import ROOT

PROGRAM = ROOT / "build/release/scrim"
DATA = ROOT / "data/adult.csv"
EPSILON, DELTA = 1, 1e-9
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


# Each takes codes, their sizes, and gives rows of codes.


def scrim(method):
    def run(coded, sizes, names, keys):
        with tempfile.TemporaryDirectory() as folder:
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
            call("init")
            call("dataset", "add", "adult", "--csv", DATA, "--unit", "person_id", "--rows-per-unit", "1", *columns,
                 "--budget", "epsilon=1,delta=1e-9")
            call("synth", "adult", "--method", method, "--epsilon", "1", "--delta", "1e-9", "--out", "rows.csv", *cuts)
            return code(read_table(f"{folder}/rows.csv"), keys, names)
    return run


def opendp(kind):
    def run(coded, sizes, names, keys):
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
        return {name: rows[name].to_numpy() for name in names}
    return run


def smartnoise(kind):
    def run(coded, sizes, names, keys):
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
        return {name: rows[name].astype(int).to_numpy() for name in names}
    return run


RHO = 0.014973  # of epsilon 1 and delta 1e-9
RUNS = {"scrim mst": (scrim("mst"), ALL, None), "scrim aim": (scrim("aim"), ALL, None),
        "scrim mwem": (scrim("mwem"), FIVE, None),
        "opendp mst": (opendp("mst"), ALL, "opendp"), "opendp aim": (opendp("aim"), ALL, "opendp"),
        "smartnoise mst": (smartnoise("mst"), ALL, "smartnoise-synth"),
        "smartnoise aim": (smartnoise("aim"), ALL, "smartnoise-synth"),
        "smartnoise mwem": (smartnoise("mwem"), FIVE, "smartnoise-synth")}


def one(name):
    """In a process of its own: prints a line of JSON."""
    make, names, _ = RUNS[name]
    table = read_table(DATA)
    keys = {word: sorted(table[word].unique()) for word in WORDS}
    truth = code(table, keys, names)
    rows = make(truth, sizes_of(keys, names), names, keys)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"pairs": error(truth, rows, keys, names, 2), "triples": error(truth, rows, keys, names, 3),
                      "rows": len(rows[names[0]]), "columns": len(names),
                      "seconds": sum(time.ru_utime + time.ru_stime for time in used)}))


def measure(name, seeds, limit):
    package = RUNS[name][2]
    result = {"name": name, "version": "" if package is None else importlib.metadata.version(package)}
    found = []
    for _ in range(seeds if package is None else 1):
        try:
            done = subprocess.run([sys.executable, __file__, "--run", name], capture_output=True, text=True,
                                  timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return {**result, "reason": f"stopped after {limit:g} seconds"}
        if done.returncode != 0:
            lines = [line.strip() for line in done.stderr.splitlines() if len(line.strip()) > 10]
            return {**result, "reason": "failed: " + (lines[-1] if lines else "no message")[:160]}
        found.append(json.loads(done.stdout.strip().splitlines()[-1]))
    for key in ("pairs", "triples", "seconds"):
        result[key] = round(sum(each[key] for each in found) / len(found), 4)
    return {**result, "columns": found[0]["columns"], "runs": len(found)}


def show(row):
    who = f"{row['name']} {row['version']}".strip()
    if "reason" in row:
        print(f"{who:32} {row['reason']}", flush=True)
    else:
        print(f"{who:32} {row['columns']:2} columns, pairs {row['pairs']:.4f}, triples {row['triples']:.4f}, "
              f"{row['seconds']:.1f} s, runs {row['runs']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="synthetic rows of Adult: others beside scrim synth")
    parser.add_argument("--limit", type=float, default=100, help="seconds of one run")
    parser.add_argument("--seeds", type=int, default=3, help="runs of scrim; others have one")
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("output", nargs="?", default=str(ROOT / "build/synth_rivals.json"))
    given = parser.parse_args()
    if given.run:
        one(given.run)
        return
    rival_venv.enter(os.path.abspath(__file__), ["opendp[polars]", "mbi", "smartnoise-synth", "pandas<3"], sys.argv[1:],
                     home="synth")
    rows = []
    for name, (_, _, package) in RUNS.items():
        if given.only not in name:
            continue
        try:
            rows.append(measure(name, given.seeds, given.limit))
        except importlib.metadata.PackageNotFoundError:
            rows.append({"name": name, "version": "", "reason": f"{package} does not install here"})
        show(rows[-1])
    if not given.only:
        rows.append({"name": "private-pgm", "version": "",
                     "reason": "its mechanisms are not on PyPI; mbi, which is, has only the inference"})
        show(rows[-1])
    with open(given.output, "w", encoding="ascii") as out:
        json.dump({"epsilon": EPSILON, "delta": DELTA, "rows": rows}, out, indent=1)
        out.write("\n")


main()
