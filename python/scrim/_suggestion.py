"""Suggestions of contribution bounds, and what the owner of a vault sees of the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _number, _table
from ._columns import Frame
from ._opened import OpenVault
from ._estimate import Cost
from ._result import Batch
from ._words import Bounds


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

    def _sheet(self) -> tuple[list[str], list[list[str]], list[bool]]:
        rows = [
            [line["column"] or "", line["finding"], str(line["count"]), line["effect"] or "", "" if line["is_right"] else "!"]
            for line in self.lines
        ]
        return ["column", "finding", "count", "effect", ""], rows, [False, False, True, False, False]

    def __str__(self) -> str:
        return f"SENSITIVE: exact counts, for the owner alone\n{_table.plain(*self._sheet())}"

    def _repr_html_(self) -> str:
        return _table.html(*self._sheet(), caption="SENSITIVE: exact counts, for the owner alone")

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
