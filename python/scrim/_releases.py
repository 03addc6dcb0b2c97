"""A vault that makes other releases than answers: suggestions, synthetic records, bodies; and what its owner sees."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _frame, _native, _number, _progress, _words
from ._asked import AskedVault, bound_texts, release_number
from ._body import Body
from ._errors import ParameterError
from ._estimate import Cost
from ._microdata import Microdata, MicrodataPlan
from ._opened import known, own_version
from ._suggestion import BoundChoices, Inspection, Risk, Suggestion
from ._synth import Synthetic


def _lines(path: str | os.PathLike[str]) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _bounds(given: _words.Bounds | None, count: int) -> list[str | None]:
    """The last bounds of groups, rows and rows in all, which this release knows."""
    *found, totals = bound_texts(given)
    if totals is not None or any(found[: 3 - count]):
        known_ones = ("max_groups", "max_rows", "max_total_rows")[3 - count :]
        raise ParameterError(f"bounds of this release may have {', '.join(known_ones)} only", "unsupported", "bounds")
    return found[3 - count :]


class ReleaseVault(AskedVault):
    """A vault, as far as releases go."""

    @_words.hinted
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
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Suggestion:
        """Suggests contribution bounds and ranges by private histograms: charged, for people who may not see the data.

        ``columns`` are numbers and dates, ``by`` is what later questions group by. ``question_epsilon`` is that of one
        later question, for which the bounds are best. ``data`` is as in ``query``.

        - ``name``: the name of the dataset.
        - ``epsilon``: the cost: an exact number.
        - ``confidence``: that of the intervals (0.95).
        - ``workers``: how many threads read rows (one per processor).
        - ``memory``: how many bytes rows may take (2^28).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        data = self._data(name, data)
        listed = [None if not names else names if isinstance(names, str) else ",".join(names) for names in (columns, by)]
        arguments: list[Any] = [
            name, _number.text(epsilon), *listed, _number.optional(confidence), _number.optional(question_epsilon),
            _frame.rows(data), _words.count("workers", workers), _words.count("memory", memory),
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
        self, name: str, *, data: Any = None, workers: int | None = None, progress: _progress.Progress = None
    ) -> Inspection:
        """Compares the source of a dataset with its policy, for the owner alone. The result is SENSITIVE.

        ``data`` has the rows of a live dataset, as in ``query``; it must have all declared columns.

        - ``name``: the name of the dataset.
        - ``workers``: how many threads read rows (one per processor).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        tell = _progress.listener(progress)
        source = self._source(name)
        if "sqlite" in source and data is None:
            return Inspection(self._elsewhere("inspect", [name, _words.count("workers", workers), None], tell))
        frame = self._whole(name, source, None, data)
        return Inspection(_native.vault_inspect(self._handle, name, _words.count("workers", workers), frame, tell))

    def risk(
        self, name: str, columns: str | Sequence[str] | None = None, *, sensitive: str | None = None, data: Any = None,
        progress: _progress.Progress = None,
    ) -> Risk:  # fmt: skip
        """How many people could be told apart in a copy of the source, for the owner alone. The result is SENSITIVE.

        - ``name``: the name of the dataset.
        - ``columns``: what others may know of a person, at most 8; all declared columns but the sensitive one if left out.
        - ``sensitive``: the column that nobody is to learn of a person.
        - ``data``: the rows of a live dataset, as in ``query``; it must have all declared columns.
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        known_ones = _words.names(columns)
        tell = _progress.listener(progress)
        source = self._source(name)
        arguments: list[Any] = [name, known_ones, sensitive]
        if "sqlite" in source and data is None:
            return Risk(self._elsewhere("risk", [*arguments, None], tell))
        return Risk(_native.vault_risk(self._handle, *[*arguments, self._whole(name, source, None, data), tell]))

    def check_bounds(
        self, name: str, *, by: str | Sequence[str] = (), epsilon: _number.Number | None = None, data: Any = None,
        workers: int | None = None, progress: _progress.Progress = None,
    ) -> BoundChoices:  # fmt: skip
        """How much each choice of contribution bounds keeps, for the owner alone. The result is SENSITIVE.

        It reads the rows, where ``suggest`` counts them with noise. Bounds that are chosen by it depend on the data, which
        no epsilon covers: declare them with ``"bounds_from": "check"``.

        - ``name``: the name of the dataset.
        - ``by``: what questions group by, columns or expressions such as ``MONTH(day)``; without it all rows are one group.
        - ``epsilon``: of one number, to compare with the noise; without ``by`` it also finds the total of rows that serves typical
          questions.
        - ``data``: the rows of a live dataset, as in ``query``; it must have all declared columns.
        - ``workers``: how many threads read rows (one per processor).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        tell = _progress.listener(progress)
        source = self._source(name)
        keys = (by if isinstance(by, str) else ",".join(by)) or None
        arguments: list[Any] = [name, keys, _number.optional(epsilon), _words.count("workers", workers)]
        if "sqlite" in source and data is None:
            return BoundChoices(self._elsewhere("bounds", [*arguments, None], tell), epsilon is not None)
        frame = self._whole(name, source, None, data)
        return BoundChoices(_native.vault_bound_choices(self._handle, *[*arguments, frame, tell]), epsilon is not None)

    def mock(self, name: str, rows: int = 100) -> str:
        """Made-up rows as CSV, from the policy alone, to try tools on. It reads no data and is free.

        - ``name``: the name of the dataset.
        """
        if operator.index(rows) < 0:
            raise ParameterError("rows must be 0 or more", "range", "rows")
        return _native.vault_mock(self._handle, name, rows)

    # Synthetic records and bodies.

    @_words.hinted
    def synth(
        self,
        name: str,
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        method: _words.SynthMethod | None = None,
        columns: str | Sequence[str] | None = None,
        cuts: Mapping[str, Any] | None = None,
        never: Sequence[Mapping[str, Any]] = (),
        private_keys: str | Sequence[str] | Mapping[str, int] = (),
        queries: Sequence[str] | str | os.PathLike[str] = (),
        ways: int | None = None,
        refine: int | None = None,
        bounds: _words.Bounds | None = None,
        data: Any = None,
        version: str | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Synthetic:
        """Releases synthetic records of a dataset: charged once, then any number of rows is free.

        ``method`` is ``mst`` (the default), ``aim``, ``mwem`` or ``smalldb``. ``cuts`` are bins of numbers and dates:
        ``{"age": 5}`` of width 5, ``{"age": [18, 30, 65]}`` that begin there. ``never`` has combinations that no row
        can have: ``[{"sex": "Male", "relationship": "Wife"}]``. ``private_keys`` names text columns without public keys,
        whose categories are selected within the same charge: ``["diagnosis"]``, or ``{"diagnosis": 100}`` for at most
        100; rows with another value have None. ``mwem`` measures tables of ``ways`` columns (2). ``refine`` is
        an earlier release that is made better.

        ``queries`` are counts that rows of ``mwem`` or ``smalldb`` should answer well, in place of ``ways``, or the path
        of a file with one a line: ``["sex=Female, age=20..39", "education_num=13|14"]``. Ranges have both ends and whole
        bins.

        ``bounds`` bound the rows of a unit in place of the owner's: ``{"max_total_rows": 10}``, or ``max_groups`` and
        ``max_rows``, the different rows of a unit, and how often each counts. A refinement has the bounds of its release.

        ``data`` and ``version`` are as in ``query``; all rows are in memory while it runs.

        - ``name``: the name of the dataset.
        - ``epsilon``: the cost: an exact number, such as ``"0.5"``.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``rho``: the cost in zero-concentrated privacy, in place of ``epsilon``.
        - ``workers``: how many threads read rows (one per processor).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        data = self._data(name, data)
        arguments = self._synth(
            name, epsilon, delta, rho, method, columns, cuts, never, private_keys, queries,
            _words.count("ways", ways), _words.count("refine", refine), _words.count("workers", workers),
            _words.count("memory", memory), *_bounds(bounds, 3),
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

    @_words.hinted
    def explain_synth(
        self,
        name: str,
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        method: _words.SynthMethod | None = None,
        columns: str | Sequence[str] | None = None,
        cuts: Mapping[str, Any] | None = None,
        never: Sequence[Mapping[str, Any]] = (),
        private_keys: str | Sequence[str] | Mapping[str, int] = (),
        queries: Sequence[str] | str | os.PathLike[str] = (),
        ways: int | None = None,
        refine: int | None = None,
        bounds: _words.Bounds | None = None,
        version: str | None = None,
    ) -> dict[str, Any]:
        """What synthetic records would cost and measure, free: cost, columns, and the error of counts.

        ``name``, ``epsilon``, ``delta``, ``rho``, ``method``, ``cuts``, ``never``, ``private_keys``, ``queries``,
        ``ways``, ``refine``, ``bounds``, ``version`` are those of ``synth``.
        """
        arguments = self._synth(
            name, epsilon, delta, rho, method, columns, cuts, never, private_keys, queries,
            _words.count("ways", ways), _words.count("refine", refine), 0, 0, *_bounds(bounds, 3),
        )  # fmt: skip
        facts = _native.synth_describe(self._handle, *[*arguments, None, own_version(version), None])
        return {**facts, "cost": Cost(facts["cost"])}

    def replay_synth(self, release: int) -> Synthetic:
        """Synthetic records that were released before, free of charge.

        - ``release``: its number in the ledger.
        """
        return Synthetic(self, _native.synth_replay(self._handle, release_number(release)))

    @_words.hinted
    def body(
        self,
        name: str,
        columns: str | Sequence[str],
        *,
        epsilon: _number.Number,
        q: _number.Number | None = None,
        delta: _number.Number | None = None,
        directions: _words.Directions | Sequence[Sequence[_number.Number]] | None = None,
        direction_count: int | None = None,
        seed: int | None = None,
        scales: Sequence[_number.Number] | None = None,
        expected_units: int | None = None,
        bounds: _words.Bounds | None = None,
        data: Any = None,
        version: str | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Body:
        """Releases the region of several number columns that is central from every direction.

        ``q`` is the share of the units that each half-space holds (9/10). ``directions`` is ``frames``, ``axes``,
        ``pairs``, ``equiangular`` or ``sequence``, or a list of vectors. ``bounds``, such as
        ``{"max_total_rows": 7}``, bound the rows of a unit in place of the owner's. ``data`` and ``version`` are as in ``query``; all rows are in memory
        while it runs.

        - ``name``: the name of the dataset.
        - ``epsilon``: the cost: an exact number, such as ``"0.5"``.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``direction_count``: how many directions.
        - ``seed``: the public seed of directions.
        - ``scales``: public scales of the columns, for distances.
        - ``expected_units``: a public guess of how many units there are.
        - ``workers``: how many threads read rows (one per processor).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        vectors = None
        if directions is not None and not isinstance(directions, str):
            vectors = ",".join(_number.text(number) for vector in directions for number in vector)
        made: Body = self._body(
            name, columns, _number.optional(q), _number.text(epsilon), _number.optional(delta), None,
            directions if vectors is None else "given", vectors,
            _words.count("direction_count", direction_count), _words.count("seed", seed, 0),
            None if scales is None else ",".join(map(_number.text, scales)),
            _words.count("expected_units", expected_units), _words.count("workers", workers),
            _words.count("memory", memory), *_bounds(bounds, 1), data=data, version=version, progress=progress,
        )  # fmt: skip
        return made

    def deep_point(
        self,
        name: str,
        columns: str | Sequence[str],
        *,
        epsilon: _number.Number,
        delta: _number.Number | None = None,
        expected_units: int | None = None,
        bounds: _words.Bounds | None = None,
        data: Any = None,
        version: str | None = None,
        progress: _progress.Progress = None,
    ) -> dict[str, float]:
        """Releases a central point of one or two number columns, with one release for all directions.

        ``bounds``, such as ``{"max_total_rows": 2}``, bound the rows of a unit in place of the owner's. ``data`` and
        ``version`` are as in ``query``.

        - ``name``: the name of the dataset.
        - ``epsilon``: the cost: an exact number, such as ``"0.5"``.
        - ``delta``: the delta of the cost; 0 if left out.
        - ``expected_units``: a public guess of how many units there are.
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        point: dict[str, float] = self._body(
            name, columns, None, _number.text(epsilon), _number.optional(delta), "depth", None, None, 0, 0, None,
            _words.count("expected_units", expected_units), 0, 0, *_bounds(bounds, 1), data=data, version=version, progress=progress,
        )  # fmt: skip
        return point

    def _body(
        self, name: str, columns: str | Sequence[str], *rest: Any, data: Any, version: str | None,
        progress: _progress.Progress
    ) -> Any:  # fmt: skip
        data = self._data(name, data)
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

    # Microdata.

    def microdata(
        self,
        name: str,
        levels: str | Sequence[str],
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        mechanism: _words.Noise | None = None,
        tables: Sequence[str | Sequence[str]] = (),
        queries: Sequence[str | Sequence[str]] = (),
        shares: Sequence[int] | None = None,
        known: Mapping[str, int] | None = None,
        confidence: _number.Number | None = None,
        simulations: int | None = None,
        bounds: _words.Bounds | None = None,
        data: Any = None,
        version: str | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Microdata:
        """Releases counts of groups within groups that add up: charged once; the same release again is free.

        - ``levels`` are columns with public values, the coarsest first: ``["country", "sex"]`` counts all rows, countries, and
          both. The bounds of a unit hold for the last level.
        - ``epsilon``, perhaps with ``delta``, or ``rho`` with ``delta`` is the cost of all counts; ``mechanism`` is the noise (the
          one with the smaller error).
        - ``tables`` are tables of counts that each group gets: ``[["sex", "race"], "occupation"]``. ``queries`` is what is measured,
          as in ``["total,sex:1,sex*race:2"]``, once for all levels or for all rows and each level.
        - ``shares`` divides the budget: one number for all rows and one for each level; 0 is not measured.
        - ``known`` are counts that are public anyway: ``{"total": 32561, "sex=Male": 100}``. They are published exactly and are
          not protected; scrim does not read them from the data.
        - ``confidence`` is that of the intervals; ``simulations`` adds simulated intervals of the final counts (1000 runs).
        - ``bounds`` bound the rows of a unit in place of the owner's. ``data`` and ``version`` are as in ``query``.
        - ``name``: the name of the dataset.
        - ``workers``: how many threads read rows (one per processor).
        - ``memory``: how many bytes rows may take (2^28).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        data = self._data(name, data)
        arguments = _tree(
            name, levels, tables, queries, epsilon, delta, rho, mechanism, shares, own_version(version), bounds,
            _frame.rows(data), workers, memory,
        )  # fmt: skip
        facts = self._ask(name, arguments, data, progress, _native.tree_plan)
        made = self.replay_microdata(
            facts["release"], confidence=confidence, known=known, simulations=simulations, progress=progress
        )
        made.is_repeated = facts["is_repeated"]
        return made

    def explain_microdata(
        self,
        name: str,
        levels: str | Sequence[str],
        *,
        epsilon: _number.Number | None = None,
        delta: _number.Number | None = None,
        rho: _number.Number | None = None,
        mechanism: _words.Noise | None = None,
        tables: Sequence[str | Sequence[str]] = (),
        queries: Sequence[str | Sequence[str]] = (),
        shares: Sequence[int] | None = None,
        confidence: _number.Number | None = None,
        bounds: _words.Bounds | None = None,
    ) -> MicrodataPlan:
        """The cost of such a release and its errors in each level, free: it reads no data. Arguments are those of ``microdata``.

        ``name``, ``levels``, ``epsilon``, ``delta``, ``rho``, ``mechanism``, ``tables``, ``queries``, ``shares``,
        ``confidence``, ``bounds`` are those of ``microdata``.
        """
        arguments = _tree(
            name, levels, tables, queries, epsilon, delta, rho, mechanism, shares, None, bounds, 0, None, None
        )
        plan = _native.tree_plan(self._handle, *[*arguments, None])
        return MicrodataPlan(_native.tree_expect(plan, _number.optional(confidence)), _native.plan_describe(plan))

    def replay_microdata(
        self,
        release: int,
        *,
        confidence: _number.Number | None = None,
        known: Mapping[str, int] | None = None,
        simulations: int | None = None,
        progress: _progress.Progress = None,
    ) -> Microdata:
        """A tree of counts that was released before, free of charge; perhaps with other known counts or another confidence.

        - ``release``: its number in the ledger.
        - ``simulations``: runs for simulated intervals; none if left out.
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        lines = [f"{group}:{operator.index(count)}" for group, count in (known or {}).items()]
        return Microdata(
            _native.tree_replay(
                self._handle, release_number(release), _number.optional(confidence), lines,
                _words.count("simulations", simulations), _progress.listener(progress),
            )
        )  # fmt: skip

    def replay_body(self, release: int) -> Body | dict[str, float]:
        """A body or a central point that was released before, free of charge.

        - ``release``: its number in the ledger.
        """
        return _released_body(_native.body_replay(self._handle, release_number(release)))  # type: ignore[no-any-return]


def _tree(
    name: str,
    levels: str | Sequence[str],
    tables: Sequence[str | Sequence[str]],
    queries: Sequence[str | Sequence[str]],
    epsilon: _number.Number | None,
    delta: _number.Number | None,
    rho: _number.Number | None,
    mechanism: str | None,
    shares: Sequence[int] | None,
    version: str | None,
    bounds: _words.Bounds | None,
    rows: int,
    workers: int | None,
    memory: int | None,
) -> list[Any]:
    """The arguments of a plan of a tree, as the library takes them; the version is where plans of queries have it."""

    def lists(given: Sequence[str | Sequence[str]]) -> list[str]:
        return [given] if isinstance(given, str) else [each if isinstance(each, str) else ",".join(each) for each in given]

    return [
        name, levels if isinstance(levels, str) else ",".join(levels), lists(tables), lists(queries),
        _number.optional(epsilon), _number.optional(delta), _number.optional(rho), mechanism,
        None if shares is None else ",".join(str(int(share)) for share in shares), version, *_bounds(bounds, 3), rows,
        _words.count("workers", workers), _words.count("memory", memory),
    ]  # fmt: skip


def _released_body(facts: dict[str, Any]) -> Any:
    if "point" in facts:
        return facts["point"]
    return Body(facts["text"], Cost(facts["cost"]), facts["is_repeated"])
