"""A101: a source is rows, one by one. Frames, tables and files that differ in one person are refused alike, charged alike,
and everybody else is read alike, whatever type a library gives to the column."""

import itertools
import datetime
import decimal
import os
import random
import re
import tempfile
import uuid

import pytest
from conftest import LONG, ROOT

import scrim

UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=9))
DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(7 * i) for i in range(5)]
MOMENTS = [datetime.datetime(2024, 1, 1, 23, 30) + datetime.timedelta(hours=11 * i, microseconds=250000 * i) for i in range(5)]
KINDS = {
    "int": [0, 1, 2, 7, -3, 20240108],
    "float": [0.0, 1.0, 2.5, -0.25, 7.0, 1e22],
    "bool": [True, False],
    "text": ["a", "1", "1.0", "true", "2024-01-08", "08.01.2024", "2,5", "", "NA"],
    "date": DAYS,
    "time": MOMENTS,
    "aware": [moment.replace(tzinfo=zone) for moment in MOMENTS for zone in (UTC, EAST)],
    "decimal": [decimal.Decimal("1.50"), decimal.Decimal("1"), decimal.Decimal("-0.25"), decimal.Decimal("2.5")],
}
# Types that have no value of any declared type, or none but a text.
OTHERS = {
    "span": [datetime.timedelta(1), datetime.timedelta(hours=2)],
    "clock": [datetime.time(1), datetime.time(2, 30)],
    "bytes": [b"a", b"1", b"\xff"],
    "list": [[1], [2, 3], []],
    "struct": [{"a": 1}, {"a": None}],
    "wide": [decimal.Decimal("1" * 45), decimal.Decimal("1." + "5" * 45)],
}
# Values that give a column another type.
ODD = [
    None, float("nan"), float("inf"), "x", "", "\ud800", b"q", b"\xff", 10**30, 10**5000, 2.5, 1, True, 2 + 1j, 3 + 0j, [], {}, object(),
    uuid.UUID(int=7), decimal.Decimal("1.5"), decimal.Decimal("sNaN"), DAYS[2], MOMENTS[2], MOMENTS[3].replace(tzinfo=EAST),
    datetime.timedelta(1), datetime.datetime(9999, 12, 31, tzinfo=EAST), datetime.time(1),
]  # fmt: skip
TYPES = {
    "text": "SELECT v, COUNT(*) AS n WHERE g = 0 GROUP BY v",
    "bool": "SELECT v, COUNT(*) AS n WHERE g = 0 GROUP BY v",
    "int[-3,30]": "SELECT v, COUNT(*) AS n WHERE g = 0 GROUP BY v",
    "decimal[-3,3]/2^-2": "SELECT COUNT(v) AS n, SUM(v) AS s WHERE g = 0",
    "date[2024-01-01,2024-03-01]": "SELECT v, COUNT(*) AS n WHERE g = 0 GROUP BY v",
    "timestamp[2024-01-01,2024-03-01]": "SELECT HOUR(v) AS h, COUNT(*) AS n WHERE g = 0 GROUP BY HOUR(v)",
    "unit": "SELECT COUNT(DISTINCT v) AS n, COUNT(*) AS c WHERE g = 0",
}  # fmt: skip
KEYS = sorted(
    {"a", "1", "1.0", "true", "false", "0", "2", "7", "-3", "2.5", "-0.25", "2,5", "1.5", "20240108", "08.01.2024"}
    | {"10000000000000000000000", *map(str, DAYS), *map(str, MOMENTS)}
)
FORMS = {"plain": {}, "other": {"decimal": ",", "date_format": "DD.MM.YYYY", "null": ["NA", "1", "2024-01-08"]}}


def declare(vault, name, kind, form, file=None):
    columns = {"g": "int[0,1]"} if kind == "unit" else {"g": "int[0,1]", "v": kind}
    vault.add(
        name, file, live=file is None, unit="v" if kind == "unit" else "row", bounds={"rows_per_unit": 1} if kind == "unit" else None,
        columns=columns, keys={"v": KEYS} if kind == "text" else None, budget=10**12, format={"zone": "UTC", **FORMS[form]},
    )  # fmt: skip


def numpy_of(values):
    import numpy

    return {"v": numpy.array(values), "g": numpy.array([0] * (len(values) - 1) + [1])}


def pandas_of(change):
    def make(values):
        import pandas

        return pandas.DataFrame({"v": change(pandas, pandas.Series(values)), "g": [0] * (len(values) - 1) + [1]})

    return make


def polars_of(values):
    import polars

    return polars.DataFrame({"v": values, "g": [0] * (len(values) - 1) + [1]}, strict=False)


def arrow_of(values):
    import pyarrow

    return pyarrow.table({"v": pyarrow.array(values, from_pandas=True), "g": [0] * (len(values) - 1) + [1]})


def duckdb_of(values):
    import duckdb

    rows, connection = arrow_of(values), duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT * FROM rows")
    assert rows is not None
    return connection.table("people")


def ibis_of(values):
    import ibis

    connection = ibis.duckdb.connect()
    connection.con.register("given", arrow_of(values))
    connection.raw_sql("CREATE TABLE people AS SELECT * FROM given")
    return connection.table("people").select("g", "v")


FILES = tempfile.TemporaryDirectory()


