"""Bash's arithmetic: 64-bit integers that wrap around, all operators, variables whose values are expressions.

Unknown operands make the result unknown, except where it does not depend on them (`0 && x`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from lint.bash.faults import TooLong
from lint.bash.origins import comes_from, is_of_the_machine
from lint.bash.reading import Known, Text, Unknown
from lint.bash.words.arithmetic_tokens import PLACEHOLDER, ArithmeticFault, LastingFault, Token, number, tokens_of, wrap
from lint.regular import regular

Number: TypeAlias = "int | Unknown"
DEEPEST = 60  # parentheses, or values that name variables (bash stops the latter at 1024)
MOST_VALUES = 2000  # of variables, in one expression: a value may name two variables, each of which names two more
TOO_LONG = "an expression that takes too long to evaluate"


class Host(Protocol):
    """The variables of the shell."""

    def get(self, name: str, subscript: str | Unknown | None) -> Text | None:
        """The value of a variable or array element, None if it is unset."""

    def place(self, name: str, subscript: str) -> str:
        """The subscript of an array element, evaluated."""

    def set(self, name: str, subscript: str | Unknown | None, value: Number) -> None:
        """Assign to a variable or array element."""

    def doubt(self) -> None:
        """Note that an expression may be an error: only a run can tell."""

    taken: int  # values so far


def evaluate(text: Text, host: Host) -> Number:
    """The value of an expression. Raises ArithmeticFault."""
    try:
        return evaluate_string(*flatten(text), host)
    except RecursionError:
        return Unknown(TOO_LONG, text.pieces[0].origin)


def evaluated(text: Text, host: Host) -> Number:
    """The value of a subscript or of an integer variable. Raises LastingFault."""
    try:
        return evaluate(text, host)
    except ArithmeticFault as fault:
        raise LastingFault(str(fault)) from None


def flatten(text: Text) -> tuple[str, tuple[Unknown, ...]]:
    """The text with a placeholder character for each unknown piece, and those pieces."""
    parts: list[str] = []
    unknown: list[Unknown] = []
    for piece in text.pieces:
        if isinstance(piece, Known):
            parts.append(_RESERVED.sub("\ufffd", piece.text))
        else:
            parts.append(chr(PLACEHOLDER + min(len(unknown), 0xFFF0)))
            unknown.append(piece)
    return "".join(parts), tuple(unknown)


_RESERVED = regular(f"[{chr(PLACEHOLDER)}-\U0010ffff]")
_DECIMAL = regular(r"(?:0|[1-9][0-9]{0,17})\Z", re.ASCII)


def evaluate_string(expression: str, unknown: Sequence[Unknown], host: Host, depth: int = 0) -> Number:
    """The value of an expression given as `flatten` gives it. Raises ArithmeticFault."""
    plain = _DECIMAL.match(expression)
    if plain:
        return wrap(int(expression))
    try:
        tokens = tokens_of(expression)
        if not tokens:
            return 0
        reader = _Reader(tokens, unknown, host, depth)
        value = reader.comma()
        if reader.position < len(tokens):
            reader.look_ahead()
            raise ArithmeticFault("syntax error in expression")
    except ArithmeticFault:
        if unknown:
            host.doubt()
            return unknown[0]
        raise
    if any(comes_from(piece.origin, is_of_the_machine) for piece in unknown if not piece.characters):
        host.doubt()  # if there is such a user it is a path, which is no expression
    return value


_BINARY = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
_ASSIGNING = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="])


@dataclass(slots=True)
class _Reader:
    tokens: list[Token]
    unknown: Sequence[Unknown]
    host: Host
    depth: int
    position: int = 0
    skipping: int = 0  # inside an operand that is not evaluated
    looked: int = -1  # the place of a name whose value was asked for though it is no operand
    target: Token | None = field(default=None)  # the variable that was just read, if it can be assigned to

    def peek(self) -> str:
        """The operator that comes next, or an empty string."""
        if self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.kind == "operator":
                return token.text
        return ""

    def comma(self) -> Number:
        value = self.assignment()
        while self.peek() == ",":
            self.position += 1
            value = self.assignment()
        return value

    def assignment(self) -> Number:
        self.target = None
        value = self.conditional()
        operator = self.peek()
        if operator not in _ASSIGNING:
            return value
        target = self.target
        if target is None:
            raise ArithmeticFault("attempted assignment to non-variable")
        self.position += 1
        right = self.assignment()
        self.check_next()
        self.look_ahead()
        if operator != "=":
            right = self.apply(operator[:-1], value, right)
        self.assign(target, right)
        self.target = None
        return right

    def check_next(self) -> None:
        """Raises what is wrong with the next token, which bash has read before it uses what stands before it."""
        if self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.kind == "fault":
                raise ArithmeticFault(token.text)
            if token.kind == "number":
                number(token.text)

    def look_ahead(self) -> None:
        """Bash has read the token behind an operand already: it knows the value of a name that no operator parts."""
        place = self.position
        if place < len(self.tokens) and self.tokens[place].kind == "name" and self.looked != place:
            self.looked = place
            after = self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
            if after != "=":
                self.value_of(self.tokens[place])

    def assign(self, target: Token, value: Number) -> None:
        if not self.skipping:
            self.host.set(target.text, self.subscript(target), value)

    def subscript(self, name: Token) -> str | Unknown | None:
        """The subscript of a name; an unknown piece of it stands for the whole."""
        for character in name.subscript or "":
            if ord(character) >= PLACEHOLDER:
                return self.unknown[ord(character) - PLACEHOLDER]
        return name.subscript

    def conditional(self) -> Number:
        test = self.binary(1)
        if self.peek() != "?":
            return test
        self.position += 1
        chosen = None if isinstance(test, Unknown) else test != 0
        if self.peek() == ":":
            raise ArithmeticFault("expression expected")
        yes = self.evaluated_if(chosen is True, self.comma)
        if self.peek() != ":":
            raise ArithmeticFault("`:' expected for conditional expression")
        self.position += 1
        no = self.evaluated_if(chosen is False, self.conditional)
        self.target = None
        return test if chosen is None else yes if chosen else no

    def evaluated_if(self, wanted: bool, read: Callable[[], Number]) -> Number:
        self.skipping += not wanted
        value = read()
        self.skipping -= not wanted
        return value

    def binary(self, lowest: int) -> Number:
        left = self.power()
        while True:
            operator = self.peek()
            level = _BINARY.get(operator, 0)
            if level < lowest or level == 0:
                return left
            self.position += 1
            if operator in ("&&", "||"):
                decided = not isinstance(left, Unknown) and (left != 0) == (operator == "||")
                self.skipping += decided
                right = self.binary(level + 1)
                self.skipping -= decided
                left = self.logical(operator, left, right)
            else:
                left = self.apply(operator, left, self.binary(level + 1))
            self.target = None

    def logical(self, operator: str, left: Number, right: Number) -> Number:
        deciding = operator == "||"
        for value in (left, right):
            if not isinstance(value, Unknown) and (value != 0) == deciding:
                return int(deciding)
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
        return int(not deciding)

    def power(self) -> Number:
        base = self.unary()
        if self.peek() != "**":
            return base
        self.position += 1
        exponent = self.power()
        self.target = None
        return self.apply("**", base, exponent)

    def unary(self) -> Number:
        operator = self.peek()
        if operator in ("++", "--"):
            following = self.tokens[self.position + 1] if self.position + 1 < len(self.tokens) else None
            if following is not None and following.kind == "name":
                self.position += 2
                self.check_next()
                return self.step(following, operator, before=True)
            self.position += 1
            value = self.unary()
            self.target = None
            return value
        if operator in ("!", "~", "+", "-") and operator:
            self.position += 1
            value = self.unary()
            self.target = None
            if isinstance(value, Unknown) or operator == "+":
                return value
            return int(value == 0) if operator == "!" else wrap(~value if operator == "~" else -value)
        return self.primary()

    def step(self, name: Token, operator: str, before: bool) -> Number:
        name = self.fixed(name)
        value = self.value_of(name)
        stepped = self.apply("+" if operator == "++" else "-", value, 1)
        self.assign(name, stepped)
        self.target = None
        return stepped if before else value

    def primary(self) -> Number:
        if self.position >= len(self.tokens):
            raise ArithmeticFault("syntax error: operand expected")
        token = self.tokens[self.position]
        self.position += 1
        self.target = None
        if token.kind == "fault":
            raise ArithmeticFault(token.text)
        if token.kind == "number":
            return number(token.text)
        if token.kind == "unknown":
            index = next(ord(c) - PLACEHOLDER for c in token.text if ord(c) >= PLACEHOLDER)
            return self.unknown[index]
        if token.kind == "name":
            following = self.peek()
            self.check_next()
            if following == "=":
                self.target = token
                return 0
            if following in ("++", "--") and following:
                self.position += 1
                return self.step(token, following, before=False)
            if following in _ASSIGNING:
                token = self.fixed(token)
            value = self.value_of(token)
            self.target = token
            return value
        if token.text == "(":
            self.depth += 1
            if self.depth > DEEPEST:
                raise TooLong
            value = self.comma()
            self.depth -= 1
            if self.peek() != ")":
                self.look_ahead()
                raise ArithmeticFault("missing `)'")
            self.position += 1
            self.target = None
            return value
        raise ArithmeticFault("syntax error: operand expected")

    def fixed(self, name: Token) -> Token:
        """A name that an operator both reads and sets: its subscript is evaluated once."""
        subscript = self.subscript(name)
        if not isinstance(subscript, str) or self.skipping:
            return name
        return replace(name, subscript=self.host.place(name.text, subscript))

    def value_of(self, name: Token) -> Number:
        if self.skipping:
            return 0
        self.host.taken += 1
        if self.host.taken > MOST_VALUES:
            raise TooLong
        text = self.host.get(name.text, self.subscript(name))
        if text is None:
            return 0
        expression, unknown = flatten(text)
        if not expression:
            return 0
        if self.depth > DEEPEST:
            raise ArithmeticFault(f"{name.text}: expression recursion level exceeded")
        return evaluate_string(expression, unknown, self.host, self.depth + 1)

    def apply(self, operator: str, left: Number, right: Number) -> Number:
        if isinstance(left, Unknown):
            return left
        if isinstance(right, Unknown):
            return right
        if operator in ("/", "%"):
            if right == 0:
                if self.skipping:
                    return 0
                raise ArithmeticFault("division by 0")
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return wrap(quotient if operator == "/" else left - quotient * right)
        if operator == "**":
            if right < 0:  # an error for bash even in what it does not evaluate
                raise ArithmeticFault("exponent less than 0")
            return wrap(pow(left, right, 1 << 64))
        return wrap(int(_OPERATIONS[operator](left, right)))


_OPERATIONS = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "<<": lambda left, right: left << (right & 63),
    ">>": lambda left, right: left >> (right & 63),
    "<": int.__lt__,
    ">": int.__gt__,
    "<=": int.__le__,
    ">=": int.__ge__,
    "==": int.__eq__,
    "!=": int.__ne__,
    "&": int.__and__,
    "^": int.__xor__,
    "|": int.__or__,
}
