#!/usr/bin/env python3
"""Location errors of scrim's body, CoinPress, medians by column and the plain mean, on simulated data.

All private methods have the same epsilon, delta and neighbours (replace). Ours is `scrim body center`, the frame centre
at q = 0.6, through a vault. CoinPress and the medians are written here from their papers, in numpy: CoinPress
(Biswas, Dong, Kamath, Ullman 2020) in 5 steps with a covariance of 1, which it is told; medians by the exponential
mechanism on ranks, with concentrated composition over the columns. Packages of PRIME and of Tukey-depth mechanisms
were not found on PyPI (names tried: prime-dp, robust-dp, tukey-depth, tukeyem); they are not measured.

Of `scrim body fit`, with both kinds of neighbours: the errors of its quantiles and of its Steiner point, beside those of
the body of the same directions with the quantiles of the sample; how many fresh points it holds, and which outliers it
finds. Of `scrim body center --method depth`: its error in two columns. Directions that follow the data are simulated here.

usage: bench/body_accuracy.py [--runs N] [--program FILE] [--quick] [--page] [--only PART,...]
Writes bench/body_accuracy.json, docs/floating-body-accuracy.md and its figures.
"""

import argparse
import fractions
import json
import math
import os
import pathlib
import shutil
import statistics
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

OUTLIER_Q = ("0.9", "0.94", "0.99")
BODIES = ("sample", "replace", "add-remove")
DEPTHS = ("mean", "median", "depth replace", "depth add-remove", "frame replace", "frame add-remove")


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


def private_quantile(np, draw, values, q, bound, epsilon):
    """By the exponential mechanism on ranks."""
    n = len(values)
    x = np.concatenate(([-bound], np.sort(np.clip(values, -bound, bound)), [bound]))
    width = np.maximum(np.diff(x), 0)
    score = np.abs(np.arange(n + 1) - q * n)
    with np.errstate(divide="ignore"):
        weight = np.log(width) - epsilon / 2 * score
    chosen = int(np.argmax(weight + draw.gumbel(0, 1, n + 1)))
    return draw.uniform(x[chosen], x[chosen + 1])


def medians(np, draw, rows, bound):
    d = rows.shape[1]
    epsilon = max(EPSILON / d, math.sqrt(8 * RHO / d))
    return np.array([private_quantile(np, draw, rows[:, j], 1 / 2, bound, epsilon) for j in range(d)])


class Vault:
    """A dataset of these rows in a vault of its own."""

    def __init__(self, np, program, rows, bound, neighbours="replace"):
        self.folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.program, self.names = program, ["x%d" % j for j in range(rows.shape[1])]
        np.savetxt(self.folder + "/rows.csv", rows, "%.5f", ",", header=",".join(self.names), comments="")
        self.say("init", "--no-witness")
        columns = [word for name in self.names for word in ("--column", "%s=decimal[%g,%g]/2^-14" % (name, -bound, bound))]
        self.say("dataset", "add", "d", "--csv", self.folder + "/rows.csv", "--unit", "row", "--rows-per-unit", "1",
                 "--neighbours", neighbours, "--budget", "epsilon=100,delta=1e-3", *columns)

    def say(self, *words):
        place = dict(os.environ, SCRIM_VAULT=self.folder + "/vault")
        return subprocess.run([str(self.program), *words], check=True, capture_output=True, text=True, env=place).stdout

    def center(self, n, method="frame"):
        """A deep point has no delta."""
        delta = ["--delta", "1e-6"] if method != "depth" else []
        said = self.say("body", "center", "d", "--columns", ",".join(self.names), "--epsilon", str(EPSILON), "--method", method,
                        "--expected-units", str(n), "--format", "csv", "--quiet", *delta)
        return [float(line.split(",")[1]) for line in said.splitlines()[1:]]

    def fit(self, n, q):
        path = self.folder + "/body.json"
        self.say("body", "fit", "d", "--columns", ",".join(self.names), "--epsilon", str(EPSILON), "--delta", "1e-6", "--q", q,
                 "--expected-units", str(n), "--out", path, "--quiet")
        return path

    def steiner(self, path):
        said = self.say("body", "center", path, "--method", "steiner", "--format", "csv", "--quiet").splitlines()
        found = dict(zip(said[0].split(","), said[1].split(",")))
        return [float(found[name]) for name in self.names]

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
            "errors": {method: spread(np, values) for method, values in errors.items()}}