def files_of(values):
    """A dataset of two files, whose types pyarrow chooses by the rows of each."""
    import pyarrow.dataset
    from pyarrow import parquet

    folder = tempfile.mkdtemp(dir=FILES.name)
    for name, part, group in (("a", values[:-1], 0), ("b", values[-1:], 1)):
        columns = {"v": pyarrow.array(part, from_pandas=True), "g": pyarrow.array([group] * len(part), "int64")}
        parquet.write_table(pyarrow.table(columns), f"{folder}/{name}.parquet")
    return pyarrow.dataset.dataset(folder)


def scan_of(values):
    """A file of Parquet that polars reads when it is asked."""
    import polars
    from pyarrow import parquet

    path = f"{tempfile.mkdtemp(dir=FILES.name)}/rows.parquet"
    parquet.write_table(arrow_of(values), path)
    return polars.scan_parquet(path).select("v", "g")


def batches_of(values):
    """Frames of several libraries, one row each, and one type each."""
    import numpy
    import pandas
    import polars
    import pyarrow

    def arrow(row):
        return pyarrow.table({name: pyarrow.array(column, from_pandas=True) for name, column in row.items()})

    def lists_or_polars(row):  # which panics at a signalling NaN
        is_plain = isinstance(row["v"][0], (int, float, str, datetime.date, datetime.time, bytes))
        return polars.DataFrame(row, strict=False) if is_plain else row

    made = [arrow, lists_or_polars, pandas.DataFrame, lambda row: row]
    made.append(lambda row: {name: numpy.array(column) for name, column in row.items()})
    rows = [{"v": [value], "g": [int(i == len(values) - 1)]} for i, value in enumerate(values)]
    return iter([made[i % len(made)](row) for i, row in enumerate(rows)])


DOORS = {
    "lists": lambda values: {"v": list(values), "g": [0] * (len(values) - 1) + [1]},
    "pandas": pandas_of(lambda pandas, column: column),
    "nullable": pandas_of(lambda pandas, column: column.convert_dtypes()),
    "of arrow": pandas_of(lambda pandas, column: column.convert_dtypes(dtype_backend="pyarrow")),
    "object": pandas_of(lambda pandas, column: column.astype(object)),
    "category": pandas_of(lambda pandas, column: column.astype("category")),
    "numpy": numpy_of,
    "polars": polars_of,
    "lazy": lambda values: polars_of(values).lazy().select("v", "g"),
    "arrow": arrow_of,
    "reader": lambda values: arrow_of(values).to_reader(),
    "dictionary": lambda values: (lambda table: table.set_column(0, "v", table["v"].dictionary_encode()))(arrow_of(values)),
    "duckdb": duckdb_of,
    "ibis": ibis_of,
    "scan": scan_of,
    "dataset": files_of,
    "batches": batches_of,
}
# These make one type of a column by themselves, and say no to values of others.
STRICT = ("numpy", "polars", "lazy", "scan", "arrow", "reader", "dictionary", "duckdb", "ibis")
SLOW = ("duckdb", "ibis")  # these are taken less often


ASKED = itertools.count(1)


def answer(vault, name, query, frame):
    """The answer as its asker sees it: an error with its words, or rows, and the charge. There is no noise at this epsilon."""

    def ask(epsilon):
        result = vault.query(name, query, epsilon=epsilon, data=frame)
        return [[cell.value if isinstance(cell, scrim.Estimate) else cell for cell in row.values()] for row in result]

    return seen_of(vault, name, ask)


def seen_of(vault, name, ask):
    """What somebody sees who asks, and the charge. Another epsilon each time: of rows that are read alike the second answer would
    be the first one, free."""
    spent = vault.budget(name)[0]["spent"]
    try:
        seen = ask(f"999.{next(ASKED):07}")
    except scrim.Error as error:
        seen = type(error).__name__, re.sub(r"release \d+", "release N", str(error))
    return seen, int(vault.budget(name)[0]["spent"] > spent)


def answer_file(vault, name, declared, form, table, folder):
    """The same of a Parquet file."""
    from pyarrow import parquet

    path = folder / f"{name}.parquet"
    parquet.write_table(table, path)
    declare(vault, name, declared, form, path)
    seen = answer(vault, name, TYPES[declared], None)
    path.unlink()
    return seen


def pair(rng, door):
    """Two columns that differ in the value of the last person."""
    kind = rng.choice([*KINDS, *KINDS, *([] if door in ("numpy", *SLOW) else OTHERS)])
    values = {**KINDS, **OTHERS}[kind]
    others = [rng.choice([*values, None] if rng.random() < 0.3 else values) for _ in range(rng.randrange(6))]
    odd = [None, rng.choice(values)] if door in STRICT else ODD
    return kind, [*others, rng.choice(values)], [*others, rng.choice(odd)]


def test_a101_pairs_of_frames_are_read_alike(folder):
    for module in ("numpy", "pandas", "polars", "pyarrow", "duckdb", "ibis"):
        pytest.importorskip(module)
    rng = random.Random(101)
    made, refused = 0, 0
    while made < (100_000 if LONG else 24):
        vault = scrim.init(folder / f"{made}.vault", witness=False)
        names = {(kind, form): f"d{i}" for i, (kind, form) in enumerate((k, f) for k in TYPES for f in FORMS)}
        for (kind, form), name in names.items():
            declare(vault, name, kind, form)
        for _ in range(500):
            if made >= (100_000 if LONG else 24):
                break
            door = rng.choice([name for name in DOORS if name not in SLOW or rng.random() < 0.2])
            kind, left, right = pair(rng, door)
            try:
                frames = DOORS[door](left), DOORS[door](right)
            except Exception:
                continue  # the library does not make such a frame at all
            declared, form = rng.choice(list(names))
            if door == "arrow" and rng.random() < 0.5:
                seen = [answer_file(vault, f"f{made}_{i}", declared, form, frames[i], folder) for i in range(2)]
            else:
                seen = [answer(vault, names[declared, form], TYPES[declared], frame) for frame in frames]
            assert seen[0] == seen[1], (door, declared, form, left, right)
            refused += isinstance(seen[0][0], tuple)
            made += 1
        vault.close()
        os.unlink(folder / vault.path)
    assert refused == 0


