"""Limits of time that hold on a busy machine, too."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

USUAL = 0.02  # seconds that `_yardstick` takes on a machine with nothing else to do
ATTEMPTS = 3


def in_time(limit: float, work: Callable[[], Result]) -> Result:
    """What `work` returns, which must take less than `limit` seconds of a processor that is not shared.

    Neighbours take the caches and the clock of a processor, so that the same work takes several times as long: it is
    compared with work of which it is known how long it takes, and tried again.
    """
    said = ""
    for _ in range(ATTEMPTS):
        before = _yardstick()
        begin = time.thread_time()
        result = work()
        taken = time.thread_time() - begin
        slower = max(1.0, (before + _yardstick()) / 2 / USUAL)
        if taken < limit * slower:
            return result
        said = f"{taken:.2f} s, where everything takes {slower:.1f} times as long as usual"
    raise AssertionError(f"not done in {limit} s: {said}")


def _yardstick() -> float:
    """The seconds that a piece of work takes right now: objects are made, looked up and thrown away."""
    begin = time.thread_time()
    known: dict[str, tuple[int, str]] = {}
    for number in range(160_000):
        name = f"v{number % 5000}"
        known[name] = (number, name)
    return time.thread_time() - begin
