"""Values of Python as cells, each by itself: the text that scrim reads as it reads the same value in a typed column.

A column of Python values has no type of its own. pandas and numpy make one of any column in which a single value is
missing or is another one, so a value must be read alike there and where its column has a type (scrim/feed.h).
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from . import _policy

_PLAIN_POWER = 38  # zeros behind a number that are written out; beyond it has a power, as in 1e39
_NO_VALUES = (list, tuple, dict, set, frozenset, timedelta)


class Form:
    """How the cells of a dataset are written: the declared types, the date format and the texts that mean missing."""

    def __init__(self, policy: str):
        read = _policy.read(policy)
        self._kinds = {name: re.match("[a-z]*", kind)[0] for name, kind in _policy.types(policy).items()}  # type: ignore[index]
        self._dates = read.get("date-format") or "YYYY-MM-DD"
        self._nulls = set(_policy.listed(read.get("null", "")))

    def cell(self, column: str, value: Any) -> bytes | None:
        """The text of a value in a column, or None: missing is None, NaN, infinity, and what has no text."""
        try:
            return self._cell(self._kinds.get(column, "text"), value)
        except Exception:  # whatever it is, no value of a row is an error
            return None

    def _cell(self, kind: str, value: Any) -> bytes | None:
        if value is None:
            return None
        if isinstance(value, str):
            return value.encode("utf-8", "surrogatepass")
        if isinstance(value, bytes):
            return value
        if hasattr(value, "dtype"):
            value = _of_numpy(value)
        if isinstance(value, complex):
            value = value.real if value.imag == 0 else None
        if value is None or value != value or isinstance(value, _NO_VALUES):
            return None
        words = text(value)
        if words is None or words in self._nulls:
            return None
        if kind in ("int", "decimal") and "." in words and isinstance(value, (float, Decimal)):
            whole, _, part = words.partition(".")  # without a mark, whichever is declared
            words = f"{whole}{part}e-{len(part)}"
        if kind in ("date", "timestamp") and isinstance(value, date):
            words = self._dated(kind, words)
        return words.encode("utf-8", "surrogatepass")

    def _dated(self, kind: str, words: str) -> str:
        """A date or a time in the declared format."""
        day, _, time = words.partition(" ")
        year, month, of_month = day.split("-")
        parts = {"YYYY": year, "MM": month, "DD": of_month, "M": str(int(month)), "D": str(int(of_month))}
        day = re.sub("YYYY|MM|DD|M|D", lambda found: parts[found[0]], self._dates)
        return day if kind == "date" else f"{day} {time or '00:00:00'}"


def _of_numpy(value: Any) -> Any:
    """A value of numpy as one of Python; a narrow float as its own shortest decimal."""
    kind = value.dtype.kind
    if getattr(value, "ndim", 0) != 0 or kind in "mV":
        return None
    if kind == "f":
        return Decimal(str(value)) if value.dtype.itemsize != 8 else float(value)
    if kind == "M":
        return value.astype("datetime64[us]").item()
    return value.item() if hasattr(value, "item") else value


def text(value: Any) -> str | None:
    """The one text of a value: 1 for 1 and 1.0, true and false, dates and times as ISO 8601 writes them, in UTC with a zone."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        digits = int.__repr__(value)
        return digits if len(digits) <= _PLAIN_POWER else _number(Decimal(digits))
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else _number(Decimal(float.__repr__(value)))
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return f"{value.year:04}-{value.month:02}-{value.day:02}"
    return str(value)


def _number(value: Decimal) -> str | None:
    sign, parts, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return None  # infinity, NaN
    written = "".join(map(str, parts)).lstrip("0")
    digits = written.rstrip("0")
    exponent += len(written) - len(digits)
    if not digits:
        return "0"
    if abs(exponent) > _PLAIN_POWER:
        digits = f"{digits}e{exponent}"
    elif exponent >= 0:
        digits += "0" * exponent
    else:
        digits = digits.rjust(1 - exponent, "0")
        digits = f"{digits[:exponent]}.{digits[exponent:]}"
    return "-" + digits if sign else digits


def _moment(value: datetime) -> str:
    nanoseconds = 1000 * value.microsecond + getattr(value, "nanosecond", 0)
    zone = value.utcoffset()
    if zone is not None:
        value = value.astimezone(timezone.utc)
    day = f"{value.year:04}-{value.month:02}-{value.day:02}"
    time = f"{value.hour:02}:{value.minute:02}:{value.second:02}"
    part = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    return f"{day} {time}{part}{'' if zone is None else 'Z'}"