def spread(np, values):
    return {"median": float(np.median(values)), "low": float(np.quantile(values, 0.1)), "high": float(np.quantile(values, 0.9))}


def measure_body(np, d, n, runs, program):
    """Bodies of rows of which 5 % are far out: the share of fresh honest points inside, and outliers found."""
    found = {q: [] for q in OUTLIER_Q}
    for run in range(runs):
        draw = np.random.default_rng([26, d, n, run])
        vault = Vault(np, program, make_rows(np, draw, "Gaussian", n, d, 0.05), BOUND)
        fresh, far = make_rows(np, draw, "Gaussian", 2000, d, 0), draw.normal(0, 1, (200, d)) + 4
        for q in OUTLIER_Q:
            outside = vault.outside(np, vault.fit(n, q), np.concatenate((fresh, far)))
            recall = outside[2000:].mean()
            # As many outliers as 5 % of all points would be.
            named = 0.05 * recall + 0.95 * outside[:2000].mean()
            found[q].append((1 - outside[:2000].mean(), recall, 0.05 * recall / named if named > 0 else 1))
        vault.close()
    return [{"d": d, "n": n, "q": q, "runs": runs,
             **{name: spread(np, [one[k] for one in found[q]]) for k, name in enumerate(("inside", "recall", "precision"))}}
            for q in OUTLIER_Q]


def sample_body(np, body, rows, q, bound):
    """The same half-spaces with the quantiles of the sample: not private."""
    at = (rows + bound) / (2 * bound)
    for row in body["directions"]:
        along = at @ (np.array(row["a"]) / 2.0**30)
        place = (np.quantile(along, q) - float(fractions.Fraction(row["origin"]))) / float(fractions.Fraction(row["step"]))
        row["offset"] = int(min(max(round(place), 0), row["cells"]))
    return body


def quantile_error(np, body, q, bound):
    """The mean over directions of |released - true quantile| of Gaussian data, in units of the columns."""
    errors = []
    for row in body["directions"]:
        a = np.array(row["a"]) / 2.0**30
        released = float(fractions.Fraction(row["origin"])) + row["offset"] * float(fractions.Fraction(row["step"]))
        true = a.sum() / 2 + statistics.NormalDist().inv_cdf(q) * np.linalg.norm(a) / (2 * bound)
        errors.append(abs(released - true) * 2 * bound)
    return float(np.mean(errors))


def measure_quantiles(np, d, n, runs, program):
    """Errors of a body's quantiles and Steiner point at q = 0.9, without privacy and with either kind of neighbours."""
    found = {way: {"quantile": [], "steiner": []} for way in BODIES}
    for run in range(runs):
        rows = np.clip(make_rows(np, np.random.default_rng([27, d, n, run]), "Gaussian", n, d, 0), -BOUND, BOUND)
        for neighbours in ("replace", "add-remove"):
            vault = Vault(np, program, rows, BOUND, neighbours)
            paths = {neighbours: vault.fit(n, "0.9")}
            if neighbours == "replace":
                body = json.loads(pathlib.Path(paths["replace"]).read_text(encoding="utf-8"))
                paths["sample"] = vault.folder + "/sample.json"
                pathlib.Path(paths["sample"]).write_text(json.dumps(sample_body(np, body, rows, 0.9, BOUND)), encoding="utf-8")
            for way, path in paths.items():
                body = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
                found[way]["quantile"].append(quantile_error(np, body, 0.9, BOUND))
                found[way]["steiner"].append(float(np.linalg.norm(vault.steiner(path))))
            vault.close()
    return {"d": d, "n": n, "runs": runs, "directions": len(body["directions"]),
            **{way: {name: spread(np, values) for name, values in errors.items()} for way, errors in found.items()}}


