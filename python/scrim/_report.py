"""What an officer of privacy reads: every release of a time, and whether an exported ledger holds."""

from __future__ import annotations

import os
from typing import Any

from . import _command, _table
from ._errors import CheckError, ParameterError
from ._opened import OpenVault


class Report(_command.Listing):
    """Every release of a time: question, cost, who asked, who else was shown the answer. ``rows`` has a dictionary for each.

    ``populations`` has a dictionary for each budget: what was spent before the time and in it, and ``guess_percent``, how often a guess
    about one privacy unit is right at most, by all releases together. ``changes`` is what the owner changed. ``html`` is the page of
    ``scrim report all``, and ``save`` writes it with its signed label.
    """

    def __init__(self, vault: OpenVault, line: list[str]):
        super().__init__("report", _command.run([*line, "--json"]))
        self._line = line
        self.path: str = vault.path
        self.populations: list[dict[str, Any]] = self.facts["populations"]
        self.changes: list[dict[str, Any]] = self.facts["changes"]

    def html(self) -> str:
        """The page: the total over time, all releases, and what anybody can conclude. Its label is in it."""
        return _command.run([*self._line, "--html", "-"])

    def save(self, path: _command.Files) -> None:
        """Writes the page, and its label, signed by the vault, to PATH.label: ``scrim.verify`` checks both.

        - ``path``: the file.
        """
        _command.run([*self._line, "--html", os.path.abspath(os.fspath(path))])

    def _said(self) -> list[str]:
        return _table.folded(
            f"budget {one['population']}: {one['unit']} {one['end']} of {one['budget']} spent"
            + (f"; a guess about one {self._unit(one)} is right at most {one['guess_percent']} % of the time (chance: 50 %)" if one.get("guess_percent") else "")
            for one in self.populations
        )

    def _unit(self, population: dict[str, Any]) -> str:
        units = {(row["protects"] or "").partition(" (")[0] for row in self.rows if row["population"] == population["population"]}
        unit = units.pop() if len(units) == 1 else ""
        return unit if unit not in ("", "row") else "person"

    def __str__(self) -> str:
        shown = [[_table.shown(row[name]) for name in _SHOWN] for row in self.rows]
        table = [_table.plain(_SHOWN, _table.abridged(shown), [name in _NUMBERS for name in _SHOWN])] if shown else ["no releases"]
        return "\n".join([*table, *self._said()])

    def _repr_html_(self) -> str:
        shown = [[_table.shown(row[name]) for name in _SHOWN] for row in self.rows]
        notes = "".join(f"<p>{_table.escape(line)}</p>" for line in self._said())
        return (_table.html(_SHOWN, _table.abridged(shown), [name in _NUMBERS for name in _SHOWN]) if shown else "<p>no releases</p>") + notes

    def __reduce__(self) -> Any:
        raise TypeError("a report belongs to its vault; save() writes a page that anybody can verify")


_SHOWN = ["release", "time", "analyst", "dataset", "question", "amount", "delta", "total", "shown_to"]
_NUMBERS = ("release", "amount", "delta", "total")


def report_of(vault: OpenVault, name: str | None, since: str | None, until: str | None, analyst: str | None) -> Report:
    """Every release of a time, of all budgets or of one."""
    line = ["report", "all", *([] if name is None else [name]), *_command.of_vault(vault)]
    for word, value in (("from", since), ("to", until), ("analyst", analyst)):
        line += _command.option(word, None if value is None else str(value))
    try:
        return Report(vault, line)
    except ParameterError as error:
        said = error.message.replace("from=", "since=").replace("to=", "until=")
        raise ParameterError(said, error.reason, error.parameter) from None


def verify_ledger(
    source: bytes | str | os.PathLike[str], *, vault: OpenVault | None = None, key: str | None = None, head: str | None = None
) -> dict[str, Any]:
    """Checks a file of ``export_ledger``: the hash chain, every charge, every total, and whose ledger it is. It needs no vault.

    Returns ``entries``, ``charges``, ``releases`` and ``head``; raises CheckError if anything does not hold. Give ``key``, ``head`` or
    ``vault``: anybody can make up a whole ledger.

    - ``source``: the file, as a path or bytes.
    - ``vault``: the vault that it was exported from.
    - ``key``: the public key that the owner publishes, ``vault.key``.
    - ``head``: a head that was noted earlier; the ledger must contain it.
    """
    if vault is None and key is None and head is None:
        raise CheckError("not checked: whose ledger it is; give the key= that the owner publishes, a head= or the vault=")
    if isinstance(source, bytes):
        import tempfile  # slow to import, and rarely needed

        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "ledger.jsonl")
            with open(path, "wb") as file:
                file.write(source)
            return verify_ledger(path, vault=vault, key=key, head=head)
    words = [] if vault is None else _command.of_vault(vault)
    line = ["ledger", "verify", os.path.abspath(os.fspath(source)), *_command.option("key", key), *_command.option("head", head), *words]
    return {name: fact for name, fact in _command.Listing("ledger", _command.run(line)).facts.items() if name not in ("holds", "rows")}
