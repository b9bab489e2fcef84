"""Bash's patterns (`*`, `?`, `[...]`, and `@(...)` with extglob) on text: match, remove a prefix or suffix, replace.

A pattern is text in which a backslash takes the next character as it is; quoted parts of a word are escaped so.
Ranges follow the order of code points, as with LC_COLLATE=C.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lint.bash.words.matcher import Anything, Character, Element, Not, Repeat, Subject, reverse
from lint.regular import regular

_OPEN_END = regular(r"(?:^|[^\\])(?:\\\\)*\\\Z", re.DOTALL)  # a backslash with nothing to quote
SPECIAL = regular(r"[*?\[\]\\+@!()|^-]")
_CLASSES = {
    "alpha": r"^\W\d_",
    "digit": "0-9",
    "alnum": r"^\W_",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "cntrl": r"\x00-\x1f\x7f",
    "print": r"\x20-\x7e\xa0-\U0010ffff",
    "graph": r"\x21-\x7e\xa1-\U0010ffff",
    "word": r"\w",
    "ascii": r"\x00-\x7f",
}
CLASSES = frozenset(_CLASSES) - {"word", "ascii"} | {"upper", "lower"}
"""The names of classes that regular expressions have, too."""
_FIRST_LETTER, _LAST_LETTER = 0x80, 0x2FFF  # where the letters beyond ASCII that have a case stand, but for ligatures


@lru_cache(maxsize=2)
def _letters(name: str) -> str:
    """The capital or the small letters as a class that `nocasematch` does not change."""
    is_cased = str.isupper if name == "upper" else str.islower
    plain, ligatures = ("A-Z", "") if name == "upper" else ("a-z", "\ufb00-\ufb06")
    return f"(?-i:[{plain}{ligatures}{''.join(filter(is_cased, map(chr, range(_FIRST_LETTER, _LAST_LETTER))))}])"


def escape(text: str) -> str:
    """A pattern that matches just `text`."""
    return SPECIAL.sub(r"\\\g<0>", text)


def unescape(pattern: str) -> str:
    """The text that a pattern without special characters matches."""
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)


def has_pattern(text: str, extglob: bool = False) -> bool:
    """Whether `text`, as a pattern, can match anything but itself."""
    return any(character in text for character in "*?[") or (extglob and re.search(r"[?*+@!]\(", text) is not None)


def matches(text: str, pattern: str, extglob: bool = True, ignore_case: bool = False) -> bool:
    """Whether the whole text matches."""
    if not ignore_case and not SPECIAL.search(pattern):
        return text == pattern
    return Subject(text).matches(compile_pattern(pattern, extglob, ignore_case))


def remove_prefix(text: str, pattern: str, longest: bool, extglob: bool) -> int:
    """Where the rest of `text` begins once `${x#pattern}` (or `##`) is done."""
    subject, elements = Subject(text), compile_pattern(pattern, extglob)
    end = subject.longest(elements, 0) if longest else subject.shortest(elements, 0)
    return end or 0


def remove_suffix(text: str, pattern: str, longest: bool, extglob: bool) -> int:
    """Where the rest of `text` ends once `${x%pattern}` (or `%%`) is done."""
    subject, elements = Subject(text[::-1]), reverse(compile_pattern(pattern, extglob))
    end = subject.longest(elements, 0) if longest else subject.shortest(elements, 0)
    return len(text) - (end or 0)


def longest_prefix(text: str, pattern: str, extglob: bool, ignore_case: bool = False) -> int | None:
    """Where the longest match at the start of `text` ends (`${x/#pattern/...}`)."""
    if (not text and pattern[:1] not in ("*", "")) or _OPEN_END.search(pattern):
        return None  # in bash, no other pattern matches at the end of a text
    return Subject(text).longest(compile_pattern(pattern, extglob, ignore_case), 0)


def longest_suffix(text: str, pattern: str, extglob: bool, ignore_case: bool = False) -> int | None:
    """Where the longest match at the end of `text` begins (`${x/%pattern/...}`)."""
    end = Subject(text[::-1]).longest(reverse(compile_pattern(pattern, extglob, ignore_case)), 0)
    return None if end is None else len(text) - end


def find_all(
    text: str, pattern: str, extglob: bool, every: bool, ignore_case: bool = False, most: int = 100_000
) -> list[tuple[int, int]]:
    """The matches that `${x/pattern/...}` (or `//`) replaces: leftmost, longest, not overlapping.

    An empty match is one, too: the character behind it is passed over. At the end of a text none is looked for.
    """
    if not pattern or _OPEN_END.search(pattern):
        return []
    subject, elements = Subject(text), compile_pattern(pattern, extglob, ignore_case)
    if not text:
        return [(0, 0)] if pattern[0] == "*" and subject.matches(elements) else []
    begins = bin(subject.starts(elements))[:1:-1]
    found: list[tuple[int, int]] = []
    position = 0
    while position < len(text) and len(found) < most:
        position = begins.find("1", position)
        if position == -1:
            break
        end = subject.longest(elements, position)
        if end is None:
            position += 1
            continue
        found.append((position, end))
        if not every:
            break
        position = max(end, position + 1)
    return found


@lru_cache(maxsize=512)
def compile_pattern(pattern: str, extglob: bool = True, ignore_case: bool = False) -> tuple[Element, ...]:
    """The elements of a pattern."""
    return _Reader(pattern, extglob, ignore_case).sequence("")[0]


class _Reader:
    def __init__(self, pattern: str, extglob: bool, ignore_case: bool) -> None:
        self.pattern = pattern
        self.extglob = extglob
        self.flags = "i" if ignore_case else ""
        self.position = 0
        self.last_closing = pattern.rfind("]")

    def character(self, expression: str) -> Character:
        return Character(f"(?s{self.flags}:{expression})")

    def sequence(self, closing: str) -> tuple[tuple[Element, ...], bool]:
        """Elements up to one of the `closing` characters (not consumed); whether one was found."""
        elements: list[Element] = []
        while self.position < len(self.pattern):
            character = self.pattern[self.position]
            if character in closing:
                return tuple(elements), True
            if self.extglob and character in "?*+@!" and self.pattern[self.position + 1 : self.position + 2] == "(":
                group = self.group(character)
                if group is not None:
                    elements.append(group)
                    continue
            self.position += 1
            if character == "*":
                if not elements or not isinstance(elements[-1], Anything):
                    elements.append(Anything())
            elif character == "?":
                elements.append(self.character("."))
            elif character == "[":
                elements.append(self.bracket())
            elif character == "\\" and self.position < len(self.pattern):
                elements.append(self.character(re.escape(self.pattern[self.position])))
                self.position += 1
            else:
                elements.append(self.character(re.escape(character)))
        return tuple(elements), False

    def group(self, operator: str) -> Element | None:
        start = self.position
        self.position += 2
        alternatives: list[tuple[Element, ...]] = []
        while True:
            elements, closed = self.sequence("|)")
            if not closed:
                self.position = start
                return None
            alternatives.append(elements)
            self.position += 1
            if self.pattern[self.position - 1] == ")":
                break
        choices = tuple(alternatives)
        if operator == "!":
            return Not(choices)
        least = 0 if operator in "?*" else 1
        return Repeat(choices, least, 1 if operator in "?@" else None)

    def bracket(self) -> Element:
        """After `[`: a class, or a plain bracket where none is closed."""
        start, pattern = self.position, self.pattern
        if start > self.last_closing:
            return self.character(re.escape("["))
        negated = pattern[start : start + 1] in ("!", "^")
        position = start + (1 if negated else 0)
        members: list[str] = []
        first = True
        while position < len(pattern):
            if pattern[position] == "]" and not first:
                self.position = position + 1
                return self.class_of(members, negated)
            first = False
            if pattern.startswith("[:", position) and (end := pattern.find(":]", position)) > 0:
                name = pattern[position + 2 : end]
                if name in ("upper", "lower"):
                    members.append(_letters(name))
                elif name in _CLASSES:
                    members.append(f"(?-i:[{_CLASSES[name]}])")  # a class keeps its case, also with nocasematch
                position = end + 2
                continue
            low, position = self.member(position)
            if pattern[position : position + 1] == "-" and pattern[position + 1 : position + 2] not in ("]", ""):
                high, position = self.member(position + 1)
                if low <= high:
                    members.append(f"[{re.escape(low)}-{re.escape(high)}]")
            else:
                members.append(re.escape(low))
        self.position = start
        return self.character(re.escape("["))

    def member(self, position: int) -> tuple[str, int]:
        """One character of a class, and where the next begins."""
        pattern = self.pattern
        for mark in (".", "="):
            if pattern.startswith("[" + mark, position) and pattern[position + 3 : position + 5] == mark + "]":
                return pattern[position + 2], position + 5
        if pattern[position] == "\\" and position + 1 < len(pattern):
            return pattern[position + 1], position + 2
        return pattern[position], position + 1

    def class_of(self, members: list[str], negated: bool) -> Character:
        if not members:
            return self.character("." if negated else r"(?!)")
        choice = "|".join(members)
        return self.character(f"(?!{choice})." if negated else f"(?:{choice})")
