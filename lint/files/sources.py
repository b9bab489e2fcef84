"""The files that a script reads, remembered: which were asked for, what they held, and their text for messages."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from lint.bash.files import Checkout, FileReader, NoFiles, real_folder
from lint.files.cache import digest
from lint.files.checkout import top_folder
from lint.files.discovery import read, shown_path
from lint.frozen import frozen
from lint.text import Source


class Files:
    """A reader of files that keeps what it was asked. Both the text and the absence of a file decide a result."""

    def __init__(self, reader: FileReader, start: str, roots: tuple[Path, ...] = (), root: str | None = None) -> None:
        self.roots = roots  # folders that Python modules of the script's own project may lie in
        self.root = root  # the top folder of the script's repository or checkout
        self._reader = reader
        self._start = start  # the folder that the reader's paths are relative to
        self._looked_up: dict[str, str | None] = {}
        self._read: dict[str, Source | None] = {}  # by the path that was asked for
        self._sources: dict[str, Source] = {}

    @property
    def looked_up(self) -> Mapping[str, str | None]:
        """The digest of the text of each path that was asked for; None where there was none."""
        return self._looked_up

    @property
    def sources(self) -> Mapping[str, Source]:
        """Every file that was read, by the path that messages show."""
        return self._sources

    def read(self, path: str) -> Source | None:
        if path not in self._read:
            self._read[path] = self._first_read(path)
        return self._read[path]

    def _first_read(self, path: str) -> Source | None:
        found = self._reader.read(path)
        self._looked_up[path] = None if found is None else _digest(found)
        if found is None:
            return None
        source = Source(shown_path(os.path.join(self._start, found.path)), found.text)
        self._sources[source.path] = source
        return source

    def watch(self, path: str) -> None:
        """Note a file or folder outside the tree that decides a result. Two slashes tell it from a path in the tree."""
        name = f"/{os.path.abspath(os.path.expanduser(path))}"
        self._looked_up[name] = _on_disk(name)

    def places(self, looked_up: Iterable[str]) -> Iterator[str]:
        """Where on disk the paths that were asked for may lie."""
        for path in looked_up:
            starts = (self._start, self.root or self._start)
            yield from dict.fromkeys(path if path.startswith("//") else os.path.join(start, path) for start in starts)

    def exists(self, path: str) -> bool | None:
        self.read(path)
        return self._reader.exists(path)

    def names(self, directory: str) -> Collection[str] | None:
        return self._reader.names(directory)

    def still_holds(self, looked_up: Mapping[str, str | None]) -> bool:
        """Whether every file that was looked up then is the same now."""
        for path, known in looked_up.items():
            if path.startswith("//"):
                found = _on_disk(path)
            else:
                source = self._reader.read(path)
                found = None if source is None else _digest(source)
            if found != known:
                return False
        return True


@lru_cache(maxsize=32)  # the scripts of a folder ask for the same files
def _digest(source: Source) -> str:
    return digest(source.encode())


def _on_disk(path: str) -> str | None:
    """The digest of a file, or of the names in a folder; None if there is none that can be read."""
    if os.path.isdir(path):
        with suppress(OSError):
            return digest(*sorted(os.listdir(path)))
    data = read(path)
    return digest(data) if isinstance(data, bytes) else None


@frozen
class Unsaved:
    """Files of a checkout of which some are open in an editor: `texts` by real path stand for what is on the disk."""

    checkout: Checkout
    texts: Mapping[str, str]

    def read(self, path: str) -> Source | None:
        found = self.checkout.read(path)
        if found is None:
            return None
        text = self.texts.get(os.path.realpath(os.path.join(self.checkout.start, found.path)))
        return found if text is None else Source(found.path, text)

    def exists(self, path: str) -> bool | None:
        return self.checkout.exists(path)

    def names(self, directory: str) -> Collection[str] | None:
        return self.checkout.names(directory)


def files_beside(path: str, from_disk: bool = True, unsaved: Mapping[str, str] | None = None) -> Files:
    """The files that a script may read: those of its repository, else of its checkout of verl, else of its folder.
    `unsaved`: the texts of those that an editor has open, by real path.

    The script is taken to be started in the current folder if that is inside, else at the top.
    """
    if not from_disk:
        return Files(NoFiles(), os.curdir)
    folder = real_folder(os.path.dirname(os.path.abspath(path)))
    top = top_folder(path)
    root = top or folder
    here = real_folder(os.getcwd())
    start = here if here == root or here.startswith(root + os.sep) else root
    roots = dict.fromkeys((Path(start), Path(root), Path(folder)))
    checkout = Checkout(Path(root), Path(start))
    return Files(Unsaved(checkout, unsaved) if unsaved else checkout, start, tuple(roots), top)