def tree(vault, name, frame, epsilon):
    """Everybody's counts but those of the last person's group."""
    levels = ["g", "v"] if "v" in vault[name].columns else ["g"]
    made = vault.microdata(name, levels, epsilon=epsilon, data=frame)
    return [(node.keys, node.count) for node in made.nodes if node.keys[:1] == ["0"]]


# Releases that take rows, and the declared types that they know. Where the last person's rows are in what is shown,
# only that there is something is compared, and the charge. Bodies have a largest epsilon, and take 9 of 999.
RELEASES = {
    "microdata": (("text", "bool", "int[-3,30]", "unit"), tree),
    "batch": (tuple(TYPES), lambda vault, name, frame, epsilon: [
        [cell.value for cell in row.values() if isinstance(cell, scrim.Estimate)]
        for result in vault.batch(name, ["SELECT COUNT(*) AS n WHERE g = 0", "SELECT COUNT(*) AS n"], epsilon=epsilon, data=frame) for row in result
    ]),
    "series": (tuple(TYPES), lambda vault, name, frame, epsilon: [
        row["n"].value for row in
        vault.create_series(f"s{epsilon}", name, "SELECT COUNT(*) AS n WHERE g = 0", epsilon=epsilon, releases=1).answer(data=frame)
    ]),
    "suggest": (("int[-3,30]", "decimal[-3,3]/2^-2", "date[2024-01-01,2024-03-01]"),
                lambda vault, name, frame, epsilon: vault.suggest(name, "v", epsilon=epsilon, data=frame) and None),
    "synth": (("text", "bool", "int[-3,30]", "date[2024-01-01,2024-03-01]"),
              lambda vault, name, frame, epsilon: vault.synth(name, method="mwem", columns=["g", "v"], epsilon=epsilon, data=frame) and None),
    "body": (("int[-3,30]", "decimal[-3,3]/2^-2"),
             lambda vault, name, frame, epsilon: vault.body(name, ["v", "g"], epsilon=epsilon[2:], data=frame) and None),
    "deep_point": (("int[-3,30]", "decimal[-3,3]/2^-2"),
                   lambda vault, name, frame, epsilon: vault.deep_point(name, ["v"], epsilon=epsilon[2:], expected_units=10, data=frame) and None),
    "check": (tuple(TYPES), lambda vault, name, frame, epsilon: vault.check(name, data=frame) and None),
    "risk": (("text", "bool", "int[-3,30]", "date[2024-01-01,2024-03-01]"),
             lambda vault, name, frame, epsilon: vault.risk(name, "v", data=frame) and None),
}  # fmt: skip


@pytest.mark.parametrize("release", RELEASES)
def test_a101_pairs_of_frames_in_every_release(folder, release):
    """The walk above, in all that takes `data`."""
    for module in ("numpy", "pandas", "polars", "pyarrow", "duckdb", "ibis"):
        pytest.importorskip(module)
    kinds, ask = RELEASES[release]
    rng = random.Random(f"101 {release}")
    made, most = 0, 500 if LONG else 12
    vault = scrim.init(folder / "scrim.vault", witness=False)
    names = {(kind, form): f"d{i}" for i, (kind, form) in enumerate((k, f) for k in kinds for f in FORMS)}
    for (kind, form), name in names.items():
        declare(vault, name, kind, form)
    while made < most:
        door = rng.choice([name for name in DOORS if name not in SLOW or rng.random() < 0.2])
        kind, left, right = pair(rng, door)
        try:
            frames = DOORS[door](left), DOORS[door](right)
        except Exception:
            continue  # the library does not make such a frame at all
        declared, form = rng.choice(list(names))
        seen = [seen_of(vault, names[declared, form], lambda epsilon: ask(vault, names[declared, form], frame, epsilon)) for frame in frames]
        if release == "batch" and isinstance(seen[0][0], list):
            seen = [([answer[0]], charge) for answer, charge in seen]
        assert seen[0] == seen[1], (door, declared, form, left, right)
        assert not isinstance(seen[0][0], tuple), (door, declared, form, left, seen[0])
        made += 1


def test_a101_every_door_reads_a_value_alike(folder):
    """As the typed columns of C do: the text of a Python value and the value of an array are one."""
    for module in ("numpy", "pandas", "polars", "pyarrow", "duckdb", "ibis"):
        pytest.importorskip(module)
    with scrim.init(folder / "scrim.vault") as vault:
        for number, (kind, values) in enumerate(KINDS.items()):
            for declared in TYPES:
                for form in FORMS:
                    if not LONG and (number + len(declared) + len(form)) % 11:
                        continue
                    name = f"{kind}{list(TYPES).index(declared)}{form}"
                    declare(vault, name, declared, form)
                    seen = {}
                    for door, make in DOORS.items():
                        if kind == "aware" and door in ("category", "polars", "lazy"):
                            continue  # of one zone only
                        if door not in (*SLOW, "reader", "lazy", "scan", "dictionary") or LONG:
                            seen[door] = answer(vault, name, TYPES[declared], make([*values, values[0]]))
                    assert all(one == seen["lists"] for one in seen.values()), (kind, declared, form, seen)


