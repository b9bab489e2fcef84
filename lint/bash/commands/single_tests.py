"""`[ ... ]` and `test`: how the number of words decides what each of them means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lint.bash.commands.decisions import Decision, TestFault, combined, compared, negated
from lint.bash.numbers import whole
from lint.bash.reading import Text, Unknown
from lint.bash.state.state import State
from lint.bash.words.arithmetic import Number
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.commands.conditions import Conditions

FILE_TESTS = frozenset(
    [
        "-a",
        "-b",
        "-c",
        "-d",
        "-e",
        "-f",
        "-g",
        "-h",
        "-k",
        "-p",
        "-r",
        "-s",
        "-u",
        "-w",
        "-x",
        "-G",
        "-L",
        "-N",
        "-O",
        "-S",
    ]
)
UNARY = FILE_TESTS | frozenset(["-z", "-n", "-t", "-v", "-o", "-R"])
NUMERIC = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
BINARY = NUMERIC | frozenset(["=", "==", "!=", "<", ">", "=~", "-nt", "-ot", "-ef"])


@dataclass(slots=True)
class SingleTest:
    """The words of one `[`: read by their number, as POSIX says; more than four by precedence."""

    conditions: Conditions
    state: State
    words: Sequence[Text]
    span: Span
    position: int = 0

    def value(self) -> Decision:
        return self.of(list(self.words))

    def word(self, text: Text) -> str | None:
        return text.value

    def of(self, words: list[Text]) -> Decision:
        count = len(words)
        if count == 0:
            return False
        if count == 1:
            return self.conditions.unary(self.state, "-n", words[0], self.span)
        first = words[0].value
        if count == 2:
            if first == "!":
                return negated(self.of(words[1:]))
            if first in UNARY:
                return self.conditions.unary(self.state, first, words[1], self.span)
            raise TestFault(f"{words[0].shown}: unary operator expected")
        if count == 3:
            middle = words[1].value
            if middle in BINARY and middle != "=~":
                return self.binary(words[0], middle, words[2])
            if middle in ("-a", "-o"):
                return self.both(middle, self.of(words[:1]), self.of(words[2:]))
            if first == "!":
                return negated(self.of(words[1:]))
            if first == "(" and words[2].value == ")":
                return self.of(words[1:2])
            raise TestFault(f"{words[1].shown}: binary operator expected")
        if count == 4:
            if first == "!":
                return negated(self.of(words[1:]))
            if first == "(" and words[3].value == ")":
                return self.of(words[1:3])
        self.words, self.position = words, 0
        value = self.either()
        if self.position < count:
            raise TestFault("too many arguments")
        return value

    def both(self, operator: str, left: Decision, right: Decision) -> Decision:
        deciding = operator == "-o"
        for value in (left, right):
            if not isinstance(value, Unknown) and value == deciding:
                return deciding
        if isinstance(left, Unknown):
            return combined(left, right, deciding)
        return right

    def peek(self, ahead: int = 0) -> str | None:
        index = self.position + ahead
        return self.words[index].value if index < len(self.words) else None

    def either(self) -> Decision:
        value = self.every()
        while self.peek() == "-o":
            self.position += 1
            value = self.both("-o", value, self.every())
        return value

    def every(self) -> Decision:
        value = self.term()
        while self.peek() == "-a":
            self.position += 1
            value = self.both("-a", value, self.term())
        return value

    def term(self) -> Decision:
        if self.position >= len(self.words):
            raise TestFault("argument expected")
        word = self.peek()
        if word == "!":
            self.position += 1
            return negated(self.term())
        if word == "(":
            self.position += 1
            value = self.either()
            if self.peek() != ")":
                raise TestFault("`)' expected")
            self.position += 1
            return value
        operator = self.peek(1)
        if operator in BINARY and operator != "=~" and self.position + 2 < len(self.words):
            left, right = self.words[self.position], self.words[self.position + 2]
            self.position += 3
            return self.binary(left, operator, right)
        if word in UNARY and self.position + 1 < len(self.words):
            self.position += 2
            return self.conditions.unary(self.state, word, self.words[self.position - 1], self.span)
        self.position += 1
        return self.conditions.unary(self.state, "-n", self.words[self.position - 1], self.span)

    def binary(self, left: Text, operator: str, right: Text) -> Decision:
        if operator not in NUMERIC:
            return self.conditions.binary(self.state, left, operator, right, self.span)
        self.conditions.watch_numbers(self.state, left, operator, right)
        return compared(operator, _integer(left), _integer(right), left, right, self.span)


def _integer(text: Text) -> Number:
    value = text.value
    if value is None:
        return next(piece for piece in text.pieces if isinstance(piece, Unknown))
    stripped = value.strip(" \t\n")
    number = whole(stripped) if re.fullmatch(r"[-+]?[0-9]+", stripped) else None
    if number is None or not -(1 << 63) <= number < 1 << 63:
        raise TestFault(f"{value}: integer expression expected")
    return number