# Directions that follow the data (specification, floating-body 6.2): half of the budget for the usual ones; then in rounds the
# exponential mechanism over public candidates, scored by how far the body so far is from a share q of the rows along them,
# and the quantile of the winner. Simulated in doubles: it is a comparison, not an offer.

ROUNDS, CANDIDATES, PROBES = 8, 50, 50


def usual_directions(np, draw, d, count=16):
    if d == 2:
        angles = np.arange(count) * 2 * math.pi / count
        return np.stack((np.cos(angles), np.sin(angles)), axis=1)
    frames = [np.eye(d)] + [np.linalg.qr(draw.standard_normal((d, d)))[0] for _ in range(3)]
    return np.concatenate([part for frame in frames for part in (frame, -frame)])


def some_directions(np, draw, count, d):
    found = draw.standard_normal((count, d))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def support(np, a, b, wanted):
    """The support function of the half-spaces, which are moved outwards where they hold no point."""
    from scipy.optimize import linprog  # pylint: disable=import-outside-toplevel # only inside the environment

    d = a.shape[1]
    ball = linprog(np.r_[np.zeros(d), -1], np.c_[a, np.ones(len(a))], b, bounds=[(None, None)] * (d + 1)).x[-1]
    moved = b + max(0, 1e-3 - ball)
    return np.array([-linprog(-u, a, moved, bounds=[(None, None)] * d).fun for u in wanted])


def fit_usual(np, draw, rows, a, rho):
    epsilon = math.sqrt(8 * rho / len(a))
    reach = BOUND * np.abs(a).sum(axis=1)
    return np.array([private_quantile(np, draw, rows @ a[i], 0.9, reach[i], epsilon) for i in range(len(a))])


def fit_adaptive(np, draw, rows, a):
    b = fit_usual(np, draw, rows, a, RHO / 2)
    epsilon = math.sqrt(8 * RHO / 2 / (2 * ROUNDS))
    candidates = some_directions(np, draw, CANDIDATES, rows.shape[1])
    beyond = rows @ candidates.T
    for _ in range(ROUNDS):
        score = np.abs((beyond > support(np, a, b, candidates)).sum(axis=0) - 0.1 * len(rows))
        chosen = candidates[int(np.argmax(epsilon / 2 * score + draw.gumbel(0, 1, CANDIDATES)))]
        place = private_quantile(np, draw, rows @ chosen, 0.9, BOUND * np.abs(chosen).sum(), epsilon)
        a, b = np.vstack((a, chosen)), np.append(b, place)
    return a, b


def measure_adaptive(np, d, n, law, runs, _program):
    """How far the support function of a body is from that of the true one, with and without directions that follow the data."""
    found = {"usual": [], "more": [], "adaptive": [], "sample": []}
    for run in range(runs):
        draw = np.random.default_rng([29, d, n, len(law), run])
        spreads = np.logspace(0, -1, d) if law == "condition 100" else np.ones(d)
        turn = np.linalg.qr(draw.standard_normal((d, d)))[0]
        rows = (draw.standard_normal((n, d)) * spreads) @ turn.T
        a = usual_directions(np, draw, d)
        more = usual_directions(np, draw, d, 16 + ROUNDS) if d == 2 else np.vstack((a, some_directions(np, draw, ROUNDS, d)))
        probes = some_directions(np, draw, PROBES, d)
        true = statistics.NormalDist().inv_cdf(0.9) * np.linalg.norm((probes @ turn) * spreads, axis=1)
        for name, body in (("usual", (a, fit_usual(np, draw, rows, a, RHO))),
                           ("more", (more, fit_usual(np, draw, rows, more, RHO))), ("adaptive", fit_adaptive(np, draw, rows, a)),
                           ("sample", (a, np.quantile(rows @ a.T, 0.9, axis=0)))):
            found[name].append(float(np.abs(support(np, *body, probes) - true).mean()))
    return {"d": d, "n": n, "law": law, "runs": runs, "directions": len(a),
            "errors": {name: spread(np, values) for name, values in found.items()}}


