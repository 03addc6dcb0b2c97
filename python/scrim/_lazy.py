"""Plans of rows that are not computed yet: may one row change another?

A plan is taken if each step of it is on a list. Joins, windows, aggregates, sorts, limits and casts are not: they look
at several rows, or fail because of one.
"""

from __future__ import annotations

import os
import re
from typing import Any

# polars, as LazyFrame.explain() writes it.
_COLUMN = r'col\("[^"\\]*"\)'
_CHOSEN = _COLUMN + r'(?:\.alias\("[^"\\]*"\))?'
_COMPARED = (
    rf'(?:{_COLUMN}|"[^"\\]*"|-?\d+(?:\.\d+)?|true|false|[()\[\]&|<>=!]+|\.is_null\(\)|\.is_not_null\(\)|\.not\(\)|\s)+'
)
_STEPS = re.compile(
    rf"DF \[.*\]; PROJECT ?(?:\*|\[.*\] \d+|\d+)/\d+ COLUMNS(?:; SELECTION: None)?"
    rf"|SELECT \[{_CHOSEN}(?:, {_CHOSEN})*\](?: FROM)?|simple π \d+/\d+ \[.*\]"
    rf"|FILTER {_COMPARED}|FROM"
)
_FILE_STEPS = re.compile(
    rf"Parquet SCAN \[(?P<file>[^,\]]*)\]|PROJECT (?:\*|\d+)/\d+ COLUMNS|ESTIMATED ROWS: \d+"
    rf"|SELECT \[{_COLUMN}(?:, {_COLUMN})*\](?: FROM)?|simple π \d+/\d+ \[.*\]"
)


def _steps(frame: Any) -> list[str]:
    return [step.strip() for step in frame.explain(optimized=False).splitlines()]


def is_rows_of_polars(frame: Any) -> bool:
    """Does a lazy frame only select columns of one frame, and rows by comparing columns with constants, or columns of one
    Parquet file?"""
    try:
        steps = _steps(frame)
        frames = [step for step in steps if step.startswith("DF [")]
        return len(frames) == 1 and all(map(_STEPS.fullmatch, steps)) or file_of_polars(frame) is not None
    except Exception:
        return False


def file_of_polars(frame: Any) -> str | None:
    """The Parquet file whose columns a lazy frame is; None if it is anything else."""
    read = [_FILE_STEPS.fullmatch(step) for step in _steps(frame)]
    files = [step["file"] for step in read if step is not None and step["file"] is not None]
    return files[0] if None not in read and len(files) == 1 and os.path.isfile(files[0]) else None


# DuckDB, as relations write their SQL.
_NAME = r'(?:"(?:[^"]|"")+"|[a-z_]\w*)'
_FILE = r"(?:[^'*?\[{]|'')+"
_OPTION = r"\s*,\s*(?:binary_as_string|file_row_number|filename|hive_partitioning|union_by_name)\s*:?=\s*false"
_PARQUET = rf"(?:read_parquet|parquet_scan)\(\s*(?:'(?P<one>{_FILE})'|\['(?P<listed>{_FILE})'\])(?:{_OPTION})*\s*\)"
_RELATION = re.compile(
    rf"\s*(?:select\s+(?:\*|(?P<columns>{_NAME}(?:\s*,\s*{_NAME})*))\s+)?from\s+"
    rf"(?:(?:{_NAME}\.)*(?P<table>{_NAME})|{_PARQUET}|'(?P<named>{_FILE}\.parquet)')(?:\s+as\s+{_NAME})?\s*;?\s*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'")
_GENERATED = re.compile(r"\bgenerated\s+always\s+as\b", re.IGNORECASE)
_PLACES = re.compile(r"\b(?:rowid|file_row_number|file_index)\b", re.IGNORECASE)


def is_rows_of_duckdb(relation: Any) -> bool:
    """Is a relation columns of one table or Parquet file? A view is none: it may be any query."""
    try:
        read = _RELATION.fullmatch(relation.sql_query())
        if read is None or _PLACES.search(read["columns"] or ""):
            return False
        return read["table"] is None or _is_table(relation, read["table"])
    except Exception:
        return False


def file_of_duckdb(query: str) -> str | None:
    """The Parquet file whose columns a query of DuckDB has; None if it reads anything else."""
    read = _RELATION.fullmatch(query)
    file = "" if read is None else read["one"] or read["listed"] or read["named"] or ""
    path = file.replace("''", "'")
    return path if os.path.isfile(path) else None


def _is_table(relation: Any, name: str) -> bool:
    """Is it a table whose columns are stored, by the catalogue of the relation's own connection?"""
    if name.startswith('"'):
        name = name[1:-1].replace('""', '"')
    literal = "'" + name.replace("'", "''") + "'"
    found = relation.query(
        "scrim_relation",
        "SELECT sql FROM duckdb_tables() WHERE lower(table_name) = lower(" + literal + ") UNION ALL "
        "SELECT NULL FROM duckdb_views() WHERE lower(view_name) = lower(" + literal + ")",
    ).fetchall()
    # Names and texts, which may have any words, are taken out of the catalogue's own writing of the table.
    return bool(found) and all(sql is not None and not _GENERATED.search(_QUOTED.sub("x", sql)) for (sql,) in found)


# Ibis: tables of DuckDB, and their columns.


def relation_of_ibis(table: Any) -> Any:
    """The relation of DuckDB that an Ibis table is columns of; None if it is anything else."""
    try:
        step = table.op()
        while type(step).__name__ == "Project":
            if any(type(value).__name__ != "Field" or value.name != name for name, value in step.values.items()):
                return None  # computed, or renamed
            step = step.parent
        if type(step).__name__ != "DatabaseTable" or step.source.name != "duckdb":
            return None
        place = [part for part in (step.namespace.catalog, step.namespace.database) if part]
        quoted = ".".join('"' + part.replace('"', '""') + '"' for part in [*place, step.name])
        relation = step.source.con.sql(f"FROM {quoted}")
        return relation if is_rows_of_duckdb(relation) else None
    except Exception:
        return None


# pyarrow datasets.


def is_files_of_arrow(dataset: Any) -> bool:
    """Is a dataset Parquet files, as they are? A filter, or a reader of CSV, may fail because of a row."""
    is_parquet = type(getattr(dataset, "format", None)).__name__ == "ParquetFileFormat"
    return is_parquet and bool(dataset.files) and not getattr(dataset, "_scan_options", None)
