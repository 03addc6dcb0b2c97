"""Mechanisms by themselves: cost, accuracy, releases, audits."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, overload

from . import _native, _number, _plot, _progress, _words
from ._errors import BudgetError, StateError, in_memory
from ._estimate import Cost, Estimate

_INFINITE = (float("inf"), float("-inf"))


def _line(name: str, parameters: dict[str, Any]) -> str:
    """``NAME key=value ...``, the one text that names a mechanism everywhere."""
    words = [name]
    for key, value in parameters.items():
        if value is None or value is False:
            continue
        if value is True:
            value = "yes"
        elif isinstance(value, (list, tuple)):
            value = ",".join(_number.text(part) for part in value)
        else:
            value = _number.text(value)
        words.append(f"{key.rstrip('_').replace('_', '-')}={value}")
    return " ".join(words)


class Measurement:
    """A mechanism with fixed parameters: its cost and its accuracy are known before there is any data."""

    def __init__(self, text: str, *, model: bool = False):
        self._handle = _native.measurement_parse(text, model)
        self._is_model = model
        facts = _native.measurement_read(self._handle)
        self.text: str = facts["text"]
        self.size: int = facts["size"]
        self.mechanism: dict[str, str] = facts["mechanism"]
        self.cost: Cost = Cost(facts["cost"])

    def __reduce__(self) -> Any:
        return _measured, (self.text, self._is_model)

    def __repr__(self) -> str:
        return f"<Measurement {self.text}>"

    def group_cost(self, units: int) -> Cost:
        """The cost for households of this many units."""
        return Cost(_native.measurement_group_cost(self._handle, units))

    def delta_at(self, epsilon: _number.Number) -> float:
        """The smallest proven delta at an epsilon, rounded up."""
        return _native.measurement_delta_at(self._handle, _number.text(epsilon))

    def epsilon_at(self, delta: _number.Number) -> float:
        """The smallest proven epsilon at a delta, rounded up."""
        return _native.measurement_epsilon_at(self._handle, _number.text(delta))

    def renyi_at(self, order: _number.Number) -> float:
        """The Renyi divergence of an order above 1, rounded up."""
        return _native.measurement_renyi_at(self._handle, _number.text(order))

    def accuracy(self, confidence: _number.Number = "0.95", count: int | None = None) -> dict[str, Any]:
        """The accuracy guarantee on ``count`` values: ``form``, ``radius`` and others.

        - ``confidence``: that of the radius.
        """
        values = _words.count("count", count) or self.size or 1
        return _native.measurement_certify(self._handle, _number.text(confidence), values)

    def apply(self, data: Any, ledger: Ledger, *, confidence: _number.Number = "0.95") -> MechanismResult:
        """Applies it to private values: charges the ledger, draws, and answers with intervals.

        ``data`` is a number, a sequence of numbers or an array. No value of it is an error: values are clamped to
        the range of the mechanism.

        - ``confidence``: that of the intervals (0.95).
        """
        if not isinstance(ledger, Ledger):
            raise TypeError(f"expected a Ledger, not {type(ledger).__name__}; vault.apply() charges a dataset")
        if ledger._handle is None:
            raise StateError("a copy of a ledger cannot be charged; use the ledger itself, or make a new one")
        values = _values(self, data)
        try:
            return MechanismResult(_native.release(ledger._handle, self._handle, values, _number.text(confidence)))
        except BudgetError as refused:
            raise in_memory(refused) from None

    def run(self, ledger: Ledger, data: Any = None) -> Run:
        """Charges the ledger for a whole interactive run, and opens it.

        - ``data``: the private counts of online-weights; nothing for sparse vector mechanisms.
        """
        if not isinstance(ledger, Ledger):
            raise TypeError(f"expected a Ledger, not {type(ledger).__name__}; vault.run() charges a dataset")
        if ledger._handle is None:
            raise StateError("a copy of a ledger cannot be charged; use the ledger itself, or make a new one")
        try:
            return Run(self, _native.run_open(ledger._handle, self._handle, None if data is None else _values(self, data)))
        except BudgetError as refused:
            raise in_memory(refused) from None

    def audit(self, *, points: int | None = None, progress: _progress.Progress = None) -> Audit:
        """The exact privacy of the mechanism on worst-case neighbours, against its claim.

        - ``points``: how many epsilons are looked at.
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        tell = _progress.listener(progress)
        return Audit(_progress.ended_at_once(_native.audit, self._handle, _words.count("points", points), tell=tell))


def _measured(text: str, model: bool) -> Measurement:
    return Measurement(text, model=model)


def mechanism(name: _words.MechanismName, **parameters: Any) -> Measurement:
    """A mechanism of the catalogue for data: ``mechanism("laplace", sensitivity=1, epsilon="0.1")``.

    Parameters are those of ``scrim list mechanisms``, with ``_`` for ``-``; neighbours are ``add-remove`` unless given.

    - ``name``: the mechanism.
    """
    if "neighbours" not in parameters:
        parameters["neighbours"] = "add-remove"
    return Measurement(_line(name, parameters))


