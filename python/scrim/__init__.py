"""scrim: differential privacy with exact noise, charged and certified.

    import scrim
    adult = scrim.open("scrim.vault")["adult"]
    adult.query("SELECT sex, AVG(age) AS age GROUP BY sex", epsilon="0.5").to_pandas()
    adult.group_by("sex").agg(age=scrim.mean("age")).query(epsilon="0.5").to_pandas()

Numbers that a guarantee depends on are exact: ``"0.1"``, ``1``, ``Fraction(1, 3)``, ``Decimal("1e-9")``; a float is read as
the shortest decimal that gives it back.
"""

from ._body import Body, Distance, Minimum, Nearest, Volume, read_body
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
from ._native import version as __version__
from ._number import Amount
from ._plan import Plan
from ._plot import Plot
from ._columns import Frame
from ._estimate import Cost, Estimate
from ._result import Batch, Column, Cut, Result, Statement
from ._series import Series
from ._suggestion import Inspection, Suggestion
from ._synth import Records, Synthetic
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

# Without open, sum, min and max: after ``from scrim import *`` those of Python stay.
__all__ = [
    "Account", "Amount", "Audit", "Batch", "Body", "Bounds", "BudgetError", "BusyError", "Calibration", "CheckError",
    "Column", "Composition", "Cost", "Cut", "Dataset", "DeclaredBounds", "Distance", "Distribution", "EntropyError",
    "Error", "Estimate", "Expression", "Format", "Frame", "InputError", "Inspection", "InternalError", "Label",
    "Ledger", "LedgerError", "LimitError", "Measurement", "MechanismEstimate", "MechanismResult", "Minimum",
    "Nearest", "OutOfMemory", "ParameterError", "Plan", "Plot", "PolicyError", "QueryInterrupted", "Question", "Records",
    "Result", "Run", "RunAnswer", "Series", "StateError", "Statement", "Suggestion", "SyntaxRefused", "Synthetic",
    "Vault", "Volume", "audit", "bind", "calibrate", "compose", "count", "count_distinct", "distance",
    "distributions", "expr", "fit_counts", "init", "mean", "mechanism", "mechanisms", "median", "quantile",
    "read_body", "read_label", "sample", "std", "var", "verify",
]  # fmt: skip
