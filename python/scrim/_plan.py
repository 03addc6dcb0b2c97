"""Plans: what a query would draw, cost and show, before anything is read or charged."""

from __future__ import annotations

from fractions import Fraction
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
        """What may be spent after it: all that is left if it is free; None if it does not fit."""
        return self.left if self.repeats else _number.amount(self.facts["after"])

    @property
    def repeats(self) -> int | None:
        """The release that has answered this query already, which makes asking free; or None."""
        return self.facts["repeats"] or None

    def _sheet(self, statements: list[dict[str, Any]]) -> tuple[list[str], list[list[str]], list[bool]]:
        header = ["column", "aggregate", "expected error"]
        body = []
        for statement in statements:
            for column in statement["columns"]:
                if column["is_all"]:
                    continue
                error = "-" if column["error"] is None else f"± {column['error']}"
                body.append([column["name"], column["aggregate"] or "key", error])
        return header, body, [False, False, True]

    def _summary(self) -> str:
        unit = self.facts["account_unit"]
        if self.repeats and self.facts["is_pending"]:
            return f"free: release {self.repeats} is charged and waits for its answer; left: {self.left}"
        if self.repeats:
            return f"free: release {self.repeats} answers it already; left: {self.left}"
        after = "does not fit" if self.after is None else f"after: {self.after}"
        return f"costs {unit} {self.facts['amount']}; left: {self.left}, {after}"

    def _errors(self, statement: dict[str, Any]) -> list[str]:
        """What an expected error is, and what all intervals together hold with."""
        shown = [column for column in statement["columns"] if column["error"] is not None]
        is_certain = bool(shown) and all(column["is_certain"] for column in shown)
        confidence = f"{100 * float(self.facts['confidence']):.6g} %" if self.facts["confidence"] else ""
        words = "half of the interval, which always holds" if is_certain else f"half of the {confidence} interval"
        guesses = f" with {self.facts['guesses']}" if self.facts["guesses"] else ""
        found = [f"error: {words}, assuming {self.facts['expect']} rows per group{guesses} (expect=)"]
        if any(column["is_unknown"] for column in statement["columns"]):
            found[0] += "; the error of a quantile depends on how far apart the values are"
        if statement["number_count"] and not is_certain:
            found.append(
                f"at once: all {statement['number_count']} intervals hold together with probability {self.facts['confidence']} "
                f"if each has confidence={statement['confidence_each']}"
            )
        return found

    def _groups(self, statement: dict[str, Any]) -> list[str]:
        """Whose rows count, and which groups are shown."""
        found = [f"joins: {statement['joins']}"] if statement["joins"] else []
        if statement["kept"]:
            found.append(f"bounds: {_words.worded(statement['kept'])}")
        if statement["keys"] == "public":
            found.append(f"keys: public: {statement['key_count']} groups, all shown even if empty")
        elif statement["keys"] == "discovered":
            found.append("keys: private: only groups that pass partition selection are released")
        return found

    def _attacker(self) -> str:
        """The best guess about one person, rounded up to a thousandth."""
        guess = float(Fraction(self.facts["guess"]))
        words = f"is right at most {100 * guess:.1f} %" if guess < 1 else "may be right more than 99.9 %"
        return f"attacker: a guess about one person {words} (chance: 50 %)"

    @property
    def notes(self) -> list[str]:
        """What the numbers mean, as ``scrim explain`` says it; then the cautions."""
        found = [self._attacker()]
        for statement in self.facts["statements"]:
            found += [*self._groups(statement), *self._errors(statement)]
        return list(dict.fromkeys(line for line in [*found, *self.cautions] if line))

    def __str__(self) -> str:
        return "\n".join([_table.plain(*self._sheet(self.facts["statements"])), self._summary(), *_table.folded(self.notes)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{_table.escape(line)}</p>" for line in [self._summary(), *self.notes])
        tables = [_table.html(*self._sheet([each]), caption=each["query"]) for each in self.facts["statements"]]
        return "".join(tables) + notes

    def __repr__(self) -> str:
        return f"<Plan for {self.facts['dataset']}: {self._summary()}>"