def measure_depth(np, n, share, runs, program):
    """Errors of the depth median in two columns."""
    found = {name: [] for name in DEPTHS}
    for run in range(runs):
        rows = make_rows(np, np.random.default_rng([28, n, int(1000 * share), run]), "Gaussian", n, 2, share)
        centers = {"mean": rows.mean(axis=0), "median": np.median(rows, axis=0)}
        for neighbours in ("replace", "add-remove"):
            vault = Vault(np, program, np.clip(rows, -BOUND, BOUND), BOUND, neighbours)
            centers["depth " + neighbours] = vault.center(n, "depth")
            centers["frame " + neighbours] = vault.center(n)
            vault.close()
        for name in DEPTHS:
            found[name].append(float(np.linalg.norm(centers[name])))
    return {"n": n, "contamination": share, "runs": runs, "errors": {name: spread(np, found[name]) for name in DEPTHS}}


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
           'font-size="13"><title>%s</title>\n<style>\n</style>\n<rect class="paper" width="720" height="440" fill="#ffffff"/>'
           '<text class="title" x="20" y="24" font-size="15">%s</text>' % (title, title)]
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
        out.append('<line x1="%d" x2="%d" y1="44" y2="44" stroke="%s" stroke-width="3"/><text class="words" x="%d" y="48">%s</text>'
                   % (20 + 175 * k, 46 + 175 * k, COLOURS[method], 52 + 175 * k, NAMES[method]))
    out.append("</svg>\n")
    pathlib.Path(path).write_text("\n".join(out), encoding="utf-8")


def show_spread(error, times=1, form="%.3g (%.2g to %.2g)"):
    return form % tuple(times * error[key] for key in ("median", "low", "high"))


def quantile_lines(results):
    lines = [
        "## The quantiles of a body, and its Steiner point", "",
        "Bodies at q = 0.9 of Gaussian rows with bounds of ±%d, %d runs. A quantile's error is the mean over the directions of its" % (
            BOUND, results[0]["runs"]),
        "distance from the true quantile. Not private is the body of the same directions with the sample's own quantiles.", "",
        "| columns | rows | directions | error of | not private | `replace` | `add-remove` |", "|---|---|---|---|---|---|---|"]
    for name, words in (("quantile", "quantiles"), ("steiner", "Steiner point")):
        lines += ["| %d | %s | %d | %s | %s |" % (one["d"], format(one["n"], ","), one["directions"], words,
                                                " | ".join(show_spread(one[way][name]) for way in BODIES)) for one in results]
    return lines + [
        "", "2,000 rows are few for the quantiles of 10 columns at q = 0.9: in some runs one of them was drawn far out in its range,",
        "as the upper ends of the spread show. `add-remove` has a little less noise than `replace`.", "",
        ""]


