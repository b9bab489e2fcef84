"""A text that is rewritten in rounds: edits of one round, and where the lines of the result come from."""

from __future__ import annotations

from functools import cached_property

from lint.bash.parser import parse
from lint.bash.syntax import Word
from lint.bash.walk import Nodes
from lint.findings import Edit
from lint.frozen import frozen
from lint.text import Source, Span


@frozen
class Change:
    """One thing that was changed, or that could not be: the line in the original script, and what it is about.

    Line 0 is in another file.
    """

    line: int
    what: str


class Rewritten:
    """A script as it has become, with what was changed and what was lost on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.changes: list[Change] = []
        self.lost: list[Change] = []
        self._lines = list(range(1, len(source.line_starts) + 1))  # of the original, for each line of today

    def apply(self, edits: Edits) -> None:
        """Take the edits of one round over."""
        self.changes += [Change(self._original(change.line), change.what) for change in edits.changes]
        self.lost += [Change(self._original(change.line), change.what) for change in edits.lost]
        before, pieces, lines, position = self.source, [], [], 0
        for edit in sorted(edits.edits, key=lambda edit: edit.span):
            pieces.append(before.text[position : edit.span.start])
            lines += [self._lines[before.line(position) + count] for count in range(pieces[-1].count("\n"))]
            pieces.append(edit.text)
            lines += [self._original(before.line(edit.span.start))] * edit.text.count("\n")
            position = edit.span.end
        pieces.append(before.text[position:])
        lines += self._lines[before.line(position) :]
        self._lines = [self._lines[0], *lines]
        self.source = Source(before.path, "".join(pieces))

    def _original(self, line: int) -> int:
        return self._lines[line - 1] if line else 0


class Edits:
    """Edits of one text that do not overlap, with what they do; false if there are none."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.changes: list[Change] = []
        self.lost: list[Change] = []
        self.edits: list[Edit] = []

    def __bool__(self) -> bool:
        return bool(self.edits)

    def change(self, span: Span, text: str, what: str) -> None:
        """Write another text, which means the same to the release."""
        if self._add(span, text):
            self.changes.append(Change(self._line(span), what))

    def note_loss(self, span: Span, what: str) -> None:
        """Say of a place that something is lost there, and leave it as it is."""
        self.lost.append(Change(self._line(span), what))

    def drop(self, span: Span) -> None:
        """Take a word out that is not needed any more, with its line if it has one of its own."""
        span = self._word(span)
        self._add(self._whole_line(span) if self._is_alone(span) else span, "")

    def cut(self, span: Span, what: str, mark: str) -> None:
        """Take a word out that is lost: it becomes a comment behind `mark` where it stands alone on a line of an array;
        a line of its own in a continued command goes; else only the word goes."""
        span = self._word(span)
        written = self.source.text[span.start : span.end]
        place, left, said = span, "", f"{what}: {written}"
        if self._is_alone(span) and self._is_continued(span):
            place = self._whole_line(span)
        elif self._is_alone(span) and "\n" not in written:
            place, left, said = Span(span.path, span.start, span.start), mark, f"{what}: it is a comment now"
        if self._add(place, left):
            self.lost.append(Change(self._line(span), said))

    def _line_around(self, span: Span) -> tuple[int, int]:
        """Where the line starts on which a span starts, and where the line ends on which it ends."""
        start = self.source.line_starts[self.source.line(span.start) - 1]
        last = self.source.line(max(span.start, span.end - 1))
        return start, self.source.line_starts[last - 1] + len(self.source.line_text(last))

    def _is_alone(self, span: Span) -> bool:
        """Whether nothing else stands on its lines, comments and line continuations aside."""
        start, end = self._line_around(span)
        rest = self.source.text[span.end : end].removesuffix("\\").strip()
        return not self.source.text[start : span.start].strip() and (not rest or rest.startswith("#"))

    def _is_continued(self, span: Span) -> bool:
        start, end = self._line_around(span)
        return self.source.text[start:end].endswith("\\") or self.source.text[:start].endswith("\\\n")

    def _word(self, span: Span) -> Span:
        """The whole word that a span is the text of, quotes included: what is left of a word would be another word."""
        near = [word for word in self._words if word.start in (span.start, span.start - 1)]
        whole = [word for word in near if word.end in (span.end, span.end + 1)]
        return min(((Span(span.path, word.start, word.end)) for word in whole), default=span)

    @cached_property
    def _words(self) -> list[Word]:
        return list(Nodes(parse(self.source).body).of(Word))

    def _whole_line(self, span: Span) -> Span:
        """The lines of a span; of the last line of a continued command, the backslash before it goes too."""
        text = self.source.text
        start, end = self._line_around(span)
        if text[start:end].endswith("\\") or not text[:start].endswith("\\\n"):
            return Span(span.path, start, min(end + 1, len(text)))
        before = text[: start - 1].removesuffix("\\").rstrip(" \t")
        return Span(span.path, len(before), end)

    def _add(self, span: Span, text: str) -> bool:
        for other in self.edits:
            if (span.start < other.span.end and other.span.start < span.end) or span == other.span:
                return False
        self.edits.append(Edit(span, text))
        return True

    def _line(self, span: Span) -> int:
        return self.source.line(span.start) if span.path == self.source.path else 0
