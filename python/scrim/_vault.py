"""Vaults: datasets are declared, and all that can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _command, _frame, _native, _number, _policy, _public, _words
from ._asked import bound_texts
from ._dataset import Dataset
from ._errors import ParameterError
from ._mechanism import Measurement, MechanismResult, Run, apply_to, run_of
from ._opened import default_path, wait_ms
from ._question import Query, text
from ._releases import ReleaseVault
from ._report import Report, report_of
from ._series import Series

_MAGIC_SQLITE = b"SQLite format 3\0"


def init(
    path: str | os.PathLike[str] | None = None,
    *,
    witness: str | os.PathLike[str] | bool | None = True,
    wait: float | None = None,
) -> Vault:
    """Creates a vault, readable only by you, and opens it.

    Its ``witness`` is a file elsewhere that holds the head of the ledger, so that an old copy put back is noticed: by
    default one in ``$XDG_STATE_HOME/scrim`` or ``~/.local/state/scrim``. Name another file, or pass ``False`` for none.

    - ``path``: the file; ``$SCRIM_VAULT``, or ``./scrim.vault``, if left out.
    - ``wait``: how many seconds to wait for a lock (60).
    """
    place = os.fspath(path) if path is not None else default_path()
    file = None if witness is None or isinstance(witness, bool) else os.fspath(witness)
    _native.vault_init(place, file, witness is True, wait_ms(wait))
    return open(place, wait=wait)


def open(
    path: str | os.PathLike[str] | None = None,
    *,
    create: bool = False,
    wait: float | None = None,
    moved: bool = False,
    restored: bool = False,
) -> Vault:
    """Opens a vault. Without a path: ``$SCRIM_VAULT``, or ``./scrim.vault``.

    With ``create=True`` a vault that does not exist is created, as ``init`` does, so that a notebook can be run again.
    ``wait`` is how many seconds to wait for a lock (60). With ``moved=True`` its owner accepts a file that was
    moved or copied; with ``restored=True`` also one that lacks its witness, or entries that its witness has seen.
    Charges in lost entries are no longer counted.
    """
    if create and not os.path.lexists(os.fspath(path) if path is not None else default_path()):
        return init(path, wait=wait)
    return Vault(path, wait=wait, moved=moved, restored=restored)


class Vault(ReleaseVault):
    """A vault: datasets with their policies, budgets, the ledger and all releases. ``vault["adult"]`` is one of them.

    Threads may share it. A forked child must open the vault itself: calls raise StateError there. Use it in a
    ``with`` statement, or call ``close()``.
    """

    def __enter__(self) -> Vault:
        return self

    # Datasets.

    @_words.hinted
    def add(
        self,
        name: str,
        source: Any = None,
        *,
        unit: str | None = None,
        bounds: _words.DeclaredBounds | None = None,
        columns: Mapping[str, str] | None = None,
        keys: Mapping[str, Iterable[Any] | str] | None = None,
        missing: Mapping[str, Any] | None = None,
        budget: _policy.Budget | _number.Number | None = None,
        account: _words.Account | None = None,
        format: _words.Format | None = None,
        live: bool = False,
        duckdb: str | None = None,
        policy: str | None = None,
        exist_ok: bool = False,
    ) -> Dataset:
        """Declares a dataset: whose rows are protected, what may be asked, what it may cost, and where its rows are.

        - Whose: ``unit`` is the column of the person, or ``"row"``. ``bounds`` says how many rows of a unit are used:
          ``{"rows_per_unit": 1}``, ``{"max_groups": 2, "max_rows": 3}`` or ``{"max_total_rows": 20}``, perhaps with ``max_total``,
          ``fixed_bounds`` and ``bounds_from``.
        - What: ``columns`` gives types with the range that a value may have by definition, such as
          ``{"age": "int[0,120]", "sex": "text"}``; ``keys`` lists public keys, such as ``{"sex": ["Female", "Male"]}``, and
          ``missing`` defaults for missing values, such as ``{"age": 40}``.
        - How much: ``budget`` is such as ``{"epsilon": 3, "delta": "1e-6"}``; ``account`` has ``neighbours``, ``population``,
          ``same_unit``, ``accounting``, ``cap``, ``share`` and ``quantum``.
        - Where: ``source`` is the path of a file of CSV, SQLite or Parquet, or a data frame. ``format`` has ``table``, ``zone``,
          ``records``, ``separator``, ``decimal``, ``date_format``, ``null`` and ``max_size``. A frame makes a live dataset:
          the vault keeps no row of it, this object remembers the frame, and another process passes ``data`` to ``query``.
          ``live=True`` declares such a dataset without a frame, and ``duckdb`` one whose rows are columns of a file that
          DuckDB reads, such as ``"SELECT person, age FROM read_parquet('people.parquet')"``.

        They are the options of ``scrim dataset add``; ``policy`` is a whole policy as text instead. ``max_size``, such as ``"1GiB"``,
        is a public number: no file is larger, nor are the rows of a frame, with 8 bytes for each declared column and for
        the unit. Memory follows it, not the data. It is 64 MiB if left out; ``add`` refuses a larger file or frame, and
        ``query`` a larger ``data``.

        With ``exist_ok=True`` a dataset of this name that is declared in the same way stays as it is, so that a notebook can be
        run again; one that is declared otherwise is refused.
        """
        given: dict[str, Any] = {"unit": unit, "columns": columns, "keys": keys, "missing": missing, "budget": budget, "duckdb": duckdb}
        given |= _declared_bounds(bounds) | _words.group(format, _words.Format, "format")
        account_given = _words.group(account, _words.Account, "account")
        if "population" not in account_given or budget is not None:
            account_given.setdefault("neighbours", "add-remove")  # else as the population has them
        given |= account_given
        is_pushed = source is not None and not isinstance(source, (str, os.PathLike))
        if is_pushed:
            _frame.check_kind(source)
            _frame.check(source)
        if is_pushed and isinstance(columns, Mapping):
            _frame.check_names(source, [*columns, *([] if unit in (None, "row") else [unit])])
        lines = "live=yes\n" if is_pushed or live else _source_lines(source)
        whole = policy if policy is not None else lines + _policy.lines(given)
        if not (exist_ok and name in self):
            self._declare("add", name, whole, source if is_pushed else None)
        elif other := _policy.differences(whole, self.policy(name)):
            words = f"dataset {name} is declared with other {', '.join(other)}; vault.policy({name!r}) shows it, vault.set_policy() changes it"
            raise ParameterError(words, "taken", "dataset")
        if is_pushed:
            self._frames[name] = source
        return Dataset(self, name)

    def __getitem__(self, name: str) -> Dataset:
        """A dataset by its name: ``vault["adult"].query(...)``."""
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a dataset, not {type(name).__name__}")
        names = [row["name"] for row in self.datasets()]
        if name not in names:
            meant = _words.near(name, names)
            hint = f"; did you mean {meant!r}?" if meant else ""
            raise KeyError(f"no dataset {name!r}; there are {', '.join(names) or 'none'}{hint}")
        return Dataset(self, name)

    def __iter__(self) -> Iterator[str]:
        return iter([row["name"] for row in self.datasets()])

    def __contains__(self, name: object) -> bool:
        return any(row["name"] == name for row in self.datasets())

    def _declare(self, how: str, name: str, policy: str | None, frame: Any = None) -> None:
        if how != "add":
            frame = self._frames.get(name)
        if frame is not None and policy is not None:
            _native.policy_check_rows(policy, _frame.rows(frame))  # a larger frame is refused, as a larger file is
        lines = policy if policy is not None else _native.vault_policy(self._handle, name)
        if "sqlite" in _policy.read(lines):
            self._elsewhere("declare", [how, name, policy])
            return
        self._now()
        call = {"add": _native.vault_add, "set": _native.vault_set, "update": _native.vault_update}[how]
        call(self._handle, name, policy)

    def set_policy(self, name: str, policy: str) -> None:
        """Replaces the policy of a dataset. Unit, budget, neighbours and population never change.

        - ``name``: the name of the dataset.
        """
        self._declare("set", name, policy)

    def join(self, name: str, table: str, source: Any, *, on: str | None = None, columns: Mapping[str, str] | None = None) -> None:
        """Declares a small public table that questions of a dataset may JOIN; ``source=None`` removes it.

        ::

            vault.join("orders", "regions", {"city": ["Ulm", "Bonn"], "region": ["South", "West"]}, on="city")
            vault.query("orders", "SELECT region, COUNT(*) AS n FROM orders JOIN regions USING (city) GROUP BY region", epsilon=1)

        Nobody's data may be in it. Each key may be in one row. Another table is another version of the dataset.

        - ``name``: the name of the dataset.
        - ``table``: the name of the table in questions.
        - ``source``: the path of a CSV file with a header, a frame of pandas, polars or pyarrow, or a mapping of columns.
        - ``on``: the column that both have, ``"city=town"`` where the table calls it otherwise, or
          ``"regions.region=region"`` for a column of a table that was joined before.
        - ``columns``: types of its columns, such as ``{"people": "int[0,9000]"}``; the others are read from the table.
        """
        policy = self.policy(name)
        if source is None or _public.has(policy, table):
            policy = _public.without(policy, table)
        if source is not None:
            if on is None:
                raise ParameterError("on is missing: the column that dataset and table have, as in on='city'", "missing", "on")
            policy += ("" if policy.endswith("\n") else "\n") + _public.lines(table, source, on, columns)
        self._declare("set", name, policy)

    def update(self, name: str, policy: str | None = None) -> None:
        """Declares that the source has new contents: a new version, for which questions are charged again.

        - ``name``: the name of the dataset.
        - ``policy``: a new policy, where the declaration changes too.
        """
        self._declare("update", name, policy)

    def remove(self, name: str) -> None:
        """Ends all questions about a dataset. The budget of its population stays spent.

        - ``name``: the name of the dataset.
        """
        self._now()
        _native.vault_remove(self._handle, name, None)
        self._frames.pop(name, None)

    # Shares, and the ledger as a whole.

    def set_share(self, population: str, analyst: str | None, amount: Any, delta: _number.Number | None = None) -> None:
        """Sets what an analyst may spend of a budget (None: each analyst without a share); None removes it.

        ``amount`` is a number in the unit of the budget, or such as ``{"epsilon": 1, "delta": "1e-7"}``.

        - ``population``: whose budget it is.
        """
        if isinstance(amount, Mapping):
            unit = self.budget(population)[0]["unit"]
            if unit not in amount or not set(amount) <= {unit, "delta"}:
                raise ParameterError(f"a share of this budget is {{{unit!r}: N}}, perhaps with 'delta'", "conflict", "share")
            amount, delta = amount[unit], amount.get("delta", delta)
        self._now()
        _native.vault_share(self._handle, population, analyst, _number.optional(amount), _number.optional(delta))

    def verify(self, *, head: str | None = None) -> dict[str, Any]:
        """Recomputes the hash chain, all totals and all answers. CheckError if anything is wrong.

        - ``head``: a head that you noted earlier, of ``verify`` or of a report; the ledger must contain it.
        """
        if head is not None:
            _command.run(["ledger", "verify", "--head", head, *_command.of_vault(self)])
        return _native.vault_verify(self._handle)

    def report(self, name: str | None = None, *, since: str | None = None, until: str | None = None, analyst: str | None = None) -> Report:
        """Every release of a time, for an officer: questions, costs, who asked, and what all of them together let anybody conclude.

        ``vault.report(since="2026-Q4").save("quarter.html")``. The label of one release is ``vault.label(release)``.

        - ``name``: a budget or a dataset; all if left out.
        - ``since``: the first day, such as ``"2026-12-31"``; or a month, ``"2026-12"``, a quarter, ``"2026-Q4"``, or a year, ``"2026"``.
        - ``until``: the last day, likewise.
        - ``analyst``: only releases that this analyst asked for or was shown.
        """
        return report_of(self, name, since, until, analyst)

    # Series.

    def create_series(
        self,
        series: str,
        name: str,
        query: Query,
        *,
        epsilon: _number.Number,
        delta: _number.Number | None = None,
        releases: int | None = None,
        window: str | None = None,
        known_keys: str | None = None,
        running: bool = False,
        expect: _number.Number | None = None,
        mechanism: _words.Noise | None = None,
        bounds: _words.Bounds | None = None,
        beyond_budget: bool = False,
    ) -> Series:
        """Declares a series: one query, released again and again for a table that grows.

        ``epsilon`` and ``delta`` are those of one release. ``window`` names the column whose range is divided into
        windows of equal length, ``"day=month"`` (``week``, ``quarter``, ``year``) those of the calendar, and
        ``"day=2025-01-01,2025-07-01"`` their starts; without it each release is about a version of the dataset. Contribution bounds are as in ``query``; all
        releases have those of the declaration. Only the vault's owner may do it.

        - ``name``: the name of the dataset.
        - ``known_keys``: for series with private keys: ``continue`` (the default) or ``rethreshold``, which finds them
          anew.
        - ``running``: each release is about all rows so far.
        - ``expect``: a public guess of the rows in a group.
        - ``mechanism``: the noise, ``laplace`` or ``gaussian`` (the one with the smaller error).
        - ``beyond_budget``: declare it although the budget is too small for all releases.
        """
        handle = _native.series_new(
            self._handle, series, name, text(query), _number.text(epsilon), _number.optional(delta),
            _number.optional(expect), mechanism, _words.count("releases", releases), window, known_keys, running,
            *bound_texts(bounds),
        )  # fmt: skip
        self._now()
        _native.series_enter(self._handle, handle, beyond_budget)
        return self.series(series)

    def series(self, series: str) -> Series:
        """A series of the vault, as it is now."""
        return Series(self, _native.series_read(self._handle, series))

    def series_names(self) -> list[str]:
        """The names of all series."""
        return _native.series_names(self._handle)

    # Mechanisms.

    def run(self, name: str, measurement: Measurement, data: Any = None) -> Run:
        """Opens an interactive run of a sparse vector mechanism or of online-weights, charged to the budget of a dataset.

        The whole run is charged at once.

        - ``name``: the name of the dataset.
        - ``measurement``: a mechanism of ``scrim.mechanism()``.
        - ``data``: the private counts of online-weights, one for each bin; nothing for the others.
        """
        self._now()
        return run_of(self._handle, name, measurement, data)

    def apply(
        self, name: str, measurement: Measurement, data: Any, *, confidence: _number.Number = "0.95"
    ) -> MechanismResult:
        """Applies a mechanism to private values, charged to the budget of a dataset.

        - ``name``: the name of the dataset.
        - ``measurement``: a mechanism of ``scrim.mechanism()``.
        - ``data``: private values: a number, a sequence or an array.
        - ``confidence``: that of the intervals (0.95).
        """
        self._now()
        return apply_to(self._handle, name, measurement, data, confidence)


def _declared_bounds(given: _words.DeclaredBounds | None) -> dict[str, Any]:
    found = _words.bounds(given, _words.DeclaredBounds)
    if "fixed_bounds" in found:
        found["fixed_bounds"] = "yes" if found["fixed_bounds"] else "none"
    return found


def _magic(path: str) -> bytes:
    import builtins

    try:
        with builtins.open(path, "rb") as file:
            return file.read(len(_MAGIC_SQLITE))
    except OSError:
        return b""


def _source_lines(source: Any) -> str:
    """The lines of a policy that name its source."""
    if source is None:
        return ""
    path = os.path.abspath(os.fspath(source))
    if path.endswith((".sqlite", ".sqlite3", ".db")) or _magic(path) == _MAGIC_SQLITE:
        return _policy.lines({"sqlite": path})
    if path.endswith(".parquet") or _magic(path)[:4] == b"PAR1":
        return _policy.lines({"parquet": path})
    return _policy.lines({"csv": path})
