"""The files that a script may read: the only way in which reading a script touches the disk.

Paths are relative to the start folder (the folder in which the script is started), or absolute.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import Protocol

from lint.frozen import frozen
from lint.text import Source

LARGEST_FILE = 1 << 20  # bytes; a larger file is not a script that anyone sources


class FileReader(Protocol):
    """What the evaluator asks about files. None always means: cannot be decided from here."""

    def read(self, path: str) -> Source | None:
        """The text of a script that exists inside the tree that is checked, else None."""

    def exists(self, path: str) -> bool | None:
        """Whether a path exists where the script will run."""

    def names(self, directory: str) -> Collection[str] | None:
        """The names in a directory (for file name patterns)."""


@frozen
class NoFiles:
    """Nothing can be read, nothing is known: for text from standard input."""

    def read(self, path: str) -> Source | None:
        return None

    def exists(self, path: str) -> bool | None:
        return None

    def names(self, directory: str) -> Collection[str] | None:
        return None


@frozen
class Checkout:
    """The files under `root`, for scripts that are started in `start` (both real folders; `start` is inside `root`)."""

    root: Path
    start: Path

    def read(self, path: str) -> Source | None:
        """Tried in the start folder, then at the root: recipes are started from either."""
        for file, status in self._found(path):
            try:
                return _decoded(file, str(self.start), status.st_ino, status.st_mtime_ns, status.st_size)
            except OSError:
                continue
        return None

    def exists(self, path: str) -> bool | None:
        """A file of the checkout exists; whether another file will exist on the machine cannot be known."""
        return True if any(self._found(path)) else None

    def names(self, directory: str) -> Collection[str] | None:
        """The names in a folder of the checkout: a pattern that none of them matches stays as it is."""
        folder = posixpath.normpath(posixpath.join(self.start, directory))
        try:
            return os.listdir(folder) if self._holds(folder) else None
        except (OSError, ValueError):
            return None

    def _found(self, path: str) -> Iterator[tuple[str, os.stat_result]]:
        """The files of the checkout that a path may mean."""
        places = [path] if posixpath.isabs(path) else [posixpath.join(here, path) for here in (self.start, self.root)]
        for file in dict.fromkeys(map(posixpath.normpath, places)):
            with suppress(OSError, ValueError):
                status = os.stat(file) if self._holds(file) else None
                if status is None or not S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
                    continue
                if self._holds(real_path(file)):
                    yield file, status

    def _holds(self, path: str) -> bool:
        root = str(self.root)
        return path == root or path.startswith(root.rstrip("/") + "/")


@lru_cache(maxsize=4096)
def real_folder(folder: str) -> str:
    """A folder without links on the way to it."""
    return os.path.realpath(folder)


def real_path(path: str) -> str:
    """As `realpath`; of the way to its folder the disk is asked once."""
    folder, name = os.path.split(path)
    file = os.path.join(real_folder(folder), name)
    return os.path.realpath(file) if os.path.islink(file) else file


@lru_cache(maxsize=32)
def _decoded(file: str, start: str, *state: int) -> Source:
    """The text of a file, read once as long as its state is the same: the scripts of a folder ask for the same files.

    Its path is relative to `start`. Raises OSError.
    """
    with open(file, "rb") as stream:
        return Source.decode(posixpath.relpath(file, start), stream.read())
