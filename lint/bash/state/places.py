"""Where a path leads: relative to the start folder, absolute, or to a place whose name only a run could tell."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import State
from lint.bash.unknown import Once, Place

_ABSOLUTE = frozenset(("HOME", "PWD", "OLDPWD", "TMPDIR"))  # variables of the machine that hold absolute paths
_DEVICES = ("/dev/", "/proc/", "/sys/")


def path_of(state: State, text: Text) -> str | None:
    """The path that a text names, relative to the start folder or absolute; None if it is unknown."""
    if not text.pieces:
        return None
    first, rest = text.pieces[0], Text(text.pieces[1:]).value
    if isinstance(first, Place) and rest is not None:
        return posixpath.normpath(first.path + rest)
    value = text.value
    if not value:
        return None
    if value.startswith("/"):
        return posixpath.normpath(value)
    if state.directory is None:
        return None
    return posixpath.normpath(posixpath.join(state.directory, value))


def key_of(state: State, text: Text) -> str | None:
    """A name for the file that a text names: the same for the same file, even where nobody knows its whole path.

    None: a device, or a text that may be another one each time.
    """
    path = path_of(state, text)
    if path is not None:
        return None if path.startswith(_DEVICES) else path
    parts = list(_identities(text))
    if not parts or None in parts:
        return None
    name = "".join(part for part in parts if part is not None)
    first = text.pieces[0]
    if isinstance(first, Unknown) and (first.origin.name in _ABSOLUTE or "mktemp" in first.reason):
        return posixpath.normpath(name)
    folder = state.unnamed if state.directory is None else state.directory
    return posixpath.normpath(posixpath.join(folder, name))


def _identities(text: Text) -> Iterator[str | None]:
    for piece in text.pieces:
        if isinstance(piece, Known):
            yield piece.text
        elif isinstance(piece, Once):
            yield f"\0{piece.reason}\0{piece.run}\0"
        elif _root(piece.origin).kind in ("environment", "positional"):
            yield f"\0{piece.reason}\0"
        else:
            yield None


def _root(origin: Origin) -> Origin:
    while len(origin.sources) == 1:
        origin = origin.sources[0]
    return origin
