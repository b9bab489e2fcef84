"""Edits of a value: `#`, `%`, `/`, `^`, `,`, `@`. Known text is cut at known places, so each piece keeps its origin."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

from lint.bash.budget import TEXT
from lint.bash.letters import lower, upper
from lint.bash.origins import derive
from lint.bash.parsing.escapes import decode_escapes
from lint.bash.reading import Known, Piece, Text, Unknown
from lint.bash.state.state import Value
from lint.bash.syntax import Parameter
from lint.bash.unknown import Place
from lint.bash.words import pattern
from lint.bash.words.listing import attribute_letters
from lint.bash.words.quoting import shell_quote
from lint.frozen import frozen
from lint.text import Span


@frozen
class Editor:
    """The edits that one parameter expansion asks for."""

    node: Parameter
    span: Span
    extglob: bool
    ignore_case: bool

    def part_of(self, text: Text) -> Text:
        """The result of an edit that cannot be known."""
        reason = f"part of {text.brief}" if text.value is None else "a part that is not known"
        origin = derive(self.span, "expansion", self.node.name, tuple(p.origin for p in text.pieces[:8]))
        splits = any(isinstance(piece, Unknown) and piece.splits for piece in text.pieces)  # a list of unknown length
        return Text((Unknown(reason, origin, splits=splits),))

    def without_prefix(self, text: Text, shape: str, longest: bool) -> Text:
        value = text.value
        if value is not None:
            return text.slice(pattern.remove_prefix(value, shape, longest, self.extglob))
        last = text.pieces[-1]
        if longest and shape == "*/" and isinstance(last, Known) and "/" in last.text:
            return Text((Known(last.text[last.text.rindex("/") + 1 :], last.origin),))
        if longest and shape == "*/" and isinstance(last, Place) and not last.path.endswith((".", "..")):
            return Text((Known(last.path[last.path.rfind("/") + 1 :], last.origin),))
        first = text.pieces[0]
        if isinstance(first, Known) and not pattern.has_pattern(shape, self.extglob) and "\\" not in shape:
            if first.text.startswith(shape):
                return text.slice(len(shape))
            if len(first.text) >= len(shape):
                return text
        return self.part_of(text)

    def without_suffix(self, text: Text, shape: str, longest: bool) -> Text:
        value = text.value
        if value is not None:
            return text.slice(0, pattern.remove_suffix(value, shape, longest, self.extglob))
        last = text.pieces[-1]
        if isinstance(last, Known):
            rest: str | None = None
            if shape == "/*" and not longest and "/" in last.text:
                rest = last.text[: last.text.rindex("/")]
            elif not pattern.has_pattern(shape, self.extglob) and "\\" not in shape and len(last.text) >= len(shape):
                rest = last.text.removesuffix(shape)
            if rest is not None:
                return Text((*text.pieces[:-1], Known(rest, last.origin)))
        if isinstance(last, Place) and shape == "/*" and not longest and "/" in last.path:
            return Text((*text.pieces[:-1], replace(last, path=last.path[: last.path.rindex("/")])))
        return self.part_of(text)

    def replaced(self, text: Text, shape: str, replacement: list[tuple[Piece, bool]]) -> Text:
        operator = self.node.operator
        value = text.value
        if value is None:
            return self.part_of(text)
        if operator == "/#":
            end = pattern.longest_prefix(value, shape, self.extglob, self.ignore_case)
            found = [] if end is None else [(0, end)]
        elif operator == "/%":
            start = pattern.longest_suffix(value, shape, self.extglob, self.ignore_case)
            found = [] if start is None else [(start, len(value))]
        else:
            found = pattern.find_all(value, shape, self.extglob, operator == "//", self.ignore_case)
        pieces: list[Piece] = []
        starts = list(accumulate((len(piece.text) for piece in text.pieces if isinstance(piece, Known)), initial=0))
        position = size = 0
        for start, end in found:
            first = max(0, bisect_right(starts, position) - 1)
            near = Text(text.pieces[first : bisect_left(starts, start)])
            pieces.extend(near.slice(position - starts[first], start - starts[first]).pieces)
            for piece, quoted in replacement:
                pieces.append(piece if quoted else _with_match(piece, value[start:end]))
            size += sum(len(piece.text) for piece, _ in replacement if isinstance(piece, Known))
            if size > TEXT:
                return self.part_of(text)
            position = end
        pieces.extend(text.slice(position).pieces if position else text.pieces)
        return Text(tuple(pieces))

    def recased(self, text: Text, shape: str) -> Text:
        operator = self.node.operator
        every = len(operator) == 2
        change = {"^": upper, ",": lower, "~": _swap}[operator[0]]
        if text.value is None:
            return self.part_of(text)
        changed = {one: change(one) for one in set(text.value) if not shape or pattern.matches(one, shape)}
        pieces: list[Piece] = []
        first = True
        for piece in text.pieces:
            if isinstance(piece, Known):
                size = len(piece.text) if every else int(first)
                begin = "".join([changed.get(one, one) for one in piece.text[:size]])
                pieces.append(Known(begin + piece.text[size:], piece.origin))
                first = first and not piece.text
        return Text(tuple(pieces))

    def operand_text(self) -> str:
        word = self.node.operand
        return "".join(getattr(part, "text", "") for part in word.parts) if word is not None else ""

    def transformed(self, name: str, text: Text, value: Value | None) -> Text:
        letter = self.operand_text()
        known = text.value
        origin = derive(self.span, "expansion", name, tuple(p.origin for p in text.pieces[:8]))
        if letter == "a":
            return Text((Known(attribute_letters(value), origin),))
        if known is None:
            return self.part_of(text)
        if letter == "A" and name in ("@", "*"):
            letter = "Q"
        if letter == "A":
            letters = attribute_letters(value)
            if value is not None and value.content is None:
                return Text((Known(f"declare -{letters} {name}" if letters else "", origin),))
            head = f"declare -{letters} " if letters else ""
            return Text((Known(f"{head}{name}={shell_quote(known)}", origin),))
        if letter in ("Q", "K", "k"):
            return Text((Known(shell_quote(known), origin),))
        if letter == "E":
            return Text((Known(decode_escapes(known), origin),))
        if letter == "P" and "\\" not in known and "$" not in known and "`" not in known:
            return text
        changes: dict[str, Callable[[str], str]] = {
            "U": lambda t: "".join(map(upper, t)),
            "L": lambda t: "".join(map(lower, t)),
            "u": lambda t: upper(t[0]) + t[1:] if t else t,
        }
        if letter in changes:
            return Text((Known(changes[letter](known), origin),))
        return self.part_of(text)


def _with_match(piece: Piece, match: str) -> Piece:
    """Unquoted replacement text with `&` replaced by the match, `\\&` by `&`."""
    if isinstance(piece, Unknown) or not ("&" in piece.text or "\\" in piece.text):
        return piece
    text = re.sub(r"\\\\|\\&|&", lambda f: match if f[0] == "&" else f[0][1], piece.text)
    return Known(text, piece.origin)


def _swap(character: str) -> str:
    return lower(character) if character.isupper() else upper(character)
