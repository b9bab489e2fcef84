"""Words put together straight: plain text, quotes, and scalars with or without a default, while nobody has set IFS.

Most words are no more than that. They need none of the steps that `Assembler.expand` and splitting take, and become
what these would make of them; None where only these can tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal as Choice

from lint.bash.origins import step
from lint.bash.reading import Known, Origin, Piece, Text
from lint.bash.state.state import State
from lint.bash.syntax import DoubleQuoted, Literal, Parameter, Part, Quoted, Word
from lint.bash.words.fragments import UNGUARDED
from lint.bash.words.special import COMPUTED, MACHINE, machine_value
from lint.text import Span

_EXPANDED = re.compile(r"[{~*?\[( ]")  # plain text that may hold braces, a tilde or a pattern
_TILDE = re.compile(r"[~ ]")  # plain text that is not split
_TEXT = (Literal, Quoted)
_SPLIT = re.compile(r"[ \t\n*?\[\\(]")  # a value that is split, or may be a pattern


def field(state: State, word: Word, whole: dict[Span, bool]) -> Text | None:
    """The only field that a word becomes. Bare expansions are noted in `whole`, as `Assembler.note_whole` does."""
    if state.unit.pieces or "IFS" in state.variables:
        return None
    if word.constant is None:
        object.__setattr__(word, "constant", _constant(state, word))
    if word.constant:
        return word.constant
    pieces = _pieces(state, word.parts, _EXPANDED, whole)
    return None if pieces is None else Text(tuple(pieces))


def line(state: State, word: Word) -> Text | None:
    """The text of a word that is not split."""
    if state.unit.pieces or "IFS" in state.variables:
        return None
    if word.constant is None:
        object.__setattr__(word, "constant", _constant(state, word))
    if word.constant:
        return word.constant
    pieces = _pieces(state, word.parts, _TILDE, None)
    return None if pieces is None else Text(tuple(pieces))


def _constant(state: State, word: Word) -> Text | Choice[False]:
    """The text of a word without expansions, braces, patterns and tildes, wherever it stands."""
    for part in word.parts:
        if isinstance(part, DoubleQuoted):
            if not all(isinstance(inner, Quoted) for inner in part.parts):
                return False
        elif not isinstance(part, _TEXT):
            return False
    pieces = _pieces(state, word.parts, _EXPANDED, None)
    return Text(tuple(pieces)) if pieces else False


def _pieces(
    state: State, parts: Sequence[Part], special: re.Pattern[str], whole: dict[Span, bool] | None
) -> list[Piece] | None:
    """What stands outside of double quotes. `special`: what plain text must not hold."""
    path = state.unit.source.path
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, _TEXT):
            if not part.text:
                return None
            if isinstance(part, Literal) and special.search(part.text) and (part.text != "[" or len(parts) > 1):
                return None
            pieces.append(Known(part.text, Origin(Span(path, part.start, part.end), "literal")))
        elif isinstance(part, Parameter):
            span = Span(path, part.start, part.end)
            found = _value(state, part, span, quoted=False)
            if found is None:
                return None
            if whole is not None:
                if not found or not all(map(_is_plain, found)):
                    return None
                whole.setdefault(span, True)
            pieces.extend(found)
        elif isinstance(part, DoubleQuoted):
            found = _quoted(state, part.parts)
            if found is None:
                return None
            pieces.extend(found)
        else:
            return None
    return pieces


def _quoted(state: State, parts: Sequence[Part]) -> list[Piece] | None:
    """What stands in double quotes, if it is anything."""
    path = state.unit.source.path
    pieces: list[Piece] = []
    for part in parts:
        span = Span(path, part.start, part.end)
        if isinstance(part, Quoted):
            pieces.append(Known(part.text, Origin(span, "literal")))
        elif isinstance(part, Parameter):
            found = _value(state, part, span, quoted=True)
            if found is None:
                return None
            pieces.extend(found)
        else:
            return None
    return pieces if _is_visible(pieces) else None


def _value(state: State, node: Parameter, span: Span, quoted: bool) -> Sequence[Piece] | None:
    """`$name`, `${name-text}` and `${name:-text}`."""
    name, operator = node.name, node.operator
    if operator not in ("", ":-", "-") or node.subscript is not None:
        return None
    if node.length or node.indirect or node.names is not None:
        return None
    value = state.variables.get(name)
    if value is not None:
        content = None if value.reference else value.content
    elif name in MACHINE and name not in COMPUTED:
        content = machine_value(name, span)
    else:
        named = name not in COMPUTED and (name[0].isalpha() or name[0] == "_")
        return _default(state, node, span, quoted) if named else None
    if not isinstance(content, Text):
        return None
    if operator == ":-" and not _is_visible(content.pieces):
        return _default(state, node, span, quoted)
    return [step(piece, span, "expansion", name) for piece in content.pieces]


def _default(state: State, node: Parameter, span: Span, quoted: bool) -> Sequence[Piece] | None:
    if node.operand is None:
        return None
    parts = node.operand.parts
    if not quoted:
        pieces = _pieces(state, parts, _TILDE, None)
    elif any(isinstance(part, Quoted) and UNGUARDED.search(part.text) for part in parts):
        return None
    else:
        pieces = _quoted(state, parts)
    if pieces is None or not _is_visible(pieces):
        return None
    return [step(piece, span, "default", node.name) for piece in pieces]


def _is_plain(piece: Piece) -> bool:
    """Whether a bare value stays as it is."""
    return type(piece) is Known and piece.text != "" and not _SPLIT.search(piece.text)


def _is_visible(pieces: Sequence[Piece]) -> bool:
    for piece in pieces:  # noqa: SIM110 - this is asked of most words
        if type(piece) is not Known or piece.text:
            return True
    return False
