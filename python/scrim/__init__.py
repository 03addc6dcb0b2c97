"""scrim: differential privacy with exact noise, charged and certified.

    import scrim
    adult = scrim.open("scrim.vault")["adult"]
    adult.query("SELECT sex, AVG(age) AS age GROUP BY sex", epsilon="0.5").to_pandas()
    adult.group_by("sex").agg(age=scrim.mean("age")).query(epsilon="0.5").to_pandas()

Numbers that a guarantee depends on are exact: ``"0.1"``, ``1``, ``Fraction(1, 3)``, ``Decimal("1e-9")``; a float is read as
the shortest decimal that gives it back.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ._body import Body, Depth, Distance, Minimum, Nearest, Support, Volume, exact_body, read_body
from ._command import Listing, command, errata, papers
from ._errors import (
    BudgetError,
    BusyError,
    CheckError,
    EntropyError,
    Error,
    InputError,
    InternalError,
    LedgerError,
    LimitError,
    OutOfMemory,
    ParameterError,
    PolicyError,
    QueryInterrupted,
    StateError,
    SyntaxRefused,
)
from ._label import Label, read_label, verify
from ._dataset import Dataset, Question
from ._mechanism import Audit, Ledger, Measurement, MechanismEstimate, MechanismResult, Run, RunAnswer, audit, mechanism
from ._microdata import CountsPlan, Microdata, MicrodataPlan, plan_counts
from ._native import version as __version__
from ._number import Amount
from ._plan import Plan
from ._plot import Plot
from ._columns import Frame
from ._estimate import Cost, Estimate
from ._report import Report, verify_ledger
from ._result import Batch, Column, Cut, Result, Statement
from ._series import Series
from ._suggestion import BoundChoices, Inspection, Risk, Suggestion
from ._synth import Records, Synthetic
from ._table import Rows
from ._question import (
    Expression,
    bind,
    count,
    count_distinct,
    expr,
    max as max,
    mean,
    median,
    min as min,
    quantile,
    std,
    sum as sum,
    var,
)
from ._tools import (
    Calibration,
    Composition,
    Distribution,
    calibrate,
    compose,
    distance,
    distributions,
    fit_counts,
    mechanisms,
    sample,
)
from ._vault import Vault, init, open as open
from ._words import Account, Bounds, DeclaredBounds, Format

# Handles rely on the interpreter's lock. A build of Python without it turns it on when it loads the module, unless told otherwise.
if not getattr(sys, "_is_gil_enabled", lambda: True)():
    raise ImportError("scrim needs the interpreter's lock; run Python without PYTHON_GIL=0 and -X gil=0")

if TYPE_CHECKING:
    from . import local as local
    from ._laboratory import Attack, Experiment, Finding, attack, attacks, experiment

_LATE = ("Attack", "Experiment", "Finding", "attack", "attacks", "experiment")


def __getattr__(name: str) -> object:
    """Imports at its first use what few programs need."""
    from importlib import import_module

    if name == "local":
        return import_module(".local", __name__)
    if name in _LATE:
        return getattr(import_module("._laboratory", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Without open, sum, min and max: after ``from scrim import *`` those of Python stay.
__all__ = [
    "Account", "Amount", "Attack", "Audit", "Batch", "Body", "BoundChoices", "Bounds", "BudgetError", "BusyError",
    "Calibration", "CheckError", "Column", "Composition", "Cost", "CountsPlan", "Cut", "Dataset", "DeclaredBounds",
    "Depth", "Distance", "Distribution", "EntropyError", "Error", "Estimate", "Experiment", "Expression", "Finding",
    "Format", "Frame", "InputError", "Inspection", "InternalError", "Label", "Ledger", "LedgerError", "LimitError",
    "Listing", "Measurement", "MechanismEstimate", "MechanismResult", "Microdata", "MicrodataPlan", "Minimum",
    "Nearest", "OutOfMemory", "ParameterError", "Plan", "Plot", "PolicyError", "QueryInterrupted", "Question",
    "Records", "Report", "Result", "Risk", "Rows", "Run", "RunAnswer", "Series", "StateError", "Statement",
    "Suggestion", "Support", "SyntaxRefused", "Synthetic", "Vault", "Volume", "attack", "attacks", "audit", "bind",
    "calibrate", "command", "compose", "count", "count_distinct", "distance", "distributions", "errata", "exact_body",
    "experiment", "expr", "fit_counts", "init", "local", "mean", "mechanism", "mechanisms", "median", "papers",
    "plan_counts", "quantile", "read_body", "read_label", "sample", "std", "var", "verify", "verify_ledger",
]  # fmt: skip
