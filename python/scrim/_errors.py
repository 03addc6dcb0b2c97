"""The exceptions of scrim: one class for each status of the library.

Act on the class, ``reason`` and ``parameter``; the words of a message may change.
"""

from __future__ import annotations

import re
from typing import Any

from ._number import Amount, amount

__all__ = [
    "Error", "InternalError", "EntropyError", "OutOfMemory", "ParameterError", "LimitError",
    "StateError", "SyntaxRefused", "PolicyError", "BudgetError", "LedgerError", "BusyError",
    "InputError", "CheckError", "QueryInterrupted",
]  # fmt: skip


class Error(Exception):
    """A call that failed. The classes below are its statuses.

    ``status`` is the number of the status in C, ``reason`` a word such as ``"missing"`` or ``""``,
    ``parameter`` the argument that it is about, ``caret`` the line of the query with the place below
    it, or None, and ``query`` the position of that query in a batch.
    """

    status = 0

    def __init__(self, message: str, reason: str = "", parameter: str = "", caret: str | None = None, query: int = 0):
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.parameter = parameter
        self.caret = caret
        self.query = query

    def __str__(self) -> str:
        return self.message if self.caret is None else f"{self.message}\n{self.caret}"

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.reason, self.parameter, self.caret, self.query)


class InternalError(Error):
    """An internal check of scrim failed."""

    status = 10


class EntropyError(Error):
    """The system gave no random bits. Nothing was released; a charge stays."""

    status = 11


class OutOfMemory(Error, MemoryError):
    """There was not enough memory."""

    status = 12


class ParameterError(Error, ValueError):
    """An argument that is not allowed."""

    status = 20


class LimitError(Error, ValueError):
    """An argument that is allowed, but above a size limit."""

    status = 21


class StateError(Error, RuntimeError):
    """A call out of order: a closed vault, a forked process, a series that is complete."""

    status = 22


class SyntaxRefused(Error, ValueError):
    """A text that does not parse: a query, a mechanism, a number."""

    status = 23


class PolicyError(Error, PermissionError):
    """Refused: the policy does not allow it, or only the vault's owner may do it."""

    status = 30


class BudgetError(Error):
    """The budget is too small. Nothing was charged.

    ``requested`` and ``left`` are exact amounts of ``parameter``: ``epsilon``, ``rho`` or ``delta``. They are None for a series,
    whose message says what its releases need.
    """

    status = 40
    requested: Amount | None = None
    left: Amount | None = None

    def __reduce__(self) -> Any:
        return (*super().__reduce__(), {"requested": self.requested, "left": self.left})


class LedgerError(Error, OSError):
    """The vault is missing, damaged, copied or not writable."""

    status = 50


class BusyError(Error, TimeoutError):
    """A lock of the vault was not available in time."""

    status = 51


class InputError(Error, OSError):
    """The source cannot be used: the file, its header, its version, or the type of a column."""

    status = 60


class CheckError(Error):
    """A check that was asked for failed."""

    status = 70


class QueryInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a query. The message says whether it was charged; a charge stays, and the same query again is free."""

    @property
    def release(self) -> int | None:
        """The number of the release that was charged, where it is known."""
        found = re.search(r"\brelease (\d+) is (?:perhaps )?charged", str(self))
        return int(found[1]) if found else None

    @property
    def charged(self) -> bool | None:
        """Is it charged? None where only the ledger tells."""
        said = str(self)
        if "nothing was charged" in said:
            return False
        return True if " is charged" in said else None


_CLASSES: dict[int, type[Error]] = {
    kind.status: kind
    for kind in (
        InternalError, EntropyError, OutOfMemory, ParameterError, LimitError, StateError, SyntaxRefused, PolicyError,
        BudgetError, LedgerError, BusyError, InputError, CheckError,
    )
}  # fmt: skip

# What to type next, by reason and parameter; the first line that fits. None: any parameter.
_ADVICE: list[tuple[str, str | None, str]] = [
    ("missing", "epsilon", "; add epsilon=, or target_error= for a query"),
    ("missing", "delta", "; add delta=, for example delta='1e-7'"),
    ("missing", "expect", "; add expect= with your guess, or a target_error without %"),
    ("missing", "parameters", "; add parameters=[VALUE]"),
    ("missing", "deviation", "; add expect= with your guess, or use epsilon= instead"),
    ("unsupported", "target-error", "; give epsilon= instead"),
    ("unsupported", "mechanism", ", or mechanism='laplace'"),
    ("unsupported", "bounds", "; give max_total_rows=N, which suggest() proposes"),
    ("missing", "unit", "; add unit='COLUMN' or unit='row'"),
    ("missing", "max-total-rows", ": bounds={'max_total_rows': N}, or max_groups and max_rows, or {'rows_per_unit': 1}"),
    ("missing", "max-groups", ": bounds={'max_groups': N}"),
    ("missing", "max-groups,delta", ": bounds={'max_groups': N} and delta="),
    ("conflict", "fixed-bounds", "; leave bounds= out"),
    ("missing", "max-size", ": format={'max_size': '1GiB'}"),
    ("range", "max-size", ": format={'max_size': '1GiB'}"),
    ("missing", "private-keys", ": private_keys=['COLUMN']"),
    ("missing", "columns", ": columns=['COLUMN', 'COLUMN']"),
    ("missing", "expected-units", "; add expected_units=N"),
    ("missing", "source", ": pass a path or a data frame"),
    ("missing", "budget", ": budget={'epsilon': 1}"),
    ("missing", "population", ": account={'population': 'NAME'}"),
    ("conflict", "population", ": account={'population': 'NAME'}"),
    ("missing", "column", "; add format={'zone': 'UTC'} or another time zone"),
    ("unknown", "column", ", and vault.policy(NAME) lists the columns"),
    ("unknown", "columns", "; vault.policy(NAME) lists the columns"),
    ("unknown", "objective", "; body.names lists its columns"),
    ("unknown", "dataset", "; vault.datasets() lists them"),
    ("unknown", "population", "; vault.budget() lists them"),
    ("unknown", "series", "; vault.series_names() lists them"),
    ("unknown", "release", "; vault.ledger() lists them"),
    ("unsupported", "release", "; vault.ledger() says what it is"),
    ("unknown", "entry", "; vault.ledger() lists them"),
    ("unknown", "mechanism", "; scrim.mechanisms() lists them"),
    ("unknown", "distribution", "; scrim.distributions() lists them"),
    ("missing", "releases", ": releases=N"),
    ("conflict", "kind=archive", "; unpack it, or pack the CSV file with gzip"),
    ("conflict", "kind=workbook", "; save it there as CSV UTF-8"),
    ("conflict", "kind=parquet", "; name it as a .parquet file, or read it into a frame"),
    ("conflict", "kind=arrow", "; read it into a frame"),
    ("missing", "separator=,", "; if that separates columns, add format={'separator': ','}"),
    ("missing", "separator=;", "; if that separates columns, add format={'separator': ';'}"),
    ("missing", "separator=|", "; if that separates columns, add format={'separator': '|'}"),
    ("missing", "separator=tab", "; if that separates columns, add format={'separator': 'tab'}"),
    ("missing", "vault", "; scrim.init() creates one"),
    ("taken", "vault", "; scrim.open() opens a vault that exists"),
    ("taken", "dataset", "; vault.update(NAME) declares new contents, vault.set_policy(NAME, POLICY) another policy"),
    ("unsupported", "live", ": data=FRAME"),
    ("changed", None, "; its owner can declare the new contents with vault.update(NAME)"),
    ("moved", "witness", ", or, if it is lost, let the vault's owner accept the vault without it: scrim.open(PATH, restored=True)"),
    ("moved", "restored", ", or, if that is lost, let the vault's owner accept this one: scrim.open(PATH, restored=True)"),
    ("missing", "witness", "; name a file with witness=FILE, or use witness=False"),
    ("moved", None, "; its owner can accept it with scrim.open(PATH, moved=True)"),
    ("damaged", None, "; vault.verify() says more"),
    ("budget", "delta", "; use a smaller delta, or ask the vault's owner"),
    ("budget", None, "; ask for fewer columns or groups, accept a larger error (a smaller epsilon), or ask the vault's owner"),
    ("share", None, "; ask for fewer columns or groups, accept a larger error (a smaller epsilon), or ask the vault's owner"),
]  # fmt: skip


def from_native(
    status: int,
    message: str,
    reason: str,
    parameter: str,
    caret: str | None,
    query: int,
    amounts: tuple[str, str] = ("", ""),
) -> Error:
    """The exception for a failure of the library, with its advice; amounts are those requested and left."""
    for advised, about, words in _ADVICE:
        if advised == reason and about in (None, parameter):
            message += words
            break
    return made(status, message, reason, parameter, caret, query, amounts)


def made(
    status: int, message: str, reason: str, parameter: str, caret: str | None, query: int, amounts: tuple[str, str]
) -> Error:
    """An exception by its parts."""
    raised = _CLASSES.get(status, InternalError)(message, reason, parameter, caret, query)
    if isinstance(raised, BudgetError):
        raised.requested, raised.left = (amount(text or None) for text in amounts)
    return raised


def parts(error: Error) -> list[Any]:
    """The parts of an exception, for another process."""
    found = [getattr(error, name, None) for name in ("requested", "left")]
    amounts = ["" if each is None else str(each) for each in found]
    return [error.status, error.message, error.reason, error.parameter, error.caret, error.query, amounts]


_OF_A_VAULT = {words for reason, _, words in _ADVICE if reason == "budget"}


def in_memory(refused: BudgetError) -> BudgetError:
    """The same refusal by a ledger in memory, which has neither columns nor an owner."""
    said = refused.message
    for words in _OF_A_VAULT:
        said = said.removesuffix(words)
    advice = f"; use a smaller {refused.parameter}, or make a Ledger with a larger budget"
    raised = BudgetError(said + advice, refused.reason, refused.parameter, refused.caret, refused.query)
    raised.requested, raised.left = refused.requested, refused.left
    return raised


def interrupted(message: str) -> QueryInterrupted:
    """The exception for Ctrl-C during a query that ended with this message."""
    return QueryInterrupted(f"interrupted: {message}" if message else "interrupted")
