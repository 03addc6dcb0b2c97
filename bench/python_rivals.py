#!/usr/bin/env python3
"""The same job by scrim and by others, each in a process of its own: time, memory, error, lines of code.

usage: bench/python_rivals.py FOLDER [--rows N,...] [--limit SECONDS] [--only NAME] [--page] [--out FILE]

FOLDER is a build folder with python/. The job: a Parquet file with one row a person, a group of ten, and a number from 0 to 100; count
and sum of each group, groups public, at epsilon 1. It is done with 10^6 and with 10^7 rows. Each library comes from PyPI by name, into a
virtual environment of its own in build/rivals; one that does not install or does not end with an answer is listed with its reason. A turn
that needs more than --limit seconds of the processor is stopped. Times are medians of 3 turns, or of one where it takes over 30 seconds,
of the whole process with its imports; errors are means over all groups and turns. Spark's Java counts too, in time and memory.

Writes bench/python_rivals.json and the tables of docs/python-rivals.md. With --only or --rows, the other rows stay.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import sys
import tempfile

import doc_table
import rival_run
import rival_venv
from rival_venv import ROOT

TURNS, LONG = 3, 30
GROUPS = 10

# Name: packages, and the program. It finds rows.parquet, and leaves (group, count, sum) in `answer`.
JOBS = {
    "scrim": ([], """
import scrim
vault = scrim.init("bench.vault", witness=False)
vault.add("t", "rows.parquet", unit="person", bounds={"rows_per_unit": 1}, budget=1,
          columns={"g": "int[0,9]", "v": "int[0,100]"})
result = vault.query("t", "SELECT g, COUNT(*) AS n, SUM(v) AS s GROUP BY g", epsilon=1)
answer = [(row["g"], row["n"].value, row["s"].value) for row in result if row["g"] is not None]
"""),
    "OpenDP with polars": (["opendp[polars]"], """
import opendp.prelude as dp
import polars as pl
dp.enable_features("contrib")
context = dp.Context.compositor(
    data=pl.scan_parquet("rows.parquet"), privacy_unit=dp.unit_of(contributions=1),
    privacy_loss=dp.loss_of(epsilon=1.0), split_evenly_over=1,
    margins=[dp.polars.Margin(by=["g"], invariant="keys", max_length=2**31, max_groups=10)])
query = context.query().group_by("g").agg(dp.len().alias("n"), pl.col("v").fill_null(0).dp.sum((0, 100)).alias("s"))
answer = query.release().collect().select("g", "n", "s").rows()
"""),
    "diffprivlib": (["diffprivlib", "pandas", "pyarrow"], """
import diffprivlib
import numpy as np
import pandas as pd
frame = pd.read_parquet("rows.parquet")
counts, _ = diffprivlib.tools.histogram(frame["g"].to_numpy(), epsilon=0.5, bins=np.arange(11), range=(0, 10))
sums = [diffprivlib.tools.sum(frame["v"][frame["g"] == group].to_numpy(), epsilon=0.5, bounds=(0, 100)) for group in range(10)]
answer = [(group, counts[group], sums[group]) for group in range(10)]
"""),
    "SmartNoise SQL": (["smartnoise-sql", "pyarrow"], """
import pandas as pd
import snsql
frame = pd.read_parquet("rows.parquet")
columns = {"person": {"type": "int", "private_id": True}, "g": {"type": "int"},
           "v": {"type": "int", "lower": 0, "upper": 100}}
metadata = {"": {"db": {"t": {"max_ids": 1, "censor_dims": False, "rows": len(frame), **columns}}}}
privacy = snsql.Privacy(epsilon=0.5, delta=1e-9)
reader = snsql.from_df(frame, privacy=privacy, metadata=metadata)
answer = reader.execute("SELECT g, COUNT(*) AS n, SUM(v) AS s FROM db.t GROUP BY g")[1:]
"""),
    "PipelineDP": (["pipeline-dp", "pandas", "pyarrow"], """
import pandas as pd
import pipeline_dp
frame = pd.read_parquet("rows.parquet")
accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=1, total_delta=0)
engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
params = pipeline_dp.AggregateParams(
    metrics=[pipeline_dp.Metrics.COUNT, pipeline_dp.Metrics.SUM], noise_kind=pipeline_dp.NoiseKind.LAPLACE,
    max_partitions_contributed=1, max_contributions_per_partition=1, min_value=0, max_value=100)
extractors = pipeline_dp.DataExtractors(
    privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1], value_extractor=lambda row: row[2])
released = engine.aggregate(frame.itertuples(index=False, name=None), params, extractors, public_partitions=list(range(10)))
accountant.compute_budgets()
answer = [(group, metrics.count, metrics.sum) for group, metrics in released]
"""),
    "Tumult Analytics": (["tmlt.analytics"], """