def test_rows_count_without_a_column(vault, folder):
    """Where each row is a unit, COUNT(*) reads no column: lists, arrays and frames of polars had no rows then."""
    for module in ("numpy", "pandas", "polars", "pyarrow", "duckdb", "ibis"):
        pytest.importorskip(module)
    declare(vault, "d", "text", "plain")
    for door, make in DOORS.items():
        assert answer(vault, "d", "SELECT COUNT(*) AS n", make(["a", "b", None])) == ([[3]], 1), door
    polars_of(["a", "b", None]).write_parquet(folder / "rows.parquet")
    vault.add("p", folder / "rows.parquet", unit="row", columns={"v": "text"}, budget=10**6)
    vault.add("q", duckdb=f"SELECT g FROM '{folder / 'rows.parquet'}'", unit="row", columns={"g": "int[0,1]"}, budget=10**6)
    for name in "pq":
        assert answer(vault, name, "SELECT COUNT(*) AS n", None) == ([[3]], 1)


def test_tables_of_ibis_are_relations_of_duckdb(vault):
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    connection = ibis.duckdb.connect()
    connection.raw_sql("CREATE TABLE people AS SELECT range AS v, range % 2 AS g FROM range(10)")
    connection.raw_sql("CREATE VIEW largest AS SELECT max(v) AS v, 0 AS g FROM people")
    people = connection.table("people")
    declare(vault, "t", "int[-3,30]", "plain")
    for table in (people, people.select("g", "v")):
        assert answer(vault, "t", "SELECT COUNT(*) AS n, SUM(v) AS s WHERE g = 0", table) == ([[5, 20]], 1)
    # Plans that look at several rows, or fail because of one, are refused before the charge.
    computed = [people.order_by("v"), people.limit(3), people.mutate(v=people.v.max() - people.v), people.rename(v="g", g="v")]
    computed += [people.filter(people.v > 3), people.distinct(), connection.table("largest"), people.union(people)]
    for table in [*computed, people.mutate(v=people.v.cast("int8"))]:
        seen = answer(vault, "t", "SELECT SUM(v) AS s", table)
        assert seen == (("InputError", "an Ibis table must be columns of one table of DuckDB; pass table.to_pyarrow()"), 0)
    assert answer(vault, "t", "SELECT SUM(v) AS s", people.select("g"))[0][1] == "the rows have no column 'v'"


def test_datasets_that_are_not_files_as_they_are(vault, folder):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.dataset as datasets
    from pyarrow import parquet

    declare(vault, "t", "int[-3,30]", "plain")
    parquet.write_table(pyarrow.table({"v": [1, 2], "g": [0, 0]}), folder / "a.parquet")
    (folder / "a.csv").write_text("v,g\n1,0\n")
    whole = datasets.dataset(folder / "a.parquet")
    assert answer(vault, "t", "SELECT SUM(v) AS s", whole) == ([[3]], 1)
    refused = [datasets.dataset(folder / "a.csv", format="csv"), whole.filter(datasets.field("v") > 1), datasets.dataset(pyarrow.table({"v": [1]}))]
    for dataset in refused:
        seen = answer(vault, "t", "SELECT SUM(v) AS s", dataset)
        assert seen == (("InputError", "a dataset must be Parquet files without a filter; pass dataset.to_table()"), 0)
    parquet.write_table(pyarrow.table({"g": [0]}), folder / "b.parquet")
    several = datasets.dataset([str(folder / "a.parquet"), str(folder / "b.parquet")])
    assert answer(vault, "t", "SELECT SUM(v) AS s", several) == (("InputError", "the rows have no column 'v'"), 0)


def test_a_frame_says_its_remedy(vault):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    declare(vault, "t", "int[-3,30]", "plain")
    frame = pandas.DataFrame({"v": [1, 2], "g": [0, 0]})
    twice = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2]), pyarrow.array([0])], names=["v", "v", "g"])
    for rows, words in ((frame.set_index("v"), "pass frame.reset_index()"), (frame[["v", "v", "g"]], "2 columns 'v'; rename all but one"),
                        (twice, "2 columns 'v'; rename all but one")):  # fmt: skip
        with pytest.raises(scrim.InputError, match=re.escape(words)):
            vault.query("t", "SELECT SUM(v) AS s WHERE g = 0", epsilon=1, data=rows)
    with pytest.raises(TypeError, match=r"RecordBatchReader\.from_batches\(schema, batches\), or as iter\(batches\)"):
        vault.query("t", "SELECT SUM(v) AS s", epsilon=1, data=[frame, frame])
    with pytest.raises(TypeError, match="from_batches"):
        vault.add("u", [frame], unit="row", columns={"v": "int[0,9]"}, budget=1)
    assert not vault.ledger()
    # What fails while the rows are made is charged, and says nothing of them.
    with pytest.raises(scrim.Error) as caught:
        vault.query("t", "SELECT SUM(v) AS s", epsilon=1, data=iter([frame, 1 / 3]))
    assert len(vault.ledger()) == 1 and "0.33" not in str(caught.value)


