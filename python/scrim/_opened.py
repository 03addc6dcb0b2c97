"""An open vault: its file, and how rows reach a question. ``Vault`` adds all that can be asked of it."""

from __future__ import annotations

import os
import time as _time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _cell, _frame, _native, _policy, _progress, _reader
from ._errors import InputError, ParameterError, PolicyError, QueryInterrupted, interrupted


def default_path() -> str:
    """``$SCRIM_VAULT``, or ``./scrim.vault``."""
    return os.environ.get("SCRIM_VAULT") or "scrim.vault"


def wait_ms(wait: float | None) -> int:
    if wait is None:
        return 0
    return int(wait * 1000) if wait > 0 else -1


_VERSION = 9  # the place of version among the arguments of a plan


class OpenVault:
    """The file of a vault, open. It is a ``Vault`` wherever a function takes one."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        wait: float | None = None,
        moved: bool = False,
        restored: bool = False,
    ):
        self.path: str = os.path.abspath(os.fspath(path) if path is not None else default_path())
        self._wait = wait_ms(wait)
        self._handle = _native.vault_open(self.path, self._wait, moved, restored)
        self._frames: dict[str, Any] = {}

    def close(self) -> None:
        """Closes the vault. StateError while another thread uses it."""
        _native.vault_close(self._handle)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a vault cannot be copied to another process; open it there")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path}>"

    @property
    def is_owned(self) -> bool:
        """True if the vault's file belongs to the user of this process."""
        return _native.vault_is_owned(self._handle)

    @property
    def analyst(self) -> str:
        """The name under which this process is charged."""
        return _native.vault_analyst(self._handle)

    @property
    def key(self) -> str:
        """The public key that checks the labels of this vault."""
        return _native.vault_key(self._handle)

    def _now(self) -> int:
        seconds = int(_time.time())
        _native.vault_tell_time(self._handle, seconds)
        return seconds

    def _source(self, name: str) -> dict[str, str]:
        return _policy.read(_native.vault_policy(self._handle, name))

    def _types(self, name: str) -> dict[str, str]:
        return _policy.types(_native.vault_policy(self._handle, name))

    def _elsewhere(self, do: str, arguments: list[Any], tell: Any = None) -> Any:
        return _reader.ask(do, arguments, self.path, self._wait, self._now(), tell)

    def _ask(
        self, name: str, arguments: list[Any], data: Any, progress: _progress.Progress, plan_new: Any = _native.plan_new
    ) -> dict[str, Any]:
        tell = _progress.listener(progress)
        source = self._source(name)
        if "sqlite" in source and data is None:
            return self._elsewhere("query" if plan_new is _native.plan_new else "tree", arguments, tell)  # type: ignore[no-any-return]
        self._now()
        plan = plan_new(self._handle, *[*arguments, tell])
        if "live" not in source or arguments[_VERSION] is not None:
            return going_on(lambda: self._run(plan, name, source, data))  # type: ignore[no-any-return]
        if not _frame.is_held(data):
            return self._run(plan, name, source, data)
        # The same question about the same rows is free: they have a name that the vault knows them by.
        frame = before_charge(lambda: _frame.whole(data, _native.feed_columns(plan), self._form(name)))
        arguments = [*arguments]
        arguments[_VERSION] = self._contents(name, frame)
        plan = plan_new(self._handle, *[*arguments, tell])
        return going_on(lambda: _native.feed_frame(plan, frame))  # type: ignore[no-any-return]

    def _planned(self, name: str, arguments: list[Any], data: Any) -> Any:
        """A plan for rows that are in memory is about their version, so that it says if they were asked about before."""
        plan = _native.plan_new(self._handle, *arguments)
        if data is None or arguments[_VERSION] is not None or "live" not in self._source(name) or not _frame.is_held(data):
            return plan
        frame = before_charge(lambda: _frame.whole(data, _native.feed_columns(plan), self._form(name)))
        arguments = [*arguments]
        arguments[_VERSION] = self._contents(name, frame)
        return _native.plan_new(self._handle, *arguments)

    def _contents(self, name: str, frame: Any) -> str:
        """The version of rows that are in memory, by a digest that only the vault can compare."""
        return _native.vault_contents(self._handle, name, frame)

    def _data(self, name: str, data: Any) -> Any:
        """The rows to push: those that are given, or the frame that was declared.

        Rows of a file are those of the file: others would get its releases, its windows and its labels.
        """
        if data is None:
            return self._frames.get(name)
        source = self._source(name)
        if "live" in source:
            return data
        kind = next((key for key in ("csv", "sqlite", "parquet", "duckdb") if key in source), "live")
        raise PolicyError("the rows of this dataset are those of its file; ask without pushing any", "conflict", kind)

    def _form(self, name: str) -> _cell.Form:
        return _cell.Form(_native.vault_policy(self._handle, name))

    def _run(self, plan: Any, name: str, source: Mapping[str, str], data: Any) -> dict[str, Any]:
        """Charges and answers a plan, about the rows of its source or those that are pushed."""
        answered = known(source, lambda: _native.query_run(plan))
        if answered is not None:
            return answered  # type: ignore[no-any-return]
        if data is None:
            data = pushed(source, lambda: _native.feed_columns(plan), self._form(name))
        return _native.query_run(plan) if data is None else _frame.run(plan, data, self._form(name))

    def _whole(self, name: str, source: Mapping[str, str], columns: str | Sequence[str] | None, data: Any) -> Any:
        """The rows of a release that is one call; None where scrim reads them by itself."""
        if columns is None:
            columns = list(self._types(name))
        elif isinstance(columns, str):
            columns = [column.strip() for column in columns.split(",")]
        wanted = [*([] if source["unit"] == "row" else [source["unit"]]), *columns]
        data = self._data(name, data)
        mark = None
        if data is None:
            # Before the file is opened: a change from here on is noticed.
            mark = _frame.mark_of(source["parquet"]) if "parquet" in source else None
            data = pushed(source, lambda: wanted, self._form(name))
        return None if data is None else _frame.whole(data, wanted, self._form(name), mark)

    def _named(
        self, name: str, source: Mapping[str, str], columns: str | Sequence[str] | None, data: Any, version: str | None
    ) -> tuple[Any, str | None]:
        """The rows of a release that is one call, and the version of rows that are in memory."""
        frame = self._whole(name, source, columns, data)
        if version is None and "live" in source and _frame.is_held(self._data(name, data)):
            version = self._contents(name, frame)
        return frame, version


