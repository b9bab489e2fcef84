"""POSIX extended regular expressions, as `[[ text =~ expression ]]` uses them.

Whether there is a match, and which text it is (leftmost, longest), is decided without backtracking. The text of
groups comes from Python's `re`, and only for expressions in which Python and POSIX choose alike; else it is unknown.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

from lint.bash.budget import LABEL
from lint.bash.numbers import whole
from lint.bash.words.matcher import Anything, Character, Edge, Element, Repeat, Subject
from lint.bash.words.pattern import CLASSES, compile_pattern
from lint.frozen import frozen

LONGEST_GROUPED = 2_000  # characters of a match whose groups are looked for
MOST_WAYS = 10_000_000  # in which `re` may have to part them


@frozen
class Match:
    """The text of a match and its groups; a group is None where only a run could tell."""

    text: str
    groups: tuple[str | None, ...]


class Unsupported(Exception):
    """An expression that is not read: a back-reference."""


class Invalid(Exception):
    """An expression that the C library rejects."""


def search(text: str, expression: str, ignore_case: bool = False) -> Match | None:
    """The match of bash's `=~`. Raises Unsupported and Invalid."""
    try:
        compiled = _compile(expression, ignore_case)
        subject = Subject(text)
        begins = subject.starts(compiled.elements)
        start = (begins & -begins).bit_length() - 1
        end = subject.longest(compiled.elements, start) if begins else None
    except RecursionError:
        raise Unsupported(f"{expression[:LABEL]} takes too long") from None
    return None if end is None else Match(text[start:end], compiled.groups_of(text, start, end))


@frozen
class _Expression:
    elements: tuple[Element, ...]
    groups: int
    python: str | None  # the same expression for `re`, where it picks the same groups
    free: tuple[int | None, ...]  # of each repetition in it: how many more times than the least it may repeat

    def groups_of(self, text: str, start: int, end: int) -> tuple[str | None, ...]:
        if not self.groups:
            return ()
        size = end - start
        ways = prod(size + 1 if more is None else min(more, size) + 1 for more in self.free)
        if self.python is None or size > LONGEST_GROUPED or ways > MOST_WAYS:
            return (None,) * self.groups
        found = re.compile(self.python).fullmatch(text, start, end)
        if found is None:
            return (None,) * self.groups
        return tuple(group or "" for group in found.groups())


@lru_cache(maxsize=256)
def _compile(expression: str, ignore_case: bool) -> _Expression:
    reader = _Reader(expression, ignore_case)
    elements = reader.alternatives()
    if reader.position < len(expression):
        raise Unsupported(f"unmatched `)` in {expression!r}")
    python = "(?s)" + "".join(reader.python) if reader.plain else None
    return _Expression(elements, reader.groups, python, tuple(reader.free))


def _begin_apart(branches: list[tuple[Element, ...]]) -> bool:
    """Whether each branch begins with a letter of its own: then at most one of them can match."""
    firsts = [branch[0].expression if branch and isinstance(branch[0], Character) else "" for branch in branches]
    return all(re.fullmatch(r"\(\?si?:\w\)", first) for first in firsts) and len(set(firsts)) == len(firsts)


