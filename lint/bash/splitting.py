"""Word splitting: the fragments that a word's expansions yield become fields, by the rules of IFS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from lint.bash.reading import Known, Origin, Piece, Unknown
from lint.bash.unknown import ExitStatus
from lint.text import Span

# A piece of an expanded word, whether it was quoted, and whether it is split; None: a field ends here (`"$@"`).
Fragment: TypeAlias = "tuple[Piece, bool, bool] | None"
Field: TypeAlias = "list[tuple[Piece, bool]]"  # pieces, and whether each was quoted

DEFAULT_IFS = " \t\n"


def split(fragments: Sequence[Fragment], ifs: str) -> list[Field]:
    """The fields of a word.

    White space of IFS at the ends is dropped and a run of it is one separator; any other character of IFS, with the
    white space around it, is one separator by itself. Quoted text, even if empty, always belongs to a field; an
    unquoted empty expansion does not make one.
    """
    if len(fragments) == 1 and fragments[0] is not None:
        piece, quoted, splits = fragments[0]
        whole = isinstance(piece, Known) and piece.text and not (splits and any(c in piece.text for c in ifs))
        if whole or (quoted and isinstance(piece, Known)):
            return [[(piece, quoted)]]
    fields: list[Field] = []
    field: Field | None = None
    waiting: Field = []  # empty pieces that join the next field, if there is one
    after_space = False  # the last field was ended by white space: a separator right after it is the same one
    for fragment in fragments:
        if fragment is None:
            field, after_space = None, False
            continue
        piece, quoted, splits = fragment
        if isinstance(piece, Unknown):
            if not quoted and not piece.splits and not isinstance(piece, ExitStatus):
                piece = replace(piece, splits=True)
            chunks: list[Piece | str] = [piece]
        elif quoted or not splits or not ifs:
            chunks = [piece]
        else:
            chunks = _cut(piece, ifs)
        for chunk in chunks:
            if isinstance(chunk, str):
                if chunk in DEFAULT_IFS:
                    after_space = after_space or field is not None
                    field = None
                    continue
                if field is None and not after_space:
                    fields.append([*waiting, (Known("", piece.origin), False)])
                    waiting = []
                field, after_space = None, False
                continue
            if isinstance(chunk, Known) and not chunk.text and not quoted:
                (waiting if field is None else field).append((chunk, quoted))
                continue
            if field is None:
                field = waiting
                waiting = []
                fields.append(field)
            after_space = False
            field.append((chunk, quoted))
    return fields


def _cut(piece: Known, ifs: str) -> list[Piece | str]:
    """The text of a piece, cut at the characters of IFS, which stand between the cuts."""
    text = piece.text
    for character in ifs:
        if character in text:
            break
    else:
        return [piece]
    chunks: list[Piece | str] = []
    begin = 0
    for index, character in enumerate(text):
        if character in ifs:
            if begin < index:
                chunks.append(Known(text[begin:index], _of_part(piece.origin, begin, index, len(text))))
            chunks.append(character)
            begin = index + 1
    if begin < len(text):
        chunks.append(Known(text[begin:], _of_part(piece.origin, begin, len(text), len(text))))
    return chunks


def _of_part(origin: Origin, begin: int, end: int, size: int) -> Origin:
    """The origin of a part of a text of this size: exact where the text stands in the source as it is."""
    span = origin.span
    if origin.kind == "literal" and span.end - span.start == size:
        return replace(origin, span=Span(span.path, span.start + begin, span.start + end))
    if origin.kind == "expansion" and len(origin.sources) == 1:
        source = _of_part(origin.sources[0], begin, end, size)
        return origin if source is origin.sources[0] else replace(origin, sources=(source,))
    return origin


def split_text(text: str, ifs: str, most: int | None = None) -> list[str]:
    """The fields of a line as `read` cuts it; with `most`, the last one keeps the rest of the line."""
    spaces = "".join(character for character in ifs if character in DEFAULT_IFS)
    rest = text.strip(spaces) if spaces else text
    fields: list[str] = []
    while rest and (most is None or len(fields) < most - 1):
        end = next((i for i, character in enumerate(rest) if character in ifs), len(rest))
        fields.append(rest[:end])
        after = rest[end:].lstrip(spaces) if spaces else rest[end:]
        if after and after[0] in ifs and after[0] not in spaces and (end == len(rest) or rest[end] in spaces):
            after = after[1:].lstrip(spaces) if spaces else after[1:]
        elif end < len(rest) and rest[end] not in spaces:
            after = rest[end + 1 :].lstrip(spaces) if spaces else rest[end + 1 :]
        rest = after
    if rest:
        fields.append(_last_field(rest, ifs, spaces))
    return fields


def _last_field(rest: str, ifs: str, spaces: str) -> str:
    """The rest of a line for the last name of `read`: one separator at its end is dropped if it is the only one."""
    if rest[-1] in ifs and rest[-1] not in spaces and not any(character in ifs for character in rest[:-1]):
        return rest[:-1]
    return rest
