"""Bodies, linear functions and points for Clp and Qhull, and what these find, beside scrim's answers.

usage: body_solvers.py SCRIM FOLDER COUNT   prints one line for each comparison: name, largest difference, tolerance
"""
import json
import math
import random
import struct
import subprocess
import sys

ONE = 1 << 30
scrim, folder, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
generator = random.Random(25)


def unit(values):
    length = math.sqrt(sum(v * v for v in values))
    return [v / length for v in values]


def make_body(d, rows):
    """Half-spaces around the middle of [-1, 1]^d: axes, and random directions. Returns (a, b), as the file has them."""
    a, b = [], []
    for i in range(rows):
        if i < 2 * d:
            direction = [0.0] * d
            direction[i // 2] = 1.0 if i % 2 == 0 else -1.0
        else:
            direction = unit([generator.gauss(0, 1) for _ in range(d)])
        a.append([round(v * ONE) for v in direction])
        b.append(round((0.2 + 0.3 * generator.random()) * 2**30))
    rows_text = []
    for direction, offset in zip(a, b):
        # u = (x + 1) / 1, so that <a, u> = <a, x> + sum a
        shift = sum(direction)
        rows_text.append('{"a": [%s], "origin": "%d/%d", "step": "2^-30", "cells": %d, "offset": %d}'
                         % (", ".join(map(str, direction)), shift, ONE, 2**31, offset))
    columns = ",\n".join('{"name": "x%d", "low": "-1", "high": "1", "step": "1", "scale": "1"}' % j for j in range(d))
    with open(folder + "/body.json", "w", encoding="ascii") as file:
        file.write('{"format": "scrim-body-1", "column_count": %d, "direction_count": %d,\n' % (d, rows)
                   + '"dataset": "", "neighbours": "add-remove", "composition": "pure", "kind": "given", "label": "",\n'
                   + '"q": "0.9", "epsilon": "1", "delta": "0", "epsilon_each": "0.1",\n'
                   + '"version": 0, "release": 0, "max_rows": 1, "units": 0, "seed": 0,\n'
                   + '"columns": [\n%s],\n"directions": [\n%s]}\n' % (columns, ",\n".join(rows_text)))
    return [[v / ONE for v in direction] for direction in a], [v / 2**30 for v in b]


def ask(*words):
    said = subprocess.run([scrim, "body", *words, "--json", "--quiet"], check=True, capture_output=True).stdout
    return json.loads(said)["rows"]


def point(row, d):
    return [float(row["x%d" % j]) for j in range(d)]


def clp(a, b, linear, quadratic):
    """Minimises linear x + quadratic |x|^2 / 2 over the body; the point."""
    d = len(linear)
    with open(folder + "/task.mps", "w", encoding="ascii") as file:
        file.write("NAME T FREE\nROWS\n N OBJ\n" + "".join(" L R%d\n" % i for i in range(len(b))) + "COLUMNS\n")
        for j in range(d):
            file.write(" C%d OBJ %.17g\n" % (j, linear[j]))
            for i, row in enumerate(a):
                if row[j] != 0:
                    file.write(" C%d R%d %.17g\n" % (j, i, row[j]))
        file.write("RHS\n" + "".join(" RHS R%d %.17g\n" % (i, v) for i, v in enumerate(b)))
        file.write("BOUNDS\n" + "".join(" FR BND C%d\n" % j for j in range(d)))
        if quadratic:
            file.write("QUADOBJ\n" + "".join(" C%d C%d %.17g\n" % (j, j, quadratic) for j in range(d)))
        file.write("ENDATA\n")
    subprocess.run(["clp", folder + "/task.mps", "-primalTolerance", "1e-11", "-dualTolerance", "1e-11",
                    "-primalsimplex", "-saveSolution", folder + "/task.bin"], check=True, capture_output=True)
    with open(folder + "/task.bin", "rb") as file:
        data = file.read()
    rows, columns = struct.unpack_from("ii", data)
    return list(struct.unpack_from("%dd" % columns, data, 16 + 16 * rows))


def value(linear, x):
    return sum(c * v for c, v in zip(linear, x))


def compare_linear(d, rows):
    a, b = make_body(d, rows)
    c = [generator.gauss(0, 1) for _ in range(d)]
    text = " + ".join("(%.17g) * x%d" % (v, j) for j, v in enumerate(c))
    return abs(ask("minimise", folder + "/body.json", text)[0]["value"] - value(c, clp(a, b, c, 0)))


def compare_projection(d, rows):
    a, b = make_body(d, rows)
    x = [generator.gauss(0, 1) for _ in range(d)]
    got = ask("project", folder + "/body.json", "--at=" + ",".join("%.17g" % v for v in x))[0]
    want = clp(a, b, [-v for v in x], 1)
    distance = math.sqrt(sum((u - v) ** 2 for u, v in zip(x, want)))
    return abs(float(got["distance"]) - distance)


def corners(a, b):
    d = len(a[0])
    lines = ["%d 1" % d, " ".join(["0"] * d), str(d + 1), str(len(b))]
    lines += [" ".join("%.17g" % v for v in row) + " %.17g" % -offset for row, offset in zip(a, b)]
    said = subprocess.run(["qhalf", "Fp"], input="\n".join(lines), check=True, capture_output=True, text=True).stdout
    return [[float(v) for v in line.split()] for line in said.splitlines()[2:]]


def compare_corners(d, rows):
    a, b = make_body(d, rows)
    found, most = corners(a, b), 0
    for _ in range(5):
        c = [generator.gauss(0, 1) for _ in range(d)]
        text = " + ".join("(%.17g) * x%d" % (v, j) for j, v in enumerate(c))
        got = ask("minimise", folder + "/body.json", text)[0]["value"]
        most = max(most, abs(got - min(value(c, corner) for corner in found)))
    return most


def compare_volume(d, rows):
    """The difference in standard errors."""
    a, b = make_body(d, rows)
    found = corners(a, b)
    text = "%d\n%d\n" % (d, len(found)) + "\n".join(" ".join("%.17g" % v for v in corner) for corner in found)
    said = subprocess.run(["qconvex", "FA"], input=text, check=True, capture_output=True, text=True).stdout
    want = float(next(line for line in said.splitlines() if "volume" in line).split()[-1]) / 2**d
    row = ask("compare", folder + "/body.json", folder + "/body.json")
    got = {line["measure"]: line for line in row}["volume_first"]
    error = float(got["standard_error"])
    return abs(float(got["value"]) - want) / error if error > 0 else abs(float(got["value"]) / want - 1)


for title, function, sizes, tolerance in (
        ("linear programme against Clp", compare_linear, ((2, 12), (5, 40), (10, 80), (20, 160)), 1e-9),
        ("projection against Clp", compare_projection, ((2, 12), (3, 24), (5, 40), (10, 80)), 1e-9),
        ("support function against Qhull", compare_corners, ((2, 16), (3, 24), (4, 32)), 1e-9),
        ("area against Qhull", compare_volume, ((2, 16),), 1e-7),
        ("volume against Qhull, in standard errors", compare_volume, ((3, 24), (5, 30)), 6)):
    for size in sizes:
        worst = max(function(*size) for _ in range(turns))
        print("%s, %d columns\t%.3g\t%g" % (title, size[0], worst, tolerance), flush=True)
