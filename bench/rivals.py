#!/usr/bin/env python3
"""Measures what others draw a second, and writes it to bench/rivals.json.

Each library comes from PyPI by name, into a virtual environment of its own that stays in
build/rivals. Speed is the median of 9 turns of processor time, one core. Libraries that are
called once a draw pay for Python at each call: what an empty call costs is taken off, and
what their binding adds to it is not, so that in C++ they may be somewhat faster.

usage: bench/rivals.py [OUTPUT]
"""

import importlib.metadata
import json
import pathlib
import statistics
import sys
import time

import rival_venv
from rival_venv import ROOT

PACKAGES = ["opendp", "python-dp"]
TURNS = 9


def seconds(body, count):
    start = time.process_time()
    body(count)
    return time.process_time() - start


def speed(body):
    """Draws a second of body(count), which makes count draws."""
    count = 1000
    while seconds(body, count) < 0.1:
        count *= 2
    return count / statistics.median(seconds(body, count) for _ in range(TURNS))


def calls(draw):
    """A body that calls draw once a draw."""

    def body(count):
        for _ in range(count):
            draw()

    return body


def speed_of_calls(draw):
    bare = 1 / speed(calls(lambda: None))
    return 1 / (1 / speed(calls(draw)) - bare)


def opendp(kind):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    make, metric = {
        "laplace": (dp.m.make_laplace, dp.l1_distance(T=int)),
        "gaussian": (dp.m.make_gaussian, dp.l2_distance(T=int)),
    }[kind]
    noise = make(dp.vector_domain(dp.atom_domain(T=int)), metric, scale=10.0)
    zeros = {}
    return speed(lambda count: noise(zeros.setdefault(count, [0] * count)))


def google(kind):
    import pydp.distributions

    if kind == "laplace":
        noise = pydp.distributions.LaplaceDistribution(epsilon=0.1, sensitivity=1.0)
        return speed_of_calls(noise.sample)
    noise = pydp.distributions.GaussianDistribution(10.0)
    return speed_of_calls(lambda: noise.sample(1.0))


RIVALS = [
    ("OpenDP", "opendp", opendp, "exact"),
    ("Google's C++ library by PyDP", "python-dp", google, "on a grid of doubles"),
]
KINDS = {
    "laplace": "discrete-laplace scale=10",
    "gaussian": "discrete-gaussian variance=100",
}


def measure(output):
    found = {}
    for kind, line in KINDS.items():
        found[line] = []
        for name, package, function, law in RIVALS:
            try:
                version = importlib.metadata.version(package)
                rate = function(kind)
            except Exception as problem:  # one that does not install or run is left out
                print(f"rivals: {name}: {problem}", file=sys.stderr)
                continue
            label = f"{name} {version}"
            print(f"{line:32} {label:40} {rate / 1e6:8.4f} M/s  ({law})")
            found[line].append({"name": label, "draws_per_second": round(rate), "law": law})
    output.write_text(json.dumps(found, indent=1) + "\n")


def main():
    output = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "bench/rivals.json")
    rival_venv.enter(__file__, PACKAGES, [str(output.resolve())])
    measure(output)


if __name__ == "__main__":
    main()
