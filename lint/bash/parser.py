"""The parser: bash's own grammar, and recovery where a script breaks it.

A recursive descent over the text, without a separate token stream, because what a character means in bash depends on
the grammar around it. It is built in layers, each a class of its own: `Cursor` (position and notes), `WordParser`,
`ExpansionParser`, `CommandParser`, `CompoundParser`, `ConditionalParser`, `HereDocumentParser`, and `Parser` here,
which recovers from errors.

Recovery: an error that has a place (an unexpected token, a bad substitution) is noted where it stands and reading goes
on behind it. A construct that is still open when the text ends has no such place. Then `Parser` decides where it was
meant to end, notes that decision, and reads the statement again: see `lint.bash.parsing.recovery`.
"""

from __future__ import annotations

from bisect import bisect_right

from lint.bash.parsing.cursor import Mark, TooDeep, Unclosed
from lint.bash.parsing.here_documents import HereDocumentParser
from lint.bash.parsing.recovery import decide
from lint.bash.parsing.relocate import relocate
from lint.bash.parsing.words import HERE_DOCUMENT
from lint.bash.syntax import Part, Script, Statement
from lint.text import Source

_MAXIMUM_DECISIONS = 50
"""Open constructs that are closed by decision; after that the rest of the script is left unread."""


def parse(source: Source, extglob: bool = False) -> Script:
    """The syntax tree of a script, and what bash would reject in it.

    `extglob`: extended patterns are on from the start (a sourced file; otherwise `shopt -s extglob` turns them on).
    """
    if "\0" in source.text:
        return _parse_without_nul(source, extglob)
    parser = Parser(source.text, extglob=extglob)
    body = parser.script()
    return Script(source, body, tuple(parser.comments), tuple(parser.errors))


def _parse_without_nul(source: Source, extglob: bool) -> Script:
    """Bash ignores NUL bytes in a script."""
    offsets = [offset for offset, character in enumerate(source.text) if character != "\0"]
    parser = Parser(source.text.replace("\0", ""), extglob=extglob)
    body = parser.script()
    offsets.append(len(source.text))
    comments, errors = relocate(tuple(parser.comments), offsets), relocate(tuple(parser.errors), offsets)
    return Script(source, relocate(body, offsets), comments, errors)


class Parser(HereDocumentParser):
    """Reads a whole text, and recovers from errors."""

    def script(self) -> tuple[Statement, ...]:
        """All statements; nesting that is too deep leaves the rest unread."""
        try:
            return self.all_statements()
        except TooDeep:
            self.report(self.position, len(self.text), "nested too deeply: the rest is not read")
            return ()

    def all_statements(self) -> tuple[Statement, ...]:
        body: list[Statement] = []
        marks: list[Mark] = []
        while True:
            self.skip_lines()
            if self.position >= len(self.text):
                return tuple(body)
            mark = self.mark()
            try:
                statement = self.top_statement()
            except Unclosed as unclosed:
                if len(self.closings) >= _MAXIMUM_DECISIONS:
                    self.back_to(mark)
                    self.report(self.position, len(self.text), "too many errors: the rest is not read")
                    return tuple(body)
                opening = decide(self, unclosed)
                marks.append(mark)
                index = max(bisect_right([mark.position for mark in marks], opening) - 1, 0)
                self.back_to(marks[index])
                del marks[index:], body[index:]
                continue
            if statement is not None:
                marks.append(mark)
                body.append(statement)

    def top_statement(self) -> Statement | None:
        """One statement, at the top level; None for a stray token, which is skipped."""
        position = self.position
        if self.at_stray():
            self.skip_unexpected()
            return None
        statement = self.statement()
        if self.position == position:
            self.skip_unexpected()
        return statement

    def derived_parts(self, text: str, offsets: list[int]) -> tuple[Part, ...]:
        """The parts of a here-document."""
        self.enter()
        inner = self.derived(text)
        inner.in_here_document = True
        while True:
            try:
                parts = inner.parts_until(HERE_DOCUMENT, 0, "<<")
                break
            except Unclosed as unclosed:
                decide(inner, unclosed)
                inner.position = 0
                inner.depth = self.depth
                inner.errors.clear()
        self.adopt(inner, offsets)
        self.depth -= 1
        return relocate(parts, offsets)
