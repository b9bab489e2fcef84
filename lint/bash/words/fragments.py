"""Fragments of an expanded word: pieces of text, and what is still to be done with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.unknown import may_be_empty
from lint.regular import regular
from lint.text import Span

# A piece of an expanded word, whether it was quoted, and whether IFS splits it. None: quotes with nothing in them,
# which make a field even so (bash keeps a DEL character for them, CTLNUL).
Fragment: TypeAlias = "tuple[Piece, bool, bool] | None"
Field: TypeAlias = "list[tuple[Piece, bool]]"  # pieces, and whether each was quoted

NULL_MARK = "\x7f"  # what bash keeps for empty quotes
UNGUARDED = regular(r"([:=~<>'\"\[])")  # what bash leaves unquoted in the word of a quoted `${name-word}`


@dataclass(slots=True)
class Part:
    """A word on its way: what it holds, and what bash notes about it."""

    fragments: list[Fragment]
    quoted: bool = False  # it is not split again (W_QUOTED)
    null: bool = False  # it is just a pair of quotes (W_HASQUOTEDNULL)
    saw_null: bool = False  # there were quotes with nothing in them (W_SAWQUOTEDNULL)


def is_visible(fragments: Sequence[Fragment]) -> bool:
    """Whether there is anything: text, something unknown, or quotes. (Empty pieces only carry an origin.)"""
    for fragment in fragments:  # noqa: SIM110 - this is asked of every word
        if fragment is None or type(fragment[0]) is not Known or fragment[0].text:
            return True
    return False


def is_null(fragments: Sequence[Fragment]) -> bool:
    """Whether there is a pair of quotes with nothing in it, and nothing else."""
    nulls = 0
    for fragment in fragments:
        if fragment is None:
            nulls += 1
        elif type(fragment[0]) is not Known or fragment[0].text:
            return False
    return nulls == 1


def without_nulls(fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments that hold a piece."""
    return [fragment for fragment in fragments if fragment is not None]


def quoted_again(fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments as quoted text; a pair of quotes where there is no text."""
    found: list[Fragment] = [(fragment[0], True, False) for fragment in fragments if fragment is not None]
    if not is_visible(found):
        found.append(None)
    return found


def perhaps_no_word(fragments: Sequence[Fragment]) -> list[Fragment]:
    """The fragments as quoted text beside an empty list: no word at all where what is not known of them is empty."""
    pieces = [fragment[0] for fragment in fragments if fragment is not None]
    if len(pieces) < len(fragments) or not may_be_empty(pieces):
        return quoted_again(fragments)
    return [(replace(piece, splits=True) if isinstance(piece, Unknown) else piece, True, False) for piece in pieces]


def text_of(fragments: Sequence[Fragment]) -> Text:
    """The text of fragments."""
    return Text(tuple([fragment[0] for fragment in fragments if fragment is not None]))


def escaped(fragments: Sequence[Fragment], escape: Callable[[str], str]) -> Text:
    pieces: list[Piece] = []
    for fragment in fragments:
        if fragment is not None:
            piece, quoted, _ = fragment
            pieces.append(Known(escape(piece.text), piece.origin) if quoted and isinstance(piece, Known) else piece)
    return Text(tuple(pieces))


def marked(fragments: Sequence[Fragment]) -> Sequence[Fragment]:
    """The fragments of a word of `case`: there, bash leaves its mark for empty quotes that stand beside other text."""
    if None not in fragments or is_null(fragments):
        return fragments
    mark = Known(NULL_MARK, Origin(Span("", 0, 0), "expansion"))
    return [(mark, True, False) if fragment is None else fragment for fragment in fragments]


def partly_guarded(pieces: Sequence[Piece]) -> Iterator[Fragment]:
    for piece in pieces:
        for text in UNGUARDED.split(piece.text) if isinstance(piece, Known) else []:
            yield Known(text, piece.origin), True, UNGUARDED.match(text) is not None
        if isinstance(piece, Unknown):
            yield piece, True, False