def test_a101_one_blank_cell(vault):
    """pandas turns whole numbers into floats where a cell is blank: a text, a boolean and a unit were refused then."""
    pandas = pytest.importorskip("pandas")
    for kind in ("text", "bool", "unit"):
        declare(vault, kind, kind, "plain")
        seen = [answer(vault, kind, TYPES[kind], pandas.DataFrame({"v": [1, 0, 1, last], "g": [0, 0, 0, 1]})) for last in (1, None)]
        assert seen[0] == seen[1] and seen[0][1] == 1, kind
    for empty in (pandas.Series([None, None], dtype=object), pandas.Series([float("nan")] * 2)):
        for kind in ("text", "bool"):
            assert answer(vault, kind, "SELECT COUNT(v) AS n", pandas.DataFrame({"v": empty, "g": [0, 0]})) == ([[0]], 1)


SNIFFED = "SELECT * FROM read_csv('{path}')"
TEXT = (
    "SELECT * FROM read_csv('{path}', auto_detect=false, all_varchar=true, strict_mode=false, ignore_errors=true, null_padding=true, "
    "header=true, delim=',', quote='', escape='', columns={{'who': 'VARCHAR', 'd': 'VARCHAR'}})"
)
DATED = {"unit": "who", "bounds": {"rows_per_unit": 1}, "columns": {"d": "date[2024-01-01,2024-12-31]"}, "format": {"date_format": "DD/MM/YYYY"}}


def test_a101_one_date_does_not_turn_all_others(vault, folder):
    """DuckDB read 03/04/2024 of 500 people as the 4th of March once another had 03/14/2024."""
    pytest.importorskip("duckdb")
    path = folder / "people.csv"
    rows = "who,d\n" + "".join(f"p{i},03/04/2024\n" for i in range(500))
    path.write_text(rows)
    refused = [SNIFFED, "SELECT * FROM '{path}'", "SELECT * FROM read_csv('{path}', all_varchar=true)", TEXT.replace("all_varchar", "sample")]
    for query in refused:
        with pytest.raises(scrim.ParameterError, match="declare a CSV file itself"):
            vault.add("sniffed", duckdb=query.format(path=path), budget=10**6, **DATED)
    vault.add("text", duckdb=TEXT.format(path=path), budget=10**6, **DATED)
    months = []
    for more in ("", "p500,03/14/2024\n", 'p500,"\n', "p500,1,2,3\n", "p500\n", "p500,\xff\n", "p500," + "x" * 3_000_000 + "\n"):
        path.write_bytes((rows + more).encode("latin-1"))
        months.append([vault.query("text", f"SELECT COUNT(*) AS n WHERE MONTH(d) = {m}", epsilon=1000)[0]["n"].value for m in (3, 4)])
    assert months == [[0, 500]] * len(months)


def test_a101_queries_over_several_rows_are_refused(vault, folder):
    pytest.importorskip("duckdb")
    policy = {"unit": "row", "columns": {"v": "int[0,100]"}, "budget": 10}
    file = f"read_parquet('{folder / 'v.parquet'}')"
    for query in (
        f"SELECT 100*v/max(v) OVER () AS v FROM {file}", f"SELECT CAST(v AS INTEGER) AS v FROM {file}", f"SELECT max(v) AS v FROM {file}",
        f"SELECT v FROM {file} ORDER BY v LIMIT 1", f"SELECT a.v FROM {file} a, {file} b", "SELECT 1 AS v", "SELECT v FROM people",
    ):  # fmt: skip
        with pytest.raises(scrim.ParameterError, match="no row changes another"):
            vault.add("d", duckdb=query, **policy)
        with pytest.raises(scrim.ParameterError, match="no row changes another"):
            vault.add("d", policy=f"duckdb={query}\nunit=row\ncolumn=v=int[0,100]\nbudget=epsilon=10\n")
    assert vault.datasets() == []


def relations(values):
    """Relations of DuckDB and lazy frames that look at several rows, or fail because of one."""
    import duckdb
    import polars
    import pyarrow

    stored, connection = pyarrow.table({"v": values}), duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT * FROM stored")
    connection.execute("CREATE VIEW seen AS SELECT v::INT AS v FROM people")
    connection.execute("CREATE TABLE counted (w VARCHAR, v INT GENERATED ALWAYS AS (CAST(w AS INT)) VIRTUAL)")
    yield connection.sql("SELECT v::INT AS v FROM people")
    yield connection.sql("SELECT 100 * v::INT / max(v::INT) OVER () AS v FROM people")
    yield connection.sql("SELECT * FROM seen")
    yield connection.view("seen")
    yield connection.table("counted")
    yield connection.sql("SELECT rowid AS v FROM people")
    yield connection.table("people").order("v").limit(1)
    yield connection.sql("SELECT * FROM people WHERE v::INT > 0")
    yield connection.sql("SELECT * FROM stored")
    lazy = polars.DataFrame({"v": values}).lazy()
    number = polars.col("v").cast(polars.Int64)
    yield lazy.select(number)
    yield lazy.with_columns(number * 100 / number.max())
    yield lazy.filter(number > 0)
    yield lazy.sort("v").limit(1)
    yield lazy.join(lazy, on="v")
    yield polars.scan_csv(ROOT / "data/adult.csv").rename({"age": "v"})


