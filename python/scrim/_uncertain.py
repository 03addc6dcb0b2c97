"""Numbers that were computed from several estimates: plain numbers, which know that they are not exact.

An estimate and a number that is known make an estimate. So the sum of two estimates must not count as known where a third one is
added: the interval of the third alone would be too short. A float, a Decimal or a Fraction to the left of such a whole number
computes by itself, and gives a number of its own kind.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from numbers import Integral, Number
from typing import Any


class UncertainInt(int):
    """A whole number without an interval."""


class UncertainFloat(float):
    """A number without an interval."""


KINDS = (UncertainInt, UncertainFloat)
_PLAIN: dict[type, Callable[[Any], Any]] = {UncertainInt: int, UncertainFloat: float}


def uncertain(number: Any) -> Any:
    """The number, so that it never counts as known."""
    if isinstance(number, tuple):
        return tuple(map(uncertain, number))
    if isinstance(number, (bool, complex)):
        return number
    if isinstance(number, Integral):
        return UncertainInt(number)
    return UncertainFloat(number) if isinstance(number, Number) else number  # type: ignore[arg-type]


def _plain(number: Any) -> Any:
    return _PLAIN[type(number)](number) if type(number) in _PLAIN else number


def _of_two(compute: Callable[[Any, Any], Any], is_reflected: bool) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, Number) and not hasattr(other, "__array__"):
            return NotImplemented  # an estimate knows what to do
        pair = (_plain(self), _plain(other))
        return uncertain(compute(*reversed(pair)) if is_reflected else compute(*pair))

    return method


def _of_one(compute: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *digits: Any) -> Any:
        return uncertain(compute(_plain(self), *digits))

    return method


for _kind in KINDS:
    setattr(_kind, "__array_priority__", 1e6)  # numbers of numpy leave arithmetic to these
    for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod"):
        _compute = divmod if _name == "divmod" else getattr(operator, _name)
        setattr(_kind, f"__{_name}__", _of_two(_compute, False))
        setattr(_kind, f"__r{_name}__", _of_two(_compute, True))
    for _name, _compute in (("neg", operator.neg), ("pos", operator.pos), ("abs", abs), ("round", round)):
        setattr(_kind, f"__{_name}__", _of_one(_compute))
