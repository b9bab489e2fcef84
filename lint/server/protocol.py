"""What this room knows in the terms of the Language Server Protocol."""

from __future__ import annotations

import os
from collections.abc import Sequence

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from lint.findings import Edit, Finding
from lint.output.report import NOT_CHECKED, Report, stated
from lint.rules.catalogue import describe
from lint.server.document import Document, Position
from lint.settings import CONFIDENCES
from lint.text import Source, Span

SOURCE = "recipe-lint"
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
BEGINNING = types.Range(types.Position(0, 0), types.Position(0, 0))


def path_of(uri: str) -> str:
    """The path of a document; a text that was never saved lies in the current folder."""
    return to_fs_path(uri) or "untitled.sh" if uri.startswith("file:") else "untitled.sh"


def diagnostics(document: Document, report: Report) -> list[types.Diagnostic]:
    """The findings of a text that are sure enough to be shown, and what of it was not checked."""
    least = CONFIDENCES.index(document.request.settings.confidence)
    found = [
        diagnostic(document, finding)
        for finding in report.findings
        if finding.span.path == document.path and CONFIDENCES.index(finding.confidence) <= least
    ]
    return found + [
        hint(range_of(document, unchecked.span), f"not checked: {unchecked.reason}")
        for unchecked in report.unchecked
        if unchecked.span.path == document.path
    ]


def hint(place: types.Range, message: str) -> types.Diagnostic:
    """Something about the check itself, which nobody has to do anything about."""
    return types.Diagnostic(place, message, types.DiagnosticSeverity.Hint, NOT_CHECKED, source=SOURCE)


def diagnostic(document: Document, finding: Finding) -> types.Diagnostic:
    """A finding."""
    message = stated(finding) + (f"\n{finding.help}" if finding.help else "")
    related = [
        types.DiagnosticRelatedInformation(_location(document, other.span), other.message) for other in finding.related
    ]
    return types.Diagnostic(
        range=range_of(document, finding.span),
        severity=SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(describe(finding.rule).address),
        source=SOURCE,
        message=message,
        related_information=related or None,
    )


def _location(document: Document, span: Span) -> types.Location:
    if span.path == document.path:
        return types.Location(from_fs_path(document.path) or "", range_of(document, span))
    source = document.own_report.sources.get(span.path, Source(span.path, ""))
    there = Document(span.path, source.text, document.request, document.encoding)
    return types.Location(from_fs_path(os.path.abspath(span.path)) or "", range_of(there, span))


def range_of(document: Document, span: Span) -> types.Range:
    """A stretch of a text."""
    return types.Range(
        types.Position(*document.position(span.start)),
        types.Position(*document.position(span.end)),
    )


def change(document: Document, uri: str, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of one text."""
    return types.WorkspaceEdit(
        changes={uri: [types.TextEdit(range_of(document, edit.span), edit.text) for edit in edits]}
    )


def position_of(position: types.Position) -> Position:
    """A place that an editor names."""
    return Position(position.line, position.character)
