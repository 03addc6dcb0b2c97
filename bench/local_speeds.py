#!/usr/bin/env python3
"""Measures reports of devices and estimates of the server, ours beside pure-ldp and multi-freq-ldpy, in one run.

Both come from PyPI by name, into the virtual environment of bench/rival_venv.py; one that does not install is left
out, with a word. Ours are the library's functions, measured by build/release/bench. Theirs are their own functions,
called once a report as their documentation does; what numba compiles is compiled before the clock starts. Processor
time of one core, the median of 3 turns; reports a second. Epsilon is 2. Decoding is from reports to estimates of all values.

Noise of both is drawn from doubles, by generators that are not for secrets; ours is exact, from AES. The RAPPOR of
pure-ldp 1.2.0 never clears a bit, and is not private.

usage: bench/local_speeds.py [OUTPUT]
"""

import importlib.metadata
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import rival_venv
from rival_venv import ROOT

PACKAGES = ["pure-ldp", "scikit-learn", "statsmodels", "pandas<3", "numpy<2", "xxhash<3", "multi-freq-ldpy"]
TURNS = 3
SECONDS = 0.5
EPSILON = 2
VALUES = 1024
OURS = [
    ("projective geometry, 1,024 values", "encode", "device projective-geometry, 1,024 values, epsilon 2"),
    ("projective geometry, 22,000 values", "encode", "device projective-geometry, 22,000 values, epsilon 5"),
    ("projective geometry, 22,000 values", "decode", "decode 1e7 reports, projective geometry, 22,000 values"),
    ("optimised unary, 1,024 values", "encode", "device optimised-unary, 1,024 values"),
    ("optimised unary, 1,024 values", "decode", "decode 20,000 reports, optimised unary, 1,024 values"),
    ("local hashing, 1,024 values", "encode", "device local-hashing, 1,024 values"),
    ("local hashing, 1,024 values", "decode", "decode 1e6 reports, local hashing, 1,024 values"),
    ("RAPPOR, 128 bits, 2 hashes", "encode", "device rappor, 128 bits, 2 hashes, one-time"),
    ("randomised response, two values", "encode", "device randomised-response, two values"),
    ("randomised response, two values", "decode", "decode 1e6 reports, randomised response, two values"),
]
REPORTS = {"1e7": 10**7, "1e6": 10**6, "20,000": 20000}


def rate(encode, reports=None):
    """Calls of encode a second; with reports, these by the seconds of one call."""
    rates = []
    encode(0)
    for _ in range(TURNS):
        calls, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            encode(calls)
            calls += 1
        rates.append(calls * (reports or 1) / (time.process_time() - start))
    return statistics.median(rates)


def ours():
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "speeds.json"
        filters = [word for _, _, name in OURS for word in ("--filter", name)]
        subprocess.run([ROOT / "build/release/bench", "--no-count", "--json", page, *filters],
                       check=True, stdout=subprocess.DEVNULL)
        found = {row["name"]: row for row in json.loads(page.read_text())["results"]}
    for task, step, name in OURS:
        row = found[name]
        if row["unit"] == "million_per_second":
            yield task, step, row["median"] * 1e6
        else:
            yield task, step, REPORTS[name.split()[1]] / (row["median"] / 1000)


def pure_ldp():
    from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer
    from pure_ldp.frequency_oracles.rappor import RAPPORClient, RAPPORServer
    from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

    def decoding(make, reports, values):
        def decode(_):
            server = make()
            for report in reports:
                server.aggregate(report)
            for value in range(values):
                server.estimate(value, suppress_warnings=True)
        return rate(decode, len(reports))

    for task, client, make, values, count in (
        ("optimised unary, 1,024 values", UEClient(EPSILON, VALUES, use_oue=True, index_mapper=int),
         lambda: UEServer(EPSILON, VALUES, use_oue=True, index_mapper=int), VALUES, 1000),
        ("local hashing, 1,024 values", LHClient(EPSILON, VALUES, use_olh=True, index_mapper=int),
         lambda: LHServer(EPSILON, VALUES, use_olh=True, index_mapper=int), VALUES, 200),
        ("randomised response, two values", DEClient(EPSILON, 2, index_mapper=int),
         lambda: DEServer(EPSILON, 2, index_mapper=int), 2, 1000),
    ):
        yield task, "encode", rate(lambda i: client.privatise(i % values))
        reports = [client.privatise(i % values) for i in range(count)]
        yield task, "decode", decoding(make, reports, values)
    server = RAPPORServer(0.5, 128, 2, 100, num_of_cohorts=64, index_mapper=int)
    client = RAPPORClient(0.5, 128, server.get_hash_funcs(), num_of_cohorts=64, index_mapper=int)
    yield "RAPPOR, 128 bits, 2 hashes", "encode", rate(lambda i: client.privatise(i % 100))


def multi_freq():
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client

    for task, encode, decode, values, count in (
        ("optimised unary, 1,024 values", lambda v: UE_Client(v, VALUES, EPSILON, True),
         lambda reports: UE_Aggregator_MI(reports, EPSILON, True), VALUES, 1000),
        ("local hashing, 1,024 values", lambda v: LH_Client(v, VALUES, EPSILON, True),
         lambda reports: LH_Aggregator_MI(reports, VALUES, EPSILON, True), VALUES, 200),
        ("randomised response, two values", lambda v: GRR_Client(v, 2, EPSILON),
         lambda reports: GRR_Aggregator_MI(reports, 2, EPSILON), 2, 1000),
    ):
        yield task, "encode", rate(lambda i: encode(i % values))
        reports = [encode(i % values) for i in range(count)]
        yield task, "decode", rate(lambda _: decode(reports), count)


def digits(number):
    """Three of them."""
    return 0 if number == 0 else round(number, 2 - int(math.floor(math.log10(abs(number)))))


def shown(number):
    return "" if number is None else f"{number:,.0f}"


def main():
    rival_venv.enter(os.path.abspath(__file__), PACKAGES, sys.argv[1:])
    output = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "bench/local_speeds.json")
    columns, rows = ["scrim"], {(task, step): {} for task, step, _ in OURS}
    for task, step, speed in ours():
        rows[task, step]["scrim"] = digits(speed)
    for package, measure in (("pure-ldp", pure_ldp), ("multi-freq-ldpy", multi_freq)):
        try:
            name = f"{package} {importlib.metadata.version(package)}"
            for task, step, speed in measure():
                rows[task, step][name] = digits(speed)
            columns.append(name)
        except ImportError as missing:
            print(f"{package} does not install here: {missing}", file=sys.stderr)
    print(f"{'reports a second, epsilon 2':45}" + "".join(f"{name:>22}" for name in columns))
    for (task, step), speeds in rows.items():
        print(f"{step + ', ' + task:45}" + "".join(f"{shown(speeds.get(name)):>22}" for name in columns))
    with open(output, "w", encoding="ascii") as out:
        json.dump({"unit": "reports per second", "epsilon": EPSILON,
                   "rows": [{"task": task, "step": step, **speeds} for (task, step), speeds in rows.items()]},
                  out, indent=1)
        out.write("\n")


main()