def test_a101_lazy_rows_are_refused_by_their_plan(vault):
    """One value that cannot be cast decided between an answer and a failure, before the charge and free."""
    for module in ("polars", "pyarrow", "duckdb"):
        pytest.importorskip(module)
    vault.add("d", live=True, unit="row", columns={"v": "int[0,100]"}, budget=10**12)
    good, bad = ["1"] * 50, ["1"] * 49 + ["CANARY"]
    for left, right in zip(relations(good), relations(bad)):
        seen = [answer(vault, "d", "SELECT SUM(v) AS s", frame) for frame in (left, right)]
        assert seen[0] == seen[1] and seen[0][1] == 0 and "; pass " in seen[0][0][1], left
        with pytest.raises(scrim.InputError, match="; pass "):
            vault.add("other", left, unit="row", columns={"v": "int[0,100]"}, budget=1)


def test_a101_plain_lazy_rows_run_after_the_charge(vault, folder):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    vault.add("d", live=True, unit="row", columns={"v": "int[0,100]"}, budget=10**12)
    frame = polars.DataFrame({"v": [1, 2, 3], "w": ["a", "b", None]})
    path = folder / "rows.parquet"
    frame.write_parquet(path)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    taken = [
        frame.lazy(), frame.lazy().select("v"), frame.lazy().rename({"v": "x", "w": "v"}).rename({"v": "w", "x": "v"}),
        frame.lazy().filter(polars.col("v") > 0), frame.lazy().filter(polars.col("v").is_not_null() & (polars.col("v") < 9)),
        polars.scan_parquet(path).select("v"), connection.table("people"), connection.sql("SELECT w, v FROM people"),
        connection.sql('SELECT "v" FROM main.people'), connection.sql(f"SELECT * FROM read_parquet('{path}')"), connection.sql("FROM people"),
        duckdb.read_parquet(str(path)),
    ]  # fmt: skip
    for rows in taken:
        assert answer(vault, "d", "SELECT SUM(v) AS s", rows) == ([[6]], 1), rows
    ran = []

    class Slow:
        """A library that computes its rows when it is asked for them, and fails because of one."""

        def __arrow_c_stream__(self, requested_schema=None):
            ran.append(len(vault.ledger()))
            raise ValueError("CANARY")

    seen = answer(vault, "d", "SELECT SUM(v) AS s", Slow())
    failed = "the source of the rows failed while it was read; release N is charged and has no answer"
    assert seen == (("InputError", failed), 1) and ran
    broken = polars.scan_parquet(path)
    size = path.stat().st_size
    broken.collect_schema()
    content = path.read_bytes()
    path.write_bytes(content[:4] + bytes(40) + content[44:])
    assert path.stat().st_size == size
    assert answer(vault, "d", "SELECT SUM(v) AS s", broken) == (("InputError", failed), 1)
    with pytest.raises(scrim.InputError, match="reader.read_all"):
        from pyarrow import csv

        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data=csv.open_csv(ROOT / "data/adult.csv"))
    pandas = pytest.importorskip("pandas")
    with pandas.read_csv(ROOT / "data/adult.csv", chunksize=5) as parts, pytest.raises(scrim.InputError, match="reader.read"):
        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data=parts)
    with pytest.raises(TypeError, match="vault.add.NAME, 't.csv'"):
        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data="t.csv")
    assert pyarrow


FAR = 253402300800 + 10**6  # seconds: in the year 10000, which Python does not have


def far_frames(last):
    """Columns of people, the last of whom has an ordinary value or one that Python, UTF-8 or a span does not have."""
    import pandas
    import polars
    import pyarrow

    seconds, days, spans = [0, (1, FAR)[last]], [0, (1, 2**31 - 1)[last]], [0, (1, 2**62)[last]]
    ends = pyarrow.py_buffer(b"".join(end.to_bytes(4, "little") for end in (0, 1, 3)))
    text = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, ends, pyarrow.py_buffer((b"abc", b"a\xff\xfe")[last])])
    held = {
        "moment": pyarrow.array(seconds, pyarrow.timestamp("s")), "day": pyarrow.array(days, pyarrow.date32()), "text": text,
        "span": pyarrow.array(spans, pyarrow.duration("s")), "list": pyarrow.array([[n] for n in seconds], pyarrow.list_(pyarrow.timestamp("s"))),
    }  # fmt: skip
    for name, column in held.items():
        series = pandas.Series(column, dtype=pandas.ArrowDtype(column.type))
        yield f"pandas {name}", pandas.DataFrame({"v": series, "g": [0, 1]})
        yield f"pandas {name} beside other text", pandas.DataFrame(
            {"v": series, "g": [0, 1], "w": pandas.Series(["a", ("b", "\ud800")[last]], dtype=pandas.StringDtype("python"))}
        )
        yield f"series of pandas {name}", {"v": series, "g": [0, 1]}
        yield f"array {name}", {"v": column, "g": [0, 1]}
        yield f"arrow {name}", pyarrow.table({"v": column, "g": [0, 1]})
        if name == "moment":
            yield "category", {"v": pandas.Series(pandas.Categorical.from_codes([0, 1], pandas.Index(series))), "g": [0, 1]}
    numbers = polars.Series(seconds)
    for name, column in {
        "moment": polars.Series([1000 * n for n in seconds]).cast(polars.Datetime("ms")), "day": polars.Series(days, dtype=polars.Int32).cast(polars.Date),
        "span": polars.Series(spans).cast(polars.Duration("ms")), "struct": (1000 * numbers).cast(polars.Datetime("ms")).to_frame("a").to_struct("v"),
        "list": polars.Series([[n] for n in days], dtype=polars.List(polars.Int32)).cast(polars.List(polars.Date)),
        "zone": (1000 * numbers).cast(polars.Datetime("ms", "Asia/Tokyo")), "clock": polars.Series([0, (1, 86399999999999)[last]]).cast(polars.Time),
    }.items():  # fmt: skip
        frame = polars.DataFrame({"v": column, "g": [0, 1]})
        yield f"polars {name}", frame
        yield f"lazy {name}", frame.lazy()
        yield f"series of polars {name}", {"v": column, "g": [0, 1]}


