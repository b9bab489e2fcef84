"""Aliases: bash puts their text in place of a command word when it reads a line, before it parses it.

So a line is read with the aliases, and the `extglob`, that the lines before it left: where these are not what it was
parsed with, what follows is parsed anew.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from lint.bash.parser import parse
from lint.bash.programs.joining import part
from lint.bash.reading import Known, Origin, Piece, Text
from lint.bash.state.state import UNKNOWN_TEXT, State, Unit
from lint.bash.syntax import Function, Literal, Script, SimpleCommand, Statement, Word
from lint.bash.walk import Nodes
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source, Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

MOST_ROUNDS = 20  # aliases that stand for aliases
EXTENDED = regular(r"[?*+@!]\(")
LONGEST = 1 << 16  # characters that aliases may add to a text


@frozen
class _Stretch:
    """A piece of text, and the aliases that it came from: they are not replaced in it again."""

    piece: Piece
    come_from: frozenset[str]
    place: int  # in the text as it is written: of the piece, or of the word that it replaces

    @property
    def text(self) -> str:
        return self.piece.text if isinstance(self.piece, Known) else UNKNOWN_TEXT


def active(state: State) -> Mapping[str, Text]:
    """The aliases that the next line is read with."""
    return state.aliases if "expand_aliases" in state.shell_options else {}


def may_change(state: State) -> bool:
    """Whether what follows may have to be read otherwise than it was parsed."""
    unit = state.unit
    return bool(state.aliases or unit.aliases or unit.extended or "extglob" in state.shell_options)


def following(
    evaluator: Evaluator, states: Sequence[State], body: Sequence[Statement], index: int
) -> tuple[Unit, Script] | None:
    """What follows a statement, parsed as bash would now; None if it is to be read as it was parsed."""
    if index + 1 >= len(body):
        return None
    state = states[0]
    text = state.unit.source.text
    extended = state.unit.is_extended(body[index + 1].start)
    switched = all(("extglob" in each.shell_options) != extended for each in states)
    if active(state) == state.unit.aliases and not (switched and EXTENDED.search(text, body[index].end)):
        return None
    if "\n" not in text[body[index].end : body[index + 1].start]:
        return None  # the whole line was read before
    unit, start = state.unit, body[index + 1].start
    if unit.before is not None:
        unit, start = unit.before, unit.place_before(start)
    return read_with(evaluator, state, unit, start)


def read_with(evaluator: Evaluator, state: State, unit: Unit, start: int = 0) -> tuple[Unit, Script]:
    """A text from `start` on, parsed with the aliases of a state."""
    aliases = active(state)
    text = unit.source.text
    rest = Text(unit.pieces or (Known(text, Origin(Span(unit.source.path, 0, len(text)), "literal")),))
    stretches = []
    place = start
    for piece in part(rest, start, len(text)).pieces:
        stretches.append(_Stretch(piece, frozenset(), place))
        place += len(stretches[-1].text)
    extglob = "extglob" in state.shell_options
    script = _parse(unit, stretches, extglob)
    for _ in range(MOST_ROUNDS):
        words = list(_words(script, aliases, stretches))
        if not words:
            break
        stretches = list(_replaced(stretches, words, aliases))
        size = sum(len(stretch.text) for stretch in stretches)
        evaluator.budget.steps -= 20 + (size >> 3)
        if size > len(text) + LONGEST or evaluator.budget.exhausted:
            evaluator.budget.report(unit.span(start, start), "aliases make too long a text to read")
            break
        script = _parse(unit, stretches, extglob)
    pieces = tuple(stretch.piece for stretch in stretches)
    places = tuple(stretch.place for stretch in stretches)
    read = Unit(
        script.source,
        pieces or rest.pieces,
        unit.line(start),
        unit.name,
        aliases,
        script.extended,
        unit,
        places or (start,),
    )
    for error in script.errors:
        evaluator.budget.report(read.span(error.start, error.end), error.message)
    return read, script


def _parse(unit: Unit, stretches: Sequence[_Stretch], extglob: bool) -> Script:
    return parse(Source(unit.source.path, "".join(stretch.text for stretch in stretches)), extglob=extglob)


def _words(script: Script, aliases: Mapping[str, Text], stretches: Sequence[_Stretch]) -> Iterator[Literal]:
    """The words that are aliases: the first of a command, and one after an alias that ends with a blank."""
    starts = _starts(stretches)
    for command in Nodes(script.body).of(SimpleCommand):
        for word in command.words:
            only = word.parts[0] if isinstance(word, Word) and len(word.parts) == 1 else None
            if not isinstance(only, Literal) or only.text not in aliases:
                break
            if only.text in _come_from(stretches, starts, only.start):
                break
            yield only
            if not aliases[only.text].shown.endswith((" ", "\t")):
                break
    for function in Nodes(script.body).of(Function):  # `name() { ...; }` is no function then
        named = Literal(function.start, function.start + len(function.name), function.name)
        written = re.compile(re.escape(function.name) + r"\s*\(").match(script.source.text, function.start)
        if written and named.text in aliases and named.text not in _come_from(stretches, starts, named.start):
            yield named


def _come_from(stretches: Sequence[_Stretch], starts: Sequence[int], offset: int) -> frozenset[str]:
    return stretches[bisect_right(starts, offset) - 1].come_from


def _starts(stretches: Sequence[_Stretch]) -> list[int]:
    return list(accumulate((len(stretch.text) for stretch in stretches), initial=0))[:-1]


def _replaced(
    stretches: Sequence[_Stretch], words: Sequence[Literal], aliases: Mapping[str, Text]
) -> Iterator[_Stretch]:
    """The stretches with the text of its alias in place of each word."""
    ordered = sorted({word.start: word for word in words}.values(), key=lambda word: word.start)
    starts = _starts(stretches)
    place = 0
    for word in ordered:
        yield from _between(stretches, starts, place, word.start)
        inside = list(_between(stretches, starts, word.start, word.end))
        come_from = inside[0].come_from | {word.text}
        yield from (_Stretch(piece, come_from, inside[0].place) for piece in aliases[word.text].pieces)
        place = word.end
    yield from _between(stretches, starts, place, starts[-1] + len(stretches[-1].text))


def _between(stretches: Sequence[_Stretch], starts: Sequence[int], start: int, end: int) -> Iterator[_Stretch]:
    for index in range(max(0, bisect_right(starts, start) - 1), len(stretches)):
        stretch, offset = stretches[index], starts[index]
        if offset >= end:
            break
        low, high = max(start - offset, 0), min(end - offset, len(stretch.text))
        if low >= high:
            continue
        place = stretch.place if stretch.come_from else stretch.place + low
        for piece in part(Text((stretch.piece,)), low, high).pieces:
            yield _Stretch(piece, stretch.come_from, place)
