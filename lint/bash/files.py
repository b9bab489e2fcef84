"""The files that a script may read: the only way in which reading a script touches the disk.

Paths are relative to the start folder (the folder in which the script is started), or absolute.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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


@dataclass(frozen=True, slots=True)
class NoFiles:
    """Nothing can be read, nothing is known: for text from standard input."""

    def read(self, path: str) -> Source | None:
        return None

    def exists(self, path: str) -> bool | None:
        return None

    def names(self, directory: str) -> Collection[str] | None:
        return None


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files under `root`, for scripts that are started in `start` (both real folders; `start` is inside `root`)."""

    root: Path
    start: Path

    def read(self, path: str) -> Source | None:
        """Tried in the start folder, then at the root: recipes are started from either."""
        for folder in (self.start, self.root):
            file = Path(posixpath.normpath(folder / path))
            if not file.is_relative_to(self.root):
                continue
            try:
                if file.is_file() and file.resolve().is_relative_to(self.root) and file.stat().st_size <= LARGEST_FILE:
                    return Source.decode(self._shown(file), file.read_bytes())
            except OSError:
                continue
        return None

    def exists(self, path: str) -> bool | None:
        """A file of the checkout exists; whether another file will exist on the machine cannot be known."""
        return True if self.read(path) is not None else None

    def names(self, directory: str) -> Collection[str] | None:
        """The names in a folder of the checkout: a pattern that none of them matches stays as it is."""
        folder = Path(posixpath.normpath(self.start / directory))
        if not folder.is_relative_to(self.root):
            return None
        try:
            return [entry.name for entry in folder.iterdir()]
        except OSError:
            return None

    def _shown(self, file: Path) -> str:
        return posixpath.relpath(file, self.start)
