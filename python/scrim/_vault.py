"""Vaults: datasets, budgets, questions and releases."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _frame, _native, _number, _policy, _progress
from ._body import Body
from ._errors import ParameterError
from ._estimate import Cost
from ._label import Label
from ._mechanism import Answer, Measurement, Run, release_to, run_of
from ._opened import OpenVault, default_path, known, own_version, wait_ms
from ._plan import Plan
from ._result import Batch, Result
from ._series import Series
from ._suggestion import Inspection, Suggestion
from ._synth import Synthetic

_MAGIC_SQLITE = b"SQLite format 3\0"


def _lines(path: str | os.PathLike[str]) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def init(
    path: str | os.PathLike[str] | None = None,
    *,
    witness: str | os.PathLike[str] | bool | None = True,
    wait: float | None = None,
) -> Vault:
    """Creates a vault, readable only by you, and opens it.

    Its ``witness`` is a file elsewhere that holds the head of the ledger, so that an old copy put back is noticed: by
    default one in ``$XDG_STATE_HOME/scrim`` or ``~/.local/state/scrim``. Name another file, or pass ``False`` for none.
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


def _counts(*counts: int | None) -> list[str | None]:
    return [None if count is None else str(operator.index(count)) for count in counts]


def _bounds(
    max_groups: int | None,
    max_rows: int | None,
    max_total_rows: int | None,
    max_total: Mapping[str, Any] | None,
    cut_share: _number.Number | None = None,
    bounds: str | None = None,
) -> list[str | None]:
    """The contribution bounds of a question as texts."""
    totals = None if max_total is None else "\n".join(_policy.totals(max_total))
    return [*_counts(max_groups, max_rows, max_total_rows), totals, bounds, _number.optional(cut_share)]


