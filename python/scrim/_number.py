"""Exact numbers as the library reads them: text such as "0.1", "1/3" or "1e-9"."""

from __future__ import annotations

import operator
from datetime import datetime, timezone
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from decimal import Decimal

Number = Union[str, int, float, Fraction, "Decimal"]
"""A number that a guarantee may depend on. A float is read as the shortest decimal that gives it back."""


def text(number: Number) -> str:
    """The exact text of a number: 0.1 and "0.1" are one tenth."""
    if isinstance(number, str):
        return number
    if isinstance(number, bool):
        raise TypeError("expected a number, not a bool")
    if isinstance(number, int):
        return str(number)
    if isinstance(number, float):
        if number != number or number in (float("inf"), float("-inf")):
            raise ValueError(f"{number} is not a finite number")
        return float.__repr__(number)
    numerator, denominator = getattr(number, "numerator", None), getattr(number, "denominator", None)
    if numerator is not None and denominator is not None:
        return f"{int(numerator)}/{int(denominator)}"
    if hasattr(number, "as_tuple"):
        sign, digits, exponent = number.as_tuple()
        if not isinstance(exponent, int):
            raise ValueError(f"{number} is not a finite number")
        return f"{'-' if sign else ''}{''.join(map(str, digits))}e{exponent}"
    try:
        return str(operator.index(number))  # type: ignore[arg-type]  # integers of numpy
    except TypeError:
        pass
    if hasattr(number, "__float__"):  # numpy.float32 and others: their own shortest text
        return str(number)
    raise TypeError(f"expected a number, not {type(number).__name__}")


def optional(number: Number | None) -> str | None:
    """The text, or None."""
    return None if number is None else text(number)


def read(exact: str) -> int | float:
    """A released number for people who compute with it: an int if it is one, else the nearest float."""
    try:
        return int(exact)
    except ValueError:
        return float(Fraction(exact)) if "/" in exact else float(exact)


def decimal(number: Fraction) -> str:
    """All digits where they end, as in ``0.125``; else ``1/3``."""
    digits, rest = 0, number.denominator
    while rest % 10 == 0:
        digits, rest = digits + 1, rest // 10
    for prime in (2, 5):
        while rest % prime == 0:
            digits, rest = digits + 1, rest // prime
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    whole = abs(number.numerator) * 10**digits // number.denominator
    written = str(whole).rjust(digits + 1, "0")
    written = f"{written[: len(written) - digits]}.{written[len(written) - digits :]}" if digits else written
    return "-" + written if number < 0 else written


class Amount(Fraction):
    """An exact amount of privacy: a ``Fraction`` that is shown as a decimal, where its digits end."""

    __slots__ = ()

    def __str__(self) -> str:
        return decimal(self)

    def __repr__(self) -> str:
        return f"Amount('{self}')"

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def amount(exact: str | None) -> Amount | None:
    """The amount that a text says; None without one, or where it is unlimited."""
    return None if exact is None or exact == "inf" else Amount(exact)


def moment(seconds: int | None) -> datetime | None:
    """A time of the ledger, with its zone; None where nobody told the time."""
    return datetime.fromtimestamp(seconds, timezone.utc) if seconds else None


_TIMES = frozenset({"time"})
_AMOUNTS = frozenset({
    "amount", "delta", "epsilon", "rho", "total", "total_delta", "spent", "spent_delta", "left", "left_delta", "share",
    "share_delta", "whole", "whole_delta", "average", "average_delta",
})  # fmt: skip


def typed(facts: Any) -> Any:
    """The rows of a ledger or of a budget: amounts as ``Amount``, times as ``datetime``, whatever they are nested in."""
    if isinstance(facts, list):
        return [typed(each) for each in facts]
    if not isinstance(facts, dict):
        return facts
    made = dict(facts)
    for name, value in facts.items():
        if name in _AMOUNTS and (value is None or isinstance(value, str)):
            made[name] = amount(value)
        elif name in _TIMES:
            made[name] = moment(value)
        else:
            made[name] = typed(value)
    return made
