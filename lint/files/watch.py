"""Doing something again whenever what is looked at has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

PAUSE = 0.3  # seconds between two looks
CLOCK = 0.01  # seconds by which the times of files may lag behind the clock

Seen = TypeVar("Seen")


def watch(look: Callable[[], Seen], act: Callable[[Seen], None]) -> None:
    """Call `act` with what `look` gives now, and after every change of it; ends only by an interrupt."""
    seen = look()
    while True:
        act(seen)
        while (now := look()) == seen:
            time.sleep(PAUSE)
        seen = now


class Watched:
    """Files whose changes are counted."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[int, int] | None] = {}
        self._changes = 0

    def watch(self, paths: Iterable[str], since: float) -> None:
        """Look at these from now on. One that changed after `since`, a time of the clock, has changed again."""
        self._states = {path: state(path) for path in paths}
        begin = int((since - CLOCK) * 1e9)
        self._changes += any(found is not None and found[0] > begin for found in self._states.values())

    def changes(self) -> int:
        """How often one of them was seen to have changed."""
        now = {path: state(path) for path in self._states}
        self._changes += now != self._states
        self._states = now
        return self._changes


def state(path: str) -> tuple[int, int] | None:
    """Something that changes when a file does; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
