"""Progress: a callable, a bar such as that of tqdm, or a plain line on standard error."""

from __future__ import annotations

import _thread
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Union

Progress = Union[bool, Callable[[int, int], Any], Any, None]
"""True for a line on standard error, a callable of (done, total), or an object with ``total`` and ``update``."""


def listener(progress: Progress) -> Callable[[int, int], Any] | None:
    """What the library calls, or None."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Line()
    if hasattr(progress, "update") and hasattr(progress, "total"):
        return _Bar(progress)
    if callable(progress):
        return progress
    raise TypeError("progress must be True, a callable or a bar with update()")


class _Mark:
    """Held by a thread while it is there."""


def ended_at_once(call: Callable[..., Any], *arguments: Any, tell: Callable[[int, int], Any] | None) -> Any:
    """Calls what computes for seconds and changes nothing, so that Ctrl-C ends the wait for it at once.

    The library ends such a computation between its steps only. It goes on in a thread of its own, whose result is dropped then.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(*arguments, tell)
    is_over, mark = threading.Event(), _Mark()
    is_done, is_there = _thread.allocate_lock(), weakref.ref(mark)
    is_done.acquire()
    found: list[Any] = []
    raised: list[BaseException] = []

    def told(done: int, total: int) -> None:
        if is_over.is_set():
            raise KeyboardInterrupt
        if tell is not None:
            tell(done, total)

    def run(mark: _Mark) -> None:
        try:
            found.append(call(*arguments, told))
        except BaseException as error:  # the caller's, whatever it is
            raised.append(error)
        finally:
            is_done.release()

    try:
        _thread.start_new_thread(run, (mark,))
        del mark  # the thread alone has it: one that ends for want of memory before it runs is noticed
        # A signal may come just before a wait.
        while not is_done.acquire(timeout=0.1) and is_there() is not None:
            pass
    except (RuntimeError, MemoryError):
        pass  # no thread can be started
    finally:
        is_over.set()
    if raised:
        raise raised[0]
    return found[0] if found else call(*arguments, tell)


class _Bar:
    def __init__(self, bar: Any):
        self._bar = bar
        self._done = 0

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._done)
        self._done = done


class _Line:
    """Nothing in the first second, as on the command line. A terminal and a notebook have one line that changes, a log several."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 1
        self._changes = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._is_open = False

    def __call__(self, done: int, total: int) -> None:
        is_last = self._is_open and done >= total
        if total > 0 and (is_last or time.monotonic() >= self._next):
            self._next += 1
            self._is_open = self._changes and not is_last
            begin, end = ("\r", "\n" if is_last else "") if self._changes else ("", "\n")
            print(f"{begin}scrim: {100 * done // total} %", end=end, file=sys.stderr, flush=True)
