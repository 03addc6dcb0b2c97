"""Uses an installed scrim as somebody does in the first hour: files of CSV and SQLite, pushed rows, a batch, synthetic rows, a body, a
tree of counts, a series, local privacy, tools. It needs nothing but Python; it writes into the folder where it is run, and prints
which Python ran it. A second run finds the vault of the first, and asks the same questions free of charge."""

import os
import sqlite3
import sys

import scrim
from scrim import local

ROWS = 1000
with open("t.csv", "w") as file:
    file.write("who,x,g\n" + "".join(f"p{i},{i % 10},{'ab'[i % 2]}\n" for i in range(ROWS)))
if not os.path.exists("t.db"):
    with sqlite3.connect("t.db") as connection:
        connection.execute("CREATE TABLE t (who, x, g)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [(f"p{i}", i % 10, "ab"[i % 2]) for i in range(ROWS)])
    connection.close()
is_again = os.path.exists("scrim.vault")
vault = scrim.open("scrim.vault", create=True)
declared = {
    "unit": "who", "columns": {"x": "int[0,9]", "g": "text"}, "keys": {"g": ["a", "b"]}, "bounds": {"rows_per_unit": 1}, "exist_ok": True,
}  # fmt: skip
t = vault.add("t", "t.csv", budget={"epsilon": 20, "delta": "1e-6"}, **declared)
vault.add("u", "t.db", format={"table": "t"}, account={"population": "t"}, **declared)
vault.add("live", live=True, account={"population": "t"}, **declared)


def near(number, truth):
    return abs(float(number) - truth) < truth / 10


answer = t.query("SELECT COUNT(*) AS n, AVG(x) AS mean, MEDIAN(x) AS middle", epsilon=1)
assert near(answer[0]["n"], ROWS) and abs(answer[0]["mean"] - 4.5) < 0.5 and "srcdoc" in answer._repr_html_()
assert answer.is_repeated == is_again
assert near(vault["u"].query("SELECT COUNT(*) AS n", epsilon=1)[0]["n"], ROWS)
pushed = {"who": [f"p{i}" for i in range(ROWS)], "x": [i % 10 for i in range(ROWS)], "g": ["ab"[i % 2] for i in range(ROWS)]}
assert near(vault["live"].query("SELECT COUNT(*) AS n", epsilon=1, data=pushed)[0]["n"], ROWS)
built = t.where("x > ?", 4).group_by("g").agg(n=scrim.count())
assert [row["g"] for row in built.query(epsilon=1)] == ["a", "b", None]
assert len(t.synth(epsilon=1, method="mwem").draw(7)) == 7 and t.body("x", epsilon=1).center()
assert near(t.microdata("g", epsilon=1).total.count, ROWS)
if not is_again:
    series = vault.create_series("s", "t", "SELECT COUNT(*) AS n", epsilon="0.1", releases=2)
assert near(vault.series("s").answer(1)[0]["n"], ROWS) and "<svg" in vault.series("s").plot().svg
assert scrim.compose("gaussian sigma=20 x50", delta="1e-6").upper < 5 and scrim.audit("laplace", epsilon=1).holds
config = local.plan(epsilon=4, users=ROWS, domain=3).config
assert near(local.collect(config, config.encode([1] * ROWS)).decode()[1].estimate, ROWS)
t.query("SELECT COUNT(*) AS n", epsilon=1).label().verify(vault=vault, key=vault.key)
vault.verify()
assert "site-packages" in scrim.__file__
print(*sys.version_info[:2], "again" if is_again else "first", flush=True)
