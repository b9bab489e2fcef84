"""Whether a text of which only a part is known matches a pattern: surely, surely not, or by what a run finds."""

from __future__ import annotations

import re

from lint.bash.reading import Known, Text
from lint.bash.unknown import Place
from lint.bash.words.matcher import Not, Subject
from lint.bash.words.pattern import compile_pattern

_HOLE = "\0"  # stands for a character that is not known: no text of bash has it


def matches(text: Text, pattern: str, extglob: bool = True, ignore_case: bool = False) -> bool | None:
    """Whether the whole text matches; None if that depends on what is not known of it."""
    elements = compile_pattern(pattern, extglob, ignore_case)
    if not _Possible(text).matches(elements):
        return False
    return True if _Certain(text).matches(elements) else None


class _Partly(Subject):
    """The known text, with holes. A piece of which it is known what it is spelled with has a first character."""

    def __init__(self, text: Text, rest: str) -> None:
        """`rest`: what stands for the other characters of an unknown piece, or for all of them."""
        shown = ""
        self.first: dict[int, str] = {}  # place of the first character of a piece -> what it is one of
        self.others: dict[int, str] = {}  # place of the others, of which there may be none -> the same, or empty
        for piece in text.pieces:
            if isinstance(piece, Known):
                shown += piece.text
                continue
            if isinstance(piece, Place) and piece.path != "-":
                shown += "/"
            if piece.characters:
                self.first[len(shown)] = piece.characters
                shown += _HOLE
            self.others[len(shown)] = piece.characters
            shown += rest
        super().__init__(shown)

    def _places_but(self, expression: str, holes: int) -> int:
        """The positions before known characters of the class, and before such holes."""
        known = self._places.get(expression)
        if known is None:
            hidden = sum(1 << place for place, character in enumerate(self.text) if character == _HOLE)
            known = self._places[expression] = super().places(expression) & ~hidden | holes
        return known


class _Certain(_Partly):
    """What matches whatever the holes are: nothing but `*` takes more than the first character of one."""

    def __init__(self, text: Text) -> None:
        super().__init__(text, _HOLE)

    def places(self, expression: str) -> int:
        accepts = re.compile(expression).match
        sure = sum(1 << place for place, characters in self.first.items() if all(map(accepts, characters)))
        return self._places_but(expression, sure)

    def _not(self, element: Not, starts: int) -> int:
        return 0  # it would match where its alternatives are not sure to


class _Possible(_Partly):
    """What matches for some text in the holes."""

    def __init__(self, text: Text) -> None:
        super().__init__(text, "")

    def places(self, expression: str) -> int:
        return self._places_but(expression, _accepting(self.first, expression))

    def after(self, expression: str, starts: int) -> int:
        return super().after(expression, starts) | starts & _accepting(self.others, expression)

    def _not(self, element: Not, starts: int) -> int:
        return self.everywhere & -(starts & -starts)


def _accepting(holes: dict[int, str], expression: str) -> int:
    """The places of holes in which some character may be one of the class."""
    accepts = re.compile(expression).match
    return sum(1 << place for place, characters in holes.items() if not characters or any(map(accepts, characters)))
