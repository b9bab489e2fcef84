"""Braces that bash expands though they stand in double quotes: `"${x:-"{a,b}"}"`.

Brace expansion comes first and looks for quotes without regard to `${...}`: here it takes `"${x:-"` for a string and
`{a,b}` for text. Such a word is expanded as text, and each word that comes out of it is read again.
"""

from __future__ import annotations

import re

from lint.bash.faults import BadSubstitution
from lint.bash.parser import Parser
from lint.bash.parsing.cursor import GivenUp, Unclosed
from lint.bash.parsing.relocate import relocate
from lint.bash.syntax import (
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Quoted,
    Word,
)
from lint.bash.walk import Nodes
from lint.bash.words.braces import Token, expand_tokens
from lint.regular import regular

_BRACE = regular(r"(?<!\$)\{|\\\$\{")
_ESCAPED_QUOTES = regular(r"\$'(?:[^'\\]|\\.)*'", re.DOTALL)


def has_hidden_braces(word: Word, text: str) -> bool:
    """Whether there are double quotes inside of double quotes in a word with braces."""
    if not any(isinstance(part, DoubleQuoted | Parameter) for part in word.parts):
        return False
    source = text[word.start : word.end]
    if source.count('"') < 3 or "${" not in source or not _BRACE.search(source):
        return False
    return any(text.find('"', node.start + 2, node.end - 1) >= 0 for node in Nodes(word).of(DoubleQuoted))


def expand_hidden_braces(text: str, word: Word, most: int, extglob: bool) -> list[tuple[Part, ...]]:
    """The words that come out, as parts with their places in the source. Raises TooMany beyond `most` words,
    and Fatal where one of them is not bash any more.
    """
    found: list[tuple[Part, ...]] = []
    for tokens in expand_tokens(_Scanner(text, word).tokens(), most):
        spelled = "".join(_text_of(token) for token in tokens)
        offsets = [min(token.start + i, token.end - 1) for token in tokens for i in range(len(_text_of(token)))]
        if spelled == text[word.start : word.end]:
            return [word.parts]
        parser = Parser(spelled, extglob=extglob)
        try:
            read = parser.word()
        except (Unclosed, GivenUp):
            raise BadSubstitution(f"bad substitution: {spelled}") from None
        if read is not None:
            found.append(relocate(read.parts, [*offsets, word.end]))
    return found


def _text_of(token: Token) -> str:
    return str(getattr(token, "text", ""))


class _Scanner:
    """The characters of a word as brace expansion sees them."""

    def __init__(self, text: str, word: Word) -> None:
        self.text = text
        self.start, self.end = word.start, word.end
        nodes = Nodes(word)
        ranges = [(node.start, node.end) for node in nodes.of(CommandSubstitution)]
        ranges += [(node.start, node.end) for node in nodes.of(ProcessSubstitution)]
        self.ends = {start: text.rfind(")", start, end) + 1 for start, end in ranges}

    def tokens(self) -> list[Token]:
        """Each character; what bash takes for quoted here, as one token."""
        tokens: list[Token] = []
        position = self.start
        while position < self.end:
            after = self.behind_opaque(position)
            if after > position:
                tokens.append(Quoted(position, after, self.text[position:after]))
                position = after
            else:
                tokens.append(Literal(position, position + 1, self.text[position]))
                position += 1
        return tokens

    def behind_opaque(self, position: int) -> int:
        """Where something that brace expansion does not look into ends; the same position if nothing such begins."""
        text, end = self.text, self.end
        character = text[position]
        if character == "\\":
            return min(position + 2, end)
        if character == "'":
            closing = text.find(character, position + 1, end)
            return end if closing < 0 else closing + 1
        if character in '"`':
            position += 1
            while position < end and text[position] != character:
                if character == '"' and text.startswith("$(", position):
                    position = self.behind_parentheses(position)
                else:
                    position += 2 if text[position] == "\\" else 1
            return min(position + 1, end)
        if text.startswith("$'", position) and (escaped := _ESCAPED_QUOTES.match(text, position, end)):
            return escaped.end()
        if character in "$<>" and text.startswith("(", position + 1):
            return self.behind_parentheses(position)
        if character == "$" and text.startswith("{", position + 1):
            return self.behind_brace(position + 2)
        return position

    def behind_parentheses(self, position: int) -> int:
        if position in self.ends:
            return self.ends[position]
        depth = 0
        for index in range(position, self.end):
            depth += {"(": 1, ")": -1}.get(self.text[index], 0)
            if depth == 0 and self.text[index] == ")":
                return index + 1
        return self.end

    def behind_brace(self, position: int) -> int:
        depth = 1
        while position < self.end and depth:
            after = self.behind_opaque(position) if self.text[position] in "\\'`\"$" else position
            if after > position:
                position = after
                continue
            depth += {"{": 1, "}": -1}.get(self.text[position], 0)
            position += 1
        return position
