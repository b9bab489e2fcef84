"""Brace expansion, on words whose quoted parts and expansions are opaque."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from lint.bash.numbers import whole
from lint.bash.syntax import Literal, Parameter, Part, Quoted
from lint.regular import regular

Token: TypeAlias = "Literal | Part"  # a Literal of one character, or an opaque part
_NUMBERS = regular(r"([-+]?\d+)\.\.([-+]?\d+)(?:\.\.([-+]?\d+))?\Z", re.ASCII)
_LETTERS = regular(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.([-+]?\d+))?\Z", re.ASCII)


_MOST_LOOKED = 1_000_000  # tokens that are looked at in search of what closes a brace


class TooMany(Exception):
    """The expansion would yield more words than are allowed."""


def has_braces(parts: Sequence[Part]) -> bool:
    """Whether brace expansion could change a word of these parts."""
    return any(type(part) is Literal and "{" in part.text for part in parts)


def expand_braces(parts: Sequence[Part], most: int) -> list[tuple[Part, ...]]:
    """The words (as parts) that a word expands to. Raises TooMany beyond `most` words."""
    tokens: list[Token] = []
    for part in parts:
        if isinstance(part, Literal):
            exact = part.end - part.start == len(part.text)
            for index, character in enumerate(part.text):
                start = part.start + index if exact else part.start
                tokens.append(Literal(start, start + 1 if exact else part.end, character))
        else:
            tokens.append(part)
    return [_joined(word) for word in _expand(tokens, most, 0)]


def expand_tokens(tokens: Sequence[Token], most: int) -> list[tuple[Token, ...]]:
    """The same for tokens, which are characters or opaque."""
    return _expand(tokens, most, 0)


def _joined(tokens: Sequence[Token]) -> tuple[Part, ...]:
    """Neighbouring characters put together; `$x` before a letter that came out of a brace is a longer name."""
    parts: list[Part] = []
    run: list[Literal] = []  # neighbours that are put together once the last of them is known
    for token in tokens:
        last = parts[-1] if parts and not run else None
        if isinstance(token, Literal) and isinstance(last, Parameter) and _is_bare(last):
            letter = token.text[:1]
            if letter == "_" or (letter.isalnum() and letter.isascii()):
                name = _NAME.match(token.text)
                size = name.end() if name is not None else 0
                parts[-1] = Parameter(last.start, last.end, last.name + token.text[:size])
                token = Literal(token.start, token.end, token.text[size:])
                if not token.text:
                    continue
        if run and not (isinstance(token, Literal) and run[-1].end == token.start):
            parts.append(_together(run))
            run = []
        if isinstance(token, Literal):
            run.append(token)
        else:
            parts.append(token)
    return (*parts, _together(run)) if run else tuple(parts)


def _together(run: Sequence[Literal]) -> Literal:
    if len(run) == 1:
        return run[0]
    return Literal(run[0].start, run[-1].end, "".join([literal.text for literal in run]))


_NAME = regular(r"[A-Za-z0-9_]*", re.ASCII)


def _is_bare(part: Parameter) -> bool:
    """Whether a parameter is written `$name`, without braces."""
    letter = part.name[:1]
    return part.operator == "" and (letter.isalpha() or letter == "_") and part.end - part.start <= len(part.name) + 1


def _is(token: Token, character: str) -> bool:
    return isinstance(token, Literal) and token.text == character


def _gobble(tokens: Sequence[Token], start: int, wanted: str) -> int | None:
    """Where the next `wanted` (`{`, `}` or `,`) stands that belongs to this level (`brace_gobbler` of bash).

    A `}` does only once a comma or `..` stood before it.
    """
    level = commas = 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if not isinstance(token, Literal):
            level += _left_open(token)
            continue
        character = token.text
        if character == wanted and level == 0 and (wanted != "}" or commas):
            if wanted == "{" and index == 0 and len(tokens) > 1 and _is(tokens[1], "}"):
                continue
            return index
        if character == "{":
            level += 1
        elif character == "}":
            level -= level > 0
        elif level == 0 and (character == "," or _is_range(tokens, index)):
            commas += 1
    return None


def _is_range(tokens: Sequence[Token], index: int) -> bool:
    """Whether `..` stands here, and not right before the closing brace."""
    if index + 1 >= len(tokens) or not (_is(tokens[index], ".") and _is(tokens[index + 1], ".")):
        return False
    return index + 2 >= len(tokens) or not _is(tokens[index + 2], "}")


def _find_group(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """The first brace that opens a group, and the one that closes it."""
    if not any(_is(token, "}") for token in tokens):
        return None
    opened = _gobble(tokens, 0, "{")
    looked = 0
    while opened is not None:
        closed = _gobble(tokens, opened + 1, "}")
        if closed is not None:
            return opened, closed
        looked += len(tokens) - opened
        if looked > _MOST_LOOKED:
            raise TooMany
        opened = _gobble(tokens, opened + 1, "{")
    return None


def _left_open(part: Part) -> int:
    """How many braces an expansion leaves open, as `${x:-{}` does: bash counts them with the others."""
    if not isinstance(part, Parameter) or part.operand is None:
        return 0
    inside = part.operand.parts
    own = sum(piece.text.count("{") - piece.text.count("}") for piece in inside if isinstance(piece, Literal))
    return own + sum(map(_left_open, inside))


def _expand(tokens: Sequence[Token], most: int, depth: int) -> list[tuple[Token, ...]]:
    group = _find_group(tokens) if depth < 50 else None
    if group is None:
        return [tuple(tokens)]
    opened, closed = group
    before, inside, behind = tuple(tokens[:opened]), tokens[opened + 1 : closed], tokens[closed + 1 :]
    middles: list[tuple[Token, ...]] = []
    if any(_is(token, ",") for token in inside):
        begin = 0
        while begin <= len(inside):
            end = _gobble(inside, begin, ",")
            middles.extend(_expand(inside[begin:end], most, depth + 1))
            if len(middles) > most:
                raise TooMany
            if end is None:
                break
            begin = end + 1
    else:
        texts = _sequence(inside, most)
        if texts is None and not behind:
            return [tuple(tokens)]
        first, last = tokens[opened], tokens[closed]
        for text in texts or []:
            made = Literal(first.start, last.end, text)
            middles.append((made if text != "\\" else Quoted(first.start, last.end, ""),))
        if texts is None:  # not a sequence after all
            middles.append(tuple(tokens[opened : closed + 1]))
    afters = _expand(behind, most, depth + 1) if behind else [()]
    if len(middles) * len(afters) > most:
        raise TooMany
    return [before + middle + after for middle in middles for after in afters]


def _sequence(tokens: Sequence[Token], most: int) -> list[str] | None:
    """The texts of `a..e` or `01..10..3`; None if the tokens are no sequence. With `most` 2: whether it is one."""
    text = "".join(token.text if isinstance(token, Literal) else "\0" for token in tokens)
    if (found := _NUMBERS.match(text)) is not None:
        low, high, step = whole(found[1]), whole(found[2]), whole(found[3] or "0")
        if max(abs(low), abs(high), abs(step)) >= 1 << 63:
            return None
        numbers = _range(low, high, step, most)
        padded = any(len(edge.lstrip("-+")) > 1 and edge.lstrip("-+").startswith("0") for edge in found.group(1, 2))
        width = max(len(found[1]), len(found[2])) if padded else 0
        return [f"{number:0{width}d}" if width else str(number) for number in numbers]
    if (found := _LETTERS.match(text)) is not None:
        codes = _range(ord(found[1]), ord(found[2]), whole(found[3] or "0"), most)
        return [chr(code) for code in codes]
    return None


def _range(low: int, high: int, step: int, most: int) -> range:
    step = abs(step) or 1
    numbers = range(low, high + 1, step) if low <= high else range(low, high - 1, -step)
    if len(numbers) > most and most > 2:
        raise TooMany
    return numbers[: most + 1]
