"""Words that become one text again, which a shell then reads: as `ssh` and as `ray job submit` put them together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lint.bash.reading import Known, Origin, Piece, Text
from lint.text import Span


def joined_by_blanks(words: Sequence[Text]) -> Text:
    """`ssh host a "b c"` runs `a b c`."""
    pieces: list[Piece] = []
    for word in words:
        if pieces:
            pieces.append(Known(" ", pieces[-1].origin))
        pieces.extend(word.pieces)
    return Text(tuple(pieces))


_KEYS = {"Enter": "\n", "C-m": "\n", "C-j": "\n", "KPEnter": "\n", "Space": " ", "Tab": "\t"}


def joined_as_keys(words: Sequence[Text]) -> Text:
    """`tmux send-keys 'a b' Enter` types `a b` and a newline; words that name a key are that key."""
    pieces: list[Piece] = []
    for word in words:
        key = _KEYS.get(word.value or "")
        pieces.extend(word.pieces if key is None else [Known(key, word.pieces[0].origin)])
    return Text(tuple(pieces))


def joined_for_windows(words: Sequence[Text]) -> Text:
    """As `subprocess.list2cmdline` of Python: double quotes around words with blanks, `\\"` for a double quote."""
    pieces: list[Piece] = []
    for word in words:
        if pieces:
            pieces.append(Known(" ", pieces[-1].origin))
        pieces.extend(_quoted_for_windows(word))
    return Text(tuple(pieces))


def _quoted_for_windows(word: Text) -> Iterator[Piece]:
    origin = word.pieces[0].origin if word.pieces else Origin(Span("", 0, 0), "literal")
    texts = [piece.text for piece in word.pieces if isinstance(piece, Known)]
    quoted = not word.pieces or any(" " in text or "\t" in text for text in texts) or word.value == ""
    if quoted:
        yield Known('"', origin)
    for piece in word.pieces:
        if isinstance(piece, Known):
            yield from _escaped(piece)
        else:
            yield piece
    if quoted:
        behind = re.search(r"\\*\Z", texts[-1] if texts else "")
        yield Known((behind[0] if behind else "") + '"', origin)


def _escaped(piece: Known) -> Iterator[Known]:
    """A backslash before each double quote, and before each backslash that stands before one."""
    place = 0
    for found in re.finditer(r'(\\*)"', piece.text):
        yield narrowed(piece, place, found.end() - 1)
        yield Known(found[1] + "\\", piece.origin)
        place = found.end() - 1
    if place < len(piece.text):
        yield narrowed(piece, place, len(piece.text))


def narrowed(piece: Known, start: int, end: int) -> Known:
    """A part of a piece; of a literal, with the place of that part."""
    origin = piece.origin
    if origin.kind == "literal" and origin.span.end - origin.span.start == len(piece.text):
        origin = Origin(Span(origin.span.path, origin.span.start + start, origin.span.start + end), "literal")
    return Known(piece.text[start:end], origin)


def part(text: Text, start: int, end: int) -> Text:
    """A part of a text, each piece with the place of that part; an unknown piece counts as one character."""
    pieces: list[Piece] = []
    offset = 0
    for piece in text.pieces:
        size = len(piece.text) if isinstance(piece, Known) else 1
        low, high = max(start, offset), min(end, offset + size)
        if low < high:
            pieces.append(narrowed(piece, low - offset, high - offset) if isinstance(piece, Known) else piece)
        offset += size
    return Text(tuple(pieces))
