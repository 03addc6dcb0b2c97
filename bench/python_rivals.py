#!/usr/bin/env python3
"""The same job by scrim and by others, each in a process of its own: time, memory, error, lines of code.

usage: bench/python_rivals.py FOLDER [ROWS] [--markdown FILE]

FOLDER is a build folder with python/; ROWS is 10^6 unless given. The job: a Parquet file with one row a person, a group of ten, and
a number from 0 to 100; count and sum of each group, groups public, at epsilon 1. Each library comes from PyPI by name, into a virtual
environment of its own in build/others; one that does not install or does not end with an answer is listed with its reason. Times are
medians of 3 turns, of the whole process and of its processor seconds; errors are means over all groups and turns.
"""

import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TURNS = 3
GROUPS = 10

# Name: packages, and the program. It finds rows.parquet, and leaves (group, count, sum) in `answer`.
JOBS = {
    "scrim": ([], """
import scrim
vault = scrim.init("bench.vault")
vault.add("t", "rows.parquet", unit="person", rows_per_unit=1, budget=1,
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
TAIL = "import json, resource\nusage = resource.getrusage(resource.RUSAGE_SELF)\nprint(json.dumps({'answer': [[float(x) for x in row] for row in answer], 'seconds': usage.ru_utime + usage.ru_stime, 'bytes': usage.ru_maxrss * 1024}))\n"


def environment(name, packages):
    """The interpreter of a library; None if it does not install."""
    home = ROOT / "build/others" / name.split()[0].lower()
    if not (home / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        install = [home / "bin/pip", "install", "--quiet", "--no-compile", *packages]
        if subprocess.run(install, capture_output=True).returncode != 0:
            return None
        (home / "complete").touch()
    return home / "bin/python"


def run(python, program, folder, variables):
    """One turn: seconds of the clock, and what the program says of itself."""
    for path in folder.glob("bench.vault*"):
        path.unlink()
    start = time.perf_counter()
    done = subprocess.run([python, "-c", program + TAIL], capture_output=True, text=True, cwd=folder, env=variables, timeout=1800)
    wall = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1][:200])
    return wall, json.loads(done.stdout.splitlines()[-1])


def measure(name, build, folder, truth):
    packages, program = JOBS[name]
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    if name == "scrim":
        python, variables["PYTHONPATH"] = pathlib.Path(sys.executable), str(build / "python")
    else:
        python = environment(name, packages)
    if python is None:
        return {"name": name, "reason": "it did not install"}
    variables["PYSPARK_PYTHON"] = str(python)  # workers of Spark have the same packages
    try:
        turns = [run(python, program, folder, variables) for _ in range(TURNS)]
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return {"name": name, "reason": str(error)}
    counts = [abs(row[1] - truth[int(row[0])][0]) for _, said in turns for row in said["answer"]]
    sums = [abs(row[2] - truth[int(row[0])][1]) for _, said in turns for row in said["answer"]]
    return {
        "name": name,
        "wall_seconds": statistics.median(wall for wall, _ in turns),
        "processor_seconds": statistics.median(said["seconds"] for _, said in turns),
        "megabytes": max(said["bytes"] for _, said in turns) / 1e6,
        "count_error": statistics.mean(counts),
        "sum_error": statistics.mean(sums),
        "lines": len(program.strip().splitlines()),
    }


def make(rows, folder):
    import pyarrow
    from pyarrow import parquet

    rng = random.Random(1)
    groups = [rng.randrange(GROUPS) for _ in range(rows)]
    values = [rng.randrange(101) for _ in range(rows)]
    parquet.write_table(pyarrow.table({"person": range(rows), "g": groups, "v": values}), folder / "rows.parquet")
    truth = {group: [0, 0] for group in range(GROUPS)}
    for group, value in zip(groups, values):
        truth[group][0] += 1
        truth[group][1] += value
    return truth


def markdown(rows, results):
    lines = [
        f"| {rows:,} rows | seconds | processor seconds | MB | error of a count | error of a sum | lines |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for result in results:
        if "reason" in result:
            lines.append(f"| {result['name']} | not measured: {result['reason']} | | | | | |")
            continue
        lines.append(
            f"| {result['name']} | {result['wall_seconds']:.2f} | {result['processor_seconds']:.2f} | {result['megabytes']:.0f} "
            f"| {result['count_error']:.1f} | {result['sum_error']:.0f} | {result['lines']} |"
        )
    return "\n".join(lines) + "\n"


def main(arguments):
    target = None
    if "--markdown" in arguments:
        place = arguments.index("--markdown")
        target = pathlib.Path(arguments[place + 1])
        del arguments[place : place + 2]
    build = pathlib.Path(arguments[0]).resolve()
    rows = int(float(arguments[1])) if len(arguments) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(dir=build) as place:
        folder = pathlib.Path(place)
        truth = make(rows, folder)
        results = [measure(name, build, folder, truth) for name in JOBS]
    table = markdown(rows, results)
    print(table)
    if target is not None:
        target.write_text(table)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main(sys.argv[1:])
