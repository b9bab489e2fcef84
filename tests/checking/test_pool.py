"""Several processes: results in order, and no worker that outlives an interrupted run."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from lint.checking.examination import Request
from lint.checking.pool import each
from lint.checking.run import Job, check
from lint.files.cache import Cache
from lint.settings import ScriptSettings


@pytest.fixture(autouse=True)
def keep_excepthook() -> Iterator[None]:
    before = threading.excepthook
    yield
    threading.excepthook = before


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number * number


def workers_are_gone() -> bool:
    end = time.monotonic() + 10
    while multiprocessing.active_children() and time.monotonic() < end:
        time.sleep(0.01)
    return not multiprocessing.active_children()


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert list(each(slowly, range(40), 2)) == [number * number for number in range(40)]
    assert workers_are_gone()


def test_workers_end_with_whoever_asked() -> None:
    with closing(each(slowly, range(1000), 2)) as results:
        assert [next(results), next(results)] == [0, 1]
        assert multiprocessing.active_children()
    assert workers_are_gone()


def test_an_interrupt_between_two_results_ends_the_workers() -> None:
    def interrupt(done: int, whole: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    settings = ScriptSettings(shellcheck=False)
    jobs = [Job(f"{number}.sh", Request(settings, ScriptSettings()), b"sleep 1\n") for number in range(400)]
    with pytest.raises(KeyboardInterrupt) as caught:
        check(jobs, processes=2, cache=Cache(None), progress=interrupt)
    assert caught.traceback  # which keeps all that was at work alive
    assert workers_are_gone()
