"""Values of Python as cells, each by itself: the text that scrim reads as it reads the same value in a typed column.

A column of Python values has no type of its own. pandas and numpy make one of any column in which a single value is
missing or is another one, so a value must be read alike there and where its column has a type (scrim/feed.h).
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from . import _policy

_PLAIN_POWER = 38  # zeros behind a number that are written out; beyond it has a power, as in 1e39
_NO_VALUES = (list, tuple, dict, set, frozenset, timedelta)
_EPOCH = datetime(1970, 1, 1)
_FIRST_DAY, _LAST_DAY = -719528, 2932896  # of the years 0 to 9999, from 1970 on
_ERA_DAYS, _ERA_YEARS = 146097, 400  # after which the calendar repeats


class Held(bytes):
    """Bytes of a column of texts, as it holds them, whether they are UTF-8 or not."""


class Moment(str):
    """The text of a day or of a time: year, month and day with dashes, and the time behind a blank."""


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
        if isinstance(value, Held):
            return bytes(value)
        if isinstance(value, bytes):
            value.decode()
            return value
        if isinstance(value, str) and not isinstance(value, Moment):
            return value.encode()
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
        if kind in ("date", "timestamp") and isinstance(value, (date, Moment)):
            words = self._dated(kind, words)
        return words.encode()

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
    if kind == "f" and value.dtype.itemsize > 8:
        import numpy

        return Decimal(numpy.format_float_scientific(value, unique=True))
    if kind == "f":
        return narrow(float(value), value.dtype.itemsize)
    if kind == "c":
        return narrow(float(value.real), value.dtype.itemsize // 2) if value.imag == 0 else None
    if kind == "M":
        unit, whole = ticks(value.reshape(1))
        ticked = int(whole[0])
        return None if ticked == -(2**63) else moment(ticked, {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit], False)
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


def _moment(value: datetime) -> str | None:
    nanoseconds = 1000 * value.microsecond + getattr(value, "nanosecond", 0)
    zone = value.utcoffset()
    since = datetime(*value.timetuple()[:6]) - _EPOCH - (zone or timedelta(0))
    seconds, part = 86400 * since.days + since.seconds, 1000 * since.microseconds
    return moment(10**9 * seconds + part + nanoseconds, 10**9, zone is not None)


def day(since: int | None) -> Moment | None:
    """The day that is so many days after 1970-01-01; None outside of the years 0 to 9999."""
    if since is None or not _FIRST_DAY <= since <= _LAST_DAY:
        return None
    eras = int(since < 0)  # Python has no year 0
    found = date.fromordinal(since + _EPOCH.toordinal() + (_ERA_DAYS if eras else 0))
    return Moment(f"{found.year - eras * _ERA_YEARS:04}-{found.month:02}-{found.day:02}")


def moment(since: int | None, second: int, is_utc: bool) -> Moment | None:
    """The time that is so many ticks after 1970-01-01, of which a second has so many; None outside of the years 0 to 9999."""
    if since is None:
        return None
    seconds, part = divmod(since, second)
    days, late = divmod(seconds, 86400)
    found = day(days)
    if found is None:
        return None
    fraction = f".{part * (10**9 // second):09}".rstrip("0") if part else ""
    return Moment(f"{found} {late // 3600:02}:{late // 60 % 60:02}:{late % 60:02}{fraction}{'Z' if is_utc else ''}")


def ticks(column: Any) -> tuple[str, Any]:
    """An array of numpy.datetime64 as whole numbers, and the unit that they count; the least number is missing."""
    unit = column.dtype.name.partition("[")[2].rstrip("]")
    if unit not in ("s", "ms", "us", "ns"):
        seconds = column.astype("datetime64[s]")
        if unit.lstrip("0123456789") in ("Y", "M", "W", "D", "h", "m"):
            seconds[seconds.astype(column.dtype) != column] = "NaT"  # too far away for seconds
        column, unit = seconds, "s"
    return unit, column.view("int64") if column.flags.c_contiguous else column.copy().view("int64")


_DIGITS, _LEAST = {2: 11, 4: 24}, {2: -24, 4: -149}  # bits of a number, and the power of two of the smallest one


@lru_cache(1 << 16)
def narrow(value: float | None, width: int) -> Decimal | float | None:
    """A floating-point number of 2 or 4 bytes as its own shortest decimal, the nearest of these; one of 8 bytes as it is."""
    if value is None or width == 8 or value == 0 or not math.isfinite(value):
        return value
    part, power = math.frexp(abs(value))
    step = max(power - _DIGITS[width], _LEAST[width])
    for digits in range(9 if part != 0.5 else 0):
        words = f"{value:.{digits}e}"
        away = abs(float(words) - value) / math.ldexp(1.0, step - 1)
        if away < 1:
            return Decimal(words)
        if away == 1:
            break  # at the very border the last digit decides, exactly
    size = Fraction(abs(value))
    gap = Fraction(2) ** step
    is_even = (size / gap).numerator % 2 == 0
    # Below a power of two numbers are twice as dense, but for the smallest ones.
    low = size - (gap / 4 if part == 0.5 and step > _LEAST[width] else gap / 2)
    high = size + gap / 2
    ten = math.floor(math.log10(abs(value))) + 1
    for exponent in range(ten, ten - 12, -1):
        unit = Fraction(10) ** exponent
        down = size // unit
        near = [
            whole for whole in (down, down + 1)
            if low < whole * unit < high or (is_even and whole * unit in (low, high))
        ]  # fmt: skip
        if near:
            best = min(near, key=lambda whole: (abs(whole * unit - size), whole % 2))
            return Decimal(f"{'-' if value < 0 else ''}{best}e{exponent}")
    raise ArithmeticError("a number of this width has at most nine digits")
