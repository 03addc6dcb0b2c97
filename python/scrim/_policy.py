"""Policies: the arguments of ``Vault.add`` as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Union

from . import _number

Budget = Union[str, Mapping[str, Any]]
"""An amount of privacy: ``"epsilon=3,delta=1e-6"`` or ``{"epsilon": 3, "delta": "1e-6"}``."""


_AMOUNTS = ("epsilon", "delta", "rho")


def amount(given: Budget | _number.Number) -> str:
    """``epsilon=3,delta=1e-6``; a number alone is an epsilon."""
    if isinstance(given, Mapping):
        for name in given:
            if name not in _AMOUNTS:
                meant = "epsilon" if str(name).startswith(("e", "E")) else None
                raise TypeError(f"a budget has no {name!r}; " + (f"did you mean {meant!r}?" if meant else f"use {', '.join(_AMOUNTS)}"))
        return ",".join(f"{name}={_number.text(value)}" for name, value in given.items())
    if isinstance(given, str) and "=" in given:
        return given
    return f"epsilon={_number.text(given)}"


def _quoted(key: Any) -> str:
    """A key of a list; with quotes where it would be read as several, or as something else."""
    if isinstance(key, bool):
        return "true" if key else "false"
    words = key if isinstance(key, str) else str(key)
    if words == "" or any(c in words for c in ',"\n') or words != words.strip() or words.startswith("@"):
        return '"' + words.replace('"', '""') + '"'
    return words


def _one_line(name: str, words: str) -> str:
    if "\n" in words or "\r" in words or "\0" in words:
        raise ValueError(f"{name} must be one line of text")
    return words


def _listed(keys: Iterable[Any] | str) -> str:
    return keys if isinstance(keys, str) else ",".join(_quoted(key) for key in keys)


_BY_NAME = {
    "columns": "{'age': 'int[0,120]'}",
    "keys": "{'sex': ['Female', 'Male']}",
    "missing": "{'age': 0}",
    "max_total": "{'amount': 100}",
    "share": "{'anna': 1}",
}


def lines(given: Mapping[str, Any]) -> str:
    """A policy of keyword arguments, one line each; None is left out."""
    out: list[str] = []

    def put(name: str, words: Any) -> None:
        out.append(f"{name}={_one_line(name, str(words))}")

    for argument, value in given.items():
        name = argument.replace("_", "-")
        if value is None:
            continue
        if argument in _BY_NAME and not isinstance(value, Mapping):
            raise TypeError(f"{argument} must be a mapping, such as {_BY_NAME[argument]}")
        if argument == "columns":
            for column, kind in value.items():
                if isinstance(kind, type):
                    raise TypeError(f"the type of {column} must be text with its range, such as 'int[0,120]', not {kind.__name__}")
                put("column", f"{column}={kind}")
        elif argument == "keys":
            for column, keys in value.items():
                put("keys", f"{column}={_listed(keys)}")
        elif argument in ("missing", "max_total"):
            for column, words in value.items():
                put(name, f"{column}={words if isinstance(words, str) else _default(words)}")
        elif argument in ("budget", "cap"):
            put(name, amount(value))
        elif argument == "share":
            for analyst, share in value.items():
                put(name, f"{analyst}={'none' if share is None else amount(share)}")
        elif argument == "null":
            put(name, _listed(value))
        else:
            put(name, value)
    return "".join(line + "\n" for line in out)


def totals(given: Mapping[str, Any]) -> list[str]:
    """Bounds of a unit's total of columns, one a line."""
    if not isinstance(given, Mapping):
        raise TypeError(f"max_total must be a mapping, such as {_BY_NAME['max_total']}")
    return [
        f"{column}={_one_line('max-total', words if isinstance(words, str) else _default(words))}"
        for column, words in given.items()
    ]


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return ",".join(_number.text(part) for part in value)
    return _number.text(value) if isinstance(value, (int, float)) or hasattr(value, "as_tuple") else str(value)


def types(policy: str) -> dict[str, str]:
    """The declared type of each column."""
    found: dict[str, str] = {}
    for name, value in _cut(policy):
        if name == "column":
            column, _, kind = value.partition("=")
            found[column.strip()] = kind.strip()
    return found


def listed(texts: str) -> list[str]:
    """The texts of a list on one line, such as ``NA,"a,b"``."""
    import csv

    return [text.strip() for row in csv.reader([texts]) for text in row if text]


def differences(given: str, declared: str) -> list[str]:
    """What two policies say otherwise, but for the contents of the source, which scrim adds, and shares, which change.

    Neighbours that are left out are those of the population. Earlier versions kept two bounds of 1 where
    ``rows_per_unit`` was given.
    """
    left_out = {"contents", "share", *({"neighbours"} - {name for name, _ in _cut(given)})}

    def said(policy: str) -> set[tuple[str, str]]:
        return {(name, _normal(name, value)) for name, value in _cut(policy) if name not in left_out}

    own, kept, fact = said(given), said(declared), ("rows-per-unit", "1")
    if fact in own and fact not in kept:
        own = own - {fact} | {("max-groups", "1"), ("max-rows", "1")}
    return sorted({name for name, _ in own ^ kept})


def _normal(name: str, value: str) -> str:
    """A value of a line as it is compared: blanks and the writing of a number say nothing, and scrim adds to a zone its times."""
    if name == "zone":
        return " ".join(value.split()[:1])
    if name in ("budget", "cap"):
        return re.sub(r"(?<==)[^,]+", _exact, value.replace(" ", ""))
    return re.sub(r"\s", "", value) if name == "column" else value


def _exact(number: re.Match[str]) -> str:
    """1e-6 and 0.000001 are one number; what is none stays a text."""
    try:
        return str(Fraction(number[0]))
    except (ValueError, ZeroDivisionError):
        return number[0]


def is_pushed(source: Mapping[str, str]) -> bool:
    """Are the rows of this source pushed, so that scrim reads none by itself?"""
    return any(kind in source for kind in ("live", "parquet", "duckdb"))


def read(policy: str) -> dict[str, str]:
    """The lines that occur once, such as ``sqlite`` and ``table``."""
    found: dict[str, str] = {}
    for name, value in _cut(policy):
        found.setdefault(name, value)
    return found


def _cut(policy: str) -> Iterable[tuple[str, str]]:
    """The lines, each as its key and its value, as the library cuts them."""
    for line in policy.split("\n"):
        line = line.strip(" \t\r")
        name = re.match("[a-z][a-z-]*(?=[= \t]|$)", line)
        if name:
            yield name[0], line[name.end() + 1 :].strip(" \t")
