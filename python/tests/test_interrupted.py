"""Ctrl-C: it ends what runs within a second, and says what was charged."""

import os
import pickle
import signal
import threading
import time

import pytest

import scrim

KEYS = 15_000


@pytest.fixture
def grouped(vault, folder):
    """A dataset with many groups, each of which passes partition selection."""
    path = folder / "many.csv"
    path.write_text("who,x\n" + "".join(f"{i},{i % KEYS}\n" for i in range(KEYS)) * 2)
    return vault.add("many", path, unit="row", columns={"x": f"int[0,{KEYS - 1}]"}, budget={"epsilon": 500, "delta": "1e-3"})


def ask(dataset, **options):
    return dataset.query("SELECT x, COUNT(*) AS n GROUP BY x", epsilon=100, delta="1e-6", workers=1, **options)


def test_ctrl_c_behind_the_rows_ends_the_drawing(grouped):
    def stop(done, total):
        if done == total:  # all rows are read
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(scrim.QueryInterrupted, match="release 1 is charged and has no answer") as caught:
        ask(grouped, progress=stop)
    assert caught.value.release == 1 and caught.value.charged is True
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.release == 1 and str(copy) == str(caught.value)
    again = ask(grouped)
    assert again.release == 1 and grouped.budget()[0]["spent"] == 100


def test_ctrl_c_in_an_answer_says_that_it_is_there(grouped):
    ask(grouped)
    begin = time.monotonic()
    assert ask(grouped).is_repeated
    whole = time.monotonic() - begin
    found = []
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for tries in range(60):
            signal.setitimer(signal.ITIMER_REAL, whole * (1 + tries % 8) / 10)
            try:
                ask(grouped)
            except KeyboardInterrupt as ended:
                found.append(ended)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if found and getattr(found[-1], "release", None):
                break
    finally:
        signal.signal(signal.SIGALRM, before)
    assert "release 1 is charged and answered; the same query again shows it, free" in str(found[-1])
    assert found[-1].release == 1 and found[-1].charged is True and len(grouped.ledger()) == 1


def test_ctrl_c_before_the_charge_says_so(vault):
    live = vault.add("live", live=True, unit="row", columns={"x": "int[0,9]"}, budget=1)

    class Rows(dict):
        def __getitem__(self, name):
            raise KeyboardInterrupt

    with pytest.raises(scrim.QueryInterrupted, match="nothing was charged") as caught:
        live.query("SELECT SUM(x) AS s", epsilon=1, data=Rows(x=[1, 2]))
    assert caught.value.charged is False and caught.value.release is None and not vault.ledger()


@pytest.mark.parametrize("long", ["audit", "compose"])
def test_ctrl_c_ends_a_computation_at_once(long, monkeypatch):
    from scrim import _native

    waits, goes_on = threading.Event(), threading.Event()

    def slowly(*arguments):  # longer than anybody waits
        waits.set()
        assert goes_on.wait(60)
        arguments[-1](1, 2)  # its progress ends it

    monkeypatch.setattr(_native, long, slowly)

    def stop():
        waits.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=stop).start()
    begin = time.monotonic()
    told = []
    with pytest.raises(KeyboardInterrupt):
        if long == "audit":
            scrim.audit("laplace", epsilon=1, progress=lambda *at: told.append(at))
        else:
            scrim.compose("epsilon=1 x10", delta="1e-6", progress=lambda *at: told.append(at))
    assert time.monotonic() - begin < 30
    goes_on.set()
    time.sleep(0.05)
    assert not told


def test_a_computation_raises_what_it_raised():
    with pytest.raises(scrim.ParameterError, match="unknown parameter"):
        scrim.compose("laplace spread=1", delta="1e-6")
    with pytest.raises(ZeroDivisionError):
        scrim.audit("laplace", epsilon=1, progress=lambda done, total: 1 // 0)
    told = []
    assert scrim.audit("laplace", epsilon=1, progress=lambda *at: told.append(at)).holds and told
