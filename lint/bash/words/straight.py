"""Words put together straight: plain text, quotes, and scalars with or without a default, while nobody has set IFS.

Most words are no more than that. They need none of the steps that `Assembler.expand` and splitting take, and become
what these would make of them; None where only these can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lint.bash.origins import step
from lint.bash.reading import Known, Origin, Piece, Text
from lint.bash.state.state import State, Value
from lint.bash.syntax import DoubleQuoted, Literal, Parameter, Part, Quoted, Word
from lint.bash.unknown import may_be_empty
from lint.bash.words.fragments import UNGUARDED
from lint.bash.words.special import COMPUTED, MACHINE, machine_value
from lint.text import Span

_EXPANDED = re.compile(r"[{~*?\[( ]")  # plain text that may hold braces, a tilde or a pattern
_TILDE = re.compile(r"[~ ]")  # plain text that is not split
_TEXT = (Literal, Quoted)
_SPLIT = re.compile(r"[ \t\n*?\[\\(]")  # a value that is split, or may be a pattern


class _Kept(NamedTuple):
    """The text that a word became, and all that it depends on: the contents of variables, None for those not set."""

    text: Text
    is_field: bool
    contents: tuple[tuple[str, object], ...]
    whole: tuple[Span, ...]  # its bare expansions

    def holds(self, variables: Mapping[str, Value]) -> bool:
        """Whether the variables have these contents still."""
        for name, content in self.contents:
            value = variables.get(name)
            if value is None:
                if content is not None:
                    return False
            elif content is None or value.content is not content or value.reference:
                return False
        return True


def field(state: State, word: Word, whole: dict[Span, bool]) -> Text | None:
    """The only field that a word becomes. Bare expansions are noted in `whole`, as `Assembler.note_whole` does."""
    if state.unit.pieces or "IFS" in state.variables:
        return None
    kept: _Kept | None = word.kept
    if kept is None or not kept.is_field or not kept.holds(state.variables):
        noted: dict[Span, bool] = {}
        pieces = _pieces(state, word.parts, _EXPANDED, noted)
        if pieces is None:
            return None
        kept = _keep(state, word, Text(tuple(pieces)), noted)
    for span in kept.whole:
        whole.setdefault(span, True)
    return kept.text


def line(state: State, word: Word) -> Text | None:
    """The text of a word that is not split."""
    if state.unit.pieces or "IFS" in state.variables:
        return None
    kept: _Kept | None = word.kept
    if kept is None or kept.is_field or not kept.holds(state.variables):
        pieces = _pieces(state, word.parts, _TILDE, None)
        if pieces is None:
            return None
        kept = _keep(state, word, Text(tuple(pieces)), None)
    return kept.text


def _keep(state: State, word: Word, text: Text, whole: Mapping[Span, bool] | None) -> _Kept:
    contents: list[tuple[str, object]] = []
    for name in _names(word.parts):
        value = state.variables.get(name)
        contents.append((name, None if value is None else value.content))
    kept = _Kept(text, whole is not None, tuple(contents), tuple(whole or ()))
    object.__setattr__(word, "kept", kept)
    return kept


def _names(parts: Sequence[Part]) -> Iterator[str]:
    """The variables that words put together straight may depend on."""
    for part in parts:
        if isinstance(part, Parameter):
            yield part.name
            if part.operand is not None:
                yield from _names(part.operand.parts)
        elif isinstance(part, DoubleQuoted):
            yield from _names(part.parts)


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
                whole[span] = True
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
    if operator == ":-" and may_be_empty(content.pieces):
        return None
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
