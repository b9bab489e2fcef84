"""Where a word of a command is written: the element of an array, not the `"${A[@]}"` that passes it on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from lint.bash.origins import PassedOn
from lint.bash.reading import Known, Origin, Piece, RunCommand, Text
from lint.text import Source, Span


def as_written(text: Text) -> Text:
    """The text before it was passed on, if the whole word was, by one expansion (`"${ARGS[@]}"`, `$OVERRIDE`)."""
    while isinstance(text, PassedOn):
        text = text.text
    while text.pieces and _are_passed_on(text.pieces):
        text = Text(tuple([_with_origin(piece, piece.origin.sources[0]) for piece in text.pieces]))
    return text


def _are_passed_on(pieces: Sequence[Piece]) -> bool:
    """Whether the pieces all come out of one and the same expansion."""
    first = pieces[0].origin
    if first.kind == "literal":
        return False
    for piece in pieces:
        origin = piece.origin
        if len(origin.sources) != 1 or origin.kind != first.kind or origin.span != first.span:
            return False
    return True


def _with_origin(piece: Piece, origin: Origin) -> Piece:
    if isinstance(piece, Known):
        return Known(piece.text, origin)
    return replace(piece, origin=origin)


def word_span(command: RunCommand, index: int, written: Text) -> Span:
    """The stretch of source that a word was written in; `written` is what `as_written` gave for it."""
    whole = _stretch(written.pieces) if written is not command.words[index] else None
    return whole or command.word_spans[index]


def written_span(command: RunCommand, index: int) -> Span:
    """Where a word of a command is written."""
    return word_span(command, index, as_written(command.words[index]))


def _stretch(pieces: Sequence[Piece]) -> Span | None:
    """The stretch of source that pieces were written in, if it is one file."""
    if len(pieces) == 1:
        return pieces[0].origin.span
    spans = [piece.origin.span for piece in pieces]
    if not spans or len({span.path for span in spans}) != 1:
        return None
    return Span(spans[0].path, min(span.start for span in spans), max(span.end for span in spans))


def part_span(text: Text, start: int, end: int, sources: Mapping[str, Source] = MappingProxyType({})) -> Span | None:
    """Where a part of a text is written: exact for literals that stand in the source as they are, and for those in
    single quotes if the `sources` are given."""
    offset = 0
    found: Span | None = None
    for piece in text.pieces:
        if offset >= end:
            break
        size = len(piece.text) if isinstance(piece, Known) else len(f"<unknown: {piece.reason}>")
        low, high = max(start, offset), min(end, offset + size)
        if low < high:
            span = piece.origin.span
            if isinstance(piece, Known) and piece.origin.kind == "literal":
                shift = _shift(piece.text, span, sources)
                if shift is not None:
                    span = Span(span.path, span.start + shift + low - offset, span.start + shift + high - offset)
            if found is None:
                found = span
            elif found.path != span.path:
                return None
            else:
                found = Span(span.path, min(found.start, span.start), max(found.end, span.end))
        offset += size
    return found


def _shift(text: str, span: Span, sources: Mapping[str, Source]) -> int | None:
    """How far behind the start of its span a literal begins; None if it does not stand there as it is."""
    if span.end - span.start == len(text):
        return 0
    source = sources.get(span.path)
    return 1 if source is not None and source.text[span.start : span.end] == f"'{text}'" else None
