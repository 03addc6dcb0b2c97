"""Answers of one library to the questions of question_rivals.py, in its own environment.

usage: question_answers.py LIBRARY FOLDER RUNS SECONDS

FOLDER has questions.json and the CSV files that it names. For each question there are RUNS answers, or fewer, at least 5, after SECONDS.
Each is a line of JSON: the question's number, and the answer as {group: [number, ..]}; or the number and why there is none.

A question: data, name; what is asked: "count", "sum", "mean", "median", "people" (with rows) or "count+mean"; column, low, high;
key and its values (None: one group); where, a column and the value that rows have; bounds of a person by style: {"rows": T},
{"groups": G, "rows": R}, {"groups": G, "total": S}, or {} where each row is a person.
"""

import csv
import json
import pathlib
import sys
import time

UNIT = {"adult": "person_id", "shop": "customer"}
EPSILON = 1.0


def grouped(question, rows, numbers):
    """Rows that have a group before their numbers, as an answer."""
    return {str(row[0]) if question["key"] else "all": [float(x) for x in row[-numbers:]] for row in rows}


class Scrim:
    STYLES = ("rows", "pair", "total")

    def __init__(self, folder, questions):
        import scrim

        self.vault = scrim.init(str(folder / "scrim.vault"), witness=False)
        self.run = 0
        for data, unit in UNIT.items():
            asked = [q for q in questions if q["data"] == data]
            columns, keys, missing = {}, {}, {}
            for q in asked:
                if q["column"]:
                    columns[q["column"]] = f"{'decimal' if q['step'] != '1' else 'int'}[{q['low']},{q['high']}]" + (
                        f"/{q['step']}" if q["step"] != "1" else "")
                    missing[q["column"]] = q["low"]
                for name, values in [(q["key"], q["values"])] + ([(q["where"][0], q["where"][1:])] if q["where"] else []):
                    if name:
                        columns[name], missing[name] = "text", values[0]
                        keys.setdefault(name, values)
            rows = {"rows_per_unit": 1} if data == "adult" else {"max_total_rows": 1}
            self.vault.add(data, str(folder / f"{data}.csv"), unit=unit, columns=columns, keys=keys, missing=missing, budget=10**6, bounds=rows)

    def answer(self, q):
        key, x = q["key"], q["column"]
        what = {"count": "COUNT(*) AS a", "sum": f"SUM({x}) AS a", "mean": f"AVG({x}) AS a", "median": f"MEDIAN({x}) AS a",
                "people": f"COUNT(DISTINCT {UNIT[q['data']]}) AS a", "count+mean": f"COUNT(*) AS a, AVG({x}) AS b"}[q["what"]]
        sql = "SELECT " + (f"{key}, " if key else "") + what
        sql += f" WHERE {q['where'][0]} = '{q['where'][1]}'" if q["where"] else ""
        sql += f" GROUP BY {key}" if key else ""
        bounds = q["bounds"]
        given, own = {}, {}
        if bounds:
            given = {"cut_share": 0, "bounds": own}  # nobody else tells how much was cut
            if "groups" in bounds:
                own["max_groups"] = bounds["groups"]
            if "total" in bounds:
                own.update(max_rows=max(1, -(-bounds["total"] // q["high"])), max_total={x: bounds["total"]})
            elif "groups" in bounds:
                own["max_rows"] = bounds["rows"]
            else:
                own["max_total_rows"] = bounds["rows"]
        # The same question would be repeated, free of charge: each costs a little less than the one before.
        self.run += 1
        result = self.vault.query(q["data"], sql, epsilon=f"{EPSILON - self.run * 1e-9:.9f}", **given)
        names = ["a", "b"] if q["what"] == "count+mean" else ["a"]
        return {str(row[key]) if key else "all": [float(row[name].value) for name in names] for row in result}


class OpenDP:
    STYLES = ("rows", "pair")

    def __init__(self, folder, questions):
        import opendp.prelude as dp
        import polars as pl

        dp.enable_features("contrib")
        self.dp, self.pl = dp, pl
        self.frames = {data: pl.read_csv(folder / f"{data}.csv") for data in UNIT}

    def margins(self, q):
        return [self.dp.polars.Margin(by=[q["key"]] if q["key"] else [], invariant="keys" if q["key"] else None, max_length=10**6,
                                      max_groups=len(q["values"] or [1]))]

    def answer(self, q):
        dp, pl, key, bounds = self.dp, self.pl, q["key"], q["bounds"]
        unit = dp.unit_of(contributions=1, **({"identifier": UNIT[q["data"]]} if bounds else {}))
        context = dp.Context.compositor(data=self.frames[q["data"]].lazy(), privacy_unit=unit, privacy_loss=dp.loss_of(epsilon=EPSILON),
                                        split_evenly_over=1, margins=self.margins(q))
        query = context.query()
        if q["where"]:
            query = query.filter(pl.col(q["where"][0]) == q["where"][1])
        if "groups" in bounds:
            query = query.truncate_per_group(bounds["rows"], by=[key]).truncate_num_groups(bounds["groups"], by=[key])
        elif bounds:
            query = query.truncate_per_group(bounds["rows"])
        x = pl.col(q["column"]).fill_null(0) if q["column"] else None
        rows, range_of = dp.len().alias("n"), (q["low"], q["high"])
        asked = {"count": [rows], "people": [pl.col(UNIT[q["data"]]).dp.n_unique().alias("n")]}.get(q["what"])
        if q["what"] in ("mean", "count+mean", "sum"):
            asked = ([] if q["what"] == "sum" else [rows]) + [x.dp.sum(range_of).alias("s")]
        if q["what"] == "median":
            asked = [x.dp.median(list(range(q["low"], q["high"] + 1))).alias("n")]
        asked = query.group_by(key).agg(*asked) if key else query.select(*asked)
        if key and (bounds or q["where"]):
            asked = asked.with_keys(pl.LazyFrame({key: q["values"]}))
        answered = asked.release().collect()
        if q["what"] in ("mean", "count+mean"):
            mean = (pl.col("s") / pl.col("n").clip(1)).clip(q["low"], q["high"]).alias("m")
            answered = answered.with_columns(mean).drop("s")
            if q["what"] == "mean":
                answered = answered.drop("n")
        return grouped(q, answered.rows(), 2 if q["what"] == "count+mean" else 1)


class Tumult:
    STYLES = ("rows", "pair")

    def __init__(self, folder, questions):
        from pyspark.sql import SparkSession
        from tmlt import analytics

        spark = SparkSession.builder.config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        self.t, self.sessions = analytics, {}
        for data, unit in UNIT.items():
            change = analytics.AddOneRow() if data == "adult" else analytics.AddRowsWithID(unit)
            frame = spark.read.csv(str(folder / f"{data}.csv"), header=True, inferSchema=True).cache()
            self.sessions[data] = analytics.Session.from_dataframe(analytics.PureDPBudget(float("inf")), "t", frame, protected_change=change)

    def one(self, q, what):
        t, bounds = self.t, q["bounds"]
        query = t.QueryBuilder("t")
        if q["where"]:
            query = query.filter(f"{q['where'][0]} = '{q['where'][1]}'")
        if "groups" in bounds:
            query = query.enforce(t.MaxGroupsPerID(q["key"], bounds["groups"]))
            if what != "people":
                query = query.enforce(t.MaxRowsPerGroupPerID(q["key"], bounds["rows"]))
        elif bounds:
            query = query.enforce(t.MaxRowsPerID(bounds["rows"]))
        if q["key"]:
            query = query.groupby(t.KeySet.from_dict({q["key"]: q["values"]}))
        x, low, high = q["column"], q["low"], q["high"]
        return {"count": query.count, "sum": lambda: query.sum(x, low, high), "mean": lambda: query.average(x, low, high),
                "median": lambda: query.median(x, low, high), "people": lambda: query.count_distinct([UNIT[q["data"]]])}[what]()

    def answer(self, q):
        parts = q["what"].split("+")
        tables = []
        for what in parts:
            budget = self.t.PureDPBudget(EPSILON / len(parts))
            tables.append(grouped(q, self.sessions[q["data"]].evaluate(self.one(q, what), budget).collect(), 1))
        return {group: [number for table in tables for number in table[group]] for group in tables[0]}


class SmartNoise:
    STYLES = ("rows",)

    def __init__(self, folder, questions):
        import pandas as pd
        import snsql

        self.snsql, self.readers = snsql, {}
        self.frames = {data: pd.read_csv(folder / f"{data}.csv") for data in UNIT}

    def reader(self, q, epsilon):
        columns = {UNIT[q["data"]]: {"type": "int", "private_id": True}}
        if q["column"]:
            columns[q["column"]] = {"type": "int" if q["step"] == "1" else "float", "lower": q["low"], "upper": q["high"]}
        for name in [q["key"], q["where"][0] if q["where"] else None]:
            if name:
                columns[name] = {"type": "string"}
        table = {"max_ids": q["bounds"].get("groups", q["bounds"].get("rows", 1)), "censor_dims": False, **columns}
        return self.snsql.from_df(self.frames[q["data"]][list(columns)], privacy=self.snsql.Privacy(epsilon=epsilon, delta=1e-12),
                                  metadata={"": {"db": {"t": table}}})

    def answer(self, q):
        if q["what"] == "median":
            raise NotImplementedError("has no median")
        key, x = q["key"], q["column"]
        what = {"count": "COUNT(*) AS a", "sum": f"SUM({x}) AS a", "mean": f"AVG({x}) AS a",
                "people": f"COUNT(DISTINCT {UNIT[q['data']]}) AS a", "count+mean": f"COUNT({x}) AS a, AVG({x}) AS b"}[q["what"]]
        sql = "SELECT " + (f"{key}, " if key else "") + what + " FROM db.t"
        sql += f" WHERE {q['where'][0]} = '{q['where'][1]}'" if q["where"] else ""
        sql += f" GROUP BY {key}" if key else ""
        if q["name"] not in self.readers:  # a column of the answer costs epsilon
            self.readers[q["name"]] = self.reader(q, EPSILON / self.reader(q, 1.0).get_privacy_cost(sql)[0])
        return grouped(q, self.readers[q["name"]].execute(sql)[1:], 2 if q["what"] == "count+mean" else 1)


class PipelineDP:
    STYLES = ("rows of counts", "pair", "total")

    def __init__(self, folder, questions):
        import pipeline_dp

        self.dp, self.rows = pipeline_dp, {}
        for data in UNIT:
            with open(folder / f"{data}.csv", newline="", encoding="utf-8") as file:
                self.rows[data] = list(csv.DictReader(file))

    def params(self, q):
        dp, bounds = self.dp, q["bounds"]
        metrics = {"count": [dp.Metrics.COUNT], "sum": [dp.Metrics.SUM], "mean": [dp.Metrics.MEAN], "median": [dp.Metrics.PERCENTILE(50)],
                   "people": [dp.Metrics.PRIVACY_ID_COUNT], "count+mean": [dp.Metrics.COUNT, dp.Metrics.MEAN]}[q["what"]]
        given = {"metrics": metrics, "noise_kind": dp.NoiseKind.LAPLACE}
        if "total" in bounds:
            given.update(min_sum_per_partition=0, max_sum_per_partition=bounds["total"])
        elif q["column"]:
            given.update(min_value=q["low"], max_value=q["high"])
        if bounds and "groups" not in bounds and q["what"] == "count":
            given["max_contributions"] = bounds["rows"]
        else:
            given["max_partitions_contributed"] = bounds.get("groups", 1)
            given["max_contributions_per_partition"] = bounds.get("rows", 1)
        return dp.AggregateParams(**given)

    def answer(self, q):
        dp, unit, key, x = self.dp, UNIT[q["data"]], q["key"], q["column"]
        accountant = dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=0)
        engine = dp.DPEngine(accountant, dp.LocalBackend())
        extractors = dp.DataExtractors(privacy_id_extractor=lambda row: row[unit], partition_extractor=lambda row: row[key] if key else "all",
                                       value_extractor=lambda row: float(row[x]) if x else 0)
        rows = self.rows[q["data"]]
        if q["where"]:
            rows = [row for row in rows if row[q["where"][0]] == q["where"][1]]
        released = engine.aggregate(rows, self.params(q), extractors, public_partitions=q["values"] or ["all"])
        accountant.compute_budgets()
        names = {"people": ["privacy_id_count"], "median": ["percentile_50"]}.get(q["what"], q["what"].split("+"))
        return {group: [float(getattr(metrics, name)) for name in names] for group, metrics in released}


LIBRARIES = {"scrim": Scrim, "OpenDP": OpenDP, "Tumult Analytics": Tumult, "SmartNoise SQL": SmartNoise, "PipelineDP": PipelineDP}


def main():
    name, folder, runs, limit = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    library = LIBRARIES[name](folder, questions)
    for number, question in enumerate(questions):
        start = time.monotonic()
        for run in range(runs):
            if run >= 5 and time.monotonic() - start > limit:
                break
            try:
                print(json.dumps([number, library.answer(question)]), flush=True)
            except Exception as error:  # its reason is the result
                print(json.dumps([number, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"]), flush=True)
                break


if __name__ == "__main__":
    main()
