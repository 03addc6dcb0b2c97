"""Draws, composition, calibration and distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from operator import index
from typing import Any, Literal, Union

from . import _native, _number, _progress, _table, _words
from ._errors import ParameterError
from ._mechanism import Measurement, _line
from ._estimate import Cost


class Distribution:
    """An exact noise distribution on the integers: ``Distribution("discrete-laplace", scale=10)``."""

    def __init__(self, name: _words.DistributionName, **parameters: Any):
        self._read(_line(name, parameters))

    def _read(self, line: str) -> None:
        self._handle = _native.distribution_parse(line)
        facts = _native.distribution_read(self._handle)
        self.text: str = facts["text"]
        self.is_narrow: bool = facts["is_narrow"]
        self.mean: tuple[float, float] = facts["mean"]
        self.variance: tuple[float, float] = facts["variance"]

    def sample(self, count: int, out: Any = None) -> Any:
        """Independent draws: a numpy array of int64, or of Python ints if a draw may be wider.

        Without numpy an ``array.array``. ``out`` is a writable array of 64-bit integers to fill instead.

        - ``count``: how many draws.
        """
        if out is not None:
            _native.distribution_draw(self._handle, out)
            return out
        if count < 0:
            raise ValueError("count must be at least 0")
        if not self.is_narrow:
            return _wide(_native.distribution_draw_wide(self._handle, count))
        try:
            import numpy
        except ImportError:
            from array import array

            draws: Any = array("q", bytes(8 * count))
        else:
            draws = numpy.empty(count, dtype=numpy.int64)
        _native.distribution_draw(self._handle, draws)
        return draws

    def probability(self, low: int, high: int | None = None) -> tuple[float, float]:
        """Bounds of the probability of low to high, or of one number."""
        return _native.distribution_probability(self._handle, low, low if high is None else high)

    def quantile(self, p: _number.Number) -> int:
        """The smallest k with P(X <= k) >= p."""
        return _native.distribution_quantile(self._handle, _number.text(p))

    def __reduce__(self) -> Any:
        return _distribution, (self.text,)

    def __repr__(self) -> str:
        return f"<Distribution {self.text}>"


def _distribution(text: str) -> Distribution:
    made = Distribution.__new__(Distribution)
    made._read(text)
    return made


def _wide(draws: list[int]) -> Any:
    try:
        import numpy
    except ImportError:
        return draws
    return numpy.array(draws, dtype=object)


def sample(name: _words.DistributionName, count: int, out: Any = None, **parameters: Any) -> Any:
    """Exact draws: ``sample("discrete-laplace", 1000, scale=10)``. There is no seed.

    - ``name``: the distribution; its parameters follow.
    - ``count``: how many draws.
    - ``out``: an array of 64-bit integers to fill.
    """
    return Distribution(name, **parameters).sample(count, out)


class Composition:
    """Proven bounds of the joint cost: ``lower`` and ``upper``, and those of each accountant in ``accountants``."""

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts
        self.lower: float = facts["best"]["lower_view"]
        self.upper: float = facts["best"]["upper_view"]
        self.exact: tuple[str | None, str | None] = (facts["best"]["lower"], facts["best"]["upper"])
        self.accountants: list[dict[str, Any]] = facts["accountants"]
        self.is_adaptive: bool = facts["is_adaptive"]

    @property
    def best(self) -> str | None:
        """The name of the accountant with the smallest upper bound."""
        return next((row["name"] for row in self.accountants if row["is_best"]), None)

    def __str__(self) -> str:
        rows = []
        for row in self.accountants:
            ends = ["-" if row["bounds"][end] is None else f"{row['bounds'][end + '_view']:.6g}" for end in ("lower", "upper")]
            rows.append([row["name"], *ends, "best" if row["is_best"] else ""])
        return _table.plain(["accountant", "lower", "upper", ""], rows, [False, True, True, False])

    def __repr__(self) -> str:
        return f"<Composition {self.lower:.6g} to {self.upper:.6g} by {self.best}>"


def compose(
    parts: str | Iterable[str | Measurement],
    *,
    delta: _number.Number | None = None,
    epsilon: _number.Number | None = None,
    accountant: str | None = None,
    group: int = 1,
    progress: _progress.Progress = None,
) -> Composition:
    """The joint cost of many releases: the smallest epsilon at ``delta``, or the smallest delta at ``epsilon``.

    ``parts`` is such as ``"laplace scale=10 x100; gaussian sigma=20 x50"``, or a list of parts or of mechanisms.
    A guarantee that is only stated is a part too: ``"epsilon=1 delta=1e-6 x10; rho=0.5; renyi order=2 epsilon=1; gdp mu=1"``. With
    ``group=K`` the cost is that of K people together, such as a household.

    - ``accountant``: the name of one accountant; the best of all if left out.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    """
    if (delta is None) == (epsilon is None):
        raise TypeError("give delta= or epsilon=")
    text = parts if isinstance(parts, str) else "; ".join(part if isinstance(part, str) else part.text for part in parts)
    return Composition(
        _progress.ended_at_once(
            _native.compose, text, _number.optional(delta), _number.optional(epsilon), accountant, group, tell=_progress.listener(progress)
        )
    )


class Calibration:
    """The noise that was found: ``text`` names the mechanism, ``parameter`` and ``value`` its noise."""

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts
        self.text: str = facts["text"]
        self.parameter: str = facts["parameter"]
        self.value: Fraction = _number.Amount(facts["value"])
        self.alone: Cost = Cost(facts["alone"])
        self.joint: Cost = Cost(facts["joint"])
        self.accuracy: dict[str, Any] = facts["certificate"]

    def __repr__(self) -> str:
        return f"<Calibration {self.text}>"


def calibrate(
    name: _words.MechanismName | Literal["continuous-gaussian", "continuous-laplace"],
    *,
    target_epsilon: _number.Number | None = None,
    target_delta: _number.Number | None = None,
    target_error: _number.Number | None = None,
    confidence: _number.Number | None = None,
    count: int = 1,
    values: int | None = None,
    at_once: bool = False,
    progress: _progress.Progress = None,
    **parameters: Any,
) -> Calibration:
    """The least noise for a target cost of ``count`` releases, or the most noise for a target error.

    ``calibrate("gaussian", sensitivity=1, target_epsilon=1, target_delta="1e-6", count=100)``.

    - ``name``: the mechanism; its other parameters follow.
    - ``target_error``: the error that is wanted, in place of a cost.
    - ``confidence``: that of the error (0.95).
    - ``values``: how many values one release has.
    - ``at_once``: the error holds for all values at once.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    """
    if target_epsilon is None and target_error is None:
        raise TypeError("give target_epsilon=, perhaps with target_delta=, or target_error=")
    try:
        facts = _native.calibrate(
            _line(name, parameters), _number.optional(target_epsilon), _number.optional(target_delta),
            _number.optional(target_error), _number.optional(confidence), count,
            _words.count("values", values), at_once,
            _progress.listener(progress),
        )  # fmt: skip
    except ParameterError as error:
        if (error.reason, error.parameter) != ("missing", "delta"):
            raise
        raise ParameterError(
            f"{name} is not pure; add target_delta=, for example target_delta='1e-7'", error.reason, error.parameter
        ) from None
    return Calibration(facts)


Histogram = Union[Mapping[Any, Any], Iterable[Any]]


def _places(histogram: Histogram) -> list[tuple[str, str | None]]:
    def place(at: Any) -> str:
        return ",".join(_number.text(part) for part in at) if isinstance(at, tuple) else _number.text(at)

    if isinstance(histogram, Mapping):
        return [(place(at), _number.text(mass)) for at, mass in histogram.items()]
    return [(place(at), None) for at in histogram]


def distance(
    kind: _words.DistanceKind,
    a: Histogram,
    b: Histogram,
    *,
    loss: _number.Number | None = None,
    eta: _number.Number | None = None,
    average: bool = False,
    dimensions: int | None = None,
    norm: str | None = None,
) -> Fraction | float:
    """The exact distance of two histograms, ``{place: mass}`` or a list of places: a ``Fraction``, or infinity.

    Kinds are tv, l1, l2, wasserstein, w2, hausdorff, drop, move and drop-move. It adds no noise: from private numbers the
    result is private.

    - ``kind``: tv, l1, l2, wasserstein, w2, hausdorff, drop, move or drop-move.
    - ``b``: the other histogram.
    - ``loss``: of wasserstein: the share of mass that may be left out, 0 to 1 (0).
    - ``eta``: of drop-move: the price of moving by 1 (1).
    - ``average``: of wasserstein: the mean distance in place of the largest.
    - ``dimensions``: numbers in a place (1).
    - ``norm``: for several dimensions: ``1``, ``2`` or ``max`` (1).
    """
    exact, _ = _native.distance(
        kind, _places(a), _places(b), _number.optional(loss), _number.optional(eta), average,
        _words.count("dimensions", dimensions), norm,
    )
    return float("inf") if exact == "inf" else _number.Amount(exact)


def fit_counts(
    noisy: Iterable[int], total: int, *, method: _words.FitMethod | None = None, weight: _number.Number | None = None
) -> list[int]:
    """Counts of at least 0 from noisy cells and a noisy total that were released apart, free of charge; their sum is the total.

    ``method`` is ``squares`` (the default; the total counts for ``weight`` cells, 1), ``largest`` for the smallest largest
    error, or ``sum`` for the total first, for which alone error bounds are known.
    """
    return _native.fit_counts([index(count) for count in noisy], index(total), method, _number.optional(weight))


def mechanisms() -> list[dict[str, str]]:
    """All mechanisms: name, parameters, input, claim and reference."""
    return _native.mechanisms()


def distributions() -> list[dict[str, str]]:
    """All distributions: name, parameters, law and domain."""
    return _native.distributions()
