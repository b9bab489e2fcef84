"""File name expansion: whether a pattern may match a file, and which ones where that is known."""

from __future__ import annotations

import posixpath
import re

from lint.bash.faults import NoMatch
from lint.bash.files import FileReader
from lint.bash.origins import derive
from lint.bash.reading import Known, Piece, Text, Unknown
from lint.bash.state import written
from lint.bash.state.state import State
from lint.bash.unknown import Place
from lint.bash.words import pattern
from lint.bash.words.fragments import Field
from lint.bash.words.program_names import program_names
from lint.regular import regular

_PATTERN = regular(r"[*?\[(]")
_IS_PATTERN = regular(r"[*?]|[@+!/]\(", re.DOTALL)  # `/(` is one by a slip of bash
_GLOB = regular(r"[*?]|[@+!]\(")


def file_names(state: State, field: Field, files: FileReader) -> list[Text]:
    """The names that a field with an unquoted pattern matches; the field itself if nothing does."""
    for piece, quoted in field:
        if not quoted and isinstance(piece, Known) and _PATTERN.search(piece.text):
            break
    else:
        return [Text(tuple([piece for piece, _ in field]))]
    if "noglob" in state.options:
        return [Text(tuple([piece for piece, _ in field]))]
    text = Text(tuple(piece for piece, _ in field))
    extglob = "extglob" in state.shell_options
    escaped = "".join(
        (pattern.escape(p.text) if quoted else p.text) if isinstance(p, Known) else "\0" for p, quoted in field
    )
    plain = re.sub(r"\\.", "", escaped, flags=re.DOTALL)
    if not (_IS_PATTERN.search(plain) or _has_class(plain)):
        return [text]
    if escaped.endswith("/") and not any(pattern.has_pattern(part, extglob) for part in escaped.split("/")):
        return [Text(tuple(_with_backslashes(piece) if quoted else piece for piece, quoted in field))]
    matched = _matched(state, escaped, extglob, files)
    first = field[0][0]
    inside = isinstance(first, Place) and escaped.startswith("\0/")  # the rest of the pattern is in that folder
    folder = first.path if isinstance(first, Place) and inside else state.directory
    programs = program_names(state, escaped[2:] if inside else escaped, folder, extglob, files) if matched else None
    if matched is False or programs == []:
        if "failglob" in state.shell_options:
            raise NoMatch(f"no match: {text.shown}")
        return [] if "nullglob" in state.shell_options else [text]
    span, sources = text.pieces[0].origin.span, tuple(p.origin for p in text.pieces[:8])
    if programs is not None:
        state.work += len(programs)
        origin = derive(span, "expansion", None, sources)
        place: tuple[Piece, ...] = (first, Known("/", origin)) if inside else ()
        return [Text((*place, Known(name, origin))) for name in programs]
    reason = f"files that match `{text.brief}`"
    return [Text((Unknown(reason, derive(span, "environment", None, sources), splits=True),))]


def _has_class(text: str) -> bool:
    """Whether a bracket is closed: one alone is no pattern."""
    opening = text.find("[")
    return 0 <= opening < text.rfind("]")


def _with_backslashes(piece: Piece) -> Piece:
    """Quoted text as bash hands it to glob(3), which gives what looks like a folder back as it is."""
    return Known(re.sub("[^/]", r"\\\g<0>", piece.text), piece.origin) if isinstance(piece, Known) else piece


def _matched(state: State, escaped: str, extglob: bool, files: FileReader) -> bool:
    """Whether a pattern may match files; False only where none can."""
    components = escaped.split("/")
    index = next((i for i, part in enumerate(components) if pattern.has_pattern(part, extglob)), None)
    if index is None:
        return False
    component = components[index]
    if not pattern.has_pattern(component, extglob) or not (_GLOB.search(component) or _has_class(component)):
        return False
    before = re.split(r"[*?\[]", component, maxsplit=1)[0]
    if "=" in before or "=" in "/".join(components[:index]):
        return False  # no one names files like `key=[a,b]`
    folder = pattern.unescape("/".join(components[:index]))
    if "\0" in folder or "\0" in component or state.directory is None:
        return True
    if folder == "" and index == 1:
        folder = "/"
    place = posixpath.join(state.directory, folder)
    place = "/" if place.strip("/.") == "" and place.startswith("/") else place  # above the root is the root
    names = files.names(place)
    if names is None:
        return True
    names = {*names, *written.names(state, place)}
    state.work += len(names)
    hidden = component.startswith((".", "\\.")) or "dotglob" in state.shell_options
    return any(pattern.matches(name, component, extglob) for name in names if hidden or not name.startswith("."))
