"""Many scripts, read by several processes where that pays."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

ALONE = 16  # scripts that one process reads sooner than a second process starts
SHARE = 8  # scripts that a worker takes at a time
NICER = 10  # by how much workers give way to shellcheck beside them: it takes longer, and its end is waited for

Job = TypeVar("Job")
Result = TypeVar("Result")


def each(work: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Generator[Result, None, None]:
    """The result of each job, in order. Whoever may stop half-way closes it: the workers end with it."""
    if not jobs:
        return
    # The first one is done before workers are forked: they start with every module, rule and schema it needed.
    yield work(jobs[0])
    with _settled():
        if len(jobs) <= ALONE or processes < 2:
            yield from map(work, jobs[1:])
        else:
            yield from _in_workers(work, jobs[1:], processes)


@contextmanager
def _settled() -> Iterator[None]:
    """What is in memory by now stays: to look for cycles in it is in vain, and copies its pages in every worker."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _in_workers(work: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Iterator[Result]:
    import multiprocessing
    import threading
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(processes, mp_context=worker_context(), initializer=begin_worker)
    try:
        with without_interrupts():
            results = pool.map(work, jobs, chunksize=max(1, min(SHARE, len(jobs) // (processes * 3))))
        yield from results
    except BaseException:
        # Nobody waits for the pool here: a worker that is ended while it holds a lock of a queue would never let it go.
        threading.excepthook = lambda _: None  # the pool's own thread has no more to say
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def worker_context() -> BaseContext:
    """Forked workers have every module at once; the system libraries of macOS do not survive a fork."""
    import multiprocessing

    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Keep signals waiting while workers are forked: in the midst of a fork they get lost, or leave a lock behind."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """A worker gives way, leaves Ctrl-C to the parent, which ends it, and does not outlive the parent."""
    import os
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(NICER)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the parent to end, however it does: nobody will ever ask this worker for more."""
    import multiprocessing
    import os

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
