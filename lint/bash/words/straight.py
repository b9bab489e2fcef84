"""Words put together straight: plain text, quotes, and scalars with or without a default, while nobody has set IFS.

Most words are no more than that. They need none of the steps that `Assembler.expand` and splitting take, and become
what these would make of them; None where only these can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lint.bash.budget import CHARACTERS_A_STEP
from lint.bash.origins import step
from lint.bash.reading import Known, Origin, Piece, Text
from lint.bash.state.outside import INSIDE
from lint.bash.state.state import State, Value
from lint.bash.syntax import DoubleQuoted, Literal, Parameter, Part, Quoted, Word
from lint.bash.unknown import may_be_empty
from lint.bash.words.fragments import UNGUARDED
from lint.bash.words.special import COMPUTED, MACHINE, machine_value
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Span

_EXPANDED = regular(r"[{~*?\[( ]")  # plain text that may hold braces, a tilde or a pattern
_TILDE = regular(r"[~ ]")  # plain text that is not split
_SPLIT = regular(r"[ \t\n*?\[\\(]")  # a value that is split, or may be a pattern


@frozen
class _Kept:
    """The text that a word became, and all that it depends on: the contents of variables, None for those not set."""

    text: Text
    is_field: bool
    contents: Sequence[tuple[str, object]]
    whole: Sequence[Span]  # its bare expansions

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
    if state.unit.pieces or "IFS" in state.variables or state.outside is not INSIDE:
        return None
    kept: _Kept | None = word.kept
    if kept is None or not kept.is_field or (kept.contents and not kept.holds(state.variables)):
        kept = _made(state, word, _EXPANDED, is_field=True)
        if kept is None:
            return None
    for span in kept.whole:
        whole.setdefault(span, True)
    return kept.text


def line(state: State, word: Word) -> Text | None:
    """The text of a word that is not split."""
    if state.unit.pieces or "IFS" in state.variables or state.outside is not INSIDE:
        return None
    kept: _Kept | None = word.kept
    if kept is None or kept.is_field or (kept.contents and not kept.holds(state.variables)):
        kept = _made(state, word, _TILDE, is_field=False)
        if kept is None:
            return None
    return kept.text


def _made(state: State, word: Word, special: re.Pattern[str], is_field: bool) -> _Kept | None:
    """What a word becomes now; kept for the next time. `special`: what its plain text must not hold."""
    making = _Making(state.unit.source.path, state.variables)
    pieces = making.bare(word.parts, special, is_field)
    if pieces is None:
        return None
    text = Text(tuple(pieces))
    if making.contents and text.size > CHARACTERS_A_STEP:  # a work of its own
        return None
    kept = _Kept(text, is_field, making.contents, making.whole)
    object.__setattr__(word, "kept", kept)
    return kept


class _Making:
    """A word that is put together, and what it turns out to depend on."""

    __slots__ = ("contents", "path", "variables", "whole")

    def __init__(self, path: str, variables: Mapping[str, Value]) -> None:
        self.path = path
        self.variables = variables
        self.contents: list[tuple[str, object]] = []
        self.whole: list[Span] = []

    def bare(self, parts: Sequence[Part], special: re.Pattern[str], splits: bool) -> list[Piece] | None:
        """What stands outside of double quotes. `splits`: where bash splits a value, if there is anything to split."""
        pieces: list[Piece] = []
        for part in parts:
            if type(part) is Literal or type(part) is Quoted:
                text = part.text
                if not text:
                    return None
                if type(part) is Literal and special.search(text) and (text != "[" or len(parts) > 1):
                    return None
                pieces.append(Known(text, Origin(Span(self.path, part.start, part.end), "literal")))
                continue
            if type(part) is Parameter:
                span = Span(self.path, part.start, part.end)
                found = self.value(part, span, quoted=False)
                if splits:
                    if not found or not all(map(_is_plain, found)):
                        return None
                    self.whole.append(span)
            elif type(part) is DoubleQuoted:
                found = self.quoted(part.parts)
            else:
                return None
            if found is None:
                return None
            pieces += found
        return pieces

    def quoted(self, parts: Sequence[Part]) -> list[Piece] | None:
        """What stands in double quotes, if it is anything."""
        pieces: list[Piece] = []
        for part in parts:
            span = Span(self.path, part.start, part.end)
            if type(part) is Quoted:
                pieces.append(Known(part.text, Origin(span, "literal")))
            elif type(part) is Parameter:
                found = self.value(part, span, quoted=True)
                if found is None:
                    return None
                pieces += found
            else:
                return None
        return pieces if _is_visible(pieces) else None

    def value(self, node: Parameter, span: Span, quoted: bool) -> list[Piece] | None:
        """`$name`, `${name-text}` and `${name:-text}`."""
        name, operator = node.name, node.operator
        if operator not in ("", ":-", "-") or node.subscript is not None:
            return None
        if node.length or node.indirect or node.names is not None:
            return None
        value = self.variables.get(name)
        self.contents.append((name, None if value is None else value.content))
        if value is not None:
            content = None if value.reference else value.content
        elif name in MACHINE and name not in COMPUTED:
            content = machine_value(name, span)
        else:
            named = name not in COMPUTED and (name[0].isalpha() or name[0] == "_")
            return self.default(node, span, quoted) if named else None
        if not isinstance(content, Text):
            return None
        if operator == ":-" and not _is_visible(content.pieces):
            return self.default(node, span, quoted)
        if operator == ":-" and may_be_empty(content.pieces):
            return None
        return [step(piece, span, "expansion", name) for piece in content.pieces]

    def default(self, node: Parameter, span: Span, quoted: bool) -> list[Piece] | None:
        if node.operand is None:
            return None
        parts = node.operand.parts
        if not quoted:
            pieces = self.bare(parts, _TILDE, splits=False)
        elif any(type(part) is Quoted and UNGUARDED.search(part.text) for part in parts):
            return None
        else:
            pieces = self.quoted(parts)
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