def test_a110_values_that_python_does_not_have(vault):
    """A year above 9999, a long span and broken text: to make Python values of a column, pandas and polars failed at one."""
    for module in ("numpy", "pandas", "polars", "pyarrow"):
        pytest.importorskip(module)
    for kind in ("text", "timestamp[2024-01-01,2024-03-01]"):
        name = kind[:4]
        declare(vault, name, kind, "plain")
        for (door, left), (_, right) in zip(far_frames(0), far_frames(1)):
            for query in ("SELECT COUNT(*) AS n", "SELECT COUNT(v) AS n WHERE g = 0")[not LONG :]:
                seen = [answer(vault, name, query, frame) for frame in (left, right)]
                assert seen[0] == seen[1] and seen[0][1] == 1, (door, query, seen)


def test_a110_series_of_polars_are_read_as_its_frames(vault):
    polars = pytest.importorskip("polars")
    query = "SELECT v, COUNT(*) AS n GROUP BY v"
    declare(vault, "text", "text", "plain")
    declare(vault, "time", "timestamp[2024-01-01,2024-03-01]", "plain")
    for zone in (None, "Asia/Tokyo"):
        for unit in ("ms", "us", "ns"):
            moments = polars.Series([None, *MOMENTS]).cast(polars.Datetime(unit)).dt.replace_time_zone(zone)
            for name, asked in (("text", query), ("time", TYPES["timestamp[2024-01-01,2024-03-01]"])):
                column = {"v": moments, "g": [0] * len(moments)}
                assert answer(vault, name, asked, column) == answer(vault, name, asked, polars.DataFrame(column)), (zone, unit, name)
    for column in (polars.Series([None, *DAYS]), polars.Series([datetime.time(1, 2, 3), None]), polars.Series(["a", None])):
        frame = {"v": column, "g": [0] * len(column)}
        assert answer(vault, "text", query, frame) == answer(vault, "text", query, polars.DataFrame(frame))


def test_a110_values_of_a_union_that_lead_nowhere(vault):
    pyarrow = pytest.importorskip("pyarrow")

    def union(*places):
        kinds, values = pyarrow.array([0] * len(places), pyarrow.int8()), [pyarrow.array(["1", "2"]), pyarrow.array([7])]
        return pyarrow.UnionArray.from_dense(kinds, pyarrow.array(places, pyarrow.int32()), values)

    def tables(array):
        table = pyarrow.table({"v": array})
        return table, {"v": array}

    vault.add("d", live=True, unit="row", columns={"v": "int[0,9]"}, budget=10**9)
    for right, wrong in zip(tables(union(0, 1, 1)), tables(union(0, 1, 77)), strict=True):
        for frame, count in ((right, 3), (wrong, 2)):
            (row,) = vault.query("d", "SELECT COUNT(*) AS n, COUNT(v) AS c, SUM(v) AS s", epsilon=1000, data=frame)
            assert (row["n"].value, row["c"].value, row["s"].value) == (3, count, 2 * count - 1)


def test_a110_broken_text_of_a_parquet_file(vault, folder):
    """DuckDB and polars end the reading of a file at a text that is not UTF-8: whether there was an answer showed one row."""
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    declare(vault, "live", "text", "plain")
    seen = {}
    for last in (0, 1):
        path = folder / f"it's {last}.parquet"
        text = dict(far_frames(last))["arrow text"]
        parquet.write_table(text, path)
        quoted = str(path).replace("'", "''")
        for i, query in enumerate((f"SELECT * FROM '{quoted}'", f"SELECT g, v FROM read_parquet('{quoted}')")):
            vault.add(f"d{last}{i}", duckdb=query, unit="row", columns={"v": "text", "g": "int[0,1]"}, keys={"v": KEYS}, budget=10**6)
            seen.setdefault(query.replace(quoted, ""), []).append(answer(vault, f"d{last}{i}", TYPES["text"], None))
            seen.setdefault("relation " + query.replace(quoted, ""), []).append(answer(vault, "live", TYPES["text"], duckdb.sql(query)))
        for door, rows in {
            "read": duckdb.read_parquet(str(path)), "scan": polars.scan_parquet(path), "columns": polars.scan_parquet(path).select("v", "g"),
            "filter": polars.scan_parquet(path).filter(polars.col("g") < 2),
        }.items():  # fmt: skip
            seen.setdefault(door, []).append(answer(vault, "live", TYPES["text"], rows))
    assert all(left == right for left, right in seen.values()), seen
    assert seen.pop("filter")[0][1] == 0
    assert all(left[1] == 1 and ["a", 1] in left[0] for left, _ in seen.values()), seen
    assert pyarrow


