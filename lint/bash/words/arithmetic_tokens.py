"""The tokens of arithmetic: constants in any base, names with subscripts, operators."""

from __future__ import annotations

import re

from lint.bash.faults import Placed
from lint.frozen import frozen
from lint.regular import regular

PLACEHOLDER = 0xF0000  # the character from which unknown pieces stand in an expression's text


class ArithmeticFault(Placed):
    """An expression that bash rejects; the text is bash's message, without its error token."""


class LastingFault(Placed):
    """What bash rejects in a subscript, or as the value of an integer: it ends all texts and functions that run."""


class ValueFault(LastingFault):
    """The value of an integer that bash rejects: it leaves an exit status as it is if it is one of an error."""


def wrap(value: int) -> int:
    """The value as a signed 64-bit integer."""
    return (value + 0x8000_0000_0000_0000) % 0x1_0000_0000_0000_0000 - 0x8000_0000_0000_0000


def number(text: str) -> int:
    """The value of an integer constant. Raises ArithmeticFault."""
    if text[0] != "0" and len(text) <= 18 and text.isdecimal() and text.isascii():
        return int(text)
    if "#" in text:
        base_text, _, digits = text.partition("#")
        base = int(base_text) if base_text.isdecimal() and len(base_text) <= 2 else 0
        if not 2 <= base <= 64 or base_text.startswith("0"):
            raise ArithmeticFault(f"{text}: invalid arithmetic base")
        if not digits:
            raise ArithmeticFault(f"{text}: invalid integer constant")
    elif text[:2] in ("0x", "0X"):
        base, digits = 16, text[2:]
    elif text[0] == "0":
        base, digits = 8, text[1:]
    else:
        base, digits = 10, text
    value = 0
    for digit in digits:
        place = _digit(digit, base)
        if place >= base:
            raise ArithmeticFault(f"{text}: value too great for base")
        value = (value * base + place) & 0xFFFF_FFFF_FFFF_FFFF
    return wrap(value)


def _digit(digit: str, base: int) -> int:
    if digit.isdecimal() and digit.isascii():
        return int(digit)
    if "a" <= digit <= "z":
        return ord(digit) - ord("a") + 10
    if "A" <= digit <= "Z":
        return ord(digit) - ord("A") + (10 if base <= 36 else 36)
    return {"@": 62, "_": 63}.get(digit, 64)


_TOKEN = regular(
    r"\s*(?:(?P<number>[0-9][0-9A-Za-z_@#]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<<=|>>=|\+\+|--|&&|\|\||[-+*/%&^|]=|<=|>=|<<|>>|==|!=|[-+*/%<>=!~&|^?:,()]))",
    re.ASCII,
)
_UNKNOWN = regular("\\s*[A-Za-z0-9_@#]*[\U000f0000-\U000fffff][A-Za-z0-9_@#\U000f0000-\U000fffff]*", re.ASCII)


@frozen
class Token:
    kind: str  # number, name, operator, unknown, fault (then the text is a message)
    text: str
    subscript: str | None = None


def tokens_of(expression: str) -> list[Token]:
    tokens: list[Token] = []
    position, size = 0, len(expression)
    while position < size:
        if (found := _UNKNOWN.match(expression, position)) is not None:
            tokens.append(Token("unknown", found[0].strip()))
            position = found.end()
            continue
        found = _TOKEN.match(expression, position)
        if found is None:
            rest = expression[position:].strip()
            if not rest:
                break
            tokens.append(Token("fault", f"{expression.strip()}: syntax error: invalid arithmetic operator"))
            break  # what stands before it is evaluated, assignments too
        kind = str(found.lastgroup)
        position = found.end()
        if found["operator"] in ("++", "--") and not _is_step(tokens, expression, position):
            tokens.append(Token("operator", found["operator"][0]))
            position -= 1
            continue
        subscript = None
        if kind == "name" and expression[position : position + 1] == "[":
            end = _closing_bracket(expression, position)
            if end is None:
                said = f'{expression}: bad array subscript (error token is "{expression[found.start() :].lstrip()}")'
                tokens.append(Token("fault", said))
                break
            subscript = expression[position + 1 : end]
            position = end + 1
        tokens.append(Token(kind, found[kind], subscript))
    return tokens


def _is_step(tokens: list[Token], expression: str, position: int) -> bool:
    """Whether `++` or `--` before `position` steps a variable, behind a number too; else it is two signs."""
    if tokens and tokens[-1].kind == "name":
        return True
    following = expression[position:].lstrip()[:1]
    return following == "_" or (following.isalpha() and following.isascii()) or following >= chr(PLACEHOLDER)


def _closing_bracket(expression: str, position: int) -> int | None:
    depth = 0
    for index in range(position, len(expression)):
        if expression[index] == "[":
            depth += 1
        elif expression[index] == "]":
            depth -= 1
            if depth == 0:
                return index
    return None
