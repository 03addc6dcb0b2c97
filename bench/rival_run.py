"""One run of somebody else's program: its processor time, its memory, and a limit that a busy machine does not move.

The time is that of the program and of all that it started, also of what outlives it for a moment (Spark's Java). The
limit is one of processor time too. A run that only waits ends after some time by the clock, four times the limit
unless it is given.
"""

import ctypes
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: orphans of a run become ours, so that their time is counted
LOOK = 0.25  # seconds between two looks at a run
GRACE = 15  # seconds for what outlives the program
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                                     "NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS")}


@dataclass
class Run:
    """What became of it. status is None where the limit ended it."""

    status: int | None
    out: str
    err: str
    wall: float
    processor: float
    megabytes: float

    def reason(self, limit):
        """Why there is no result, in one line; None if there may be one."""
        if self.status is None:
            return f"stopped after {limit:,.0f} s of processor time" if self.processor >= limit else \
                f"stopped after {self.wall:,.0f} s, {self.processor:,.0f} of them on the processor"
        if self.status != 0:
            lines = [line.strip() for line in self.err.splitlines() if len(line.strip()) > 10]
            return "failed: " + " ".join((lines[-1] if lines else f"status {self.status}").split())[:160]
        return None


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def look(session):
    """Seconds of the processor and bytes of memory of the live processes of a session."""
    seconds = memory = 0
    for path in pathlib.Path("/proc").iterdir():
        if not path.name.isdigit():
            continue
        try:
            words = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(words[3]) == session:
            seconds += sum(map(int, words[11:15])) / TICK
            memory += int(words[21]) * PAGE
    return seconds, memory


def reap(session, grace):
    """Waits for what the program left behind, and ends it after so many seconds."""
    end = time.monotonic() + grace
    while True:
        try:
            found, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if found:
            continue
        if time.monotonic() > end:
            for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
                try:
                    words = path.read_text().rpartition(")")[2].split()
                    if int(words[3]) == session:
                        os.kill(int(path.parent.name), signal.SIGKILL)
                except OSError:
                    continue
        time.sleep(LOOK)


def run(words, limit, clock=None, one_core=False, folder=None, variables=None):
    """Runs a program alone, with at most limit seconds of processor time; nothing else may be started meanwhile."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    variables = dict(os.environ if variables is None else variables)
    if one_core:
        variables.update(ONE_THREAD)
    core = min(os.sched_getaffinity(0))
    before = children_seconds()
    most = 0
    stopped = False
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.monotonic()
        child = subprocess.Popen(words, stdout=out, stderr=err, cwd=folder, env=variables, start_new_session=True,
                                 preexec_fn=(lambda: os.sched_setaffinity(0, {core})) if one_core else None)
        while True:
            found, status, used = os.wait4(child.pid, os.WNOHANG)
            if found:
                break
            live, memory = look(child.pid)
            most = max(most, memory)
            if children_seconds() - before + live >= limit or time.monotonic() - start >= (clock or 4 * limit):
                stopped = True
                os.killpg(child.pid, signal.SIGKILL)
            time.sleep(LOOK)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        reap(child.pid, 0 if stopped else GRACE)
        out.seek(0)
        err.seek(0)
        return Run(None if stopped else child.returncode, out.read(), err.read(), wall, children_seconds() - before,
                   max(most, used.ru_maxrss * 1024) / 1e6)
