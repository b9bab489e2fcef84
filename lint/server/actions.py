"""Quick fixes for the findings at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lint.findings import Edit, Finding
from lint.rules.catalogue import is_suppressible
from lint.server.document import Document
from lint.text import Span


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do about a finding. A preferred one may be applied without a second look."""

    title: str
    edits: tuple[Edit, ...]
    finding: Finding
    preferred: bool


def actions(document: Document, start: int, end: int) -> Iterator[Action]:
    """What can be done about the findings that touch a stretch of the text."""
    for finding in document.report.findings:
        span = finding.span
        if span.path != document.path or span.end < start or end < span.start:
            continue
        if finding.fix is not None and all(edit.span.path == document.path for edit in finding.fix.edits):
            yield Action(finding.fix.title, finding.fix.edits, finding, finding.fix.safe)
        if is_suppressible(finding.rule):
            yield Action(f"suppress {finding.rule} here", (_suppression(document, finding),), finding, False)


def _suppression(document: Document, finding: Finding) -> Edit:
    """A comment on a line of its own before the statement; the reason is for its author to write."""
    source = document.source
    line = source.line(finding.span.start)
    while line > 1 and source.line_text(line - 1).endswith("\\"):
        line -= 1
    text = source.line_text(line)
    indent = text[: len(text) - len(text.lstrip())]
    start = source.line_starts[line - 1]
    return Edit(Span(source.path, start, start), f"{indent}# recipe-lint: ignore[{finding.rule}] -- \n")
