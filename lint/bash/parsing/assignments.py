"""Assignments, array literals, redirections: what stands in a simple command beside its words."""

from __future__ import annotations

import re

from lint.bash.parsing.cursor import CONTINUATION, PendingDocument, Unclosed
from lint.bash.parsing.expansions import ExpansionParser
from lint.bash.parsing.words import ARGUMENT_SUBSCRIPT, SUBSCRIPT, Style
from lint.bash.syntax import (
    ArrayElement,
    ArrayLiteral,
    Assignment,
    DoubleQuoted,
    HereDocument,
    Literal,
    Part,
    Quoted,
    Redirection,
    Unreadable,
    Word,
)
from lint.regular import regular

_ASSIGNMENT = regular(r"([A-Za-z_]\w*(?:\\\n\w*)*)(\+?=|\[)", re.ASCII)
_ASSIGNMENT_OPERATOR = regular(r"\+?=")
_REDIRECTION = regular(
    r"([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)",
    re.ASCII,
)
_TOKEN = regular(r"&&|\|\||;;&|;;|;&|\|&|[;&|()<>]|[^ \t\n;&|()<>]+|\n")
_ARRAY_WORD = regular(r"[A-Za-z_]\w*\+?=\(", re.ASCII)
_END_OF_VALUE = regular(r"[ \t\n;&|()<>]|\Z")
_ARRAYS_AS_TEXT = frozenset(["eval", "let"])


