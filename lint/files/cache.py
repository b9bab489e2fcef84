"""Results kept between runs, in `.recipe-lint-cache/` of the folder where the tool runs.

One small JSON file for each script and kind of result, replaced in one step, so that concurrent runs cannot mix and a
file that is damaged is only a miss. Nothing in it is ever executed. An entry holds for the key that it was stored
under: everything that the result depends on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import lint

FOLDER = ".recipe-lint-cache"


def digest(*parts: object) -> str:
    """One name for any number of parts: bytes, or anything whose `repr` says all that matters."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogateescape")
        hashed.update(len(data).to_bytes(8, "big"))
        hashed.update(data)
    return hashed.hexdigest()


def tool_version() -> str:
    """The version of the tool, and in a working copy the state of its files, so that an edited rule is a new tool."""
    room = Path(lint.__file__).parent
    rows = []
    for folder, folders, files in os.walk(room):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))
            rows.append((folder[len(str(room)) :], name, status.st_size, status.st_mtime_ns))
    return digest(lint.__version__, rows)


class Cache:
    """A folder of results. Failing to read or write one is never an error: the result is only computed again."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def at(cls, folder: Path) -> Cache:
        """The cache below `folder`."""
        return cls(folder / FOLDER)

    def load(self, kind: str, name: str, key: str) -> Any | None:
        """What was stored for `name` under exactly this key, or None."""
        if self.folder is None:
            return None
        try:
            stored = json.loads(self._file(kind, name).read_bytes())
            return stored["value"] if stored["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def store(self, kind: str, name: str, key: str, value: Any) -> None:
        """Keep `value` (plain data) for `name`, in place of what was kept before."""
        if self.folder is None:
            return
        file = self._file(kind, name)
        with contextlib.suppress(OSError):
            self._prepare(file.parent)
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            try:
                with os.fdopen(handle, "w", encoding="ascii") as stream:
                    json.dump({"key": key, "value": value}, stream, separators=(",", ":"))
                os.replace(temporary, file)
            except BaseException:
                os.unlink(temporary)
                raise

    def _file(self, kind: str, name: str) -> Path:
        assert self.folder is not None
        named = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self.folder / kind / named[:2] / f"{named}.json"

    def _prepare(self, folder: Path) -> None:
        assert self.folder is not None
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
        marker = self.folder / ".gitignore"
        if not marker.exists():
            marker.write_text("*\n", "ascii")
