"""Matching text against patterns and regular expressions without backtracking.

A set of positions in the text is one integer, bit i for the position before character i; a pattern element maps the
set of positions where it may start to the set where it may end. The cost is the length of the pattern times the
length of the text (divided by the bits of a machine word), whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal as Choice
from typing import TypeAlias

from lint.bash.faults import TooLong
from lint.frozen import frozen

MOST = 100_000  # sequences of elements that are tried on one text: counted repetitions may be nested


@frozen
class Character:
    """One character out of a class, written as for Python's `re` (`a`, `[a-z]`, `(?s:.)`)."""

    expression: str


@frozen
class Anything:
    """Any number of any characters."""


@frozen
class Repeat:
    """One of the alternatives, `least` to `most` (None: any number) times."""

    alternatives: tuple[Sequence[Element], ...]
    least: int = 1
    most: int | None = 1


@frozen
class Not:
    """Any text that none of the alternatives matches."""

    alternatives: tuple[Sequence[Element], ...]


@frozen
class Edge:
    """The start or the end of the text."""

    side: Choice["start", "end"]


Element: TypeAlias = "Character | Anything | Repeat | Not | Edge"


def reverse(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The pattern that matches the reversed text."""
    return tuple(_reverse(element) for element in reversed(elements))


def _reverse(element: Element) -> Element:
    if isinstance(element, Repeat):
        return Repeat(tuple(reverse(a) for a in element.alternatives), element.least, element.most)
    if isinstance(element, Not):
        return Not(tuple(reverse(a) for a in element.alternatives))
    if isinstance(element, Edge):
        return Edge("end" if element.side == "start" else "start")
    return element


class Subject:
    """A text that is matched; it keeps the places of each character class that a pattern asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.everywhere = (1 << (len(text) + 1)) - 1
        self._places: dict[str, int] = {}
        self._taken = 0

    def places(self, expression: str) -> int:
        """The positions before a character of the class."""
        places = self._places.get(expression)
        if places is None:
            places = self._places[expression] = self._find(re.compile(expression).match)
        return places

    def _find(self, match: Callable[[str], object]) -> int:
        if not self.text:
            return 0
        found = {character: "1" if match(character) else "0" for character in set(self.text)}
        return int("".join([found[character] for character in reversed(self.text)]), 2)

    def after(self, expression: str, starts: int) -> int:
        """The positions behind one character of the class."""
        return (starts & self.places(expression)) << 1

    def ends(self, elements: Sequence[Element], starts: int) -> int:
        """Where matches of the elements end that begin at one of the positions `starts`."""
        self._taken += 1 + (len(self.text) >> 12)
        if self._taken > MOST:
            raise TooLong
        for element in elements:
            if not starts:
                return 0
            if isinstance(element, Character):
                starts = self.after(element.expression, starts)
            elif isinstance(element, Anything):
                starts = self.everywhere & -(starts & -starts)
            elif isinstance(element, Repeat):
                starts = self._repeat(element, starts)
            elif isinstance(element, Not):
                starts = self._not(element, starts)
            elif element.side == "start":
                starts &= 1
            else:
                starts &= 1 << len(self.text)
        return starts

    def _repeat(self, element: Repeat, starts: int) -> int:
        reached = starts
        for _ in range(element.least):
            reached = self._either(element.alternatives, reached)
        if element.most is None:
            fresh = reached
            while fresh:
                fresh = self._either(element.alternatives, fresh) & ~reached
                reached |= fresh
            return reached
        fresh = reached
        for _ in range(element.most - element.least):
            fresh = self._either(element.alternatives, fresh) & ~reached
            if not fresh:
                break
            reached |= fresh
        return reached

    def _either(self, alternatives: Sequence[Sequence[Element]], starts: int) -> int:
        reached = 0
        for elements in alternatives:
            reached |= self.ends(elements, starts)
        return reached

    def _not(self, element: Not, starts: int) -> int:
        reached = 0
        while starts:
            start = starts & -starts
            starts ^= start
            reached |= self.everywhere & -start & ~self._either(element.alternatives, start)
        return reached

    def matches(self, elements: Sequence[Element]) -> bool:
        """Whether the whole text matches."""
        return bool(self.ends(elements, 1) >> len(self.text) & 1)

    def longest(self, elements: Sequence[Element], start: int) -> int | None:
        """Where the longest match that begins at `start` ends."""
        ends = self.ends(elements, 1 << start)
        return ends.bit_length() - 1 if ends else None

    def shortest(self, elements: Sequence[Element], start: int) -> int | None:
        """Where the shortest match that begins at `start` ends."""
        ends = self.ends(elements, 1 << start)
        return (ends & -ends).bit_length() - 1 if ends else None

    def starts(self, elements: Sequence[Element]) -> int:
        """The positions at which some match begins."""
        turned = Subject(self.text[::-1])
        reached = turned.ends(reverse(elements), turned.everywhere)
        size = len(self.text) + 1
        return int(format(reached, f"0{size}b")[::-1], 2)
