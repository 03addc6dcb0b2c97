"""A103: memory that runs out inside GMP, FLINT or Arb is an exception, and the interpreter goes on."""

import subprocess
import sys

import pytest
from conftest import LONG

resource = pytest.importorskip("resource")

# In an interpreter of its own. The limit leaves so many kilobytes beside what is mapped; later it is lifted.
PROGRAM = """
import resource, sys, threading
import scrim

PARTS = {"delta": "1e-9", "accountant": "loss"}
SMALL = "gaussian sigma=1"
LARGE = "gaussian sigma=50 x" + sys.argv[2]

def compose(parts):  # without the thread of scrim.compose, which has memory of its own set aside
    return scrim._native.compose(parts, PARTS["delta"], None, PARTS["accountant"], 1, None)["best"]["upper_view"]

def mapped():
    return int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()

def limited(room):
    try:
        resource.setrlimit(resource.RLIMIT_AS, (mapped() + room * 1024, resource.RLIM_INFINITY))
        return compose(LARGE)
    except MemoryError as error:
        assert isinstance(error, scrim.OutOfMemory) or room < 2000, repr(error)
        return str(error)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

before = compose(SMALL)
refused = 0
for room in [int(word) for word in sys.argv[3:]]:
    outcome = limited(room) if sys.argv[1] == "here" else None
    if outcome is None:
        outcomes = []
        thread = threading.Thread(target=lambda: outcomes.append(limited(room)))
        thread.start()
        thread.join()
        outcome = outcomes[0]
    refused += isinstance(outcome, str)
    assert not isinstance(outcome, str) or not any(c.isdigit() for c in outcome), outcome
    assert compose(SMALL) == before
assert refused > 0 or sys.argv[1] != "here"  # a thread has memory of its own set aside
scrim.compose(LARGE, **PARTS)
print("went on")
"""


@pytest.mark.parametrize("place", ["here", "thread"])
def test_a103_memory_that_runs_out_is_an_exception(place):
    count, *rooms = (1000, 0, 2000, 8000, 30000) if LONG else (100, 0, 2000, 8000)
    done = subprocess.run([sys.executable, "-c", PROGRAM, place, *map(str, (count, *rooms))], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "went on\n"), done.stderr[-2000:]
