"""A vault that answers questions: plans, queries, batches, past answers, budgets and the ledger."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from . import _frame, _native, _number, _plot, _policy, _progress, _public, _question, _table, _words
from ._errors import ParameterError
from ._label import Label
from ._opened import OpenVault, own_version
from ._plan import Plan
from ._question import Query, Value
from ._result import Batch, Result


def bound_texts(given: _words.Bounds | Mapping[str, Any] | None) -> list[str | None]:
    """Contribution bounds as texts: groups, rows, rows in all, totals."""
    found = _words.bounds(given)
    counts = [found.get(name) for name in ("max_groups", "max_rows", "max_total_rows")]
    totals = found.get("max_total")
    return [
        *(None if count is None else str(operator.index(count)) for count in counts),
        None if totals is None else "\n".join(_policy.totals(totals)),
    ]


def _bounds(given: _words.Bounds | str | None, cut_share: _number.Number | None) -> list[str | None]:
    """The contribution bounds of a question as texts; those it finds by itself are a text already."""
    if isinstance(given, str):
        return [None] * 4 + [given, _number.optional(cut_share)]
    texts = bound_texts(given)
    finds_total = texts[3] is not None and any(line.endswith("=auto") for line in texts[3].split("\n"))
    return [*texts, "auto" if finds_total else None, _number.optional(cut_share)]


def _expected(given: _number.Number | Mapping[str, Any] | None) -> str | None:
    """A guess as text: rows first, then means of columns, perhaps with their deviations."""
    if not isinstance(given, Mapping):
        return _number.optional(given)
    parts = [_number.text(given["rows"])] if "rows" in given else []
    for column, guess in given.items():
        if column != "rows":
            pair = guess if isinstance(guess, (tuple, list)) else (guess,)
            parts.append(f"{column}={':'.join(map(_number.text, pair))}")
    return ",".join(parts)


def release_number(release: int) -> int:
    number = operator.index(release)
    if number < 0:
        raise ParameterError(f"there is no release {number}; vault.ledger() lists them", "unknown", "release")
    return number


class AskedVault(OpenVault):
    """A vault, as far as questions go."""

    def datasets(self) -> _table.Rows:
        """All datasets: name, population, version, cap, and ``is_closed``: the source was found to have changed."""
        return _table.Rows(_native.vault_datasets(self._handle), ("name", "population", "version", "cap", "is_closed"))

    def policy(self, name: str) -> str:
        """The policy of a dataset, as text: one line for each option of ``scrim dataset add``.

        - ``name``: the name of the dataset.
        """
        return _native.vault_policy(self._handle, name)

    # Questions.

    @_words.hinted
    def explain(
        self,
        name: str,
        query: Query | Sequence[Query],
        *,
        parameters: Sequence[Value] = (),
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | Mapping[str, Any] | None = None,
        mechanism: _words.Noise | None = None,
        shares: Sequence[int] | None = None,
        version: str | None = None,
        bounds: _words.Bounds | str | None = None,
        cut_share: _number.Number | None = None,
        tables: Mapping[str, Any] | None = None,
        data: Any = None,
    ) -> Plan:
        """The expected error and the cost of a query, free: it reads no data and spends nothing.

        Numbers are exact: ``"0.1"``, ``0.1`` and ``Fraction(1, 10)`` are one tenth.

        - ``query`` is text, a ``Question``, or a list of those that are charged together.
        - ``parameters`` are values in place of ``?``, as in ``"... WHERE age > ?"``.
        - ``target_error``, in the unit of the column or as ``"5%"``, finds the smallest epsilon.
        - ``expect`` is your public guess of the rows in a group, and perhaps of means and deviations:
          ``{"rows": 300, "age": (38.6, 13.6)}``, or as text ``"300,age=38.6:13.6"``.
        - ``bounds`` bound the rows of a unit in place of the owner's: ``{"max_total_rows": 20}``, or ``max_groups`` and
          ``max_rows``, and ``max_total``, such as ``{"amount": 500}``. They change noise and the rows that are left out, never
          the guarantee. With ``"auto"``, or ``"auto=1/5"``, a share of epsilon finds them, and with
          ``{"max_total": {"amount": "auto"}}`` a bound of that total too.
        - ``cut_share`` of the cost, a twentieth, counts the people whose rows bounds leave out (``Result.cut``); 0 counts nobody.
        - ``tables``: small public tables that the query joins: ``{"regions": frame}``, or the path of a CSV file.
        - ``name``: the name of the dataset.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``confidence``: that of the intervals (0.95).
        - ``mechanism``: the noise, ``laplace`` or ``gaussian`` (the one with the smaller error).
        - ``shares``: how the budget is divided among several queries, as in ``[2, 1, 1]``.
        - ``version``: a name for the contents that will be asked about.
        - ``data``: the rows of a live dataset, as in ``query``. Of a frame in memory scrim compares a digest, so that
          the plan says if the same rows were asked about before, which is free.
        """
        if parameters and not (isinstance(query, str) or hasattr(query, "sql")):
            raise TypeError("parameters are those of one query; use scrim.bind() for each of several")
        queries = [_question.text(query, parameters)] if parameters else _question.texts(query)  # type: ignore[arg-type]
        arguments = _plan(
            name, queries, epsilon, delta, target_error, confidence, expect, mechanism, shares, version,
            _bounds(bounds, cut_share), tables, 0, None, None,
        )  # fmt: skip
        return Plan(_native.plan_describe(self._planned(name, [*arguments, None], self._data(name, data))))

    @_words.hinted
    def query(
        self,
        name: str,
        query: Query,
        *,
        parameters: Sequence[Value] = (),
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | Mapping[str, Any] | None = None,
        mechanism: _words.Noise | None = None,
        data: Any = None,
        version: str | None = None,
        bounds: _words.Bounds | str | None = None,
        cut_share: _number.Number | None = None,
        tables: Mapping[str, Any] | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Result:
        """Charges a query and answers it. The same query about the same version is repeated, free of charge.

        ``data`` has the rows of a live dataset: a frame of pandas, polars or pyarrow, a table of DuckDB or Ibis, a dataset of pyarrow, an iterator over
        frames, anything with ``__arrow_c_stream__``, or a mapping of names to arrays. Nothing is copied where it speaks Arrow. Rows in memory
        are known again; ``version`` names the contents of others. Lazy frames and relations run after the charge; plans
        that look at several rows at once are refused before it.

        The other arguments are those of ``explain``; ``workers`` is the number of threads (one per processor), ``memory`` the
        number of bytes that rows may take (2^28). If Ctrl-C ends it, the charge stays, and the same query again
        finishes it at no further charge.

        - ``name``: the name of the dataset.
        - ``parameters``: values in place of ``?``.
        - ``epsilon``: the cost: an exact number, such as ``"0.5"``.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``target_error``: the largest error that is wanted, in place of ``epsilon``.
        - ``confidence``: that of the intervals (0.95).
        - ``expect``: a public guess of the rows in a group.
        - ``mechanism``: the noise, ``laplace`` or ``gaussian`` (the one with the smaller error).
        - ``bounds``: contribution bounds of this question, in place of the owner's.
        - ``cut_share``: the share of the cost that counts people whose rows are left out (1/20).
        - ``tables``: small public tables that the query joins, as in ``explain``.
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        data = self._data(name, data)
        arguments = _plan(
            name, [_question.text(query, parameters)], epsilon, delta, target_error, confidence, expect, mechanism, None,
            version, _bounds(bounds, cut_share), tables, _frame.rows(data), workers, memory,
        )  # fmt: skip
        return Result(self, self._ask(name, arguments, data, progress))

    @_words.hinted
    def batch(
        self,
        name: str,
        queries: Sequence[Query],
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | Mapping[str, Any] | None = None,
        mechanism: _words.Noise | None = None,
        shares: Sequence[int] | None = None,
        data: Any = None,
        version: str | None = None,
        bounds: _words.Bounds | None = None,
        cut_share: _number.Number | None = None,
        tables: Mapping[str, Any] | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Batch:
        """Answers several queries that are charged together, which costs less than one after another.

        ``shares`` divides the budget among them, as in ``[2, 1, 1]``; without it errors are even. ``scrim.bind`` puts values
        into one of them. The other arguments are as in ``query``.

        - ``name``: the name of the dataset.
        - ``epsilon``: the cost: an exact number, such as ``"0.5"``.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``target_error``: the largest error that is wanted, in place of ``epsilon``.
        - ``confidence``: that of the intervals (0.95).
        - ``expect``: a public guess of the rows in a group.
        - ``mechanism``: the noise, ``laplace`` or ``gaussian`` (the one with the smaller error).
        - ``data``: the rows of a live dataset, as in ``query``.
        - ``version``: a name for the contents of ``data``, as in ``query``.
        - ``bounds``: contribution bounds of this question, in place of the owner's.
        - ``cut_share``: the share of the cost that counts people whose rows are left out (1/20).
        - ``tables``: small public tables that the query joins, as in ``explain``.
        - ``workers``: how many threads read rows (one per processor).
        - ``memory``: how many bytes rows may take (2^28).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        if isinstance(queries, str) or hasattr(queries, "sql"):
            raise TypeError("queries must be a list; query() takes one query")
        data = self._data(name, data)
        arguments = _plan(
            name, _question.texts(queries), epsilon, delta, target_error, confidence, expect, mechanism, shares, version,
            _bounds(bounds, cut_share), tables, _frame.rows(data), workers, memory,
        )  # fmt: skip
        return Batch(self, self._ask(name, arguments, data, progress))

    def replay(self, release: int, *, confidence: _number.Number | None = None) -> Result | Batch:
        """A past answer again, free of charge; perhaps with intervals of another confidence.

        - ``release``: its number in the ledger.
        """
        facts = _native.query_replay(self._handle, release_number(release), _number.optional(confidence))
        return Result(self, facts) if len(facts["statements"]) == 1 else Batch(self, facts)

    def label(self, release: int) -> Label:
        """The label of a release, free of charge: who is protected, how well, and what is not protected."""
        return Label(_native.label_new(self._handle, release_number(release)))

    # Budgets and the ledger.

    def budget(self, population: str | None = None, *, window: int = 16) -> _table.Rows:
        """What is spent and left: for each population as a whole, then for each analyst. Amounts are exact (``Fraction``).

        ``forecast`` says how long a budget lasts if the next charges are like the last ``window`` ones.
        """
        shown = ("population", "analyst", "unit", "total", "spent", "left", "total_delta", "spent_delta", "left_delta", "share", "charges")
        return _table.Rows(_number.typed(_native.vault_budgets(self._handle, population, window)), shown)

    def plot_budget(self, population: str | None = None) -> _plot.Plot:
        """What charges to a population have added up to, charge by charge, beside its budget, as SVG. Basic composition."""
        rows = [row for row in self.budget(population) if row["analyst"] is None]
        if len(rows) != 1:
            raise ParameterError("name one population: plot_budget('adult')", "missing", "population")
        row = rows[0]
        charged = [charge["amount"] for charge in self.ledger() if charge["population"] == row["population"]]
        return _budget_plot(row["population"], row["unit"], [amount for amount in charged if amount], row["total"])

    def export_ledger(self, path: str | os.PathLike[str] | None = None) -> str:
        """The entries of the ledger as lines of JSON, so that another program can verify them; ``path`` writes a file, too.

        docs/ledger-format.md says how the lines are checked. The last line is the head: an export without it was cut short.
        """
        text = _native.ledger_export(self._handle)
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def ledger(self, name: str | None = None) -> _table.Rows:
        """All charges in their order, or those of one dataset: release, time, analyst, amount, state.

        - ``name``: one dataset; all if left out.
        """
        shown = ("release", "time", "dataset", "analyst", "amount", "delta", "state", "measurement")
        return _table.Rows(_number.typed(_native.vault_history(self._handle, name, 0)), shown)

    def changes(self, name: str | None = None) -> _table.Rows:
        """What the owner has changed: budgets, datasets, versions, shares.

        - ``name``: one dataset; all if left out.
        """
        rows = _number.typed(_native.vault_changes(self._handle, name))
        return _table.Rows(rows, list(rows[0]) if rows else ())


def _budget_plot(name: str, unit: str, amounts: list[Fraction], limit: Fraction) -> _plot.Plot:
    """Charges added up, and the budget as a level."""
    places, spent, total = [0.0], [0.0], Fraction(0)
    for place, amount in enumerate(amounts, 1):
        total += amount
        places.append(float(place))
        spent.append(float(total))
    count = len(amounts)
    summary = f"{_number.Amount(total)} of {_number.Amount(limit)} by {count} charge{'s' if count != 1 else ''}"
    step = float(max(1, -(-count // 8)))
    panel = ("", "charges", unit, step, places or [0.0], [spent, [float(limit)] * len(places)])
    return _plot.Plot(f"the budget {name}", _native.draw_panels(f"budget {name}", summary, ["charged", "budget"], [panel]))


def _plan(
    name: str,
    queries: list[str],
    epsilon: _number.Number | None,
    delta: _number.Number | None,
    target_error: _number.Number | None,
    confidence: _number.Number | None,
    expect: _number.Number | Mapping[str, Any] | None,
    mechanism: str | None,
    shares: Sequence[int] | None,
    version: str | None,
    bounds: list[str | None],
    tables: Mapping[str, Any] | None,
    rows: int,
    workers: int | None,
    memory: int | None,
) -> list[Any]:
    """The arguments of a plan, as the library takes them."""
    return [
        name, queries, _number.optional(epsilon), _number.optional(delta), _number.optional(target_error),
        _number.optional(confidence), _expected(expect), mechanism,
        None if shares is None else ",".join(str(int(share)) for share in shares), own_version(version), *bounds,
        _public.brought(tables), rows,
        _words.count("workers", workers), _words.count("memory", memory),
    ]  # fmt: skip
