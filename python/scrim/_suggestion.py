"""Suggestions of contribution bounds, and what the owner of a vault sees of the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _number, _table
from ._columns import Frame
from ._opened import OpenVault
from ._estimate import Cost
from ._result import Batch
from ._words import Bounds, DeclaredBounds


class Suggestion:
    """Bounds that have the smallest predicted error, from released counts of people. Nothing is applied by itself.

    ``bounds`` is what ``bounds=`` takes. ``lines`` has a dictionary for each bound: ``bound`` (``max-total-rows``, ``max-groups``, ``max-rows``, ``max-total`` or
    ``clamp``), ``column``, ``low`` and ``high``, the share of people ``beyond`` it with its ends ``beyond_low`` and
    ``beyond_high``, and ``is_sure`` if that share is known to 0.02. ``ladder`` has the people on every rung of each
    quantity, ``quantiles`` what follows for quantiles, ``people`` how many people there seem to be, ``answer`` the batch
    that was released.
    """

    def __init__(self, vault: OpenVault | None, facts: dict[str, Any]):
        self.answer: Batch = Batch(vault, facts["result"])
        self.release: int = self.answer.release
        self.cost: Cost = self.answer.cost
        self.people: int = facts["people"]
        self.ladder: list[dict[str, Any]] = facts["ladder"]
        self.quantiles: list[dict[str, Any]] = facts["quantiles"]
        self.lines: list[dict[str, Any]] = facts["bounds"]

    @property
    def bounds(self) -> Bounds:
        """The bounds as ``Vault.add`` and questions take them: ``max_total_rows``, or with keys ``max_groups`` and ``max_rows``;
        and ``max_total``."""
        found: Bounds = {}
        totals: dict[str, str] = {}
        for line in self.lines:
            if line["bound"] == "max-total-rows" and not any(each["bound"] == "max-groups" for each in self.lines):
                found["max_total_rows"] = int(line["high"])
            elif line["bound"] == "max-groups":
                found["max_groups"] = int(line["high"])
            elif line["bound"] == "max-rows":
                found["max_rows"] = int(line["high"])
            elif line["bound"] == "max-total":
                totals[line["column"]] = f"{line['low']},{line['high']}"
        if totals:
            found["max_total"] = totals
        return found

    @property
    def clamps(self) -> dict[str, tuple[Any, Any]]:
        """For analysts: the range of ``CLAMP`` by column."""
        return {
            bound["column"]: (_number.read(bound["low"]), _number.read(bound["high"]))
            for bound in self.lines
            if bound["bound"] == "clamp"
        }

    @property
    def cautions(self) -> list[str]:
        """The bounds that are rough, because the noise hides more than 2 % of the people."""
        return [
            f"{bound['bound']}{' of ' + bound['column'] if bound['column'] else ''} is rough: the share of people beyond "
            f"it is between {bound['beyond_low']} and {bound['beyond_high']}"
            for bound in self.lines
            if not bound["is_sure"]
        ]

    def _sheet(self) -> tuple[list[str], list[list[str]], list[bool]]:
        rows = [
            [
                bound["bound"],
                bound["column"] or "",
                bound["low"] or "",
                bound["high"],
                f"{bound['beyond']} [{bound['beyond_low']}, {bound['beyond_high']}]",
            ]
            for bound in self.lines
        ]
        return ["bound", "column", "low", "high", "people beyond"], rows, [False, False, True, True, True]

    def __str__(self) -> str:
        summary = f"release {self.release}, about {self.people} people"
        return "\n".join([_table.plain(*self._sheet()), summary, *self.cautions])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_table.escape(caution)}</p>" for caution in self.cautions)
        return _table.html(*self._sheet(), caption=f"suggested bounds, release {self.release}") + notes

    def __repr__(self) -> str:
        return f"<Suggestion {self.release}: {len(self.lines)} bounds>"


def _remedy(line: dict[str, Any]) -> str:
    """What to do about a finding; "": nothing is known."""
    column, finding, count = line["column"], line["finding"], line["count"]
    cells = f"{count} cell{'' if count == 1 else 's'} of {column}"
    if finding == "other-key" and line["folded"]:
        return (
            f"{line['folded']} of {cells} {'is' if line['folded'] == 1 else 'are'} a public key with other capital letters or blanks "
            f"around it; correct the rows, or group by LOWER(TRIM({column}))"
        )
    if finding in ("decimal-comma", "decimal-point"):
        mark = "," if finding == "decimal-comma" else "."
        if line["reads_more"]:
            return f"{cells} {'has' if count == 1 else 'have'} a decimal {finding[8:]}; declare it: format={{'decimal': {mark!r}}}"
        return f"{cells} {'has' if count == 1 else 'have'} a decimal {finding[8:]}; correct {'it' if count == 1 else 'them'}"
    if finding == "other-date" and line["reads_more"] and line["date_formats"]:
        return f"{cells} {'has' if count == 1 else 'have'} another date format; declare it: format={{'date_format': {line['date_formats'].split(' ')[0]!r}}}"
    if finding == "unreadable" and line["words"]:
        return f"{line['words']} of {cells} {'has' if line['words'] == 1 else 'have'} no digit; if a word there means missing, declare it: format={{'null': ['NA']}}"
    return ""


class Inspection:
    """How a source fits its policy: SENSITIVE, for the owner alone. It has exact counts of rows, without noise.

    ``lines`` has a dictionary for each finding: ``finding``, ``column``, ``count``, ``is_right``, the ``effect`` that it
    has on queries and the first ``rows``. ``is_right`` is True if nothing is dropped or changed but by the policy.
    """

    def __init__(self, facts: dict[str, Any]):
        self.version: int = facts["version"]
        self.is_right: bool = facts["is_right"]
        self.lines: list[dict[str, Any]] = facts["lines"]

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The findings that are not right."""
        return [line for line in self.lines if not line["is_right"]]

    @property
    def advice(self) -> list[str]:
        """What to declare, or to correct, for findings that are not right."""
        return [words for line in self.lines if not line["is_right"] for words in [_remedy(line)] if words]

    def _sheet(self) -> tuple[list[str], list[list[str]], list[bool]]:
        rows = [
            [line["column"] or "", line["finding"], str(line["count"]), line["effect"] or "", "" if line["is_right"] else "!"]
            for line in self.lines
        ]
        return ["column", "finding", "count", "effect", ""], rows, [False, False, True, False, False]

    def __str__(self) -> str:
        return "\n".join(["SENSITIVE: exact counts, for the owner alone", _table.plain(*self._sheet()), *_table.folded(self.advice)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_table.escape(line)}</p>" for line in self.advice)
        return _table.html(*self._sheet(), caption="SENSITIVE: exact counts, for the owner alone") + notes

    def __repr__(self) -> str:
        return f"<Inspection of version {self.version}: SENSITIVE>"


class Risk(Frame):
    """What somebody learns who has a copy of a source and knows a few facts about a person: SENSITIVE, for the owner alone.

    A class is all rows with the same values in a set of columns. ``sets`` has a dictionary for each number of columns, about
    the set of them that leaves most people unique: its ``columns``, the people who are ``unique``, that is alone in a class,
    ``k``, the fewest people in a class, and how many ``classes`` there are. With a sensitive column, ``l`` is the fewest of its
    values in a class, ``t`` the largest total variation distance of a class from all rows, and ``certain`` the people with a
    class that has one value alone. ``people`` and ``rows`` are counts of the whole source.
    """

    def __init__(self, facts: dict[str, Any]):
        self.version: int = facts["version"]
        self.people: int = facts["people"]
        self.rows: int = facts["rows"]
        self.sets: list[dict[str, Any]] = [{**row, "columns": row["columns"].split(",")} for row in facts["sets"]]

    def __len__(self) -> int:
        return len(self.sets)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        yield "columns", "text", [", ".join(row["columns"]) for row in self.sets]
        for name in ("unique", "k", "classes", "l", "t", "certain"):
            values = [row[name] for row in self.sets]
            if any(value is not None for value in values):
                yield name, "number", values

    def __str__(self) -> str:
        return f"SENSITIVE: exact counts of {self.people} people, for the owner alone\n{_table.sheet(self)}"

    def _repr_html_(self) -> str:
        return f"<p>SENSITIVE: exact counts of {self.people} people, for the owner alone</p>{_table.html_sheet(self)}"

    def __repr__(self) -> str:
        return f"<Risk of version {self.version}: SENSITIVE>"


class BoundChoices(Frame):
    """How much each choice of contribution bounds keeps: SENSITIVE, for the owner alone.

    ``choices`` has a dictionary for each bound and number: ``column`` (None: ``COUNT(*)``), ``max_groups``, ``max_rows`` or
    ``max_total``, the share that is ``kept``, the ``bias`` of one group by what is not, and with an epsilon ``noise``, ``error`` and
    ``is_best``. ``typical`` has the questions that an owner can expect, with the ``best_total`` of each and the ``error`` with the total
    for all of them. ``bounds`` is the best choice.
    """

    def __init__(self, facts: dict[str, Any], has_noise: bool):
        self.version: int = facts["version"]
        self.choices: list[dict[str, Any]] = facts["choices"]
        self.typical: list[dict[str, Any]] = facts["typical"]
        self.unread: list[str] = facts["unread"]
        self.ungrouped: int = facts["ungrouped"]
        self._proposed: int = facts["proposed_total"]
        self._has_noise = has_noise

    @property
    def bounds(self) -> DeclaredBounds | None:
        """The best choice, as ``Vault.add`` takes it; None without an epsilon, or without rows."""
        if self._proposed:
            return {"max_total_rows": self._proposed, "bounds_from": "check"}
        for choice in self.choices:
            if choice["is_best"] and choice["column"] is None and self._has_noise:
                return {"max_groups": choice["max_groups"], "max_rows": choice["max_rows"], "bounds_from": "check"}
        return None

    def __len__(self) -> int:
        return len(self.choices)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        yield "question", "text", ["COUNT(*)" if row["column"] is None else f"SUM({row['column']})" for row in self.choices]
        yield "max_groups", "number", [row["max_groups"] for row in self.choices]
        yield "max_rows", "number", [row["max_rows"] or None for row in self.choices]
        yield "max_total", "text", [row["max_total"] for row in self.choices]
        for name in ("kept", "bias", *(("noise", "error") if self._has_noise else ())):
            yield name, "real", [row[name] for row in self.choices]
        if self._has_noise:
            yield "is_best", "bool", [row["is_best"] for row in self.choices]

    def _notes(self) -> list[str]:
        made = [f"best: bounds={dict(self.bounds)}"] if self.bounds else []
        made += [f"{row['question']}: {_table.shown(float(100 * row['kept']))[:5]} % kept, error {100 * row['error']:.3g} %" for row in self.typical]
        made += [f"{name}: no cell can be read; check() says why" for name in self.unread]
        return made + ([f"rows with a key that is not listed, in no group: {self.ungrouped}"] if self.ungrouped else [])

    def __str__(self) -> str:
        return "\n".join(["SENSITIVE: raw data, for the owner alone", _table.sheet(self), *self._notes()])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_table.escape(note)}</p>" for note in self._notes())
        return f"<p>SENSITIVE: raw data, for the owner alone</p>{_table.html_sheet(self)}{notes}"

    def __repr__(self) -> str:
        return f"<BoundChoices of version {self.version}: SENSITIVE>"
