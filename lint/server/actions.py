"""Quick fixes for the findings at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lint.findings import Edit, Finding
from lint.fixes.fix import apply
from lint.frozen import frozen
from lint.rules.catalogue import is_suppressible
from lint.server.document import Document
from lint.suppression.insert import insertion


@frozen
class Action:
    """Something to do about a finding. A preferred one may be applied without a second look."""

    title: str
    edits: tuple[Edit, ...]
    findings: tuple[Finding, ...]
    preferred: bool


def actions(document: Document, start: int, end: int) -> tuple[Action, ...]:
    """What can be done about the findings that touch a stretch of the text; what serves several is offered once."""
    joined: dict[tuple[str, tuple[Edit, ...]], Action] = {}
    for action in _each(document, start, end):
        same = joined.get((action.title, action.edits))
        whole = action if same is None else replace(same, findings=(*same.findings, *action.findings))
        joined[action.title, action.edits] = whole
    return tuple(joined.values())


def _each(document: Document, start: int, end: int) -> Iterator[Action]:
    for finding in document.report.findings:
        span = finding.span
        if span.path != document.path or span.end < start or end < span.start:
            continue
        if finding.fix is not None and all(edit.span.path == document.path for edit in finding.fix.edits):
            yield Action(finding.fix.title, finding.fix.edits, (finding,), finding.fix.safe)
        place = document.places.place_for(finding) if is_suppressible(finding.rule) else None
        if place is not None:  # the reason is for its author to write: without one it is reported
            edit = insertion(document.source, place, [finding.rule], "")
            where = "in this file" if place.whole_file else "here"
            yield Action(f"suppress {finding.rule} {where}", (edit,), (finding,), False)


def safe_edits(document: Document) -> tuple[Edit, ...]:
    """The edits of every safe fix of the text, save those that touch what an earlier one changes."""
    safe = [finding for finding in document.report.findings if finding.fix is not None and finding.fix.safe]
    applied = apply(safe, {document.path: document.source}, unsafe=False)
    fixes = {finding.fix: None for finding in applied.fixed if finding.fix is not None}
    return tuple(edit for fix in fixes for edit in fix.edits)
