"""Doing something again whenever one of some files changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable

PAUSE = 0.3  # seconds between two looks


def watch(paths: Callable[[], Iterable[str]], act: Callable[[], None]) -> None:
    """Call `act` now, and after every change of a file that `paths` names; ends only by an interrupt."""
    seen: dict[str, tuple[int, int] | None] | None = None
    while True:
        now = {path: _state(path) for path in paths()}
        if now != seen:
            seen = now
            act()
        time.sleep(PAUSE)


def _state(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
