"""One open text: checked and understood once for each version, with positions as editors count them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event
from typing import NamedTuple

from lint.checking.examination import Examination, Request
from lint.checking.linter import Understood, understand
from lint.checking.remarks import Answer, Remarks
from lint.checking.reporting import report
from lint.checking.run import Job, examine_one, load
from lint.files.cache import Cache
from lint.files.sources import files_beside
from lint.findings import Finding
from lint.launch.launch import Override
from lint.output.report import Report
from lint.packed import Packed
from lint.server.once import once
from lint.settings import ScriptSettings
from lint.subject.subject import Subject
from lint.suppression.insert import Places
from lint.text import Source, Span


class Outdated(Exception):
    """The text has changed: nobody waits for an answer about it any more."""


class Position(NamedTuple):
    """Line and column from 0; the column counts code units of the encoding that editor and server agreed on."""

    line: int
    column: int


@dataclass(frozen=True)
class Document:
    """A text under its path."""

    path: str
    text: str
    request: Request
    encoding: str = "utf-16"
    unsaved: Mapping[str, str] = field(default_factory=dict)  # the other texts that are open, by real path
    _retired: Event = field(default_factory=Event, init=False, repr=False, compare=False)

    @once
    def source(self) -> Source:
        return Source(self.path, self.text)

    @once
    def places(self) -> Places:
        """Where suppressions can be written."""
        return Places(self.source, self.report.findings)

    @once
    def own_report(self) -> Report:
        """What our rules say about the text: shellcheck takes longer."""
        return self._report(replace(self.request.settings, shellcheck=False), {})

    @once
    def report(self) -> Report:
        """What `check` says about the text. Raises Outdated."""
        return self._report(self.request.settings, self._remarks)

    def depends_on(self, path: str) -> bool:
        """Whether what is known of the text follows from a file, by its real path; of what was not checked, it may."""
        return "_examination" not in vars(self) or path in self._others

    def is_of(self, text: str, unsaved: Mapping[str, str]) -> bool:
        """Whether an editor that has these texts open still means this document."""
        others = {*unsaved, *self.unsaved}
        return text == self.text and not any(
            unsaved.get(path) != self.unsaved.get(path) and self.depends_on(path) for path in others
        )

    def retire(self) -> None:
        """Give up what is being worked out: the text has changed."""
        self._retired.set()

    def _report(self, settings: ScriptSettings, remarks: Mapping[str, Answer]) -> Report:
        sources: Packed[str, Source] = Packed()
        examinations: Packed[str, Examination] = Packed()
        sources[self.path], examinations[self.path] = self.source, self._examination
        return report({self.path: settings}, sources, (), examinations, remarks)

    @once
    def _examination(self) -> Examination:
        self._go_on()
        return examine_one(self._job, self._go_on)

    @once
    def _others(self) -> frozenset[str]:
        """The files that the text was found to read, by real path."""
        places = files_beside(self.path).places(self._examination.looked_up)
        return frozenset(map(os.path.realpath, places))

    @once
    def _remarks(self) -> Mapping[str, Answer]:
        """What shellcheck says, which is ended when the text changes."""
        if isinstance(load(self._job), Finding):
            return {}
        remarks = Remarks(Cache(None), processes=1)
        remarks.ask(self.source, False, self.request.settings)
        try:
            remarks.start()
            _ = self._examination  # meanwhile
            return remarks.collect(self._go_on)
        except Outdated:
            remarks.stop()
            raise

    def _go_on(self) -> None:
        if self._retired.is_set():
            raise Outdated

    @property
    def _job(self) -> Job:
        return Job(self.path, self.request, self.text.encode("utf-8", "surrogateescape"), self.unsaved)

    @once
    def understood(self) -> Understood:
        """The launches of the text with all that is known of them."""
        return understand(self.source, self.request, files_beside(self.path, unsaved=self.unsaved))

    @once
    def default_subject(self) -> Subject | None:
        """A launch of verl's main entry point without overrides, for a text that launches nothing yet."""
        source = Source(self.path, "python3 -m verl.trainer.main_ppo\n")
        return next(
            iter(understand(source, self.request, files_beside(self.path, unsaved=self.unsaved)).subjects), None
        )

    # ------------------------------------------------------------------------------------------------- positions

    def offset(self, position: Position) -> int:
        """The offset of a position; one behind the end of its line is the end of the line."""
        starts = self.source.line_starts
        if position.line >= len(starts):
            return len(self.text)
        line = self.source.line_text(position.line + 1)
        units = 0
        for column, character in enumerate(line):
            if units >= position.column:
                return starts[position.line] + column
            units += self.units(character)
        return starts[position.line] + len(line)

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line, column = self.source.position(min(offset, len(self.text)))
        before = self.source.line_text(line)[: column - 1]
        return Position(line - 1, len(before) if before.isascii() else sum(map(self.units, before)))

    def units(self, character: str) -> int:
        """How many code units a character takes."""
        if self.encoding == "utf-8":
            return len(character.encode("utf-8", "surrogatepass"))
        return 2 if self.encoding == "utf-16" and ord(character) > 0xFFFF else 1

    # ------------------------------------------------------------------------------------------------- what is there

    def override_at(self, offset: int) -> tuple[Subject, Override] | None:
        """The override that is written at an offset, in the launch that uses it (the last one, if several do)."""
        found = None
        for subject in self.understood.subjects:
            for override in subject.launch.overrides:
                if _holds(override.span, self.path, offset):
                    found = subject, override
        return found

    def subject_near(self, offset: int) -> Subject | None:
        """The launch that a key written at an offset would most likely belong to: the next one in the text."""
        here = [subject for subject in self.understood.subjects if subject.launch.command.span.path == self.path]
        after = [subject for subject in here if subject.launch.command.span.end >= offset]
        chosen = after or here[-1:]
        return min(chosen, key=lambda subject: subject.launch.command.span.start) if chosen else None


def _holds(span: Span, path: str, offset: int) -> bool:
    return span.path == path and span.start <= offset <= span.end
