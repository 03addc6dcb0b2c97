"""Plans: what a query would draw, cost and show, before anything is read or charged."""

from __future__ import annotations

from typing import Any

from . import _number, _table, _words
from ._estimate import Cost


class Plan:
    """What a query will cost and how large its errors will be. It reads no data and spends nothing.

    ``columns`` has the expected error of each column, ``cost`` the price, ``left`` and ``after`` what
    may be spent before and after it, ``parts`` what is drawn, and ``cautions`` what to think about first.
    ``facts`` holds everything that the library says.
    """

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts
        self.cost: Cost = Cost(facts["cost"])

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Columns of the (first) query: name, aggregate, expected ``error``, range, guarantee."""
        return list(self.facts["statements"][0]["columns"])

    @property
    def parts(self) -> list[dict[str, Any]]:
        """What is drawn for each group: mechanism, share of epsilon, noise."""
        return [part for statement in self.facts["statements"] for part in statement["parts"]]

    @property
    def cautions(self) -> list[str]:
        """Sentences that begin with a reason to think again; empty if there is none."""
        found = []
        for statement in self.facts["statements"]:
            found += [statement[name] for name in ("caution", "unlisted", "missing")]
            found += [column["caution"] for column in statement["columns"]]
        return [_words.worded(sentence) for sentence in found if sentence]

    @property
    def left(self) -> _number.Amount | None:
        """What may be spent now, in the unit of the budget (``facts["account_unit"]``)."""
        return _number.amount(self.facts["left"])

    @property
    def after(self) -> _number.Amount | None:
        """What may be spent after it; None if it does not fit."""
        return _number.amount(self.facts["after"])

    @property
    def repeats(self) -> int | None:
        """The release that has answered this query already, which makes asking free; or None."""
        return self.facts["repeats"] or None

    def _sheet(self, statements: list[dict[str, Any]]) -> tuple[list[str], list[list[str]], list[bool]]:
        header = ["column", "aggregate", "expected error"]
        body = []
        for statement in statements:
            for column in statement["columns"]:
                error = "-" if column["error"] is None else f"± {column['error']}"
                body.append([column["name"], column["aggregate"] or "key", error])
        return header, body, [False, False, True]

    def _summary(self) -> str:
        after = "does not fit" if self.after is None else f"after: {self.after}"
        free = f"; repeats release {self.repeats}, free" if self.repeats else ""
        unit = self.facts["account_unit"]
        return f"costs {unit} {self.facts['amount']}; left: {self.left}, {after}{free}"

    def __str__(self) -> str:
        return "\n".join([_table.plain(*self._sheet(self.facts["statements"])), self._summary(), *_table.folded(self.cautions)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_table.escape(line)}</p>" for line in [self._summary(), *self.cautions])
        tables = [_table.html(*self._sheet([each]), caption=each["query"]) for each in self.facts["statements"]]
        return "".join(tables) + notes

    def __repr__(self) -> str:
        return f"<Plan for {self.facts['dataset']}: {self._summary()}>"
