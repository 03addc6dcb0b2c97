#!/usr/bin/env python3
"""Location errors of scrim's body, CoinPress, medians by column and the plain mean, on simulated data.

All private methods have the same epsilon, delta and neighbours (replace). Ours is `scrim body center`, the frame centre
at q = 0.6, through a vault. CoinPress and the medians are written here from their papers, in numpy: CoinPress
(Biswas, Dong, Kamath, Ullman 2020) in 5 steps with a covariance of 1, which it is told; medians by the exponential
mechanism on ranks, with concentrated composition over the columns. Packages of PRIME and of Tukey-depth mechanisms
were not found on PyPI (names tried: prime-dp, robust-dp, tukey-depth, tukeyem); they are not measured. `scrim body fit` at q = 0.9 is measured as well: how many fresh points its
body holds, and which outliers it finds.

usage: bench/body_accuracy.py [--runs N] [--program FILE] [--quick] [--page]
Writes bench/body_accuracy.json, docs/floating-body-accuracy.md and its figures.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import rival_venv
from rival_venv import ROOT

EPSILON, DELTA = 1.0, 1e-6
RHO = (math.sqrt(math.log(1 / DELTA) + EPSILON) - math.sqrt(math.log(1 / DELTA))) ** 2
BOUND = 20
FAR = 15  # where contamination is, in each column
METHODS = ("mean", "ours", "coinpress", "medians")
NAMES = {"mean": "mean, not private", "ours": "scrim body center", "coinpress": "CoinPress", "medians": "medians by column"}
COLOURS = {"mean": "#666666", "ours": "#0072b2", "coinpress": "#d55e00", "medians": "#009e73"}


def make_rows(np, draw, law, n, d, share):
    """Rows with centre 0; a share of them far out in one direction."""
    if law == "t3":
        rows = draw.standard_normal((n, d)) / np.sqrt(draw.chisquare(3, (n, 1)) / 3)
    elif law == "skewed":
        rows = draw.exponential(1, (n, d)) - 1
    elif law == "condition 100":
        spread = np.logspace(0, -1, d)
        turn = np.linalg.qr(draw.standard_normal((d, d)))[0]
        rows = (draw.standard_normal((n, d)) * spread) @ turn.T
    else:
        rows = draw.standard_normal((n, d))
    rows[: int(round(share * n))] = FAR
    return rows


def coinpress(np, draw, rows, bound):
    n, d = rows.shape

    def tail(beta):
        return math.sqrt(d + 2 * math.sqrt(d * math.log(1 / beta)) + 2 * math.log(1 / beta))

    steps = 5
    center, radius = np.zeros(d), bound * math.sqrt(d)
    for step in range(steps):
        rho = RHO * 3 / 4 if step == steps - 1 else RHO / 4 / (steps - 1)
        clip = min(radius + tail(0.01), math.sqrt(radius**2 + 6 * radius + tail(0.01) ** 2))
        moved = rows - center
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        moved = moved * np.minimum(1, clip / np.maximum(lengths, 1e-300))
        deviation = 2 * clip / n / math.sqrt(2 * rho)
        center = center + moved.mean(axis=0) + draw.normal(0, deviation, d)
        radius = math.sqrt(1 / n + deviation**2) * tail(0.01)
    return center


def medians(np, draw, rows, bound):
    n, d = rows.shape
    epsilon = max(EPSILON / d, math.sqrt(8 * RHO / d))
    found = np.empty(d)
    for j in range(d):
        x = np.concatenate(([-bound], np.sort(np.clip(rows[:, j], -bound, bound)), [bound]))
        width = np.maximum(np.diff(x), 0)
        score = np.abs(np.arange(n + 1) - n / 2)
        with np.errstate(divide="ignore"):
            weight = np.log(width) - epsilon / 2 * score
        chosen = int(np.argmax(weight + draw.gumbel(0, 1, n + 1)))
        found[j] = draw.uniform(x[chosen], x[chosen + 1])
    return found


class Vault:
    """A dataset of these rows in a vault of its own."""

    def __init__(self, np, program, rows, bound, neighbours="replace"):
        self.folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.program, self.names = program, ["x%d" % j for j in range(rows.shape[1])]
        np.savetxt(self.folder + "/rows.csv", rows, "%.5f", ",", header=",".join(self.names), comments="")
        self.say("init")
        columns = [word for name in self.names for word in ("--column", "%s=decimal[%g,%g]/2^-14" % (name, -bound, bound))]
        self.say("dataset", "add", "d", "--csv", self.folder + "/rows.csv", "--unit", "row", "--rows-per-unit", "1",
                 "--neighbours", neighbours, "--budget", "epsilon=100,delta=1e-3", *columns)

    def say(self, *words):
        place = dict(os.environ, SCRIM_VAULT=self.folder + "/vault")
        return subprocess.run([str(self.program), *words], check=True, capture_output=True, text=True, env=place).stdout

    def center(self, n):
        """4 frames with both signs; 1 for few rows, whose noise would be too large for 4."""
        d = len(self.names)
        frames = ["--directions", "frames:%d" % ((8 if n >= 2000 else 2) * d)] if d > 2 else []
        said = self.say("body", "center", "d", "--columns", ",".join(self.names), "--epsilon", str(EPSILON), "--delta",
                        "1e-6", "--expected-units", str(n), "--format", "csv", "--quiet", *frames)
        return [float(line.split(",")[1]) for line in said.splitlines()[1:]]

    def fit(self, n, q):
        path = self.folder + "/body.json"
        self.say("body", "fit", "d", "--columns", ",".join(self.names), "--epsilon", str(EPSILON), "--delta", "1e-6", "--q", q,
                 "--expected-units", str(n), "--out", path, "--quiet")
        return path

    def outside(self, np, path, points):
        np.savetxt(self.folder + "/points.csv", points, "%.5f", ",", header=",".join(self.names), comments="")
        said = self.say("body", "outliers", path, "--csv", self.folder + "/points.csv", "--format", "csv", "--quiet")
        at = said.splitlines()[0].split(",").index("outlier")
        return np.array([line.split(",")[at] == "true" for line in said.splitlines()[1:]])

    def close(self):
        shutil.rmtree(self.folder)


CELLS = (
    [("Gaussian", 10, n, 0, BOUND) for n in (500, 2000, 20000, 100000, 1000000)]
    + [("Gaussian", d, 20000, 0, BOUND) for d in (1, 2, 5, 20)]
    + [(law, 10, 20000, 0, BOUND) for law in ("t3", "skewed", "condition 100")]
    + [("Gaussian", 10, 20000, share, BOUND) for share in (0.01, 0.05, 0.1)]
    + [("Gaussian", 10, 20000, 0, bound) for bound in (10 * BOUND, 1000 * BOUND)]
)


def measure_cell(np, cell, runs, program):
    law, d, n, share, bound = cell
    errors = {method: [] for method in METHODS}
    for run in range(runs):
        draw = np.random.default_rng([25, d, n, int(1000 * share), int(bound), run, len(law)])
        rows = make_rows(np, draw, law, n, d, share)
        clamped = np.clip(rows, -bound, bound)
        vault = Vault(np, program, clamped, bound)
        found = {"mean": clamped.mean(axis=0), "ours": np.array(vault.center(n)),
                 "coinpress": coinpress(np, draw, clamped, bound), "medians": medians(np, draw, clamped, bound)}
        vault.close()
        for method in METHODS:
            errors[method].append(float(np.linalg.norm(found[method])))
    return {"law": law, "d": d, "n": n, "contamination": share, "bound": bound, "runs": runs,
            "errors": {method: {"median": float(np.median(values)), "low": float(np.quantile(values, 0.1)),
                                "high": float(np.quantile(values, 0.9))} for method, values in errors.items()}}


def measure_body(np, d, n, runs, program):
    """A body at q = 0.9 of rows of which 5 % are far out: the share of fresh honest points inside, and outliers found."""
    found = []
    for run in range(runs):
        draw = np.random.default_rng([26, d, n, run])
        vault = Vault(np, program, make_rows(np, draw, "Gaussian", n, d, 0.05), BOUND)
        path = vault.fit(n, "0.9")
        fresh, far = make_rows(np, draw, "Gaussian", 2000, d, 0), draw.normal(0, 1, (200, d)) + 4
        outside = vault.outside(np, path, np.concatenate((fresh, far)))
        vault.close()
        inside = 1 - outside[:2000].mean()
        recall = outside[2000:].mean()
        # As many outliers as 5 % of all points would be.
        false = outside[:2000].mean() * 0.95
        found.append((inside, recall, 0.05 * recall / (0.05 * recall + false) if recall > 0 else 0))
    middle = np.median(np.array(found), axis=0)
    return {"d": d, "n": n, "runs": runs, "inside": float(middle[0]), "recall": float(middle[1]), "precision": float(middle[2])}


# Pictures.

def draw_chart(path, title, x_name, xs, cells, log_x):
    """Median errors against x, one line a method, with bars from the 10th to the 90th percentile."""
    left, right, top, bottom = 70, 690, 60, 380
    values = [cell["errors"][m][k] for cell in cells for m in METHODS for k in ("low", "high")]
    low, high = math.log10(max(min(values), 1e-4)) - 0.1, math.log10(max(values)) + 0.1

    def place_x(i):
        if not log_x:
            return left + 30 + (right - left - 60) * i / (len(xs) - 1)
        a, b = math.log10(xs[0]), math.log10(xs[-1])
        return left + 30 + (right - left - 60) * (math.log10(xs[i]) - a) / (b - a)

    def place_y(v):
        return bottom - (bottom - top) * (math.log10(max(v, 1e-4)) - low) / (high - low)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="720" height="440" viewBox="0 0 720 440" font-family="sans-serif" '
           'font-size="13"><title>%s</title><rect width="720" height="440" fill="#ffffff"/><text x="20" y="24" '
           'font-size="15">%s</text>' % (title, title)]
    for power in range(math.floor(low), math.ceil(high) + 1):
        for digit in (1, 2, 5):
            v = digit * 10.0**power
            if low <= math.log10(v) <= high:
                out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/><text x="%d" y="%.1f" '
                           'text-anchor="end">%g</text>' % (left, right, place_y(v), place_y(v), left - 8, place_y(v) + 4, v))
    for i, x in enumerate(xs):
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (place_x(i), bottom + 20, format(x, ",")))
    out.append('<text x="%d" y="%d" text-anchor="middle">%s</text>' % ((left + right) / 2, bottom + 42, x_name))
    for k, method in enumerate(METHODS):
        points = []
        for i, cell in enumerate(cells):
            error, x = cell["errors"][method], place_x(i) + 3 * (k - 1.5)
            points.append("%.1f,%.1f" % (x, place_y(error["median"])))
            out.append('<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="%s"/><circle cx="%.1f" cy="%.1f" r="3.5" '
                       'fill="%s"/>' % (x, x, place_y(error["low"]), place_y(error["high"]), COLOURS[method], x,
                                        place_y(error["median"]), COLOURS[method]))
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (" ".join(points), COLOURS[method]))
        out.append('<line x1="%d" x2="%d" y1="44" y2="44" stroke="%s" stroke-width="3"/><text x="%d" y="48">%s</text>'
                   % (70 + 160 * k, 96 + 160 * k, COLOURS[method], 102 + 160 * k, NAMES[method]))
    out.append("</svg>\n")
    pathlib.Path(path).write_text("\n".join(out), encoding="utf-8")


def write_page(result):
    cells, bodies = result["cells"], result["bodies"]
    runs, few = (choose(cell["runs"] for cell in cells) for choose in (max, min))

    def show(cell, method):
        error = cell["errors"][method]
        return "%.3g (%.2g to %.2g)" % (error["median"], error["low"], error["high"])

    def chosen(**wanted):
        return [c for c in cells if all(c[k] == v for k, v in wanted.items())]

    by_n = chosen(law="Gaussian", d=10, contamination=0, bound=BOUND)
    by_share = [c for c in chosen(law="Gaussian", d=10, n=20000, bound=BOUND)]
    by_share.sort(key=lambda c: c["contamination"])
    draw_chart(ROOT / "docs/figures/body-error-units.svg", "Error of the centre of 10 columns, Gaussian data", "rows",
               [c["n"] for c in by_n], by_n, True)
    draw_chart(ROOT / "docs/figures/body-error-contamination.svg", "Error with contaminated rows: 10 columns, 20,000 rows",
               "% of rows far out", [round(100 * c["contamination"]) for c in by_share], by_share, False)
    lines = [
        "# How accurate a floating body is", "",
        "`make bench-body` measures this page on simulated data with centre 0. The error is the Euclidean distance of the",
        "released centre from 0: the median of %d runs%s, with the 10th and 90th percentile." % (
            runs, " (%d with 1,000,000 rows)" % few if few < runs else ""),
        "Private methods have epsilon 1, delta 1e-6 and neighbours `replace`. `scrim body center` is the frame centre at",
        "q = 0.6, with 4 frames of directions, 1 below 2,000 rows. CoinPress is told that the covariance is 1; the others are",
        "not. Medians by column use the exponential mechanism. PRIME and Tukey-depth mechanisms",
        "were not found as packages on PyPI, so they are missing.", "",
        "![errors by rows](figures/body-error-units.svg)", "",
        "![errors by contamination](figures/body-error-contamination.svg)", "",
        "| data | columns | rows | bounds | mean, not private | scrim body center | CoinPress | medians by column |",
        "|---|---|---|---|---|---|---|---|"]
    for cell in cells:
        law = cell["law"] + (", %g %% far out" % (100 * cell["contamination"]) if cell["contamination"] else "")
        lines.append("| %s | %d | %s | ±%s | %s |" % (law, cell["d"], format(cell["n"], ","), format(cell["bound"], ","),
                                                    " | ".join(show(cell, m) for m in METHODS)))
    lines += [
        "", "Contaminated rows lie at %d in each column. The centre of skewed data depends on the method: the mean is 0, and" % FAR,
        "quantiles have a location of their own, so that their error stays however many rows there are. With bounds of ±20,000 a",
        "cell of a direction's grid, 2^-20 of the bounds, is 0.04 wide: that is the error of the body there.", "",
        "## What a point cannot tell", "",
        "One body at q = 0.9 of Gaussian rows, 5 %% of them far out (%d in each column). Then, free of charge: the share of fresh" % FAR,
        "honest points inside, and outliers (mean 4 in each column) among points of which 5 % are outliers.", "",
        "| columns | rows | honest points inside | outliers found | share of outliers among points outside |",
        "|---|---|---|---|---|"]
    for body in bodies:
        lines.append("| %d | %s | %.1f %% | %.1f %% | %.1f %% |" % (body["d"], format(body["n"], ","), 100 * body["inside"],
                                                          100 * body["recall"], 100 * body["precision"]))
    lines += ["", "Many directions cut many honest points off: each half-space has a share of 1 - q beyond it. For a body that holds",
              "most points of many columns choose a larger q.", "",
              "Measured with %s." % result["version"], ""]
    (ROOT / "docs/floating-body-accuracy.md").write_text("\n".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--program", default=str(ROOT / "build/release/scrim"))
    parser.add_argument("--page", action="store_true", help="only write the page again, from bench/body_accuracy.json")
    parser.add_argument("--quick", action="store_true", help="no cell of more than 20,000 rows")
    given = parser.parse_args()
    if given.page:
        write_page(json.loads((ROOT / "bench/body_accuracy.json").read_text(encoding="utf-8")))
        return
    rival_venv.enter(__file__, ["numpy"], sys.argv[1:])
    import numpy as np  # pylint: disable=import-outside-toplevel # only inside the environment

    cells, bodies = [], []
    for cell in CELLS:
        if given.quick and cell[2] > 20000:
            continue
        cells.append(measure_cell(np, cell, given.runs if cell[2] < 10**6 else min(given.runs, 3), given.program))
        print(cell, {m: "%.3g" % e["median"] for m, e in cells[-1]["errors"].items()}, flush=True)
    for d, n in ((2, 20000), (5, 20000), (10, 20000)):
        bodies.append(measure_body(np, d, n, given.runs, given.program))
        print(bodies[-1], flush=True)
    version = subprocess.run([given.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    result = {"version": version, "epsilon": EPSILON, "delta": DELTA, "cells": cells, "bodies": bodies}
    (ROOT / "bench/body_accuracy.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    write_page(result)


main()
