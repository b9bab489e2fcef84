"""The files that a script writes itself. They live in the state of its reading, never on a disk.

`echo ... > run.sh; bash run.sh` runs what was written. What a script cannot know of a file stays unknown: text that a
program wrote, a file that another program may have changed, a file that two ways through the script leave different.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from lint.bash.budget import ALTERNATIVES
from lint.bash.files import FileReader
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.places import key_of, path_of
from lint.bash.state.ropes import Rope, rope_pieces, same_rope, written_after
from lint.bash.state.state import File, State
from lint.text import Source, Span

MOST_PIECES = 4096  # of one file: longer ones are logs


class Shell(Protocol):
    """What is asked of the evaluator."""

    files: FileReader
    file_looks: int  # counted up at each look at a file that the script wrote


# ------------------------------------------------------------------------------------------------------- reading


def find(shell: Shell, state: State, name: Text) -> File | None:
    """The file of that name if the script made it, changed it or removed it."""
    if not state.files:
        return None
    key = key_of(state, name)
    file = state.files.get(key) if key is not None else None
    if file is not None:
        shell.file_looks += 1
    return file


def is_missing(shell: Shell, state: State, name: Text) -> bool:
    """Whether a file that is to be read is surely not there."""
    if find(shell, state, name) is not None or key_of(state, name) is None:
        return False
    path = path_of(state, name)
    return path is not None and shell.files.exists(path) is False


def content(shell: Shell, state: State, name: Text) -> Text | None:
    """What is in a file that the script wrote, or that is in the checkout; None if that is not known."""
    file = find(shell, state, name)
    if file is not None:
        known = file.exists and file.known and not file.folder and not file.ways
        return Text(rope_pieces(file.content)) if known else None
    path = path_of(state, name)
    source = shell.files.read(path) if path is not None else None
    return None if source is None else literal_text(source)


def without_line_ends(text: Text) -> Text:
    """A text without the ends of lines that are put behind an output that is not known: it may be empty."""
    pairs = zip((None, *text.pieces), text.pieces, strict=False)
    kept = [
        piece
        for before, piece in pairs
        if not (isinstance(before, Unknown) and isinstance(piece, Known) and piece == Known("\n", before.origin))
    ]
    return text if len(kept) == len(text.pieces) else Text(tuple(kept))


def literal_text(source: Source) -> Text:
    """The text of a file that stands in the checkout."""
    return Text((Known(source.text, Origin(Span(source.path, 0, len(source.text)), "literal")),))


def names(state: State, folder: str) -> set[str]:
    """The names in a folder of what the script made there."""
    folder = "" if folder in (".", "./") else posixpath.normpath(folder)
    return {posixpath.basename(key) for key in state.files if posixpath.dirname(key) == folder}


def forks(shell: Shell, state: State, name: Text) -> list[State]:
    """One state for each way that left a file different."""
    file = find(shell, state, name)
    key = key_of(state, name)
    if file is None or key is None or not file.ways:
        return [state]
    states = [state, *(state.copy() for _ in file.ways[1:])]
    for fork, (conditions, left) in zip(states, file.ways, strict=True):
        fork.files = {**fork.files, key: left}
        fork.conditions = {**fork.conditions, **conditions}
    return states


# ------------------------------------------------------------------------------------------------------- writing


def change(state: State, key: str, file: File) -> None:
    """A file as it is from now on. Who has opened it reads on where it was, in what is there then."""
    for stream in [stream for stream, other in state.sources.items() if other == key]:
        state.inputs[stream] = _read_on(state.files.get(key), file, state.inputs.get(stream))
    state.files = {**state.files, key: file}


def _read_on(before: File | None, after: File, rest: Text | None) -> Text | None:
    """What is left to read of a file that has changed, of which there was a rest; None if only a run can tell."""
    if before is not None and before.exists is None:
        return rest  # it was removed: the new one is another
    old = None if before is None or not before.known else Text(rope_pieces(before.content)).value
    new = Text(rope_pieces(after.content)) if after.known and after.exists else None
    if old is None or new is None or rest is None or rest.value is None:
        return None
    size = len(old.encode(errors="surrogateescape")) - len(rest.value.encode(errors="surrogateescape"))
    if size == 0:
        return new
    data = None if new.value is None else new.value.encode(errors="surrogateescape")
    if data is None or len(data) < size:
        return None
    left = data[size:].decode(errors="surrogateescape")
    return Text((Known(left, new.pieces[-1].origin),)) if left else Text(())


def open_for_output(shell: Shell, state: State, name: Text, add: bool, stream: int) -> bool:
    """Send a stream to a file: emptied, or as it was. False if nobody can say which file."""
    key = key_of(state, name)
    if key is None:
        return False
    before = state.files.get(key)
    if not add:
        change(state, key, File(executable=before is not None and before.executable))
    elif before is None:
        change(state, key, _in_checkout(shell, state, name))
    elif before.ways or not before.exists:
        change(state, key, File(known=False))
    state.opened = {**state.opened, stream: key}
    return True


def _in_checkout(shell: Shell, state: State, name: Text) -> File:
    """A file as it stands in the checkout; else nobody knows what is there."""
    path = path_of(state, name)
    source = shell.files.read(path) if path is not None else None
    if source is not None:
        return File(written_after(None, literal_text(source).pieces[0]), 1)
    return File(known=path is not None and shell.files.exists(path) is False)


def append(state: State, stream: int, text: Text) -> None:
    """Add to the file that a stream goes to."""
    key = state.opened[stream]
    file = state.files.get(key)
    if file is None or not file.exists or not file.known:
        return
    rope = file.content
    for piece in text.pieces:
        rope = written_after(rope, piece)
    size = file.size + len(text.pieces)
    change(state, key, replace(file, content=rope, size=size) if size <= MOST_PIECES else File(known=False))


def put(state: State, name: Text, text: Text | None) -> None:
    """A whole file at once; None: what it holds is not known."""
    key = key_of(state, name)
    if key is None:
        return
    rope: Rope = None
    for piece in text.pieces if text is not None else ():
        rope = written_after(rope, piece)
    size = len(text.pieces) if text is not None else 0
    change(state, key, File(rope, size, known=text is not None and size <= MOST_PIECES))


def spoil(state: State, key: str) -> None:
    """Something may have changed a file: nobody knows what it holds now."""
    file = state.files.get(key)
    if file is None or file.known:
        kept = file or File()
        change(state, key, File(exists=kept.exists, folder=kept.folder, executable=kept.executable, known=False))


def spoil_stream(state: State, stream: int) -> None:
    """Something that is not known is written to a stream."""
    if stream in state.opened:
        spoil(state, state.opened[stream])


def remove(state: State, name: Text) -> None:
    """A file or folder is gone, until another process makes it again: whether it is there is not known."""
    key = key_of(state, name)
    if key is not None:
        gone = [key, *(other for other in state.files if other.startswith(key + "/"))]
        state.files = {**state.files, **dict.fromkeys(gone, File(exists=None, known=False))}


# -------------------------------------------------------------------------------------------------- ways and loops


def merged(kept: State, other: State) -> Mapping[str, File]:
    """The files after one of two ways. Where both ways know what they left, that stays known, with the way."""
    if kept.files is other.files:
        return kept.files
    found = dict(kept.files)
    for key in kept.files.keys() | other.files.keys():
        first, second = kept.files.get(key), other.files.get(key)
        if first is second:
            continue
        found[key] = _either(first, second, kept.conditions, other.conditions)
    return found


def _either(first: File | None, second: File | None, conditions: Mapping[str, str], others: Mapping[str, str]) -> File:
    if first is None or second is None:
        return File(exists=None, known=False)
    if _same(first, second):
        return first
    ways = (*_ways(first, conditions), *_ways(second, others))
    known = all(file.known and file.exists for _, file in ways) and len(ways) <= ALTERNATIVES
    exists = first.exists if first.exists == second.exists else None
    return File(exists=exists, known=known, executable=first.executable, ways=ways if known else ())


def _ways(file: File, conditions: Mapping[str, str]) -> Sequence[tuple[Mapping[str, str], File]]:
    return file.ways or ((conditions, file),)


def _same(first: File, second: File) -> bool:
    alike = (first.exists, first.known, first.folder, first.executable) == (
        second.exists,
        second.known,
        second.folder,
        second.executable,
    )
    if not alike or first.ways is not second.ways:
        return False
    return same_rope(first.content, second.content)


def settle(state: State, ends: Sequence[State]) -> None:
    """Files outlive the process that wrote them."""
    first = ends[0]
    for end in ends[1:]:
        first.files = merged(first, end)
    state.files = first.files