class Ledger:
    """A budget in memory, for mechanisms: it counts epsilon, or rho, and delta. It ends with the process.

    A copy, by ``pickle`` or ``copy``, is a statement of what was spent and left then. It cannot be charged: two ledgers
    with one budget would spend it twice.
    """

    def __init__(
        self,
        *,
        epsilon: _number.Number | None = None,
        rho: _number.Number | None = None,
        delta: _number.Number | None = None,
        neighbours: _words.Neighbours = "add-remove",
    ):
        if neighbours not in ("add-remove", "replace"):
            raise ValueError(f"unknown neighbours {neighbours!r}; use add-remove or replace")
        self._facts: dict[str, Any] = {}
        self._handle: Any = _native.ledger_new(
            neighbours, _number.optional(epsilon), _number.optional(rho), _number.optional(delta)
        )

    def _read(self) -> dict[str, Any]:
        return self._facts if self._handle is None else _native.ledger_read(self._handle)

    @property
    def spent(self) -> Cost:
        """What is charged."""
        return Cost(self._read()["spent"])

    @property
    def left(self) -> Cost:
        """What may still be charged."""
        return Cost(self._read()["left"])

    def __getstate__(self) -> dict[str, Any]:
        return {"_handle": None, "_facts": self._read()}

    def __repr__(self) -> str:
        return f"<Ledger, left: {self.left}>"


class MechanismEstimate(Estimate):
    """One number that a mechanism released: an ``Estimate``, with the ``text`` as it was released.

    ``value`` is ``"below"`` or ``"above"`` for a sparse vector without numbers, and None if there is none; ``label`` names what
    was selected, ``place`` its position, and ``is_kept`` is False if a threshold left it out.
    """

    __slots__ = ("kind", "text", "label", "is_kept", "place")

    kind: str
    text: str | None
    label: str | None
    is_kept: bool
    place: int | None

    def __init__(self, facts: dict[str, Any]):
        is_word = facts["kind"] in ("below", "above")
        text = None if is_word or facts["text"] is None else facts["text"].removeprefix("#").removeprefix("above=")
        super().__init__(text, *facts["interval"], kind="word" if is_word else "value")
        for name in MechanismEstimate.__slots__:
            setattr(self, name, facts[name])
        if is_word:
            setattr(self, "value", self.kind)

    def __repr__(self) -> str:
        interval = "" if self.low is None else f", {self.low} to {self.high}"
        return f"MechanismEstimate({self.value}{interval})"


class MechanismResult(Sequence[MechanismEstimate]):
    """The result of a mechanism, with its cost and its accuracy guarantee."""

    def __init__(self, facts: dict[str, Any]):
        self._estimates = [MechanismEstimate(value) for value in facts["values"]]
        self.cost: Cost = Cost(facts["cost"])
        self.entry: int = facts["entry"]
        self.has_halted: bool = facts["has_halted"]
        self.accuracy: dict[str, Any] = facts["certificate"]

    def __len__(self) -> int:
        return len(self._estimates)

    @overload
    def __getitem__(self, index: int) -> MechanismEstimate: ...
    @overload
    def __getitem__(self, index: slice) -> list[MechanismEstimate]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._estimates[index]

    @property
    def values(self) -> list[Any]:
        """The numbers alone."""
        return [estimate.value for estimate in self._estimates]

    def __repr__(self) -> str:
        return f"<MechanismResult {self._estimates!r}>"


class RunAnswer(NamedTuple):
    """One answer of an interactive run."""

    is_above: bool  #: of online-weights: the query was measured
    value: Fraction | None  #: with ``numeric=True``, of a query that is above: its own noisy number; of online-weights, always
    has_halted: bool  #: this was the last answer


class Run:
    """An interactive run: queries are asked one by one, and each may depend on the answers so far.

    The whole run is charged when it is opened. It ends by its count, or with the ``with`` block::

        with vault.run("orders", scrim.mechanism("sparse-vector", epsilon=1, sensitivity=1, threshold=100, count=3)) as run:
            while not run.has_halted:
                run.ask(next_count())
    """

    def __init__(self, measurement: Measurement, handle: Any):
        facts = _native.run_read(handle)
        self._handle = handle
        self.measurement = measurement
        self.cost: Cost = Cost(facts["cost"])
        self.entry: int = facts["entry"]
        self.answers: list[RunAnswer] = []

    @property
    def has_halted(self) -> bool:
        """Has it given all its answers?"""
        return bool(self.answers) and self.answers[-1].has_halted

    def ask(self, query: Any) -> RunAnswer:
        """Answers whether a private number is above the threshold. No number is an error; the answer is recorded first.

        - ``query``: the private number; of online-weights the coefficients of a public query, one for each bin.
        """
        if isinstance(query, (list, tuple)) or getattr(query, "ndim", 0) == 1:
            text = ",".join(map(_exact, query))
        else:
            text = _exact(query)
        is_above, value, has_halted = _native.run_ask(self._handle, text)
        answer = RunAnswer(is_above, Fraction(value) if value else None, has_halted)
        self.answers.append(answer)
        return answer

    def close(self) -> None:
        """Ends the run; its charge stays."""
        _native.run_close(self._handle)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a run keeps a secret and cannot be copied; its answers can")

    def __repr__(self) -> str:
        return f"<Run {self.measurement.text}, {len(self.answers)} answers>"