class AssignmentParser(ExpansionParser):
    """Reads assignments and redirections."""

    # ---------------------------------------------------------------------------------------------- odd tokens

    def unexpected(self) -> str:
        """Bash's name for the token at the position."""
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            return "end of file"
        return "line end" if match.group() == "\n" else f'"{match.group()}"'

    def missing(self, what: str) -> None:
        """Reports that the token at the position is not what has to stand there."""
        self.report(
            self.position,
            self.position,
            f"unexpected {self.unexpected()} looking for {what}",
        )

    def skip_unexpected(self) -> None:
        """Reports the token at the position, and moves behind it (a line end stays)."""
        match = _TOKEN.match(self.text, self.position)
        end = match.end() if match and match.group() != "\n" else self.position
        self.report(self.position, end, f"unexpected {self.unexpected()}")
        self.position = end

    # ---------------------------------------------------------------------------------------------- assignments

    def assignment(self, first: bool) -> Assignment | None:
        """`name=value` at the position. `first`: before the command's first word, where a subscript may hold blanks."""
        match = _ASSIGNMENT.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        name, operator = match.groups()
        self.position = match.end()
        subscript = None
        if operator == "[":
            if match.end() - 1 in self.closings:
                self.take_decision(match.end() - 1)
                self.position = start
                return None
            mark = self.mark()
            subscript = self.assigned_subscript(SUBSCRIPT if first else ARGUMENT_SUBSCRIPT)
            found = _ASSIGNMENT_OPERATOR.match(self.text, self.position) if subscript else None
            if found is None:
                self.back_to(mark)
                self.position = start
                return None
            operator = found.group()
            self.position = found.end()
        begin = self.position
        value: Word | ArrayLiteral
        if self.text.startswith("(", begin):
            value = self.array_literal()
            if self.text[self.position - 1] == ")" and not _END_OF_VALUE.match(self.text, self.position):
                self.position = begin
                value = self.text_with_parentheses()
        else:
            parts = self.word_parts()
            value = Word(begin, self.position, parts)
        if "\\" in name:
            name = name.replace("\\\n", "")
        return Assignment(start, self.position, name, subscript, operator == "+=", value)

    def array_as_text(self, words: list[Word | Assignment]) -> bool:
        """Extends the last word by the parentheses that follow, if it is an array assignment given to `eval`."""
        last = words[-1] if words else None
        if not isinstance(last, Word) or last.end != self.position or not _ARRAY_WORD.match(self.text, last.start):
            return False
        if self.text[words[0].start : words[0].end] not in _ARRAYS_AS_TEXT:
            return False
        rest = self.text_with_parentheses()
        words[-1] = Word(last.start, rest.end, last.parts + rest.parts)
        return True

    def text_with_parentheses(self) -> Word:
        """A word in which `( ... )` is text: `a=(1)b`, or `eval a=(1)`."""
        start = self.position
        parts = list(self.word_parts())
        while self.text.startswith("(", self.position):
            self.parenthesized(parts)
            parts.extend(self.word_parts())
        return Word(start, self.position, tuple(parts))

    def assigned_subscript(self, style: Style) -> Word | None:
        """The subscript after `[`, and its `]`; None if there is no `]`."""
        begin = self.position
        parts = self.parts_until(style, begin - 1, "[")
        if not self.text.startswith("]", self.position):
            return None
        end = self.position
        self.position += 1
        return Word(begin, end, parts)

    def subscripted_word(self) -> Word | None:
        """A first word like `name[a b]c`, which assigns nothing."""
        start = self.position
        match = _ASSIGNMENT.match(self.text, start)
        if match is None or match.group(2) != "[" or match.end() - 1 in self.closings:
            return None
        self.position = match.end()
        subscript = self.assigned_subscript(SUBSCRIPT)
        return None if subscript is None else self.bracketed(start, match.group(), subscript)

    def bracketed(self, start: int, opening: str, subscript: Word) -> Word:
        """The word around a subscript that belongs to it, blanks and all."""
        before = Literal(start, subscript.start, opening.replace(CONTINUATION, ""))
        behind = Literal(subscript.end, subscript.end + 1, "]")
        parts = (before, *subscript.parts, behind, *self.word_parts())
        return Word(start, self.position, parts)

    def array_literal(self) -> ArrayLiteral:
        """`( ... )` on the right of an assignment."""
        text = self.text
        start = self.position
        decided = self.closings.get(start)
        self.position += 1
        elements: list[ArrayElement] = []
        while True:
            self.skip_lines()
            position = self.position
            if decided is not None and position >= decided.end:
                self.take_decision(start)
                return ArrayLiteral(start, position, tuple(elements))
            if text.startswith(")", position):
                self.position += 1
                return ArrayLiteral(start, self.position, tuple(elements))
            element = self.array_element() if position < len(text) else None
            if element:
                elements.append(element)
                continue
            inner = tuple(item.start for item in elements)
            if position >= len(text) or self.outdented(start, inner) is not None:
                raise Unclosed(start, "(", ")", inner)
            self.skip_unexpected()

    def array_element(self) -> ArrayElement | None:
        start = self.position
        if self.text.startswith("[", start):
            self.position += 1
            subscript = self.assigned_subscript(SUBSCRIPT)
            operator = _ASSIGNMENT_OPERATOR.match(self.text, self.position) if subscript else None
            if operator:
                begin = self.position = operator.end()
                value = Word(begin, begin, self.word_parts())
                value = Word(begin, self.position, value.parts)
                return ArrayElement(start, self.position, subscript, operator.group() == "+=", value)
            if subscript is not None:
                return ArrayElement(start, self.position, None, False, self.bracketed(start, "[", subscript))
            self.position = start
        word = self.word()
        return ArrayElement(start, self.position, None, False, word) if word else None

    def outdented(self, opening: int, inner: tuple[int, ...]) -> int | None:
        """The first of the `inner` offsets that starts a line indented no more than the line of `opening`."""
        limit = self.indentation(opening)
        for offset in inner:
            line = self.text.rfind("\n", 0, offset) + 1
            if line > opening and not self.text[line:offset].strip(" \t") and self.indentation(offset) <= limit:
                return offset
        return None

    def indentation(self, offset: int) -> int:
        """The width of the blanks at the start of the line of an offset."""
        line = self.text.rfind("\n", 0, offset) + 1
        position = line
        while self.text[position : position + 1] in (" ", "\t"):
            position += 1
        return position - line

    # --------------------------------------------------------------------------------------------- redirections

    def redirections(self) -> tuple[Redirection, ...]:
        """The redirections after a compound command."""
        found: list[Redirection] = []
        self.skip_blanks()
        while redirection := self.redirection():
            found.append(redirection)
            self.skip_blanks()
        return tuple(found)

    def redirection(self) -> Redirection | None:
        match = _REDIRECTION.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        text, operator = match.groups()
        descriptor: int | str | None = None
        if text:
            descriptor = text[1:-1] if text[0] == "{" else int(text[:18])
        self.position = match.end()
        self.skip_blanks()
        word = self.word()
        if word is None:
            self.report(
                self.position,
                self.position,
                f'unexpected {self.unexpected()} after "{match.group()}"',
            )
            word = Word(
                self.position,
                self.position,
                (Unreadable(start, self.position, "no target"),),
            )
        elif operator in ("<<", "<<-"):
            return Redirection(
                start,
                word.end,
                descriptor,
                operator,
                self.pend(word, operator == "<<-"),
            )
        return Redirection(start, word.end, descriptor, operator, word)

    def pend(self, word: Word, strip_tabs: bool) -> HereDocument:
        """Notes a here-document: its body comes after the line end."""
        document = HereDocument(word.end, word.end, (), False)
        source = self.text[word.start : word.end]
        quoted = any(character in source for character in "\\'\"")
        delimiter = "".join(self.without_quotes(part) for part in word.parts)
        self.pending.append(PendingDocument(document, delimiter, quoted, strip_tabs, bool(self.substitutions)))
        return document

    def without_quotes(self, part: Part) -> str:
        if isinstance(part, Literal | Quoted):
            return part.text
        if isinstance(part, DoubleQuoted):
            return "".join(self.without_quotes(inner) for inner in part.parts)
        return self.text[part.start : part.end]
