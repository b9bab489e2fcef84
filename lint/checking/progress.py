"""How far a long run is, on one line of a terminal that is wiped at the end."""

from __future__ import annotations

import time
from typing import TextIO

PATIENCE = 1.0  # seconds before anything is shown
PAUSE = 0.1  # seconds between two lines


class Progress:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` scripts were read."""
        now = time.monotonic()
        if done == total and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        elif done < total and now >= self._next:
            self._stream.write(f"\r\x1b[Kread {done} of {total} scripts")
            self._stream.flush()
            self._shown = True
            self._next = now + PAUSE