def adaptive_lines(results):
    lines = [
        "## Directions that follow the data", "",
        "The specification has them as an option (floating-body 6.2): half of the budget for the usual directions; then %d rounds" % ROUNDS,
        "that choose one of %d public candidates, where the body so far is furthest from a share q of the rows, and release the" % CANDIDATES,
        "quantile there. Simulated beside the usual directions with the whole budget, and beside %d public ones more: the mean over" % ROUNDS,
        "%d other directions of the distance between the support function of the body and the true one; q = 0.9, %d runs." % (
            PROBES, results[0]["runs"]), "",
        "| data | columns | rows | directions | usual, not private | usual | and %d public ones more | half of the budget, and %d that "
        "follow the data |" % (ROUNDS, ROUNDS), "|---|---|---|---|---|---|---|---|"]
    lines += ["| %s | %d | %s | %d | %s |" % (one["law"], one["d"], format(one["n"], ","), one["directions"], " | ".join(
        show_spread(one["errors"][name]) for name in ("sample", "usual", "more", "adaptive"))) for one in results]
    ratios = [one["errors"]["adaptive"]["median"] / one["errors"]["more"]["median"] for one in results]
    return lines + [
        "", "Beside as many public directions with the same budget they have %.2g to %.2g times the error. The distance is mostly" % (
            min(ratios), max(ratios)),
        "that between the true body and one of so few half-spaces, as the bodies that are not private show: more directions",
        "of any kind make it smaller. Those that follow the data take most off the error of long bodies in few columns, and little off",
        "that of others. scrim does not offer them in one release. An analyst can do likewise in two: a body with a part of the",
        "budget, and another along directions that the first one suggests (`--directions FILE`), each charged as it is.", ""]


def depth_lines(results, before):
    lines = [
        "## The depth median of two columns", "",
        "Errors of `scrim body center --method depth` with epsilon 1 and no delta, beside the frame centre with epsilon 1 and",
        "delta 1e-6; %d runs." % results[0]["runs"], "",
        "| rows | far out | mean, not private | medians, not private | depth, `replace` | depth, `add-remove` | frame, `replace` | "
        "frame, `add-remove` |", "|---|---|---|---|---|---|---|---|"]
    lines += ["| %s | %g %% | %s |" % (format(one["n"], ","), 100 * one["contamination"],
                                     " | ".join(show_spread(one["errors"][name]) for name in DEPTHS)) for one in results]
    old = [one["errors"][name]["median"] for one in before for name in DEPTHS if name.startswith("depth")]
    return lines + [
        "", "Depths are told apart up to half of the expected rows. The specification has levels up to a third of them, as every",
        "distribution has a point so deep (papers-additions 4.2). All points of that depth are then alike: for Gaussian rows those",
        "within %.2g of the centre, however many rows there are. Measured with those levels, the medians of the same columns of" % (
            statistics.NormalDist().inv_cdf(2 / 3)),
        "the table were %.2g to %.2g. Candidates are 4096 points on each axis, here %.2g apart. The proof that privacy holds for" % (
            min(old), max(old), 2 * BOUND / 4096),
        "any levels is in `src/mechanism/body/depth_median.md`.", ""]


def outlier_lines(results):
    lines = [
        "## What a point cannot tell", "",
        "Bodies of Gaussian rows, 5 %% of them far out (%d in each column); %d runs. Then, free of charge: the share of fresh" % (
            FAR, results[0]["runs"]),
        "honest points inside, and outliers (mean 4 in each column) among points of which 5 % are outliers. Recall is the share",
        "of outliers that are found, precision the share of outliers among points outside. All in %.", "",
        "| columns | rows | q | honest points inside | recall | precision |", "|---|---|---|---|---|---|"]
    lines += ["| %d | %s | %s | %s |" % (one["d"], format(one["n"], ","), one["q"], " | ".join(
        show_spread(one[name], 100, "%.1f (%.1f to %.1f)") for name in ("inside", "recall", "precision"))) for one in results]
    return lines + [
        "", "Many directions cut many honest points off: each half-space has a share of 1 - q beyond it. A larger q holds more of",
        "them, as long as 1 - q is more than the share of rows that are far out: at q = 0.99 these rows are part of the body,",
        "and it lets outliers in.", ""]


