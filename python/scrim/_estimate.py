"""Released numbers: what they cost, and values with their intervals."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Callable, Union

from . import _columns, _number
from ._uncertain import KINDS, uncertain

class Cost:
    """What a release costs: ``epsilon``, ``delta`` and ``rho`` as exact amounts (``Fraction``), or None if not promised."""

    __slots__ = ("epsilon", "delta", "rho", "neighbours")

    epsilon: _number.Amount | None
    delta: _number.Amount | None
    rho: _number.Amount | None
    neighbours: str

    def __init__(self, facts: dict[str, Any]):
        self.epsilon, self.delta, self.rho = (_number.amount(facts[name]) for name in ("epsilon", "delta", "rho"))
        self.neighbours = facts["neighbours"]

    def amounts(self) -> str:
        """``epsilon 0.5, delta 0.0000001``: what is promised and not 0; or rho, where no epsilon is promised."""
        names = ("epsilon", "delta") if self.epsilon is not None else ("rho",)
        return ", ".join(f"{name} {getattr(self, name)}" for name in names if getattr(self, name) not in (None, 0))

    def __repr__(self) -> str:
        parts = [f"{name} {getattr(self, name)}" for name in ("epsilon", "delta", "rho") if getattr(self, name) is not None]
        return f"<Cost {', '.join(parts) or 'by a curve'}, {self.neighbours}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cost) and all(getattr(self, name) == getattr(other, name) for name in Cost.__slots__)

    def __hash__(self) -> int:
        return hash((self.epsilon, self.delta, self.rho, self.neighbours))


_Constant = Union[int, float, Fraction]
_Map = Callable[[Fraction], Fraction]


def _constant(other: object) -> Fraction | None:
    """A number that is known exactly; a float as the shortest decimal that gives it back. None: anything else."""
    if isinstance(other, (Estimate, str, bytes, bool, *KINDS)):
        return None
    try:
        return Fraction(_number.text(other))  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError):
        return None


class Estimate:
    """A released value with its interval: ``value``, ``low`` and ``high``.

    Numbers are an int, or the nearest float; ``exact`` holds the three texts as they were released. None is
    a value that does not exist, such as a divisor of 0, or an end that is unbounded.

    All of them are as they were drawn, so that sums of counts have no bias: a count may be -138. Print says what they
    mean: ``about 0 (0 to 512)`` where noise took a count or a sum beyond 0 (``is_beyond``), and ``no usable value`` where
    the number is noise alone (``is_usable`` is False): the interval is all that is possible, or the noise is larger than it.

    An estimate is a number: ``int``, ``float``, ``round``, ``format`` and comparisons use its value, and
    ``low, value, high = estimate`` unpacks it. Two estimates are equal if values and intervals are.

    Computing with a number that you know (``n * 100``, ``n / 52``, ``1000 - n``) gives an estimate: its interval holds
    with the same confidence. Two estimates together give a plain number: both of their intervals hold less often than
    one. A third one added to it, as ``sum`` does, makes no interval either; but Python forgets where
    ``0.5 * (a + b)`` came from. Let scrim compute it instead, as in ``SUM(a) / COUNT(*)``. ``//``, ``%`` and ``**`` give plain numbers, too.
    """

    __slots__ = ("value", "low", "high", "exact", "is_open", "is_beyond", "_kind")
    __array_ufunc__ = None  # numpy leaves arithmetic to this class

    value: Any
    low: Any
    high: Any
    exact: tuple[str | None, str | None, str | None]
    is_open: bool
    is_beyond: bool

    def __new__(cls, value: Any = None, *rest: Any, **named: Any) -> Any:
        """A number without an interval is a plain number: ``statistics.mean`` asks for one of the type of its values."""
        return uncertain(value) if cls is Estimate and value is not None and not rest and not named else super().__new__(cls)

    def __init__(
        self, value: str | None, low: str | None, high: str | None, *, kind: str = "value", is_open: bool = False,
        is_beyond: bool = False,
    ):  # fmt: skip
        read = _columns.READERS[kind]
        self.exact = (value, low, high)
        self.value, self.low, self.high = (None if text is None else read(text) for text in self.exact)
        self.is_open = is_open
        self.is_beyond = is_beyond
        self._kind = kind

    @property
    def is_usable(self) -> bool:
        """False where the number is noise alone, or does not exist: print says ``no usable value``."""
        return self.value is not None and not self.is_open and not self._is_outside

    @property
    def _is_outside(self) -> bool:
        """Beyond 0 by more than the interval is wide, so that 0 alone would be left of it?"""
        return self.is_beyond and bool(self._possible(self.low) == self._possible(self.high) == 0)

    def _possible(self, end: Any) -> Any:
        """An end of an interval that reaches to a number beyond 0, where the truth cannot be."""
        if end is None:
            return None
        return max(end, 0) if self.value < 0 else min(end, 0)

    @property
    def _is_number(self) -> bool:
        return self._kind == "value"

    def _number(self) -> Any:
        if self.value is None:
            raise ValueError("the estimate has no value")
        if not self._is_number:
            raise TypeError(f"the estimate is a {type(self.value).__name__}, not a number")
        return self.value

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float("nan") if self.value is None else float(self._number())

    def __bool__(self) -> bool:
        return bool(self.value)

    def __round__(self, digits: int | None = None) -> Any:
        return uncertain(round(self._number(), digits))

    def as_integer_ratio(self) -> tuple[int, int]:
        """The value as a fraction, exactly."""
        exact = Fraction(str(self._number()) if self.exact[0] is None else self.exact[0])
        return exact.numerator, exact.denominator

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return "-" if self.value is None else format(self.value, spec)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.value, self.high))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return self.exact == other.exact
        return self.value is not None and self.value == other

    def __hash__(self) -> int:
        return hash(self.value)

    def _compared(self, other: object, compare: Callable[[Any, Any], bool]) -> Any:
        if isinstance(other, Estimate):
            other = other.value
            if other is None:
                return False
        if self.value is None:
            return False
        try:
            return compare(self.value, other)
        except TypeError:
            return NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a < b)  # type: ignore[no-any-return]

    def __le__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a <= b)  # type: ignore[no-any-return]

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a > b)  # type: ignore[no-any-return]

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a >= b)  # type: ignore[no-any-return]

    # Arithmetic. A known number and an estimate: the map is monotone on the interval, so that its ends are mapped.

    def _mapped(self, change: _Map, is_falling: bool = False) -> Estimate:
        value, low, high = (None if text is None else _number.decimal(change(Fraction(text))) for text in self.exact)
        ends = (high, low) if is_falling else (low, high)
        return Estimate(value, *ends, is_open=self.is_open)

    def _with(self, other: Any, plain: Callable[[Any, Any], Any], keep: Callable[[Fraction], Estimate]) -> Any:
        if isinstance(other, (Estimate, *KINDS)):
            return uncertain(plain(self._number(), other._number() if isinstance(other, Estimate) else other))
        constant = _constant(other)
        if constant is None or not self._is_number:
            return NotImplemented
        return keep(constant)

    def __neg__(self) -> Estimate:
        self._number()
        return self._times(Fraction(-1))

    def __pos__(self) -> Estimate:
        return self

    def __abs__(self) -> Any:
        if self.value is not None and None not in self.exact and self.low < 0 < self.high:
            top = max(-Fraction(self.exact[1] or 0), Fraction(self.exact[2] or 0))
            return Estimate(_number.decimal(abs(Fraction(self.exact[0] or 0))), "0", _number.decimal(top), is_open=self.is_open)
        if None in self.exact:
            return uncertain(abs(self._number()))
        return -self if self.high <= 0 else self

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b, lambda c: self._mapped(lambda x: x + c))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b, lambda c: self._mapped(lambda x: x - c))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a, lambda c: self._mapped(lambda x: c - x, is_falling=True))

    def _times(self, by: Fraction) -> Estimate:
        if by == 0 and self.value is not None:
            return Estimate("0", "0", "0")
        made = self._mapped(lambda x: x * by, is_falling=by < 0)
        made.is_beyond = self.is_beyond  # 0 stays 0
        return made

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b, self._times)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b, lambda c: self._times(1 / c))

    def __rtruediv__(self, other: Any) -> Any:
        def keep(over: Fraction) -> Any:
            low, high = self.exact[1:]
            is_above, is_below = low is not None and Fraction(low) > 0, high is not None and Fraction(high) < 0
            if None in self.exact or not (is_above or is_below) or over == 0:
                return uncertain(_number.read(_number.decimal(over)) / self._number())
            return self._mapped(lambda x: over / x, is_falling=over > 0)

        return self._with(other, lambda a, b: b / a, keep)

    # Powers and remainders: plain numbers.

    def _plainly(self, other: Any, compute: Callable[[Any, Any], Any], is_second: bool = False) -> Any:
        if not isinstance(other, (Estimate, int, float, Fraction)) or isinstance(other, bool):
            return NotImplemented
        pair = (self._number(), other._number() if isinstance(other, Estimate) else other)
        return uncertain(compute(*reversed(pair)) if is_second else compute(*pair))

    def __floordiv__(self, other: Any) -> Any:
        return self._plainly(other, operator.floordiv)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._plainly(other, operator.floordiv, True)

    def __mod__(self, other: Any) -> Any:
        return self._plainly(other, operator.mod)

    def __rmod__(self, other: Any) -> Any:
        return self._plainly(other, operator.mod, True)

    def __divmod__(self, other: Any) -> Any:
        return self._plainly(other, divmod)

    def __rdivmod__(self, other: Any) -> Any:
        return self._plainly(other, divmod, True)

    def __pow__(self, other: Any) -> Any:
        return self._plainly(other, operator.pow)

    def __rpow__(self, other: Any) -> Any:
        return self._plainly(other, operator.pow, True)

    def __str__(self) -> str:
        if self.value is not None and not self.is_usable:
            return "no usable value"
        value, low, high = ("-" if text is None else text for text in self.exact)
        if self.is_beyond:
            value, low, high = ("about 0", "0", high) if self.value < 0 else ("about 0", low, "0")
        return f"{value} ({low} to {high})"

    def __repr__(self) -> str:
        return f"Estimate({self.exact[0]}, {self.exact[1]} to {self.exact[2]})"