from pyspark.sql import SparkSession
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session
spark = SparkSession.builder.getOrCreate()
session = Session.from_dataframe(PureDPBudget(1), "t", spark.read.parquet("rows.parquet"), protected_change=AddOneRow())
keys = KeySet.from_dict({"g": list(range(10))})
n = session.evaluate(QueryBuilder("t").groupby(keys).count(), PureDPBudget(0.5)).collect()
s = session.evaluate(QueryBuilder("t").groupby(keys).sum("v", low=0, high=100), PureDPBudget(0.5)).collect()
sums = {row["g"]: row["v_sum"] for row in s}
answer = [(row["g"], row["count"], sums[row["g"]]) for row in n]
"""),
}  # fmt: skip
PACKAGES = {"OpenDP with polars": "opendp", "diffprivlib": "diffprivlib", "SmartNoise SQL": "smartnoise-sql", "PipelineDP": "pipeline-dp",
            "Tumult Analytics": "tmlt.analytics"}  # fmt: skip
TAIL = """
import json
print(json.dumps([[float(x) for x in row] for row in answer]))
"""


def turn(python, program, folder, variables, limit):
    """One run, and its answer; or why there is none."""
    for path in folder.glob("bench.vault*"):
        path.unlink()
    done = rival_run.run([python, "-c", program + TAIL], limit, folder=folder, variables=variables)
    reason = done.reason(limit)
    return done, [] if reason else json.loads(done.out.splitlines()[-1]), reason


def measure(name, build, folder, truth, limit):
    packages, program = JOBS[name]
    lines = len(program.strip().splitlines())
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    if name == "scrim":
        python, reason = pathlib.Path(sys.executable), None
        variables["PYTHONPATH"] = str(build / "python")
    else:
        python, reason = rival_venv.install(f"python/{name.split()[0].lower()}", packages)
    if python is None:
        return {"name": name, "lines": lines, "reason": f"does not install: {reason}"}
    version = f" {rival_venv.version(python, PACKAGES[name])}" if name in PACKAGES else ""
    result = {"name": name + version, "lines": lines}
    variables["PYSPARK_PYTHON"] = str(python)  # workers of Spark have the same packages
    turns = []
    while len(turns) < TURNS:
        done, answer, reason = turn(python, program, folder, variables, limit)
        if reason:
            return {**result, "reason": reason}
        turns.append((done, answer))
        print(f"{name}: turn {len(turns)}, {done.wall:.1f} s, {done.processor:.1f} s of processor time, "
              f"{done.megabytes:,.0f} MB", flush=True)
        if done.processor > LONG:
            break
    rows = [row for _, answer in turns for row in answer]
    return {
        **result,
        "turns": len(turns),
        "seconds": round(statistics.median(done.wall for done, _ in turns), 2),
        "processor_seconds": round(statistics.median(done.processor for done, _ in turns), 2),
        "megabytes": round(max(done.megabytes for done, _ in turns)),
        "count_error": round(statistics.mean(abs(count - truth[int(group)][0]) for group, count, _ in rows), 2),
        "sum_error": round(statistics.mean(abs(total - truth[int(group)][1]) for group, _, total in rows), 1),
    }  # fmt: skip


def make(rows, folder):
    """Writes the file, and gives the true count and sum of each group."""
    import numpy
    import pyarrow
    from pyarrow import parquet

    rng = numpy.random.default_rng(1)
    groups, values = rng.integers(0, GROUPS, rows), rng.integers(0, 101, rows)
    parquet.write_table(pyarrow.table({"person": numpy.arange(rows), "g": groups, "v": values}), folder / "rows.parquet")
    counts, sums = numpy.bincount(groups, minlength=GROUPS), numpy.bincount(groups, weights=values, minlength=GROUPS)
    return {group: (int(counts[group]), int(sums[group])) for group in range(GROUPS)}


def seconds(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


def table(results):
    lines = [
        "| | seconds | processor seconds | MB | error of a count | error of a sum | lines | turns |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for result in results:
        if "reason" in result:
            lines.append(f"| {result['name']} | {result['reason']} | | | | | {result['lines']} | |")
            continue
        lines.append(
            f"| {result['name']} | {seconds(result['seconds'])} | {seconds(result['processor_seconds'])} | {result['megabytes']:,} "
            f"| {result['count_error']:.1f} | {result['sum_error']:.0f} | {result['lines']} | {result['turns']} |"
        )
    return lines


def main():
    parser = argparse.ArgumentParser(description="counts and sums of ten groups: others beside scrim")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", default="1e6,1e7", help="numbers of rows, with commas")
    parser.add_argument("--limit", type=float, default=900, help="seconds of processor time of one turn")
    parser.add_argument("--only", default="", help="names that hold this text")
    parser.add_argument("--page", action="store_true", help="measure nothing; write the page again")
    parser.add_argument("--out", dest="output", type=pathlib.Path, default=ROOT / "bench/python_rivals.json")
    given = parser.parse_args()
    held = json.loads(given.output.read_text(encoding="ascii")) if given.output.exists() else {}
    for rows in [] if given.page else [int(float(word)) for word in given.rows.split(",")]:
        with tempfile.TemporaryDirectory(dir=given.build) as place:
            truth = make(rows, pathlib.Path(place))
            for name in [name for name in JOBS if given.only in name]:
                print(f"{name}: {rows:,} rows, at most {given.limit:,.0f} s of processor time a turn", flush=True)
                found = measure(name, given.build.resolve(), pathlib.Path(place), truth, given.limit)
                if "reason" in found:
                    print(f"{name}: {found['reason']}", flush=True)
                held.setdefault(str(rows), {})[name] = found
                given.output.write_text(json.dumps(held, indent=1) + "\n", encoding="ascii")
    for rows, results in held.items():
        doc_table.replace(ROOT / "docs/python-rivals.md", f"{int(rows):,} rows", table([results[name] for name in JOBS if name in results]))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
