"""How a run ends that is told to by a signal: at the first one cleanly, at the second at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
ENDED = {128 + number: number for number in SIGNALS}
"""The exit statuses of runs that were told to end, as shells report them: 130 after Ctrl-C."""
INTERRUPTED = 128 + signal.SIGINT


@contextmanager
def told_by_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt or SystemExit at a signal, so that what was begun is cleared away.

    One that the caller has the process ignore (`nohup`) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    heeded = [number for number, handler in before.items() if handler is not signal.SIG_IGN]

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for other in heeded:
            signal.signal(other, signal.SIG_DFL)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    for number in heeded:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])


def leave_to_the_system() -> None:
    """Let signals end the process where it stands: for what has nothing to clear away."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def at_once(status: int) -> NoReturn:
    """End without waiting for workers or threads: whoever interrupts a run wants it to end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads any more, or it was closed
            stream.flush()
    os._exit(status)
