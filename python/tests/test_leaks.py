"""No call keeps memory or references, also where it fails."""

import gc
import os
import sys
import tracemalloc
from array import array

import pytest
from conftest import BY_SEX, LONG

import scrim

CALLS, TRACED = (100_000, 100) if LONG else (40, 20)


@pytest.fixture(autouse=True, scope="module")
def others_apart():
    """The collector looks at what a test makes, and not each time at all libraries that other tests imported."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def traced(call):
    """Bytes that Python has more after some calls."""
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(TRACED):
        call()
    gc.collect()
    return tracemalloc.get_traced_memory()[0] - before


def keeps_nothing(call, calls=CALLS, most=4_000_000):
    for _ in range(max(TRACED // 5, calls // 20)):
        call()
    gc.collect()
    before = resident()
    tracemalloc.start()
    for _ in range(TRACED // 10):
        call()
    gc.collect()
    grown = traced(call)
    if grown >= 8_000:
        grown = traced(call)  # a table of Python, such as that of its names, may have doubled once
    tracemalloc.stop()
    assert grown < 8_000, f"Python keeps {grown} bytes after {TRACED} calls"
    for _ in range(calls):
        call()
    gc.collect()
    grown = resident() - before
    assert grown < most, f"the process has {grown} more bytes after {calls} calls"


def raises(kind, call):
    def wrapped():
        try:
            call()
        except kind:
            return
        raise AssertionError("nothing was raised")

    return wrapped


def test_tools_keep_nothing():
    keeps_nothing(lambda: scrim.sample("uniform", 4, n=6))
    keeps_nothing(lambda: scrim.distance("drop", {1: 3, 5: 2}, {1: 2, 5: 2}))
    keeps_nothing(lambda: scrim.fit_counts([61, -3, 40], 105))
    keeps_nothing(raises(scrim.ParameterError, lambda: scrim.mechanism("laplac", epsilon=1)))
    keeps_nothing(raises(TypeError, lambda: scrim.sample("uniform", 1, out=[1], n=6)))


def test_releases_keep_nothing():
    count = scrim.mechanism("laplace", sensitivity=1, epsilon=1)

    def release():
        return count.apply([3], scrim.Ledger(epsilon=1))[0].low

    keeps_nothing(release)
    keeps_nothing(raises(scrim.BudgetError, lambda: count.apply(1, scrim.Ledger(epsilon="0.5"))))


def test_vaults_keep_nothing(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    fewer = CALLS // 20
    keeps_nothing(lambda: adult.explain("adult", BY_SEX, epsilon=1), fewer)
    keeps_nothing(lambda: adult.query("adult", BY_SEX, epsilon=1).rows, fewer)
    keeps_nothing(raises(scrim.Error, lambda: adult.explain("adult", "SELECT sx", epsilon=1)), fewer)
    keeps_nothing(lambda: adult.budget("adult"), fewer)
    keeps_nothing(lambda: adult.label(result.release).html(), fewer // 4)
    keeps_nothing(lambda: scrim.open(adult.path).close(), fewer // 4)


def test_arrow_keeps_nothing(adult):
    result = adult.query("adult", BY_SEX, epsilon=1)
    keeps_nothing(result.__arrow_c_stream__)
    pyarrow = pytest.importorskip("pyarrow")
    keeps_nothing(lambda: pyarrow.table(result).num_rows)


def test_feeds_keep_nothing(vault):
    vault.add("n", live=True, unit="row", columns={"x": "int[0,9]"}, budget=10**5)
    data = {"x": list(range(10))}
    # Each charge is an entry of the ledger, which the vault keeps in memory.
    keeps_nothing(lambda: vault.query("n", "SELECT COUNT(*)", epsilon="0.001", data=data), CALLS // 50, 40_000_000)
    keeps_nothing(raises(scrim.InputError, lambda: vault.query("n", "SELECT SUM(x)", epsilon=1, data={"y": [1]})), CALLS // 20)
    keeps_nothing(lambda: vault.check("n", data=data).is_right, CALLS // 20)
    from scrim import _native

    def refused():
        flags = _native.arrow_stream(1, [("y", "b", 0, (None, b"\1"))])
        return _native.vault_inspect(vault._handle, "n", 1, _native.frame_stream(flags), None)

    keeps_nothing(raises(scrim.InputError, refused), CALLS // 20)


def test_more_releases_keep_nothing(adult):
    series = adult.create_series("s", "adult", "SELECT COUNT(*) AS n", epsilon=1, releases=2)
    series.answer()
    body = adult.body("adult", ["age", "hours_per_week"], epsilon=1)
    made = adult.synth("adult", columns="age,sex", epsilon=1, delta="1e-6")
    fewer = CALLS // 100
    if LONG:  # a quarter of a second each
        keeps_nothing(lambda: adult.suggest("adult", "age", epsilon=1).bounds, fewer // 5)
    keeps_nothing(lambda: adult.series("s").answer(1).rows, fewer)
    keeps_nothing(lambda: made.draw(20).to_dict(), fewer)
    keeps_nothing(lambda: scrim.read_body(body.text).center(), fewer)
    keeps_nothing(lambda: body.project([119, 99]), CALLS // 10)
    keeps_nothing(raises(scrim.Error, lambda: body.minimise("age +")), fewer)
    keeps_nothing(lambda: adult.mock("adult", 5), fewer)


def fails_in_turn(testing, call):
    """Each allocation of Python fails once, until the call needs no more; how often it failed."""
    failed = 0
    for at in range(0, 4000, 1 if LONG else 61):
        testing.set_nomemory(at, at + 1)
        try:
            call()
            testing.remove_mem_hooks()
            if at > 400:
                break
        except (MemoryError, scrim.Error):
            failed += 1
        finally:
            testing.remove_mem_hooks()
    return failed


def test_memory_that_runs_out(adult):
    """Each allocation of Python fails in its turn: an exception, nothing worse, and no reference is kept or lost."""
    testing = pytest.importorskip("_testcapi")
    adult.add("n", live=True, unit="row", columns={"x": "int[0,9]"}, budget=10**5)
    result = adult.query("adult", BY_SEX, epsilon=1)
    body = adult.body("adult", ["age", "hours_per_week"], epsilon=1)
    made = adult.synth("adult", columns="age,sex", epsilon=1, delta="1e-6")
    asked = adult.synth("adult", columns="age,sex", epsilon=1, method="mwem", queries=["sex=Female", "age=.."])
    adult.create_series("s", "n", "SELECT COUNT(*) AS n", epsilon=1, releases=2)
    handle, cells, x = adult._handle, result._arrow(), [("x", "l", 0, (None, array("q", range(10))))]
    options = [*[None] * 14, 0, 0, 0, None]
    from scrim import _native

    def feed():
        return _native.feed_stream(_native.plan_new(handle, "n", ["SELECT COUNT(*)"], "0.001", *options), _native.arrow_stream(10, x))

    calls = [
        lambda: _native.query_replay(handle, 1, None),
        lambda: _native.vault_budgets(handle, None, 4),
        lambda: _native.vault_history(handle, None, 0),
        lambda: _native.plan_describe(_native.plan_new(handle, "adult", [BY_SEX], "1", *options)),
        lambda: _native.label_read(_native.label_new(handle, 1)),
        lambda: _native.compose("laplace scale=10", "1e-6", None, "basic", 2, None),
        lambda: _native.distribution_draw_wide(_native.distribution_parse("uniform n=6"), 3),
        lambda: _native.arrow_array(3, cells),
        lambda: _native.series_prepare(handle, "s", 0, None, 10, 0, 0, None),
        lambda: _native.series_describe(_native.series_read(handle, "s")),
        lambda: _native.synth_draw(made._handle, 5, ["sex=Female"]),
        lambda: _native.synth_read(_native.synth_replay(handle, made.release)),
        lambda: _native.synth_report(made._handle, 10, 2, None),
        lambda: _native.synth_queries(asked._handle, 10, 1, None),
        lambda: _native.body_describe(_native.body_read(body.text)),
        lambda: _native.body_replay(handle, body.release),
        lambda: _native.body_center(body._handle, "frame"),
        lambda: _native.body_svg(body._handle, None),
        feed,
        lambda: _native.vault_inspect(handle, "n", 1, _native.frame_stream(_native.arrow_stream(10, x)), None),
        lambda: _native.vault_inspect(handle, "n", 1, _native.frame_array(*_native.arrow_array(10, x)), None),
    ]
    if LONG:  # each call takes a while
        calls += [
            lambda: _native.suggestion_read(_native.suggestion_new(handle, "n", "1", "x", None, None, None, 10, 0, 0, None)),
            lambda: _native.vault_inspect(handle, "adult", 1, None, None),
        ]
    held = [handle, cells, x, made._handle, body._handle, body.text, result]
    for call in calls:
        assert fails_in_turn(testing, call) > 0
        gc.collect()
        counts, blocks = [sys.getrefcount(thing) for thing in held], sys.getallocatedblocks()
        failed = fails_in_turn(testing, call)
        gc.collect()
        kept = sys.getallocatedblocks() - blocks
        assert [sys.getrefcount(thing) for thing in held] == counts
        assert kept < 20 + failed // 10, f"{kept} objects after {failed} failures"
        call()
