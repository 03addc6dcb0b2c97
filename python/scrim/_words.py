"""Words and groups of arguments that functions share, so that type checkers and editors know them."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict, TypeVar, Union


from ._errors import ParameterError

Neighbours = Literal["add-remove", "replace"]
"""Neighbouring datasets: a unit is added or removed, or its rows are replaced."""

Noise = Literal["laplace", "gaussian", "stlap"]
"""The noise of counts and sums; "stlap": laplace, and histograms only lose rows."""

SynthMethod = Literal["mst", "aim", "mwem", "smalldb"]
"""How synthetic records are made."""

Directions = Literal["frames", "axes", "pairs", "equiangular", "sequence"]
"""The directions of a body."""

DistanceKind = Literal["tv", "l1", "l2", "wasserstein", "w2", "hausdorff", "drop", "move", "drop-move"]
"""The distance of two histograms."""

FitMethod = Literal["squares", "largest", "sum"]
"""How counts are fitted to their total."""


MechanismName = Literal[
    "laplace", "gaussian", "truncated-laplace", "laplace-share", "gaussian-share", "robust-laplace", "robust",
    "randomised-query", "counter", "linear-queries", "marginals", "interval-counts", "smalldb", "mwem",
    "online-weights", "exponential", "permute-and-flip", "one-sided-noisy-max", "noisy-max",
    "base2-exponential", "top-k", "randomised-response", "projective-geometry", "subset-selection",
    "symmetric-unary", "optimised-unary", "local-hashing", "text-hashing", "prefix", "hadamard", "bit-flip",
    "repeated-unary", "rappor", "square-wave", "one-bit-mean", "rounded-bit-mean", "laplace-mean",
    "condensed-geometric", "condensed-exponential", "quantile", "body", "depth-median", "body-depth",
    "body-extension", "above-threshold", "sparse-vector", "guess-and-check", "generalised-sparse-vector",
    "stagewise-sparse-vector", "range", "partition-selection", "threshold-laplace", "threshold-gaussian",
    "threshold-truncated", "threshold-weighted", "item-sets", "frequent-sets", "stabilise", "stlap",
    "bucket-histogram", "private-size-stlap", "rounded-stlap", "emptiness", "point-first", "sum-first",
    "hierarchy",
]  # fmt: skip
"""The mechanisms of ``mechanisms()``."""

DistributionName = Literal[
    "uniform", "bernoulli", "bernoulli-exp", "geometric", "discrete-laplace", "discrete-gaussian",
    "truncated-laplace", "clamped-laplace", "shifted-laplace",
]  # fmt: skip
"""The distributions of ``distributions()``."""


LocalProtocol = Literal[
    "randomised-response", "projective-geometry", "subset-selection", "symmetric-unary", "optimised-unary", "local-hashing",
    "hadamard", "bit-flip", "repeated-unary", "text-hashing", "prefix", "rappor", "square-wave", "one-bit-mean",
    "rounded-bit-mean", "laplace-mean", "condensed-geometric", "condensed-exponential",
]  # fmt: skip
"""The protocols of local privacy."""

AttackName = Literal["reconstruct", "difference", "average", "float", "membership", "audit", "link", "k-anonymity", "swap"]
"""The attacks of ``attacks()``."""

ExperimentName = Literal[
    "flexible-accuracy", "emptiness", "erratum", "suppression", "rounded-stlap", "composition", "evaluate", "sensitivity",
    "linear-queries", "pricing", "tail-bounds", "central-local", "truncation", "private-labels", "extension", "body-routes",
]  # fmt: skip
"""The experiments of ``scrim experiment``."""


class Bounds(TypedDict, total=False):
    """Contribution bounds: how many rows of a unit are used."""

    rows_per_unit: Literal[1]  #: of a dataset, the fact that each unit has one row; of a question, ``max_groups`` and ``max_rows`` of 1
    max_groups: int  #: groups of a unit
    max_rows: int  #: rows of a unit in a group
    max_total_rows: int  #: rows of a unit in all
    max_total: Mapping[str, Any]  #: a unit's total of columns, as in ``{"amount": 500}``


class DeclaredBounds(Bounds, total=False):
    """The contribution bounds of a dataset."""

    fixed_bounds: bool  #: no question may choose its own bounds
    bounds_from: Literal["declared", "check", "suggest"]  #: how they were chosen


class Account(TypedDict, total=False):
    """How a dataset is charged."""

    neighbours: Neighbours
    population: str  #: the budget that it shares with other tables about the same people
    same_unit: str  #: the unit column of the population's first table
    accounting: str  #: ``sum``, ``concentrated`` or ``renyi=ORDER``
    cap: Any  #: the most that one query may cost
    share: Mapping[str, Any]  #: what each analyst may spend
    quantum: Union[int, str]  #: answers appear at multiples of so many seconds


class Format(TypedDict, total=False):
    """How the rows of a source are written."""

    table: str  #: of a SQLite file
    zone: str  #: of timestamps
    records: Literal["lf", "crlf"]  #: how records of a CSV file end
    separator: str
    decimal: str
    date_format: str
    null: Iterable[str]  #: texts that mean missing
    max_size: str  #: a public number, such as ``"1GiB"``: no file is larger


_METHOD = TypeVar("_METHOD", bound=Callable[..., Any])

# What people type for an argument, and what it is called here.
_OTHER_NAMES = {
    "eps": "epsilon", "privacy": "epsilon", "budget": "epsilon", "params": "parameters", "frame": "data", "df": "data", "sql": "query",
    "error": "target_error", "noise": "mechanism",
    "max_groups": "bounds={'max_groups': N}", "max_rows": "bounds={'max_rows': N}", "max_total_rows": "bounds={'max_total_rows': N}",
    "rows_per_unit": "bounds={'rows_per_unit': 1}", "max_total": "bounds={'max_total': {COLUMN: N}}",
    "population": "account={'population': NAME}", "neighbours": "account={'neighbours': 'replace'}", "cap": "account={'cap': ...}",
    "table": "format={'table': NAME}", "zone": "format={'zone': NAME}", "max_size": "format={'max_size': '1GiB'}",
}  # fmt: skip


def near(name: str, known: Iterable[str]) -> str | None:
    """The nearest of some names, if one is near."""
    from difflib import get_close_matches  # rarely needed, and slow to import

    found = get_close_matches(name, list(known), 1)
    return found[0] if found else None


def hinted(method: _METHOD) -> _METHOD:
    """A function that says what was meant by an argument that it does not have."""

    @functools.wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        code = method.__code__
        if len(arguments) > code.co_argcount:
            first = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
            by_name = "epsilon" if "epsilon" in first else first[0]
            raise TypeError(f"{method.__name__}() takes {by_name} and what follows by name: {by_name}={arguments[code.co_argcount]!r}")
        known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
        for name in named:
            if name not in known:
                other = _OTHER_NAMES.get(name)
                meant = other if other and re.split(r"\W", other)[0] in known else near(name, known)
                hint = f"; did you mean {meant if meant and '=' in meant else f'{meant}='}?" if meant else ""
                raise TypeError(f"{method.__name__}() has no argument {name!r}{hint}")
        return method(*arguments, **named)

    return call  # type: ignore[return-value]


# What people of other libraries type for a method, and what to write here.
_OTHER_METHODS = {
    "groupby": "group_by", "filter": "where", "query_sql": "query", "sql": "query", "aggregate": "agg", "select": "group_by or agg",
    "count": "agg(n=scrim.count())", "size": "agg(n=scrim.count())", "mean": "agg(m=scrim.mean(COLUMN))", "sum": "agg(s=scrim.sum(COLUMN))",
    "median": "agg(m=scrim.median(COLUMN))", "value_counts": "group_by(COLUMN).agg(n=scrim.count())", "describe": "columns, or check for its owner",
    "head": "mock, which makes up rows", "collect": "query(epsilon=...)", "to_pandas": "query(epsilon=...).to_pandas()",
    "execute": "query(epsilon=...)", "run": "query(epsilon=...)",
}  # fmt: skip
_OTHER_METHODS_OF_ANSWERS = {
    "to_csv": "save, or to_pandas().to_csv", "to_parquet": "to_pandas().to_parquet", "df": "to_pandas", "to_df": "to_pandas", "pl": "to_polars",
    "arrow": "to_arrow", "to_list": "rows", "to_dicts": "rows", "head": "rows", "shape": "len(answer), or to_pandas().shape",
    "sort_values": "to_pandas().sort_values", "values": "rows", "epsilon": "cost.epsilon", "delta": "cost.delta",
}  # fmt: skip


def no_attribute(owner: Any, name: str, is_answer: bool = False) -> AttributeError:
    """The error for an attribute that is not there; it says what may have been meant."""
    public = [each for each in dir(type(owner)) if not each.startswith("_")]
    meant = (_OTHER_METHODS_OF_ANSWERS if is_answer else _OTHER_METHODS).get(name) or (None if name.startswith("_") else near(name, public))
    return AttributeError(f"{type(owner).__name__} has no {name!r}" + (f"; use {meant}" if meant else ""))


def group(given: Mapping[str, Any] | None, kind: Any, argument: str) -> dict[str, Any]:
    """A group of arguments; a name that it does not have is refused."""
    if given is None:
        return {}
    known = list(kind.__annotations__)
    if not isinstance(given, Mapping):
        raise TypeError(f"{argument} must be a mapping, such as {{{known[0]!r}: ...}}")
    for name in given:
        if name not in known:
            meant = near(str(name), known)
            raise TypeError(f"{argument} has no {name!r}; " + (f"did you mean {meant!r}?" if meant else f"use {', '.join(known)}"))
    return {name: value for name, value in given.items() if value is not None}


def bounds(given: Mapping[str, Any] | None, kind: Any = Bounds) -> dict[str, Any]:
    """Contribution bounds, checked; those of a question have ``rows_per_unit`` spelt out."""
    found = group(given, kind, "bounds")
    if "rows_per_unit" in found:
        if found["rows_per_unit"] != 1:
            raise ParameterError("rows_per_unit must be 1; use max_groups and max_rows", "range", "rows-per-unit")
        if any(name in found for name in ("max_groups", "max_rows", "max_total_rows")):
            raise ParameterError("rows_per_unit leaves no other bound of rows; give one of both", "conflict", "rows-per-unit")
        if kind is Bounds:
            del found["rows_per_unit"]
            found.update(max_groups=1, max_rows=1)
    return found


def count(name: str, given: int | None, least: int = 1) -> int:
    """A number that may be left out; the library knows that as 0."""
    if given is None:
        return 0
    number = operator.index(given)
    if number < least:
        raise ParameterError(f"{name} must be at least {least}, or None for the default", "range", name.replace("_", "-"))
    return number


def names(given: str | Iterable[str] | None) -> str | None:
    """Columns as one text."""
    return given if given is None or isinstance(given, str) else ",".join(given)


def worded(sentence: str) -> str:
    """A sentence of the library, which names bounds as a policy does, with the names that Python has for them."""
    return re.sub(r"\bmax-(?:groups|rows|total-rows|total)\b", lambda found: found[0].replace("-", "_"), sentence)