class _Reader:
    def __init__(self, expression: str, ignore_case: bool) -> None:
        self.expression = expression
        self.flags = "i" if ignore_case else ""
        self.position = 0
        self.groups = 0
        self.python: list[str] = []
        self.free: list[int | None] = []
        self.plain = True  # no alternation, no repeated group: Python's choice is POSIX's

    def peek(self) -> str:
        return self.expression[self.position : self.position + 1]

    def alternatives(self) -> tuple[Element, ...]:
        branches = [self.branch()]
        while self.peek() == "|":
            self.position += 1
            self.python.append("|")
            branches.append(self.branch())
        if len(branches) > 1 and not _begin_apart(branches):
            self.plain = False
        return branches[0] if len(branches) == 1 else (Repeat(tuple(branches)),)

    def branch(self) -> tuple[Element, ...]:
        elements: list[Element] = []
        while (character := self.peek()) and character not in "|)":
            begin = len(self.python)
            atom = self.atom(not elements)
            elements.append(self.repeated(atom, begin))
        return tuple(elements)

    def atom(self, first: bool) -> Element:
        character = self.peek()
        self.position += 1
        if character == "(":
            self.groups += 1
            self.python.append("(")
            inside = self.alternatives()
            if self.peek() != ")":
                raise Invalid(f"unmatched `(` in {self.expression!r}")
            self.position += 1
            self.python.append(")")
            return Repeat((inside,))
        if character == "^":
            if self.peek() and self.peek() in "*+?{":
                raise Invalid(f"`{self.peek()}` repeats nothing in {self.expression!r}")
            self.python.append(r"\A")
            self.plain = self.plain and first
            return Edge("start")
        if character == "$":
            if self.peek() and self.peek() in "*+?{":
                raise Invalid(f"`{self.peek()}` repeats nothing in {self.expression!r}")
            self.python.append(r"\Z")
            return Edge("end")
        if character in "*+?":
            raise Invalid(f"`{character}` repeats nothing in {self.expression!r}")
        if character == ".":
            return self.character(".")
        if character == "[":
            return self.bracket()
        if character == "\\":
            escaped = self.peek()
            self.position += 1
            if not escaped:
                raise Invalid(f"nothing behind the backslash in {self.expression!r}")
            if escaped.isalnum() or escaped in "<>`'":
                if escaped in ("w", "W", "s", "S"):
                    return self.character("\\" + escaped)
                raise Unsupported(f"`\\{escaped}` in {self.expression!r}")
            return self.character(re.escape(escaped))
        return self.character(re.escape(character))

    def character(self, expression: str) -> Character:
        self.python.append(f"(?{self.flags}:{expression})" if self.flags else expression)
        return Character(f"(?s{self.flags}:{expression})")

    def bracket(self) -> Element:
        """After `[`: the class ends at the first `]` that is not its first member and not inside `[: :]`."""
        end = self.position + (1 if self.peek() == "^" else 0)
        if self.expression[end : end + 1] == "]":
            end += 1
        while end < len(self.expression) and self.expression[end] != "]":
            mark = self.expression[end + 1 : end + 2]
            if self.expression[end] == "[" and mark in (":", ".", "="):
                close = self.expression.find(mark + "]", end + 2)
                end = close + 1 if close > 0 else end
            end += 1
        if end >= len(self.expression):
            raise Invalid(f"unmatched `[` in {self.expression!r}")
        inside = self.expression[self.position - 1 : end + 1].replace("\\", "\\\\")
        for name in re.findall(r"\[:(.*?):\]", inside):
            if name not in CLASSES:
                raise Invalid(f"no class {name!r} in {self.expression!r}")
        for low, high in re.findall(r"([^\[:.=-])-([^\]\[:.=-])", inside):
            if low > high:
                raise Invalid(f"the range {low}-{high} is empty in {self.expression!r}")
        self.position = end + 1
        element = compile_pattern(inside, False, bool(self.flags))[0]
        if not isinstance(element, Character):
            raise Unsupported(f"{inside} in {self.expression!r}")
        self.python.append(element.expression)
        return element

    def repeated(self, atom: Element, begin: int) -> Element:
        while (character := self.peek()) and character in "*+?{":
            bounds = self.bounds()
            if bounds is None:
                break
            least, most = bounds
            if most != least:
                self.free.append(None if most is None else most - least)
            if isinstance(atom, Repeat) and "(" in "".join(self.python[begin + 1 :]):
                self.plain = False
            self.python.append("{%d,%s}" % (least, "" if most is None else most))  # noqa: UP031
            if isinstance(atom, Character) and atom.expression == "(?s:.)" and (least, most) == (0, None):
                atom = Anything()
            else:
                atom = Repeat(((atom,),), least, most)
            if self.peek() in ("*", "+", "?", "{") and self.peek():
                self.plain = False
        return atom

    def bounds(self) -> tuple[int, int | None] | None:
        character = self.peek()
        if character != "{":
            self.position += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[character]
        found = re.compile(r"\{(\d*)(,?)(\d*)\}").match(self.expression, self.position)
        if found is None or not (found[1] or found[3]):
            raise Invalid(f"`{{` in {self.expression!r}")
        least = whole(found[1] or "0")
        most = None if found[2] and not found[3] else whole(found[3] or str(least))
        if most is not None and most < least:
            raise Invalid(f"`{found[0]}` in {self.expression!r}")
        if least > 255 or (most or 0) > 255:
            raise Unsupported(f"`{found[0]}` in {self.expression!r}")
        self.position = found.end()
        return least, most
