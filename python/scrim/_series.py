"""Series: one query, released again and again."""

from __future__ import annotations

from typing import Any

from . import _frame, _native, _number, _plot, _policy, _progress, _words
from ._opened import OpenVault
from ._result import Result


class Series:
    """A declared series, as it was when it was read. ``facts`` holds everything that the library says."""

    def __init__(self, vault: OpenVault, handle: Any):
        self._vault = vault
        self._handle = handle
        self.facts: dict[str, Any] = _native.series_describe(handle)

    @property
    def name(self) -> str:
        """Its name in the vault."""
        return self.facts["name"]  # type: ignore[no-any-return]

    @property
    def steps(self) -> list[dict[str, Any]]:
        """All planned releases: window, release number, cost."""
        return list(self.facts["steps"])

    def forecast(self) -> dict[str, Any]:
        """What the remaining releases cost, and whether the budget is enough."""
        return _native.series_forecast(self._vault._handle, self._handle)

    def answer(
        self,
        number: int | None = None,
        *,
        data: Any = None,
        confidence: _number.Number | None = None,
        workers: int | None = None,
        memory: int | None = None,
        progress: _progress.Progress = None,
    ) -> Result:
        """The next release, or one by its number: charged and answered, or repeated free of charge.

        ``data`` has the rows of a live dataset, as in ``Vault.query``. They are new each time: without windows the next
        release is about them.

        - ``confidence``: that of the intervals (as the series was declared).
        - ``workers``: how many threads read rows (one per processor).
        - ``memory``: how many bytes rows may take (2^28).
        - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of
          (done, total).
        """
        vault = self._vault
        data = vault._data(self.facts["dataset"], data)
        arguments: list[Any] = [
            self.name, _words.count("number", number), _number.optional(confidence), _words.count("workers", workers),
            _words.count("memory", memory),
        ]  # fmt: skip
        tell = _progress.listener(progress)
        source = vault._source(self.facts["dataset"])
        if "sqlite" in source and data is None:
            return Result(vault, vault._elsewhere("series", arguments, tell))
        vault._now()
        if data is None and not _policy.is_pushed(source):
            return Result(vault, _native.series_release(vault._handle, *[*arguments, tell]))
        arguments.insert(3, _frame.rows(data))
        plan = _native.series_prepare(vault._handle, *[*arguments, tell])
        if isinstance(plan, int):
            return Result(vault, _native.query_replay(vault._handle, plan, arguments[2]))
        return Result(vault, vault._run(plan, self.facts["dataset"], source, data))

    def plot(self, *, confidence: _number.Number | None = None) -> _plot.Plot:
        """The values of all releases so far with their intervals, as SVG: a picture for each key and column.

        - ``confidence``: that of the intervals (0.95).
        """
        drawn = _native.draw_series(self._vault._handle, self.name, _number.optional(confidence))
        return _plot.Plot(f"the series {self.name}", drawn)

    def __repr__(self) -> str:
        return f"<Series {self.name}: {self.facts['made']} of {self.facts['releases']} releases>"
