"""Words that become one text again, which a shell then reads: as `ssh`, `ray job submit` and `env -S`
put them together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from lint.bash.origins import derive
from lint.bash.reading import Known, Origin, Piece, Text
from lint.regular import regular
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


def joined_as_arguments(words: Sequence[Text]) -> Text:
    """`env -S 'a "b c"' d` starts `a` with the words `b c` and `d`. The text has quotes, but nothing else of a shell;
    only `${NAME}` is a variable. Source: the manual of GNU coreutils, "-S/--split-string syntax"."""
    pieces: list[Piece] = []
    for known, group in groupby(words[0].pieces, lambda piece: isinstance(piece, Known)):
        some = list(group)
        if known:  # quotes may begin in one piece and end in another
            text = "".join(piece.text for piece in some if isinstance(piece, Known))
            origins = tuple(piece.origin for piece in some)
            origin = origins[0] if len(some) == 1 else derive(origins[0].span, "expansion", None, origins)
            pieces.append(Known(_as_shell_text(text), origin))
        else:
            pieces.extend(some)
    if pieces and isinstance(pieces[0], Known) and pieces[0].text.lstrip().startswith("-"):
        pieces.insert(0, Known("env ", pieces[0].origin))
    for word in words[1:]:
        origin = word.pieces[0].origin if word.pieces else Origin(Span("", 0, 0), "literal")
        pieces.append(Known(" '", origin))
        for piece in word.pieces:
            pieces.append(Known(piece.text.replace("'", "'\\''"), piece.origin) if isinstance(piece, Known) else piece)
        pieces.append(Known("'", origin))
    return Text(tuple(pieces))


_SPLIT_STRING = regular(
    r"(?P<single>'(?:[^'\\]|\\.)*')"
    r'|(?P<double>"(?:[^"\\]|\\.)*")'
    r"|(?P<variable>\$\{\w+\})|(?P<escape>\\.)|(?P<comment>(?:^|(?<=\s))#.*)|(?P<plain>[^'\"\\])",
    re.DOTALL,
)
_OF_SHELL = regular(r"[|&;<>()$`*?\[\]{}~!#]")
_ESCAPES = {"f": "$'\\f'", "n": "$'\\n'", "r": "$'\\r'", "t": "$'\\t'", "v": "$'\\v'", "_": " "}


def _as_shell_text(text: str) -> str:
    """The text of `env -S` as a shell would have it written."""
    shown: list[str] = []
    for found in _SPLIT_STRING.finditer(text):
        part, kind = found[0], found.lastgroup
        if kind == "comment" or part == "\\c":
            break
        if kind == "single":
            shown.append(part.replace("\\'", "'\\''").replace("\\\\", "\\"))
        elif kind == "double":
            shown.append(part.replace("\\_", " ").replace("`", "\\`"))
        elif kind == "variable":
            shown.append(f'"{part}"')
        elif kind == "escape":
            shown.append(_ESCAPES.get(part[1], part))
        else:
            shown.append(_OF_SHELL.sub(r"\\\g<0>", part))
    return "".join(shown)


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