def test_a110_a_parquet_file_that_is_cut_off(vault, folder):
    """A map of a file that became shorter ended the process by a signal, which was the host's."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = folder / "rows.parquet"
    parquet.write_table(pyarrow.table({"v": [str(n) for n in range(200_000)], "g": [0] * 200_000}), path)
    declare(vault, "d", "text", "plain", path)
    if os.fork() == 0:
        result, batches = 3, parquet.ParquetFile.iter_batches

        def cut(file, *arguments, **options):
            for batch in batches(file, *arguments, **options):
                yield batch
                os.truncate(path, 8)

        try:
            parquet.ParquetFile.iter_batches = cut
            scrim.open(vault.path).query("d", TYPES["text"], epsilon=1)
        except scrim.InputError:
            result = 0
        finally:
            os._exit(result)
    assert os.wait()[1] == 0


def test_a111_a_parquet_file_is_opened_after_the_charge(vault, folder, monkeypatch):
    """Rows of a file that was opened before scrim looked at it were taken for those of the version that stood there then."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, kept = folder / "rows.parquet", folder / "kept.parquet"
    parquet.write_table(pyarrow.table({"v": ["a"] * 3, "g": [0] * 3}), path)
    declare(vault, "d", "text", "plain", path)
    os.rename(path, kept)
    parquet.write_table(pyarrow.table({"v": ["a"] * 5, "g": [0] * 5}), path)
    push = scrim._native.feed_stream

    def put_back(*arguments):
        os.rename(kept, path)
        return push(*arguments)

    monkeypatch.setattr(scrim._native, "feed_stream", put_back)
    assert answer(vault, "d", "SELECT COUNT(*) AS n", None) == ([[3]], 1)
    assert not kept.exists()


@pytest.mark.parametrize("release", ["synth", "body"])
def test_a111_rows_of_a_replaced_parquet_file_are_not_taken(vault, folder, monkeypatch, release):
    """A release that is one call has its rows before scrim looks at the file, which was put back in between."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path, kept = folder / "rows.parquet", folder / "kept.parquet"
    parquet.write_table(pyarrow.table({"v": [7] * 100}), path)
    vault.add("d", path, unit="row", columns={"v": "int[0,9]"}, budget=10**12)
    os.rename(path, kept)
    parquet.write_table(pyarrow.table({"v": [7] * 500}), path)
    made = scrim._native.frame_stream

    def put_back(*arguments):
        rows = made(*arguments)
        os.rename(kept, path)
        return rows

    def ask():
        if release == "synth":
            return vault.synth("d", method="mwem", columns=["v"], epsilon=1)
        return vault.body("d", ["v"], epsilon=1)

    monkeypatch.setattr(scrim._native, "frame_stream", put_back)
    with pytest.raises(scrim.InputError, match="not that of this version"):
        ask()
    assert not kept.exists()
    monkeypatch.undo()
    ask()


def test_a101_ctrl_c_in_a_generator_is_ctrl_c(vault):
    pyarrow = pytest.importorskip("pyarrow")
    vault.add("d", live=True, unit="row", columns={"v": "int[0,100]"}, budget=10**12)
    table = pyarrow.table({"v": [1, 2, 3]})

    def rows(raised):
        yield from table.to_batches()
        raise raised

    def reader(raised):
        return pyarrow.RecordBatchReader.from_batches(table.schema, rows(raised))

    with pytest.raises(KeyboardInterrupt, match="release 1 is charged and has no answer"):
        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data=reader(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt, match="nothing was charged"):
        vault.synth("d", method="mwem", columns=["v"], epsilon=1, data=reader(KeyboardInterrupt()))
    with pytest.raises(SystemExit):
        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data=reader(SystemExit(3)))
    with pytest.raises(scrim.InputError, match="the source of the rows failed"):
        vault.query("d", "SELECT SUM(v) AS s", epsilon=1, data=reader(ValueError("CANARY")))
    assert len(vault.ledger()) == 3


def test_a101_rows_of_other_types_are_never_handed_out():
    pyarrow = pytest.importorskip("pyarrow")
    from scrim import _native

    typed, other = pyarrow.table({"v": [1]}), pyarrow.table({"v": ["a"]})
    made = iter([typed, other, typed])
    capsule = _native.arrow_pulled(typed.__arrow_c_stream__(), lambda: next(made).__arrow_c_stream__())
    reader = pyarrow.RecordBatchReader._import_from_c_capsule(capsule)
    assert reader.read_next_batch().to_pydict() == {"v": [1]}
    with pytest.raises(OSError, match="the rows could not be made"):
        reader.read_next_batch()
    assert reader.read_next_batch().to_pydict() == {"v": [1]}


def test_whole_keys_beside_null_keep_their_digits(vault):
    """9007199254740993 is no float: beside a NULL it became 9007199254740992."""
    pandas = pytest.importorskip("pandas")
    vault.add("d", live=True, unit="row", columns={"v": "int[9007199254740990,9007199254740999]"}, budget=10**12)
    made = vault.query("d", "SELECT v, COUNT(*) AS n GROUP BY v", epsilon=1000, data={"v": [9007199254740993, None]}).to_pandas()
    assert made["v"].dtype == pandas.Int64Dtype() and 9007199254740993 in made["v"].tolist()
    assert made["v"].isna().sum() == 1 and made["n"].dtype.kind == "i"
