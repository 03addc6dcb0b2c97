#!/usr/bin/env python3
"""Measures what others take to account for many releases, beside `scrim compose`.

dp_accounting and prv_accountant come from PyPI by name, into the virtual environment of
bench/rivals.py; one that does not install is left out, with a word. Ours is the whole program with
its fast-loss accountant, from its start to its exit, both bounds; theirs is the computation alone,
without Python's start and imports, and of dp_accounting the upper bound only. Processor time, the median of 3 turns; memory is the peak of the process.

dp_accounting is asked on finer and finer grids until its upper bound lies within the tolerance of
our lower one: that is equal tightness. Its lower bound is what it calls an optimistic estimate.

usage: bench/accountants.py [OUTPUT]
"""

import importlib.metadata
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import rival_venv
from rival_venv import ROOT

PROGRAM = ROOT / "build/release/scrim"
PACKAGES = ["dp-accounting", "prv-accountant"]
TURNS = 3
TOLERANCE = 1e-3
DELTA = 1e-6
GRIDS = [1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5]
SECONDS = 200
CASES = [(kind, count) for kind in ("laplace", "gaussian") for count in (10**3, 10**5)]
SCALE = 100


def google(kind, count, grid):
    from dp_accounting.pld import privacy_loss_distribution as pld

    make = pld.from_laplace_mechanism if kind == "laplace" else pld.from_gaussian_mechanism

    def epsilon(is_upper):
        loss = make(
            SCALE,
            value_discretization_interval=grid,
            pessimistic_estimate=is_upper,
            use_connect_dots=is_upper,
        )
        return loss.self_compose(count).get_epsilon_for_delta(DELTA)

    start = time.process_time()
    upper = epsilon(True)
    seconds = time.process_time() - start
    return {"upper": upper, "lower": epsilon(False), "seconds": seconds}


def microsoft(kind, count, error):
    from prv_accountant import PRVAccountant
    from prv_accountant.privacy_random_variables import GaussianMechanism, LaplaceMechanism

    start = time.process_time()
    part = LaplaceMechanism(mu=1 / SCALE) if kind == "laplace" else GaussianMechanism(SCALE)
    accountant = PRVAccountant(
        prvs=[part], max_self_compositions=[count], eps_error=error, delta_error=DELTA / 1000
    )
    lower, _, upper = accountant.compute_epsilon(delta=DELTA, num_self_compositions=[count])
    return {"upper": upper, "lower": lower, "seconds": time.process_time() - start}


RIVALS = {"dp-accounting": google, "prv-accountant": microsoft}


def child(command):
    """What it printed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            text, problem = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise RuntimeError(f"more than {SECONDS} s")
    if process.returncode != 0:
        raise RuntimeError(problem.decode().strip().splitlines()[-1])
    return json.loads(text)


def watched(command):
    """What it printed, its processor time and its peak memory in MB."""
    out, into = os.pipe()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, into, 1), (os.POSIX_SPAWN_CLOSE, out)])
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise RuntimeError("it failed")
    return json.loads(text), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def ours(kind, count):
    line = f"continuous-{kind} {'scale' if kind == 'laplace' else 'sigma'}={SCALE} x{count}"
    command = [str(PROGRAM), "compose", line, "--delta", repr(DELTA), "--json"]
    command += ["--accountant", "fast-loss", "--quiet"]
    turns = [watched(command) for _ in range(TURNS)]
    best = turns[0][0]["best"]
    return {
        "upper": float(best["upper"]),
        "lower": float(best["lower"]),
        "seconds": statistics.median(turn[1] for turn in turns),
        "megabytes": turns[0][2],
    }


def rival(package, kind, count, parameter):
    command = [sys.executable, __file__, "--one", package, kind, str(count), repr(parameter)]
    turns = [child(command) for _ in range(TURNS)]
    return turns[0] | {
        "parameter": parameter,
        "seconds": statistics.median(turn["seconds"] for turn in turns),
    }


def show(name, found):
    print(
        f"  {name:28} {found['lower']:12.6f} to {found['upper']:12.6f}"
        f"  {1000 * found['seconds']:10.1f} ms  {found['megabytes']:6.0f} MB"
    )


def measure_google(kind, count, best):
    """The coarsest grid that is as tight as ours."""
    for grid in GRIDS:
        found = rival("dp-accounting", kind, count, grid)
        if found["upper"] <= best["lower"] + TOLERANCE:
            break
    return found


def measure(output):
    results = {}
    for kind, count in CASES:
        case = f"{count} {kind}s of scale {SCALE}, delta {DELTA}"
        print(case)
        results[case] = {}
        try:
            best = ours(kind, count)
        except (OSError, RuntimeError, ValueError, KeyError) as problem:
            print(f"accountants: {PROGRAM} compose: {problem}; make it first", file=sys.stderr)
            sys.exit(1)
        show("scrim compose", best)
        results[case]["scrim"] = best
        for package in RIVALS:
            try:
                label = f"{package} {importlib.metadata.version(package)}"
                found = (
                    measure_google(kind, count, best)
                    if package == "dp-accounting"
                    else rival(package, kind, count, 0.01)
                )
            except Exception as problem:  # one that does not install or run is left out
                print(f"  {package}: left out: {problem}")
                continue
            show(f"{label}, {found['parameter']:g}", found)
            print(f"  {'':28} {found['seconds'] / best['seconds']:.1f} times as long")
            results[case][label] = found
    output.write_text(json.dumps(results, indent=1) + "\n")


def one(package, kind, count, parameter):
    import resource

    found = RIVALS[package](kind, int(count), float(parameter))
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({key: float(value) for key, value in found.items()}))


def main():
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:])
        return
    output = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/accountants.json")
    rival_venv.enter(__file__, PACKAGES, [str(output.resolve())])
    measure(output)


if __name__ == "__main__":
    main()
