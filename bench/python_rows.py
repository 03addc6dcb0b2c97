#!/usr/bin/env python3
"""Measures the Python package beside the program and beside SQL, in one run.

usage: bench/python_rows.py FOLDER [ROWS]

FOLDER is a build folder with python/ and the program; ROWS is 10^7 unless given. Rows are made here, in a folder that is removed again.
Each number is the median of 5 turns, in seconds of the clock, and of the processor in all threads and started programs. The ratios are
what counts; where the machine is busy with other work, those of the processor say more. Writes bench/python_rows.json, and the table of
docs/python-rivals.md.
"""

import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import doc_table
import scrim

ROOT = pathlib.Path(__file__).resolve().parent.parent
TURNS = 5
RATIOS = (
    ("arrow", "csv", 0.9, "a query on an Arrow table, to the program's on the CSV of the same rows"),
    ("compared", "csv", 2.5, "the same without `version=`: scrim compares the rows with those it knows first"),
    ("duckdb", "sql", 0.35, "a query on a DuckDB relation over Parquet, to the same bounding as SQL in DuckDB"),
    ("sample", "sample_c", 1.1, "draws into a numpy array, to those of the program in binary"),
)
SQL = "SELECT city, COUNT(*) AS n, SUM(age) AS total GROUP BY city"
CITIES = 50
DRAWS = 20_000_000
POLICY = {"unit": "person", "bounds": {"max_groups": 2, "max_rows": 3}, "format": {"max_size": "1GiB"}}
# At most 3 rows of a person in a group, and 2 groups, chosen by a hash; then sums of clamped values.
PUSHED = """
WITH ranked AS (
  SELECT person, city, least(greatest(age, 0), 120) AS age,
         row_number() OVER (PARTITION BY person, city ORDER BY hash(file_row_number, 7)) AS place,
         hash(person, city, 7) AS key
  FROM read_parquet($path, file_row_number = true)),
few AS (SELECT *, dense_rank() OVER (PARTITION BY person ORDER BY key) AS number FROM ranked WHERE place <= 3)
SELECT city, count(*), sum(age) FROM few WHERE number <= 2 GROUP BY city
"""


def processor_seconds():
    times = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in times)


def seconds(call):
    """Of the clock, and of the processor."""
    start, used = time.perf_counter(), processor_seconds()
    call()
    return time.perf_counter() - start, processor_seconds() - used


def medians(*calls):
    """Of each, in turns, so that what else the machine does meets all of them: two lists, as seconds has them."""
    times = [[seconds(call) for call in calls] for _ in range(TURNS)]
    return [[statistics.median(turn[i][kind] for turn in times) for i in range(len(calls))] for kind in (0, 1)]


def make(rows, folder):
    rng = np.random.default_rng(1)
    table = pa.table({
        "person": rng.integers(0, rows // 4, rows),
        "age": rng.integers(0, 130, rows),
        "city": pa.DictionaryArray.from_arrays(
            rng.integers(0, CITIES, rows).astype(np.int32), pa.array([f"city{i}" for i in range(CITIES)])
        ),
    })  # fmt: skip
    pa.csv.write_csv(table.cast(pa.schema([("person", pa.int64()), ("age", pa.int64()), ("city", pa.string())])),
                     folder / "rows.csv", pa.csv.WriteOptions(quoting_style="needed"))  # fmt: skip
    pa.parquet.write_table(table, folder / "rows.parquet")
    return table


def ratio_lines(results):
    lines = [f"| {results['rows']:,} rows | of the clock | of the processor | at most |", "|---|---:|---:|---|"]
    for own, other, most, words in RATIOS:
        clock, processor = (results[kind][own] / results[kind][other] for kind in ("seconds", "processor_seconds"))
        lines.append(f"| {words} | {clock:.2f} | {processor:.2f} | {most}: {'met' if processor <= most else 'MISSED'} |")
    return lines


def main(build, rows=10_000_000):
    build, rows = pathlib.Path(build).resolve(), int(float(rows))
    with tempfile.TemporaryDirectory(dir=build) as place:
        folder = pathlib.Path(place)
        table = make(rows, folder)
        vault = scrim.init(folder / "scrim.vault", witness=False)
        columns = {"age": "int[0,120]", "city": "text"}
        keys = {"city": [f"city{i}" for i in range(CITIES)]}
        options = {**POLICY, "columns": columns, "keys": keys, "budget": 10**6}
        vault.add("file", folder / "rows.csv", **options)
        vault.add("live", live=True, **options)
        # Another epsilon each time: the same question, and a view of its answer, would be free.
        epsilons = (f"1.{turn:06}" for turn in range(10**6))

        def by_program():
            words = ["query", "file", SQL, "--epsilon", next(epsilons), "--quiet", "--vault", vault.path]
            subprocess.run([build / "scrim", *words], check=True, stdout=subprocess.DEVNULL)

        def by_arrow():
            vault.query("live", SQL, epsilon=next(epsilons), data=table, version="now")

        def by_compared():
            vault.query("live", SQL, epsilon=next(epsilons), data=table)

        def by_relation():
            vault.query("live", SQL, epsilon=next(epsilons), data=duckdb.read_parquet(str(folder / "rows.parquet")))

        def by_sql():
            duckdb.connect().sql(PUSHED, params={"path": str(folder / "rows.parquet")}).fetchall()

        noise = scrim.Distribution("discrete-laplace", scale=10)
        out = np.empty(DRAWS, dtype=np.int64)

        def by_numpy():
            noise.sample(DRAWS, out)

        def by_c():
            subprocess.run([build / "scrim", "sample", "discrete-laplace", "scale=10", "-n", str(DRAWS), "--binary"],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip

        by_arrow(), by_relation(), by_program()
        clock, processor = medians(by_program, by_arrow, by_compared, by_relation, by_sql, by_numpy, by_c)
    names = ("csv", "arrow", "compared", "duckdb", "sql", "sample", "sample_c")
    results = {"rows": rows, "processors": os.cpu_count()}
    for kind, found in (("seconds", clock), ("processor_seconds", processor)):
        results[kind] = {name: round(value, 3) for name, value in zip(names, found)}
    (ROOT / "bench/python_rows.json").write_text(json.dumps(results, indent=1) + "\n", encoding="ascii")
    lines = ratio_lines(results)
    print("\n".join(lines))
    doc_table.replace(ROOT / "docs/python-rivals.md", "ratios", lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