def _values(measurement: Measurement, data: Any) -> Any:
    """Private values as the library takes them: a buffer of integers or doubles, or exact texts."""
    if isinstance(data, (int, float, str)) or hasattr(data, "as_tuple"):
        data = [data]
    if hasattr(data, "mask") and hasattr(data, "filled"):
        data = data.tolist()  # what numpy masks is None
    has_grid = " grid=" in measurement.text
    try:
        view = memoryview(data)
    except TypeError:
        pass
    else:
        if view.c_contiguous and (view.format == "d" or (view.format in ("q", "l") and not has_grid)):
            return data
        return _values(measurement, data.tolist() if hasattr(data, "tolist") else view.tolist())
    try:
        values = list(data)
    except TypeError:
        raise TypeError(f"expected a number or a sequence of numbers, not {type(data).__name__}") from None
    if not has_grid and all(isinstance(value, int) for value in values):
        return array("q", [min(max(int(value), -(2**63)), 2**63 - 1) for value in values])
    if all(isinstance(value, float) for value in values):
        return array("d", values)
    return [_exact(value) for value in values]


def _exact(value: Any) -> str:
    """The text of a private value. Whatever is not a number is "NaN", which counts as 0: no value is an error."""
    if isinstance(value, bool):
        value = int(value)
    try:
        if value in _INFINITE or (isinstance(value, int) and abs(value) >= 10**4000):
            return "inf" if value > 0 else "-inf"  # beyond every range, and Python writes no longer integers
        text = _number.text(value)
        text.encode()
    except Exception:
        return "NaN"
    return text if "\0" not in text else "NaN"


def apply_to(vault: Any, name: str, measurement: Measurement, data: Any, confidence: _number.Number) -> MechanismResult:
    """``Vault.apply``: charges the budget of a dataset."""
    if not isinstance(measurement, Measurement):
        raise TypeError(f"expected a mechanism of scrim.mechanism(), not {type(measurement).__name__}")
    values, wanted = _values(measurement, data), _number.text(confidence)
    ledger = _native.ledger_of_vault(vault, name)
    try:
        return MechanismResult(_native.release(ledger, measurement._handle, values, wanted))
    finally:
        del ledger  # in a traceback it would keep the vault from being closed


def run_of(vault: Any, name: str, measurement: Measurement, data: Any) -> Run:
    """``Vault.run``: charges the budget of a dataset."""
    if not isinstance(measurement, Measurement):
        raise TypeError(f"expected a mechanism of scrim.mechanism(), not {type(measurement).__name__}")
    ledger = _native.ledger_of_vault(vault, name)
    try:
        return Run(measurement, _native.run_open(ledger, measurement._handle, None if data is None else _values(measurement, data)))
    finally:
        del ledger  # the run keeps it, and in a traceback it would keep the vault from being closed


class Audit:
    """The exact privacy loss of a mechanism beside its claim.

    ``holds`` says whether the claim is proven on all neighbouring pairs of the family; ``points`` has the exact
    delta at a list of epsilons.
    """

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts
        self.verdict: str = facts["verdict"]
        self.summary: str = facts["summary"]
        self.is_tight: bool = facts["is_tight"]
        self.points: list[dict[str, Any]] = facts["points"]

    @property
    def holds(self) -> bool:
        """True if the claim is proven."""
        return self.verdict == "holds"

    def plot(self) -> _plot.Plot:
        """The exact delta at each epsilon beside the claimed one, as SVG."""
        points = [
            (float(Fraction(row["epsilon"])), row["delta_lower"], row["delta_upper"], row["claimed_upper"]) for row in self.points
        ]
        text = self.facts["text"]
        return _plot.Plot(f"the audit of {text}", _native.draw_audit(text, self.verdict, self.summary, points))

    def __repr__(self) -> str:
        return f"<Audit {self.verdict}: {self.summary}>"


def audit(name: _words.MechanismName | Measurement, *, points: int | None = None, progress: _progress.Progress = None, **parameters: Any) -> Audit:
    """Audits a mechanism without data: ``audit("laplace", epsilon=1)``. Sensitivity is 1 unless given.

    - ``name``: the mechanism; its parameters follow. Or a mechanism of ``scrim.mechanism()``, which has them.
    - ``points``: how many epsilons are looked at.
    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    """
    if isinstance(name, Measurement):
        if parameters:
            raise TypeError(f"the mechanism has its parameters already; leave {next(iter(parameters))}= out")
        return name.audit(points=points, progress=progress)
    return Measurement(_line(name, parameters), model=True).audit(points=points, progress=progress)