class Vault(OpenVault):
    """A vault: datasets with their policies, budgets, the ledger and all releases.

    Threads may share it. A forked child must open the vault itself: calls raise StateError there. Use it in a
    ``with`` statement, or call ``close()``.
    """

    def __enter__(self) -> Vault:
        return self

    # Datasets.

    def add(
        self,
        name: str,
        source: Any = None,
        *,
        unit: str | None = None,
        columns: Mapping[str, str] | None = None,
        budget: _policy.Budget | _number.Number | None = None,
        keys: Mapping[str, Iterable[Any] | str] | None = None,
        rows_per_unit: int | None = None,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        max_total: Mapping[str, Any] | None = None,
        fixed_bounds: str | None = None,
        missing: Mapping[str, Any] | None = None,
        neighbours: str = "add-remove",
        population: str | None = None,
        same_unit: str | None = None,
        accounting: str | None = None,
        cap: _policy.Budget | _number.Number | None = None,
        share: Mapping[str, Any] | None = None,
        table: str | None = None,
        zone: str | None = None,
        records: str | None = None,
        separator: str | None = None,
        decimal: str | None = None,
        date_format: str | None = None,
        null: Iterable[str] | None = None,
        max_size: str | None = None,
        quantum: int | str | None = None,
        bounds_from: str | None = None,
        live: bool = False,
        duckdb: str | None = None,
        policy: str | None = None,
        exist_ok: bool = False,
    ) -> None:
        """Declares a dataset: whose rows are protected, what may be asked, and what it may cost.

        ``source`` is the path of a file of CSV, SQLite (with ``table``) or Parquet, or a data frame. A frame makes a live dataset:
        the vault keeps no row of it, this object remembers the frame, and another process passes ``data`` to ``query``.
        ``live=True`` declares such a dataset without a frame, and ``duckdb`` one whose rows are columns of a file that DuckDB reads, such as
        ``"SELECT person, age FROM read_parquet('people.parquet')"``. ``columns`` gives types with the range that a value
        may have by definition, such as ``{"age": "int[0,120]", "sex": "text"}``; ``keys`` lists public keys, such as
        ``{"sex": ["Female", "Male"]}``. ``max_size``, such as ``"1GiB"``, is a public number: no file is larger, nor are the rows of a
        frame, with 8 bytes for each declared column and for the unit. Memory follows it, not the data. It is 64 MiB
        if left out; ``add`` refuses a larger file or frame, and ``query`` a larger ``data``. The other arguments are the options of ``scrim dataset add``. ``policy`` is a
        whole policy as text instead.

        With ``exist_ok=True`` a dataset of this name that is declared in the same way stays as it is, so that a notebook can be
        run again; one that is declared otherwise is refused.
        """
        given = {
            key: value
            for key, value in locals().items()
            if key not in ("self", "name", "source", "policy", "rows_per_unit", "live", "exist_ok") and value is not None
        }
        if rows_per_unit is not None:
            if rows_per_unit != 1:
                raise ParameterError("rows_per_unit must be 1; use max_groups and max_rows", "range", "rows-per-unit")
            given.update(max_groups=1, max_rows=1)
        if population is not None and budget is None and neighbours == "add-remove":
            del given["neighbours"]  # as the population has them
        is_pushed = source is not None and not isinstance(source, (str, os.PathLike))
        if is_pushed and not _frame.is_frame(source):
            raise TypeError(f"expected a path or a data frame, not {type(source).__name__}")
        if is_pushed:
            _frame.check(source)
        if is_pushed and isinstance(columns, Mapping):
            _frame.check_names(source, [*columns, *([] if unit in (None, "row") else [unit])])
        lines = "live=yes\n" if is_pushed or live else _source_lines(source)
        whole = policy if policy is not None else lines + _policy.lines(given)
        if not (exist_ok and any(row["name"] == name for row in self.datasets())):
            self._declare("add", name, whole, source if is_pushed else None)
        elif not _policy.is_same(whole, self.policy(name)):
            words = f"dataset {name} is declared otherwise; vault.policy({name!r}) shows how, vault.set_policy() changes it"
            raise ParameterError(words, "taken", "dataset")
        if is_pushed:
            self._frames[name] = source

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
        """Replaces the policy of a dataset. Unit, budget, neighbours and population never change."""
        self._declare("set", name, policy)

    def update(self, name: str, policy: str | None = None) -> None:
        """Declares that the source has new contents: a new version, for which questions are charged again."""
        self._declare("update", name, policy)

    def remove(self, name: str) -> None:
        """Ends all questions about a dataset. The budget of its population stays spent."""
        self._now()
        _native.vault_remove(self._handle, name, None)
        self._frames.pop(name, None)

    def datasets(self) -> list[dict[str, Any]]:
        """All datasets: name, population, version, cap, and ``is_closed``: the source was found to have changed."""
        return _native.vault_datasets(self._handle)

    def policy(self, name: str) -> str:
        """The policy of a dataset, as text: one line for each option of ``scrim dataset add``."""
        return _native.vault_policy(self._handle, name)

    # Questions.

    def _plan(
        self,
        name: str,
        queries: list[str],
        epsilon: _number.Number | None,
        delta: _number.Number | None,
        target_error: _number.Number | None,
        confidence: _number.Number | None,
        expect: _number.Number | None,
        mechanism: str | None,
        shares: Sequence[int] | None,
        version: str | None,
        bounds: list[str | None],
        rows: int,
        workers: int,
        memory: int,
    ) -> list[Any]:
        return [
            name, queries, _number.optional(epsilon), _number.optional(delta), _number.optional(target_error),
            _number.optional(confidence), _number.optional(expect), mechanism,
            None if shares is None else ",".join(str(int(share)) for share in shares), own_version(version), *bounds, rows, workers,
            memory,
        ]  # fmt: skip

    def explain(
        self,
        name: str,
        query: str | Sequence[str],
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | None = None,
        mechanism: str | None = None,
        shares: Sequence[int] | None = None,
        version: str | None = None,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        max_total: Mapping[str, Any] | None = None,
        bounds: str | None = None,
        cut_share: _number.Number | None = None,
    ) -> Plan:
        """The expected error and the cost of a query, free: it reads no data and spends nothing.

        Numbers are exact: ``"0.1"``, ``0.1`` and ``Fraction(1, 10)`` are one tenth. With ``target_error``, in the unit
        of the column or as ``"5%"``, scrim finds the smallest epsilon. ``expect`` is your public guess of the rows
        in a group, and perhaps of means and deviations: ``"300,age=38.6:13.6"``. ``max_total_rows``, or ``max_groups`` and
        ``max_rows``, bound the rows of a unit in place of the owner's bounds, and ``max_total``, such as
        ``{"amount": 500}``, its total of a column; they change noise and the rows that are left out, never the guarantee. With
        ``bounds="auto"``, or ``"auto=1/5"``, a share of epsilon finds how many rows of a person are used. Where bounds can leave
        rows out, ``cut_share`` of the cost, a twentieth, counts the people concerned (``Result.cut``); 0 counts nobody.
        """
        said = _bounds(max_groups, max_rows, max_total_rows, max_total, cut_share, bounds)
        queries = [query] if isinstance(query, str) else list(query)
        arguments = self._plan(
            name, queries, epsilon, delta, target_error, confidence, expect, mechanism, shares, version, said, 0, 0, 0
        )
        return Plan(_native.plan_describe(_native.plan_new(self._handle, *[*arguments, None])))

    def query(
        self,
        name: str,
        query: str,
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | None = None,
        mechanism: str | None = None,
        data: Any = None,
        version: str | None = None,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        max_total: Mapping[str, Any] | None = None,
        bounds: str | None = None,
        cut_share: _number.Number | None = None,
        workers: int = 0,
        memory: int = 0,
        progress: _progress.Progress = None,
    ) -> Result:
        """Charges a query and answers it. The same query about the same version is repeated, free of charge.

        ``data`` has the rows of a live dataset: a frame of pandas, polars or pyarrow, a table of DuckDB, anything with
        ``__arrow_c_stream__``, or a mapping of names to arrays. Nothing is copied where it speaks Arrow. Each such query
        is new and is charged, unless ``version`` names its contents. Lazy frames and relations run after the charge; plans
        that look at several rows at once are refused before it.

        The arguments are those of ``explain``; ``workers`` is the number of threads (one per processor), ``memory`` the
        number of bytes that rows may take (2^28). If Ctrl-C ends it, the charge stays, and the same query again
        finishes it at no further charge.
        """
        if not isinstance(query, str):
            raise TypeError("query must be text; batch() takes several queries")
        data = self._data(name, data)
        arguments = self._plan(
            name, [query], epsilon, delta, target_error, confidence, expect, mechanism, None, version,
            _bounds(max_groups, max_rows, max_total_rows, max_total, cut_share, bounds), _frame.rows(data), workers,
            memory,
        )  # fmt: skip
        return Result(self, self._ask(name, arguments, data, progress))

    def batch(
        self,
        name: str,
        queries: Sequence[str],
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        target_error: _number.Number | None = None,
        confidence: _number.Number | None = None,
        expect: _number.Number | None = None,
        mechanism: str | None = None,
        shares: Sequence[int] | None = None,
        data: Any = None,
        version: str | None = None,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        max_total: Mapping[str, Any] | None = None,
        cut_share: _number.Number | None = None,
        workers: int = 0,
        memory: int = 0,
        progress: _progress.Progress = None,
    ) -> Batch:
        """Answers several queries that are charged together, which costs less than one after another.

        ``shares`` divides the budget among them, as in ``[2, 1, 1]``; without it errors are even. ``data`` and ``version`` are as in
        ``query``.
        """
        if isinstance(queries, str):
            raise TypeError("queries must be a list; query() takes one query")
        data = self._data(name, data)
        arguments = self._plan(
            name, list(queries), epsilon, delta, target_error, confidence, expect, mechanism, shares, version,
            _bounds(max_groups, max_rows, max_total_rows, max_total, cut_share), _frame.rows(data), workers, memory,
        )  # fmt: skip
        return Batch(self, self._ask(name, arguments, data, progress))

    def replay(self, release: int, *, confidence: _number.Number | None = None) -> Result | Batch:
        """A past answer again, free of charge; perhaps with intervals of another confidence."""
        facts = _native.query_replay(self._handle, _release_number(release), _number.optional(confidence))
        return Result(self, facts) if len(facts["statements"]) == 1 else Batch(self, facts)

    def report(self, release: int) -> Label:
        """The label of a release, free of charge: who is protected, how well, and what is not protected."""
        return Label(_native.label_new(self._handle, _release_number(release)))

    # Bounds, and the data for their owner.

    def suggest(
        self,
        name: str,
        columns: str | Sequence[str] = (),
        *,
        epsilon: _number.Number,
        by: str | Sequence[str] = (),
        question_epsilon: _number.Number | None = None,
        confidence: _number.Number | None = None,
        data: Any = None,
        workers: int = 0,
        memory: int = 0,
        progress: _progress.Progress = None,
    ) -> Suggestion:
        """Suggests contribution bounds and ranges by private histograms: charged, for people who may not see the data.

        ``columns`` are numbers and dates, ``by`` is what later questions group by. ``question_epsilon`` is that of one
        later question, for which the bounds are best. ``data`` is as in ``query``.
        """
        data = self._data(name, data)
        listed = [None if not names else names if isinstance(names, str) else ",".join(names) for names in (columns, by)]
        arguments: list[Any] = [
            name, _number.text(epsilon), *listed, _number.optional(confidence), _number.optional(question_epsilon),
            _frame.rows(data), workers, memory,
        ]  # fmt: skip
        tell = _progress.listener(progress)
        source = self._source(name)
        if "sqlite" in source and data is None:
            return Suggestion(self, self._elsewhere("suggest", arguments, tell))
        self._now()
        plan = _native.suggestion_new(self._handle, *[*arguments, tell])
        result = self._run(plan, name, source, data)
        return Suggestion(self, {"result": result, **_native.suggestion_read(plan)})

    def check(
        self, name: str, *, data: Any = None, workers: int = 0, progress: _progress.Progress = None
    ) -> Inspection:
        """Compares the source of a dataset with its policy, for the owner alone. The result is SENSITIVE.

        ``data`` has the rows of a live dataset, as in ``query``; it must have all declared columns.
        """
        tell = _progress.listener(progress)
        source = self._source(name)
        if "sqlite" in source and data is None:
            return Inspection(self._elsewhere("inspect", [name, workers, None], tell))
        frame = self._whole(name, source, None, data)
        return Inspection(_native.vault_inspect(self._handle, name, workers, frame, tell))

    def mock(self, name: str, rows: int = 100) -> str:
        """Made-up rows as CSV, from the policy alone, to try tools on. It reads no data and is free."""
        if operator.index(rows) < 0:
            raise ParameterError("rows must be 0 or more", "range", "rows")
        return _native.vault_mock(self._handle, name, rows)

    # Synthetic records and bodies.

    def synth(
        self,
        name: str,
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        method: str | None = None,
        columns: str | Sequence[str] | None = None,
        cuts: Mapping[str, Any] | None = None,
        never: Sequence[Mapping[str, Any]] = (),
        private_keys: str | Sequence[str] | Mapping[str, int] = (),
        queries: Sequence[str] | str | os.PathLike[str] = (),
        ways: int = 0,
        refine: int = 0,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        data: Any = None,
        version: str | None = None,
        workers: int = 0,
        memory: int = 0,
        progress: _progress.Progress = None,
    ) -> Synthetic:
        """Releases synthetic records of a dataset: charged once, then any number of rows is free.

        ``method`` is ``mst`` (the default), ``aim``, ``mwem`` or ``smalldb``. ``cuts`` are bins of numbers and dates:
        ``{"age": 5}`` of width 5, ``{"age": [18, 30, 65]}`` that begin there. ``never`` has combinations that no row
        can have: ``[{"sex": "Male", "relationship": "Wife"}]``. ``private_keys`` names text columns without public keys,
        whose categories are selected within the same charge: ``["diagnosis"]``, or ``{"diagnosis": 100}`` for at most
        100; rows with another value have None. ``mwem`` measures tables of ``ways`` columns, 2 if it is 0. ``refine`` is
        an earlier release that is made better.

        ``queries`` are counts that rows of ``mwem`` or ``smalldb`` should answer well, in place of ``ways``, or the path
        of a file with one a line: ``["sex=Female, age=20..39", "education_num=13|14"]``. Ranges have both ends and whole
        bins.

        ``max_total_rows`` bounds the rows of a unit in place of the owner's bounds; ``max_groups`` and ``max_rows`` are
        the different rows of a unit, and how often each counts. A refinement has the bounds of its release.

        ``data`` and ``version`` are as in ``query``; all rows are in memory while it runs.
        """
        arguments = self._synth(
            name, epsilon, delta, rho, method, columns, cuts, never, private_keys, queries, ways, refine, workers, memory,
            *_counts(max_groups, max_rows, max_total_rows),
        )  # fmt: skip
        tell, version = _progress.listener(progress), own_version(version)
        source = self._source(name)
        if "sqlite" in source and data is None:
            release, is_repeated = self._elsewhere("synth", [*arguments, None, version], tell)
            made = self.replay_synth(release)
            made.is_repeated = is_repeated
            return made
        self._now()

        def run(frame: Any = None, version: str | None = version) -> Synthetic:
            return Synthetic(self, _native.synth_run(self._handle, *[*arguments, frame, version, tell]))

        answered: Synthetic | None = known(source, run)
        if answered is not None:
            return answered
        frame, version = self._named(name, source, columns, data, version)
        return run(frame, version)

    def _synth(
        self, name: str, epsilon: Any, delta: Any, rho: Any, method: Any, columns: Any, cuts: Any, never: Any,
        private_keys: Any, queries: Any, *rest: int | str | None
    ) -> list[Any]:  # fmt: skip
        def cut(bins: Any) -> str:
            return ",".join(map(str, bins)) if isinstance(bins, (list, tuple)) else str(bins)

        if cuts is not None and not isinstance(cuts, Mapping):
            raise TypeError("cuts must be a mapping, such as {'age': 5}")
        if isinstance(never, (str, Mapping)) or not all(isinstance(row, Mapping) for row in never):
            raise TypeError("never must be a list of mappings, such as [{'sex': 'Male', 'relationship': 'Wife'}]")
        listed = columns if columns is None or isinstance(columns, str) else ",".join(columns)
        keys = [private_keys] if isinstance(private_keys, str) else private_keys
        most = keys if isinstance(keys, Mapping) else dict.fromkeys(keys)
        lines = list(queries) if not isinstance(queries, (str, os.PathLike)) else _lines(queries)
        return [
            name, method, listed, _number.optional(epsilon), _number.optional(delta), _number.optional(rho),
            [f"{column}={cut(bins)}" for column, bins in (cuts or {}).items()],
            [",".join(f"{column}={value}" for column, value in row.items()) for row in never],
            [column if count is None else f"{column}={count}" for column, count in most.items()], lines, *rest,
        ]  # fmt: skip

    def explain_synth(
        self,
        name: str,
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        method: str | None = None,
        columns: str | Sequence[str] | None = None,
        cuts: Mapping[str, Any] | None = None,
        never: Sequence[Mapping[str, Any]] = (),
        private_keys: str | Sequence[str] | Mapping[str, int] = (),
        queries: Sequence[str] | str | os.PathLike[str] = (),
        ways: int = 0,
        refine: int = 0,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        version: str | None = None,
    ) -> dict[str, Any]:
        """What synthetic records would cost and measure, free: cost, columns, and the error of counts."""
        arguments = self._synth(
            name, epsilon, delta, rho, method, columns, cuts, never, private_keys, queries, ways, refine, 0, 0,
            *_counts(max_groups, max_rows, max_total_rows),
        )  # fmt: skip
        facts = _native.synth_describe(self._handle, *[*arguments, None, own_version(version), None])
        return {**facts, "cost": Cost(facts["cost"])}

    def replay_synth(self, release: int) -> Synthetic:
        """Synthetic records that were released before, free of charge."""
        return Synthetic(self, _native.synth_replay(self._handle, _release_number(release)))

    def body(
        self,
        name: str,
        columns: str | Sequence[str],
        *,
        epsilon: _number.Number,
        q: _number.Number | None = None,
        delta: _number.Number | None = None,
        directions: str | Sequence[Sequence[_number.Number]] | None = None,
        direction_count: int = 0,
        seed: int = 0,
        scales: Sequence[_number.Number] | None = None,
        expected_units: int = 0,
        max_total_rows: int | None = None,
        data: Any = None,
        version: str | None = None,
        workers: int = 0,
        memory: int = 0,
        progress: _progress.Progress = None,
    ) -> Body:
        """Releases the region of several number columns that is central from every direction.

        ``q`` is the share of the units that each half-space holds (9/10). ``directions`` is ``frames``, ``axes``,
        ``pairs``, ``equiangular`` or ``sequence``, or a list of vectors. ``max_total_rows`` bounds the rows
        of a unit in place of the owner's bounds. ``data`` and ``version`` are as in ``query``; all rows are in memory
        while it runs.
        """
        vectors = None
        if directions is not None and not isinstance(directions, str):
            vectors = ",".join(_number.text(number) for vector in directions for number in vector)
            directions = "given"
        made: Body = self._body(
            name, columns, _number.optional(q), _number.text(epsilon), _number.optional(delta), None, directions, vectors,
            direction_count, seed, None if scales is None else ",".join(map(_number.text, scales)), expected_units, workers,
            memory, *_counts(max_total_rows), data=data, version=version, progress=progress,
        )  # fmt: skip
        return made

    def deep_point(
        self,
        name: str,
        columns: str | Sequence[str],
        *,
        epsilon: _number.Number,
        delta: _number.Number | None = None,
        expected_units: int = 0,
        max_total_rows: int | None = None,
        data: Any = None,
        version: str | None = None,
        progress: _progress.Progress = None,
    ) -> dict[str, float]:
        """Releases a central point of one or two number columns, with one release for all directions.

        ``max_total_rows`` bounds the rows of a unit in place of the owner's bounds. ``data`` and
        ``version`` are as in ``query``.
        """
        point: dict[str, float] = self._body(
            name, columns, None, _number.text(epsilon), _number.optional(delta), "depth", None, None, 0, 0, None,
            expected_units, 0, 0, *_counts(max_total_rows), data=data, version=version, progress=progress,
        )  # fmt: skip
        return point

    def _body(
        self, name: str, columns: str | Sequence[str], *rest: Any, data: Any, version: str | None,
        progress: _progress.Progress
    ) -> Any:  # fmt: skip
        arguments = [name, columns if isinstance(columns, str) else ",".join(columns), *rest]
        tell, version = _progress.listener(progress), own_version(version)
        source = self._source(name)
        if "sqlite" in source and data is None:
            release, is_repeated = self._elsewhere("body", [*arguments, None, version], tell)
            facts = {**_native.body_replay(self._handle, release), "is_repeated": is_repeated}
            return _released_body(facts)
        self._now()

        def run(frame: Any = None, version: str | None = version) -> Any:
            return _released_body(_native.body_fit(self._handle, *[*arguments, frame, version, tell]))

        answered = known(source, run)
        if answered is not None:
            return answered
        frame, version = self._named(name, source, columns, data, version)
        return run(frame, version)

    def replay_body(self, release: int) -> Body | dict[str, float]:
        """A body or a central point that was released before, free of charge."""
        return _released_body(_native.body_replay(self._handle, _release_number(release)))  # type: ignore[no-any-return]

    # Budgets and the ledger.

    def budget(self, population: str | None = None, *, window: int = 16) -> list[dict[str, Any]]:
        """What is spent and left: for each population as a whole, then for each analyst. Amounts are exact (``Fraction``).

        ``forecast`` says how long a budget lasts if the next charges are like the last ``window`` ones.
        """
        return _number.typed(_native.vault_budgets(self._handle, population, window))  # type: ignore[no-any-return]

    def share(self, population: str, analyst: str | None, amount: Any, delta: _number.Number | None = None) -> None:
        """Sets what an analyst may spend of a budget (None: each analyst without a share); None removes it.

        ``amount`` is a number in the unit of the budget, or such as ``{"epsilon": 1, "delta": "1e-7"}``.
        """
        if isinstance(amount, Mapping):
            unit = self.budget(population)[0]["unit"]
            if unit not in amount or not set(amount) <= {unit, "delta"}:
                raise ParameterError(f"a share of this budget is {{{unit!r}: N}}, perhaps with 'delta'", "conflict", "share")
            amount, delta = amount[unit], amount.get("delta", delta)
        self._now()
        _native.vault_share(self._handle, population, analyst, _number.optional(amount), _number.optional(delta))

    def ledger(self, name: str | None = None) -> list[dict[str, Any]]:
        """All charges in their order, or those of one dataset: release, time, analyst, amount, state."""
        return _number.typed(_native.vault_history(self._handle, name, 0))  # type: ignore[no-any-return]

    def changes(self, name: str | None = None) -> list[dict[str, Any]]:
        """What the owner has changed: budgets, datasets, versions, shares."""
        return _number.typed(_native.vault_changes(self._handle, name))  # type: ignore[no-any-return]

    def verify(self) -> dict[str, Any]:
        """Recomputes the hash chain, all totals and all answers. CheckError if anything is wrong."""
        return _native.vault_verify(self._handle)

    # Series.

    def create_series(
        self,
        series: str,
        name: str,
        query: str,
        *,
        epsilon: _number.Number,
        delta: _number.Number | None = None,
        releases: int = 0,
        window: str | None = None,
        known_keys: str | None = None,
        running: bool = False,
        expect: _number.Number | None = None,
        mechanism: str | None = None,
        max_groups: int | None = None,
        max_rows: int | None = None,
        max_total_rows: int | None = None,
        max_total: Mapping[str, Any] | None = None,
        beyond_budget: bool = False,
    ) -> Series:
        """Declares a series: one query, released again and again for a table that grows.

        ``epsilon`` and ``delta`` are those of one release. ``window`` names the column whose range is divided into
        windows; without it each release is about a version of the dataset. Contribution bounds are as in ``query``; all
        releases have those of the declaration. Only the vault's owner may do it.
        """
        handle = _native.series_new(
            self._handle, series, name, query, _number.text(epsilon), _number.optional(delta),
            _number.optional(expect), mechanism, releases, window, known_keys, running,
            *_bounds(max_groups, max_rows, max_total_rows, max_total)[:4],
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

    def run(self, name: str, measurement: Measurement) -> Run:
        """Opens an interactive run of a sparse vector mechanism, charged to the budget of a dataset as a whole."""
        self._now()
        return run_of(self._handle, name, measurement)

    def release(
        self, name: str, measurement: Measurement, data: Any, *, confidence: _number.Number = "0.95"
    ) -> Answer:
        """Applies a mechanism to private values, charged to the budget of a dataset."""
        self._now()
        return release_to(self._handle, name, measurement, data, confidence)


def _release_number(release: int) -> int:
    number = operator.index(release)
    if number < 0:
        raise ParameterError(f"there is no release {number}; vault.ledger() lists them", "unknown", "release")
    return number


def _released_body(facts: dict[str, Any]) -> Any:
    if "point" in facts:
        return facts["point"]
    return Body(facts["text"], Cost(facts["cost"]), facts["is_repeated"])


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
