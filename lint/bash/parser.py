"""The parser: bash's own grammar, and recovery where a script breaks it.

A recursive descent over the text, without a separate token stream, because what a character means in bash depends on
the grammar around it. It is built in layers, each a class of its own: `Cursor` (position and notes), `WordParser`,
`ExpansionParser`, `AssignmentParser`, `CommandParser`, `CompoundParser`, `ConditionalParser`, `HereDocumentParser`,
and `Parser` here, which recovers from errors.

Recovery: an error that has a place (an unexpected token, a bad substitution) is noted where it stands and reading goes
on behind it. A construct that is still open when the text ends has no such place. Then `Parser` decides where it was
meant to end, notes that decision, and reads the statement again: see `lint.bash.parsing.recovery`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from lint.bash.parsing.cursor import TOO_MANY_ERRORS, Cut, GivenUp, Mark, Unclosed, is_glued
from lint.bash.parsing.here_documents import HereDocumentParser
from lint.bash.parsing.recovery import decide
from lint.bash.parsing.relocate import relocate
from lint.bash.parsing.words import HERE_DOCUMENT, Style
from lint.bash.syntax import Part, Script, Statement, SyntaxProblem
from lint.text import Source

_MAXIMUM_CUTS = 10
_MAXIMUM_READ_AGAIN = 1_000_000  # characters
_MAXIMUM_DECISIONS = 50
"""Open constructs that are closed by decision; after that the rest of the script is left unread."""


def parse(source: Source, extglob: bool = False) -> Script:
    """The syntax tree of a script, and what bash would reject in it.

    `extglob`: extended patterns are on from the start (a sourced file; otherwise `shopt -s extglob` turns them on).
    """
    script = _parse_without("\0", source, extglob) if "\0" in source.text else _parse_text(source, extglob)
    if script.errors and "\r\n" in source.text:
        return replace(_parse_with_carriage_returns(source, extglob), sound=script.sound)
    return script


def _parse_text(source: Source, extglob: bool) -> Script:
    extended = [0] if extglob else []
    parser = Parser(source.text, extglob=extglob, extended=extended, may_be_cut=is_glued(source.text))
    try:
        body = parser.script()
    except Cut:
        return _parse_joined(source, extglob)
    return parser.read_script(source, body)


def _parse_joined(source: Source, extglob: bool) -> Script:
    """Reads a script as if the line continuations that cut a keyword or an operator were not there."""
    text, offsets = source.text, list(range(len(source.text) + 1))
    for attempt in range(_MAXIMUM_CUTS + 1):
        again = attempt < _MAXIMUM_CUTS and attempt * len(text) < _MAXIMUM_READ_AGAIN
        parser = Parser(text, extglob=extglob, extended=[0] if extglob else [], may_be_cut=again)
        try:
            body = parser.script()
            break
        except Cut as cut:
            text = text[: cut.position] + text[cut.position + 2 :]
            del offsets[cut.position : cut.position + 2]
    if not again and is_glued(text):
        message = "too many line continuations cut a keyword or an operator: some are not read as bash does"
        parser.errors.append(SyntaxProblem(0, len(text), message))
    return _moved(parser.read_script(source, body), offsets)


def _parse_without(ignored: str, source: Source, extglob: bool) -> Script:
    """Reads the script as if it had no NUL bytes (which bash ignores), or no carriage returns."""
    offsets = [offset for offset, character in enumerate(source.text) if character != ignored]
    offsets.append(len(source.text))
    script = _parse_text(Source(source.path, source.text.replace(ignored, "")), extglob)
    return replace(_moved(script, offsets), source=source)


def _moved(script: Script, offsets: Sequence[int]) -> Script:
    return Script(
        script.source,
        relocate(script.body, offsets),
        relocate(script.comments, offsets),
        relocate(script.errors, offsets),
        relocate(script.sound, offsets),
        tuple(offsets[place] for place in script.extended),
    )


def _parse_with_carriage_returns(source: Source, extglob: bool) -> Script:
    """Reads a script that bash rejects and whose lines end in `\\r\\n`: as if they ended in `\\n`, with one error."""
    script = _parse_without("\r", source, extglob)
    first = source.text.index("\r\n")
    message = "carriage return at the line end: bash reads it as part of the last word"
    return replace(script, errors=(SyntaxProblem(first, first + 1, message), *script.errors))


def is_rejection(error: SyntaxProblem) -> bool:
    """Whether bash finds an error when it reads a line, and not when it runs it."""
    return not error.message.startswith("bad substitution")


class Parser(HereDocumentParser):
    """Reads a whole text, and recovers from errors."""

    def read_script(self, source: Source, body: tuple[Statement, ...]) -> Script:
        """What has been read of a source: these statements, and what was noted of them."""
        notes = tuple(self.comments), tuple(self.errors)
        return Script(source, body, *notes, self.sound, tuple(self.extended))

    def script(self) -> tuple[Statement, ...]:
        """All statements; what is nested too deeply, or has too many errors, stays unread."""
        body: list[Statement] = []
        try:
            self.read_all(body)
        except GivenUp as given_up:
            self.stop_at(self.position, body)
            self.errors.append(SyntaxProblem(self.position, len(self.text), str(given_up)))
        return tuple(body)

    def all_statements(self) -> tuple[Statement, ...]:
        body: list[Statement] = []
        self.read_all(body)
        return tuple(body)

    def read_all(self, body: list[Statement]) -> None:
        """Appends all statements to `body`."""
        marks: list[Mark] = []
        decisions = 0
        while True:
            end = self.position
            self.skip_lines()
            if self.extglob_later is not None and "\n" in self.text[end : self.position]:
                self.switch_extglob(self.extglob_later)
            if self.position >= len(self.text):
                return
            mark = self.mark()
            try:
                statement = self.top_statement()
                if len(self.errors) > mark.errors and any(map(is_rejection, self.errors[mark.errors :])):
                    self.stop_at(mark.position, body)
            except Unclosed as unclosed:
                self.stop_at(mark.position, body)
                decisions += 1
                if decisions > _MAXIMUM_DECISIONS:
                    self.back_to(mark)
                    raise GivenUp(TOO_MANY_ERRORS) from None
                opening = decide(self, unclosed)
                marks.append(mark)
                index = max(bisect_right([mark.position for mark in marks], opening) - 1, 0)
                self.back_to(marks[index])
                del marks[index:], body[index:]
                continue
            if statement is not None:
                marks.append(mark)
                body.append(statement)

    def stop_at(self, position: int, body: Sequence[Statement]) -> None:
        """Notes that bash stops at an error in the statement that begins here, and runs the lines before it."""
        if self.sound is None:
            lines = [statement for statement in body if "\n" in self.text[statement.end : position]]
            self.sound = tuple(lines)

    def switch_extglob(self, on: bool) -> None:
        """From here on, `extglob` is this."""
        if on != self.extglob:
            self.extended.append(self.position)
        self.extglob, self.extglob_later = on, None

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

    def derived_parts(self, text: str, offsets: list[int], style: Style) -> tuple[Part, ...]:
        """The parts of a here-document, or of another text in such a style, which nothing but its end closes."""
        self.enter()
        inner = self.derived(text)
        inner.in_here_document = style is HERE_DOCUMENT or self.in_here_document
        mark = inner.mark()
        parts: tuple[Part, ...] = ()
        for _ in range(_MAXIMUM_DECISIONS):
            try:
                parts = inner.parts_until(style, 0, "<<")
                break
            except Unclosed as unclosed:
                decide(inner, unclosed)
                inner.back_to(mark)
        else:
            raise GivenUp(TOO_MANY_ERRORS)
        self.adopt(inner, offsets)
        self.depth -= 1
        return relocate(parts, offsets)
