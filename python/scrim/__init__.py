"""scrim: differential privacy with exact noise, charged and certified.

    import scrim
    vault = scrim.open("scrim.vault")
    vault.query("adult", "SELECT sex, AVG(age) GROUP BY sex", epsilon="0.5").to_pandas()

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
from ._mechanism import Answer, Audit, Ledger, Measurement, Run, Said, Value, audit, mechanism, release
from ._native import version as __version__
from ._number import Amount
from ._plan import Plan
from ._columns import Frame
from ._estimate import Cost, Estimate
from ._result import Batch, Column, Cut, Result, Statement
from ._series import Series
from ._suggestion import Inspection, Suggestion
from ._synth import Records, Synthetic
from ._tools import (
    Bounds,
    Calibration,
    Distribution,
    calibrate,
    compose,
    distance,
    distributions,
    fit_counts,
    mechanisms,
    sample,
)
from ._vault import Vault, init, open

__all__ = [
    "Amount", "Answer", "Audit", "Batch", "Body", "Bounds", "BudgetError", "BusyError", "Calibration", "CheckError", "Column", "Cut",
    "Cost", "Distance", "Distribution", "EntropyError", "Error", "Estimate", "Frame", "InputError", "Inspection", "InternalError",
    "Label", "Ledger", "LedgerError", "LimitError", "Measurement", "Minimum", "Nearest", "OutOfMemory", "ParameterError", "Plan",
    "PolicyError", "QueryInterrupted", "Records", "Result", "Run", "Said", "Series", "StateError", "Statement", "Suggestion",
    "SyntaxRefused", "Synthetic", "Value", "Vault", "Volume", "audit", "calibrate", "compose", "distance", "distributions",
    "fit_counts", "init", "mechanism", "mechanisms", "open", "read_body", "read_label", "release", "sample", "verify",
]  # fmt: skip
