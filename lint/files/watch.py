"""Doing something again whenever what is looked at has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

PAUSE = 0.3  # seconds between two looks

Seen = TypeVar("Seen")


def watch(look: Callable[[], Seen], act: Callable[[Seen], None]) -> None:
    """Call `act` with what `look` gives now, and after every change of it; ends only by an interrupt."""
    seen = look()
    while True:
        act(seen)
        while (now := look()) == seen:
            time.sleep(PAUSE)
        seen = now


def state(path: str) -> tuple[int, int] | None:
    """Something that changes when a file does; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
