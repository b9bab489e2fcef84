"""`[[ ... ]]`: its operators, and the special words on the right of `==` and `=~`."""

from __future__ import annotations

import re

from lint.bash.parsing.compounds import CompoundParser
from lint.bash.parsing.cursor import Unclosed
from lint.bash.syntax import (
    BinaryTest,
    Command,
    LogicalTest,
    NotTest,
    Test,
    TestExpression,
    UnaryTest,
    Unreadable,
    Word,
)
from lint.regular import regular

_END_OF_WORD = r"(?=[ \t\n;&|()<>]|\\\n[ \t\n]|\Z)"
_END = regular(rf"\]\]{_END_OF_WORD}")
_NOT = regular(rf"!{_END_OF_WORD}")
_UNARY = regular(rf"-[abcdefghknoprstuvwxzGLNORS]{_END_OF_WORD}")
_BINARY = regular(rf"(?:==|=~|!=|=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)){_END_OF_WORD}|[<>](?!\()")


class _NotATest(Exception):
    """What stands at the position cannot stand there in `[[ ]]`."""


class ConditionalParser(CompoundParser):
    """Reads `[[ ]]`."""

    def conditional(self, start: int) -> Command:
        expression: TestExpression
        depth = self.depth
        try:
            expression = self.disjunction(start)
            self.skip_lines()
            if not _END.match(self.text, self.position):
                raise _NotATest
            self.position += 2
        except _NotATest:
            self.depth = depth
            expression = self.unreadable_test(start)
        return Test(start, self.position, expression, self.redirections())

    def unreadable_test(self, start: int) -> TestExpression:
        """The rest of a test that is not one, up to its `]]` or the line end."""
        message = f'unexpected {self.unexpected()} in "[["'
        self.report(self.position, self.position, message)
        text = self.text
        line_end = text.find("\n", self.position)
        line_end = len(text) if line_end < 0 else line_end
        closer = text.find("]]", self.position, line_end)
        if closer >= 0:
            self.position = closer + 2
        else:
            then = re.compile(r";[ \t]*(?:then|do)\b").search(text, self.position, line_end)
            self.position = then.start() if then else line_end
        return UnaryTest(
            start, self.position, "-n", Word(start, self.position, (Unreadable(start, self.position, message),))
        )

    def disjunction(self, opening: int) -> TestExpression:
        left = self.conjunction(opening)
        while self.take_operator("||"):
            right = self.conjunction(opening)
            left = LogicalTest(left.start, right.end, "||", left, right)
        return left

    def conjunction(self, opening: int) -> TestExpression:
        left = self.term(opening)
        while self.take_operator("&&"):
            right = self.term(opening)
            left = LogicalTest(left.start, right.end, "&&", left, right)
        return left

    def take_operator(self, operator: str) -> bool:
        self.skip_lines()
        if not self.text.startswith(operator, self.position):
            return False
        self.position += 2
        return True

    def term(self, opening: int) -> TestExpression:
        self.skip_lines()
        text = self.text
        start = self.position
        if start >= len(text):
            raise Unclosed(opening, "[[", "]]")
        if match := _NOT.match(text, start):
            self.position = match.end()
            self.enter()
            operand = self.term(opening)
            self.depth -= 1
            return NotTest(start, operand.end, operand)
        if text.startswith("(", start):
            self.position += 1
            self.enter()
            expression = self.disjunction(opening)
            self.depth -= 1
            self.skip_lines()
            if not text.startswith(")", self.position):
                raise _NotATest
            self.position += 1
            return expression
        return self.primary(opening)

    def primary(self, opening: int) -> TestExpression:
        """A test without operators around it."""
        text = self.text
        start = self.position
        if match := _UNARY.match(text, start):
            self.position = match.end()
            self.skip_blanks()
            operand = self.operand()
            return UnaryTest(start, operand.end, match.group(), operand)
        left = self.operand()
        self.skip_blanks()
        binary = _BINARY.match(text, self.position)
        if binary is None:
            if self.position >= len(text):
                raise Unclosed(opening, "[[", "]]")
            if not text.startswith(("&&", "||", ")"), self.position) and not _END.match(text, self.position):
                raise _NotATest
            return UnaryTest(start, left.end, "-n", left)
        operator = binary.group()
        self.position = binary.end()
        self.skip_blanks()
        right = self.right_side(operator)
        return BinaryTest(start, right.end, operator, left, right)

    def right_side(self, operator: str) -> Word:
        extglob = self.extglob
        self.extglob = extglob or operator in ("=", "==", "!=")
        right = self.operand(regex=operator == "=~")
        self.extglob = extglob
        return right

    def operand(self, regex: bool = False) -> Word:
        """A word, which is not the end of the test."""
        word = None if _END.match(self.text, self.position) else self.word(regex)
        if word is None:
            raise _NotATest
        return word
