#!/usr/bin/env python3
"""Measures the main job as it is done elsewhere, beside scrim, in one run.

The job: a CSV file of 10^7 rows (user, key of 1,000, value with two decimals, at most 8 rows a user);
of each user a bounded number of rows counts, chosen at random: once all eight (the bound is enforced,
though no user of this file exceeds it), once a single one, which is cheaper elsewhere because it needs
no number within the user. Then the number of rows, the sum and the mean by key, with noise. pandas and diffprivlib come from PyPI into build/rivals; PostgreSQL is Debian's, in a
cluster of its own that is gone afterwards, and its time is that of the query alone, on rows that are
loaded already. Times are wall times, the median of a few turns; ratios are against scrim's.

usage: bench/pipelines.py [ROWS [OUTPUT]]
"""

import json
import os
import pathlib
import pwd
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import rival_venv
from rival_venv import ROOT

PACKAGES = ["pandas", "numpy<2", "scikit-learn<1.5", "diffprivlib"]
TURNS = 5
QUERY = "SELECT key, COUNT(*), SUM(value), AVG(value) GROUP BY key"
POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")


def wall(body, turns=TURNS):
    found = []
    for _ in range(turns):
        start = time.monotonic()
        body()
        found.append(time.monotonic() - start)
    return statistics.median(found)


def write_rows(path, rows):
    import numpy

    row = numpy.arange(rows, dtype=numpy.uint64)
    x = row.copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> numpy.uint64(shift))) * numpy.uint64(factor)
    x ^= x >> numpy.uint64(31)
    user = row * numpy.uint64(7) % numpy.uint64(rows // 8 + 1)
    key = x % numpy.uint64(1000)
    cents = (x >> numpy.uint64(20)) % numpy.uint64(10000)
    with open(path, "w", encoding="ascii") as file:
        file.write("user,key,value\n")
        for start in range(0, rows, 1 << 20):
            part = slice(start, start + (1 << 20))
            file.writelines(
                f"{u},{k},{c // 100}.{c % 100:02d}\n"
                for u, k, c in zip(user[part].tolist(), key[part].tolist(), cents[part].tolist())
            )


def scrim(folder, path, bound):
    """A fresh question each turn: the same one would be answered from the ledger."""
    name = f"rows{bound}"
    program = ROOT / "build/release/scrim"
    keys = folder / "keys.txt"
    keys.write_text("".join(f"{k}\n" for k in range(1000)))

    def run(*words):
        subprocess.run([program, *words, "--quiet"], check=True, cwd=folder, stdout=subprocess.DEVNULL)

    if not (folder / "scrim.vault").exists():
        run("init", "--no-witness")
    run("dataset", "add", name, "--csv", str(path), "--unit", "user", "--column", "key=text",
        "--keys", "key=@keys.txt", "--column", "value=decimal[0,100]", "--budget", "epsilon=1000",
        "--max-groups", str(bound), "--max-rows", "1", "--max-size", "1GiB")
    turn = iter(range(1, 1000))
    return wall(lambda: run("query", name, QUERY, "--epsilon", f"1.{next(turn):03d}"))


def pandas_pipeline(path, bound):
    import diffprivlib
    import pandas

    def body():
        table = pandas.read_csv(path).sample(frac=1)
        if bound == 1:
            table = table.drop_duplicates("user")
        else:
            table = table[table.groupby("user").cumcount() < bound]
        groups = table.groupby("key")["value"].agg(["count", "sum"])
        noise = diffprivlib.mechanisms.Laplace(epsilon=0.5, sensitivity=100 * bound)
        count = diffprivlib.mechanisms.GeometricTruncated(
            epsilon=0.5, sensitivity=bound, lower=0, upper=len(table)
        )
        groups["count"] = [count.randomise(int(n)) for n in groups["count"]]
        groups["sum"] = [noise.randomise(float(s)) for s in groups["sum"]]
        return groups["sum"] / groups["count"].clip(lower=1)

    return wall(body, 3)


# What is kept of each user: DISTINCT ON is the fastest for a single row.
KEPT = {
    1: 'SELECT DISTINCT ON ("user") key, value FROM t ORDER BY "user", random()',
    8: 'SELECT key, value FROM (SELECT key, value, row_number() OVER (PARTITION BY "user" '
    "ORDER BY random()) AS place FROM t) AS placed WHERE place <= 8",
}


def postgres_pipelines(folder, path):
    """As another user where this one is the superuser, whom PostgreSQL does not serve."""
    home = folder / "postgres"
    home.mkdir()
    wrapper = []
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        for place in (folder, home):
            os.chown(place, user.pw_uid, user.pw_gid)
        os.chmod(path, 0o644)
        wrapper = ["runuser", "-u", "postgres", "--"]

    def run(*words):
        return subprocess.run([*wrapper, *words], check=True, capture_output=True, text=True, cwd=home).stdout

    def ask(sql):
        return run("psql", "-h", str(home), "-d", "postgres", "-X", "-q", "-c", sql)

    run(str(POSTGRES / "initdb"), "-D", str(home / "db"), "-A", "trust")
    run(str(POSTGRES / "pg_ctl"), "-D", str(home / "db"), "-w", "-l", str(home / "log"),
        "-o", f"-c listen_addresses='' -k {home} -c shared_buffers=1GB -c work_mem=512MB -c fsync=off", "start")
    try:
        ask('CREATE TABLE t ("user" bigint, key text, value numeric(6,2))')
        ask(f"COPY t FROM '{path}' CSV HEADER")
        ask("ANALYZE t")
        return {bound: wall(lambda: ask(
            f"SELECT key, count(*), sum(value), avg(value) FROM ({kept}) AS kept GROUP BY key"), 3)
            for bound, kept in KEPT.items()}
    finally:
        run(str(POSTGRES / "pg_ctl"), "-D", str(home / "db"), "-m", "immediate", "stop")


def measure(rows, output):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scrim-pipelines."))
    try:
        path = folder / "rows.csv"
        write_rows(path, rows)
        lines = wall(lambda: subprocess.run(["wc", "-l", path], check=True, capture_output=True))
        found = {bound: {"wc -l": lines, "scrim query": scrim(folder, path, bound)} for bound in KEPT}
        try:
            for bound in KEPT:
                found[bound]["pandas with diffprivlib"] = pandas_pipeline(path, bound)
            for bound, seconds in postgres_pipelines(folder, path).items():
                found[bound]["PostgreSQL 15, loaded rows, no noise"] = seconds
        except Exception as problem:  # one that does not install or run is left out
            print(f"pipelines: {problem}", file=sys.stderr)
        show(found)
        output.write_text(json.dumps({"rows": rows, "seconds by rows kept of a user": {
            bound: {name: round(seconds, 3) for name, seconds in times.items()}
            for bound, times in found.items()}}, indent=1) + "\n")
    finally:
        shutil.rmtree(folder)


def show(found):
    for bound, times in found.items():
        print(f"at most {bound} row{'s' if bound > 1 else ''} of a user")
        for name, seconds in times.items():
            print(f"  {name:40} {seconds:8.3f} s  {seconds / times['scrim query']:7.2f} x scrim")


def main():
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    output = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "bench/pipelines.json").resolve()
    rival_venv.enter(__file__, PACKAGES, [str(rows), str(output)])
    measure(rows, output)


if __name__ == "__main__":
    main()
