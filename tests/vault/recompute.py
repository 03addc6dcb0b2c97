#!/usr/bin/env python3
"""What a vault's entries add up to, by another road: docs/ledger-format.md and the formulas of the
accounting, in fractions and decimals. usage: recompute.py VAULT SHOWN, where SHOWN has a line
"POPULATION TOTAL LEFT LEFT-DELTA SPENT SPENT-DELTA" for each budget as the library has shown it."""
import hashlib
import sqlite3
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
SLACK = Decimal(10) ** -40  # of the decimals here
TIGHT = Decimal(10) ** -9  # a bound is not this much larger than it must be
wrong = 0


def check(holds, *words):
    global wrong
    if not holds:
        wrong += 1
        print("#", *words)


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def round_up(x):
    """A sum whose denominator has passed 1,024 bits."""
    if x.denominator.bit_length() <= 1024:
        return x
    scaled = x * 2**256
    return Fraction(-(-scaled.numerator // scaled.denominator), 2**256)


def log_cosh(t):
    return t + (1 + (-2 * t).exp()).ln() - Decimal(2).ln()


def pure_curve(e, order):
    """The divergence of anything that is e-private and no more."""
    return (log_cosh((order - Decimal("0.5")) * e) - log_cosh(e / 2)) / (order - 1)


def laplace_curve(e, order):
    """Of the discrete Laplace distribution at a shift of 1."""
    x = (-e).exp()
    inner = (x ** (1 - order) + x**order) / (1 - x)
    return ((1 - x) / (1 + x) * inner).ln() / (order - 1)


def conversion(curve, order, epsilon):
    """delta at epsilon of a curve, at one order (Canonne, Kamath, Steinke)."""
    exponent = (order - 1) * (curve(order) - epsilon)
    return (exponent + order * (1 - 1 / order).ln()).exp() / (order - 1)


def best_conversion(rho, epsilon):
    """The smallest over the orders: unimodal in log(order - 1), found by thirds."""
    low, high = Decimal(-8), Decimal(12)
    at = lambda u: conversion(lambda a: rho * a, 1 + u.exp(), epsilon)
    for _ in range(160):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if at(a) < at(b) else (a, high)
    return at((low + high) / 2)


class Population:
    def __init__(self, words):
        self.name, self.neighbours, rule = words[0], words[1], words[2]
        self.rule, _, order = rule.partition("=")
        self.order = Fraction(order) if order else None
        self.epsilon, self.delta, self.amount = map(Fraction, words[3:6])
        self.parts = self.delta if self.rule == "sum" else self.delta / 2
        self.tallies = {}  # by analyst: amount and delta rounded as the ledger does, and exact
        self.check_budget()

    def check_budget(self):
        epsilon, delta = decimal(self.epsilon), decimal(self.delta)
        if self.rule == "sum":
            check(self.amount == self.epsilon, self.name, "budget of a sum")
            return
        if self.rule == "concentrated":
            delta_of = lambda amount: best_conversion(amount, epsilon)
        else:
            order = decimal(self.order)
            delta_of = lambda amount: conversion(lambda a: amount, order, epsilon)
        amount = decimal(self.amount)
        check(delta_of(amount) <= delta / 2 * (1 + SLACK), self.name, "budget too large")
        check(delta_of(amount * (1 + TIGHT)) > delta / 2, self.name, "budget too small")

    def price(self, line):
        """The least that a charge may be, and its delta; the most that it need be is as much and
        a little more, or what is given third."""
        name, *pairs = line.split()
        p = dict(pair.split("=") for pair in pairs)
        # A unit that is replaced is one taken away and one added: a group of two.
        factor = 2 if p["neighbours"] == "add-remove" and self.neighbours == "replace" else 1
        e = Fraction(p["epsilon"]) if "epsilon" in p else None
        d = decimal(Fraction(p.get("delta", 0)))
        if factor == 2 and d > 0:
            d *= 1 + decimal(e).exp()
        e = e and e * factor
        if self.rule == "sum":
            return decimal(e), d
        if name == "gaussian":
            rho = Fraction(p["rho"]) * factor * factor
            return decimal(rho * (1 if self.rule == "concentrated" else self.order)), 0
        # A shift of 2 (replace) is not in these tables: the pure curve bounds it.
        plain, epsilon = name == "laplace" and factor == 1, decimal(e)
        if self.rule == "concentrated":  # a line above the curve, at most that of a pure one
            curve = laplace_curve if plain else lambda e, a: 0
            orders = [Decimal(a) for a in ("1.001", "1.5", "2", "4", "16", "64")]
            return max(curve(epsilon, a) / a for a in orders), d, decimal(e * e / 2)
        order = decimal(self.order)
        return (laplace_curve if plain else pure_curve)(epsilon, order), d

    def charge(self, id, analyst, amount, delta, line):
        least, parts, *most = self.price(line)
        check(decimal(amount) >= least * (1 - SLACK), "entry", id, "costs too little:", line)
        check(decimal(amount) <= (most or [least])[0] * (1 + TIGHT), "entry", id,
              "costs too much:", line)
        check(parts * (1 - SLACK) <= decimal(delta) <= parts * (1 + TIGHT), "entry", id,
              "has another delta:", line)
        for who in (0, analyst):
            a, d, exact_a, exact_d, n = self.tallies.get(who, (Fraction(0),) * 4 + (0,))
            self.tallies[who] = (round_up(a + amount), round_up(d + delta),
                                 exact_a + amount, exact_d + delta, n + 1)
        a, d, exact_a, exact_d, _ = self.tallies[0]
        check(a <= self.amount and d <= self.parts, "entry", id, "does not fit")
        check(exact_a <= a and exact_d <= d, "entry", id, "is lost in rounding")


def read(vault):
    database = sqlite3.connect(vault)
    populations, datasets, charges, head = [], [], 0, bytes(32)
    for id, data, hash in database.execute("SELECT id, bytes, hash FROM entries ORDER BY id"):
        head = hashlib.sha256(head + data).digest()
        check(head == hash, "entry", id, "is not in the chain")
        line, _, body = data.decode().partition("\n")
        kind, *words = line.split(" ")
        if kind == "population":
            populations.append(Population(words))
        elif kind == "dataset":
            datasets.append(populations[int(words[1]) - 1])
        elif kind == "charge":
            charges += 1
            datasets[int(words[0]) - 1].charge(id, int(words[2]), Fraction(words[3]),
                                               Fraction(words[4]), body)
    check(database.execute("SELECT hash FROM head").fetchone()[0] == head, "another head")
    kept = {}
    for p, analyst, amount, delta, n in database.execute("SELECT * FROM totals"):
        kept[p, analyst] = (Fraction(amount), Fraction(delta), n)
    counted = {(i + 1, who): (t[0], t[1], t[4])
               for i, p in enumerate(populations) for who, t in p.tallies.items()}
    check(kept == counted, "the totals are others")
    return {p.name: p for p in populations}, charges


def check_shown(p, total, left, left_delta, spent, spent_delta):
    zero = (Fraction(0),) * 4
    exact_amount, exact_delta = p.tallies.get(0, zero)[2:4]
    gap = Fraction(1, 10**19)
    for shown, true in ((left, p.amount - exact_amount), (left_delta, p.parts - exact_delta)):
        check(true - gap <= Fraction(shown) <= true, p.name, shown, "is shown as left")
    for shown, true in ((spent, exact_amount), (spent_delta, exact_delta)):
        check(true <= Fraction(shown) <= true + gap, p.name, shown, "is shown as spent")
    check(Fraction(total) <= p.amount, p.name, total, "is shown as the total")


def main():
    populations, charges = read(sys.argv[1])
    with open(sys.argv[2], encoding="ascii") as shown:
        rows = [line.split() for line in shown]
    for name, *numbers in rows:
        check_shown(populations[name], *numbers)
    check(charges > 0 and len(rows) == len(populations), "nothing to look at")
    return 1 if wrong else 0


sys.exit(main())