def own_version(version: str | None) -> str | None:
    """The version that a caller names. Names of contents are given by the vault alone: they say that rows were seen before."""
    if version is not None and version.startswith("contents-"):
        raise ParameterError("a version must not begin with contents-, which names rows that scrim has compared itself", "range", "version")
    return version


def going_on(run: Callable[[], Any]) -> Any:
    """Runs what can be asked again: after Ctrl-C the message says that finishing it is free."""
    try:
        return run()
    except QueryInterrupted as ended:
        if str(ended).endswith("is charged and has no answer"):
            raise QueryInterrupted(f"{ended}; the same query again finishes it at no further charge") from None
        raise
    except KeyboardInterrupt:  # between two calls of the library
        raise interrupted("vault.ledger() shows whether it was charged; the same query again is charged once") from None


def before_charge(run: Callable[[], Any]) -> Any:
    """Runs what comes before the charge: after Ctrl-C the message says that nothing was charged."""
    try:
        return run()
    except QueryInterrupted:
        raise
    except KeyboardInterrupt:
        raise interrupted("nothing was charged") from None


def known(source: Mapping[str, str], run: Callable[[], Any]) -> Any:
    """What was released before of rows that are pushed, for which none are needed; None if it is new: it is refused
    before the charge, and they are pushed then."""
    if not _policy.is_pushed(source):
        return None
    try:
        return run()
    except InputError as refused:
        if refused.reason != "unsupported" or refused.parameter not in source:
            raise
        return None


def pushed(source: Mapping[str, str], wanted: Callable[[], list[str]], form: _cell.Form) -> Any:
    """The rows of a source that this package reads and pushes; None of any other."""
    if "parquet" in source:
        return _frame.parquet(source["parquet"], wanted(), form)
    return _frame.duck(source["duckdb"], wanted(), form) if "duckdb" in source else None