def write_page(result):
    cells = result["cells"]
    runs, few = (choose(cell["runs"] for cell in cells) for choose in (max, min))

    def show(cell, method):
        return show_spread(cell["errors"][method])

    def chosen(**wanted):
        return [c for c in cells if all(c[k] == v for k, v in wanted.items())]

    by_n = chosen(law="Gaussian", d=10, contamination=0, bound=BOUND)
    by_share = [c for c in chosen(law="Gaussian", d=10, n=20000, bound=BOUND)]
    by_share.sort(key=lambda c: c["contamination"])
    draw_chart(ROOT / "docs/figures/body-error-units.svg", "Error of the centre of 10 columns, Gaussian data", "rows",
               [c["n"] for c in by_n], by_n, True)
    draw_chart(ROOT / "docs/figures/body-error-contamination.svg", "Error with contaminated rows: 10 columns, 20,000 rows",
               "% of rows far out", [round(100 * c["contamination"]) for c in by_share], by_share, False)
    subprocess.run([ROOT / "tools/figure_style"], check=True)
    lines = [
        "# How accurate a floating body is", "",
        "`make bench-body` measures this page on simulated data with centre 0. The error is the Euclidean distance of the",
        "released centre from 0: the median of %d runs%s, with the 10th and 90th percentile." % (
            runs, " (%d with 1,000,000 rows)" % few if few < runs else ""),
        "Private methods have epsilon 1, delta 1e-6 and neighbours `replace`. `scrim body center` is the frame centre at",
        "q = 0.6 with its usual directions: 4 frames, 1 frame for 500 rows. CoinPress is told that the covariance is 1; the",
        "others are not. Medians by column use the exponential mechanism. PRIME and Tukey-depth mechanisms",
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
        "cell of a direction's grid, 2^-20 of the bounds, is 0.04 wide: that is the error of the body there.", ""]
    lines += quantile_lines(result["quantiles"]) + adaptive_lines(result["adaptive"]) + depth_lines(result["depth"], result["depth_third"]) + outlier_lines(result["bodies"])
    lines += ["Measured with %s." % result["version"], ""]
    (ROOT / "docs/floating-body-accuracy.md").write_text("\n".join(lines), encoding="utf-8")


def measure(np, part, cell, given):
    """The results of one cell of a part, as a list."""
    if part == "cells":
        if given.quick and cell[2] > 20000:
            return []
        return [measure_cell(np, cell, given.runs if cell[2] < 10**6 else min(given.runs, 3), given.program)]
    if part == "bodies":
        return measure_body(np, *cell, given.runs, given.program)
    return [{"quantiles": measure_quantiles, "adaptive": measure_adaptive, "depth": measure_depth}[part](np, *cell, given.runs, given.program)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--program", default=str(ROOT / "build/release/scrim"))
    parser.add_argument("--page", action="store_true", help="only write the page again, from bench/body_accuracy.json")
    parser.add_argument("--only", help="measure these parts again: cells, bodies, quantiles, adaptive, depth")
    parser.add_argument("--quick", action="store_true", help="no cell of more than 20,000 rows")
    given = parser.parse_args()
    if given.page:
        write_page(json.loads((ROOT / "bench/body_accuracy.json").read_text(encoding="utf-8")))
        return
    rival_venv.enter(__file__, ["numpy", "scipy"], sys.argv[1:])
    import numpy as np  # pylint: disable=import-outside-toplevel # only inside the environment

    place = ROOT / "bench/body_accuracy.json"
    parts = {"cells": CELLS, "bodies": ((2, 20000), (5, 20000), (10, 20000)),
             "quantiles": [(d, n) for d in (2, 5, 10) for n in (2000, 20000)],
             "adaptive": [(d, 20000, law) for law in ("Gaussian", "condition 100") for d in (2, 5, 10)],
             "depth": ((500, 0), (2000, 0), (20000, 0), (20000, 0.1))}
    wanted = given.only.split(",") if given.only else list(parts)
    result = {}
    for part in wanted:
        result[part] = []
        for cell in parts[part]:
            found = measure(np, part, cell, given)
            result[part] += found
            print(part, cell, json.dumps(found), flush=True)
    version = subprocess.run([given.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    before = json.loads(place.read_text(encoding="utf-8")) if given.only else {}
    result = {**before, "version": version, "epsilon": EPSILON, "delta": DELTA, **result}
    place.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    write_page(result)


main()
