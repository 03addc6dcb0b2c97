"""Exact numbers as the library reads them: text such as "0.1", "1/3" or "1e-9"."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

Number = Union[str, int, float, "Fraction", "Decimal"]
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
        pass
    if "/" in exact:
        from fractions import Fraction

        return float(Fraction(exact))
    return float(exact)
