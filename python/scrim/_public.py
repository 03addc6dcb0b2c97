"""Small public tables that questions join, as the lines that declare them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from . import _native
from ._errors import ParameterError

_KINDS = "the path of a CSV file with a header, a frame of pandas, polars or pyarrow, or a mapping of columns"


def _columns(source: Any) -> dict[str, list[Any]]:
    if isinstance(source, Mapping):
        found = source
    elif hasattr(source, "to_pydict"):  # pyarrow
        found = source.to_pydict()
    elif hasattr(source, "get_columns"):  # polars
        found = source.to_dict(as_series=False)
    elif hasattr(source, "to_dict") and hasattr(source, "columns"):  # pandas
        found = source.to_dict("list")
    else:
        raise TypeError(f"a public table is {_KINDS}, not {type(source).__name__}")
    columns = {str(name): [_plain(value) for value in values] for name, values in found.items()}
    if len({len(values) for values in columns.values()}) > 1:
        raise ValueError("the columns of a public table must be equally long")
    return columns


def _plain(value: Any) -> Any:
    """A value of Python, where it is one of numpy; None for what is missing: NaN, NaT and pandas.NA are not equal to themselves."""
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    equal = value == value  # noqa: PLR0124
    return value if isinstance(equal, bool) and equal else None


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, date):
        return value.isoformat()[:10]
    if isinstance(value, float):
        value = Decimal(int(value)) if value.is_integer() else Decimal(repr(value))
    if not isinstance(value, (int, Decimal)):
        raise TypeError(f"a value of a public table is a text, a number, a date, True, False or None, not {type(value).__name__}")
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _csv(columns: Mapping[str, list[Any]]) -> bytes:
    rows = [",".join(map(_quoted, columns)), *(",".join(map(_cell, row)) for row in zip(*columns.values()))]
    return "".join(row + "\n" for row in rows).encode()


def lines(name: str, source: Any, on: str | None = None, types: Mapping[str, str] | None = None) -> str:
    """The lines of a public table: declared by its owner where ``on`` is given, else brought by a question."""
    said = dict(types or {})
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            content = file.read()
    else:
        columns = _columns(source)
        content = _csv(columns)
        for column, values in columns.items():
            if any(isinstance(value, str) for value in values):
                said.setdefault(column, "text")
    return _native.public_table_lines(name, content, on, [f"{column}={kind}" for column, kind in said.items()])


def brought(tables: Mapping[str, Any] | None) -> str | None:
    """The lines of all tables of a question; None without any."""
    if tables is None:
        return None
    if not isinstance(tables, Mapping):
        raise TypeError(f"tables must be a mapping, such as {{'regions': 'regions.csv'}}; a table is {_KINDS}")
    return "".join(lines(name, source) for name, source in tables.items()) or None


def without(policy: str, table: str) -> str:
    """A policy without the public table; ParameterError where it has no such table."""
    words = tuple(f"{key}={table}=" for key in ("join", "join-column", "join-cells"))
    kept = [line for line in policy.splitlines(keepends=True) if not line.startswith(words)]
    if len(kept) == len(policy.splitlines()):
        raise ParameterError(f"no public table {table!r} is joined; vault.policy() shows them", "unknown", "table")
    return "".join(kept)


def has(policy: str, table: str) -> bool:
    return any(line.startswith(f"join={table}=") for line in policy.splitlines())
