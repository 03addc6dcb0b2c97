"""A second process that reads SQLite files.

POSIX locks belong to a process: when any part of it closes a file, all locks that it holds on that file are gone.
The program that uses this package may have the same file open by its own SQLite, as Python's sqlite3 does. So the
package never opens a SQLite source in the caller's process. It starts this one, which opens the vault by itself, and
reads one request from its standard input: a line of JSON. Lines of JSON come back.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from . import _errors, _native


def _query(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.query_run(_native.plan_new(vault, *[*arguments, tell]))


def _tree(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.query_run(_native.tree_plan(vault, *[*arguments, tell]))


def _series(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.series_release(vault, *[*arguments, tell])


def _declare(vault: Any, arguments: list[Any], tell: Any) -> Any:
    how, *rest = arguments
    {"add": _native.vault_add, "set": _native.vault_set, "update": _native.vault_update}[how](vault, *rest)


def _tables(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.policy_tables(*arguments)


def _suggest(vault: Any, arguments: list[Any], tell: Any) -> Any:
    plan = _native.suggestion_new(vault, *[*arguments, tell])
    return {"result": _native.query_run(plan), **_native.suggestion_read(plan)}


def _inspect(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.vault_inspect(vault, *[*arguments, tell])


def _risk(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.vault_risk(vault, *[*arguments, tell])


def _bounds(vault: Any, arguments: list[Any], tell: Any) -> Any:
    return _native.vault_bound_choices(vault, *[*arguments, tell])


def _synth(vault: Any, arguments: list[Any], tell: Any) -> Any:
    facts = _native.synth_read(_native.synth_run(vault, *[*arguments, tell]))
    return [facts["release"], facts["is_repeated"]]


def _body(vault: Any, arguments: list[Any], tell: Any) -> Any:
    facts = _native.body_fit(vault, *[*arguments, tell])
    return [facts["release"], facts["is_repeated"]]


_REQUESTS = {
    "query": _query, "series": _series, "declare": _declare, "tables": _tables, "suggest": _suggest,
    "inspect": _inspect, "synth": _synth, "body": _body, "tree": _tree, "risk": _risk, "bounds": _bounds,
}  # fmt: skip


def serve() -> None:
    """Answers the one request of this process."""
    import json

    request = json.loads(sys.stdin.readline())

    def say(**words: Any) -> None:
        print(json.dumps(words), flush=True)

    try:
        vault = None
        if request["vault"] is not None:
            vault = _native.vault_open(request["vault"], request["wait_ms"], False, False)
            _native.vault_tell_time(vault, request["time"])
        tell = (lambda done, total: say(done=done, total=total)) if request["tells"] else None
        say(result=_REQUESTS[request["do"]](vault, request["arguments"], tell))
    except _errors.Error as error:
        say(error=_errors.parts(error))


# The folder of the package goes first; nothing else of the caller's environment is used.
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from scrim._reader import serve; serve()"


def ask(
    do: str,
    arguments: list[Any],
    vault: str | None = None,
    wait_ms: int = 0,
    time: int = 0,
    tell: Callable[[int, int], Any] | None = None,
) -> Any:
    """Has another process do it, and returns its result or raises its error."""
    import json
    import subprocess

    if not sys.executable:
        raise _errors.StateError("SQLite files are read by a second process, and sys.executable does not name Python")
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    request = {
        "do": do, "arguments": arguments, "vault": vault, "wait_ms": wait_ms, "time": time, "tells": tell is not None
    }  # fmt: skip
    # A session of its own: Ctrl-C reaches the caller alone, who then ends it.
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        child.stdin.write(json.dumps(request) + "\n")
        child.stdin.close()
        for line in child.stdout:
            said = json.loads(line)
            if "error" in said:
                raise _errors.made(*said["error"])
            if "result" in said:
                return said["result"]
            if tell is not None:
                tell(said["done"], said["total"])
    except KeyboardInterrupt:
        raise _errors.interrupted(
            "if the query was charged, the charge stays; the same query again finishes it at no further charge"
        ) from None
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
    raise _errors.InternalError("the process that reads SQLite files ended without an answer")
