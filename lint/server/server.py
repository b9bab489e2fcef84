"""The Language Server Protocol around the plain functions of this room."""

from __future__ import annotations

import asyncio
import os

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import lint
from lint import settings
from lint.checking.examination import Request
from lint.findings import Edit, Finding
from lint.rules.catalogue import SHELLCHECK_CODE
from lint.server.actions import actions
from lint.server.completion import complete
from lint.server.document import Document, Position
from lint.server.hover import hover
from lint.settings import CONFIDENCES, ScriptSettings
from lint.text import Source, Span

PAUSE = 0.25  # seconds without a key before the text is checked

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


class RecipeServer(LanguageServer):
    """The documents that are open, and the checks that are waiting for a pause in the typing."""

    def __init__(self) -> None:
        super().__init__("recipe-lint", lint.__version__)
        self.documents: dict[str, Document] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}

    def document(self, uri: str) -> Document:
        """The present version of a text."""
        text = self.workspace.get_text_document(uri).source
        known = self.documents.get(uri)
        if known is None or known.text != text:
            path = to_fs_path(uri) or "untitled.sh"
            known = Document(path, text, request_for(path))
            self.documents[uri] = known
        return known

    def check_soon(self, uri: str, pause: float) -> None:
        """Check a text once nobody has typed for a while."""
        waiting = self.waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.waiting[uri] = asyncio.get_running_loop().create_task(self.check(uri, pause))

    async def check(self, uri: str, pause: float) -> None:
        """Check a text and publish what was found; shellcheck and rules run outside the loop."""
        await asyncio.sleep(pause)
        document = self.document(uri)
        version = self.workspace.get_text_document(uri).version
        found = await asyncio.to_thread(diagnostics, document)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


def request_for(path: str) -> Request:
    """The settings for a path; those that cannot be used are as good as none (`check` says what is wrong with them)."""
    try:
        return Request(settings.settings_for(path).for_script(path), ScriptSettings())
    except settings.BadSettings:
        return Request(ScriptSettings(), ScriptSettings())


# ------------------------------------------------------------------------------------------------------- translation


def diagnostics(document: Document) -> list[types.Diagnostic]:
    """The findings of a text that are sure enough to be shown."""
    least = CONFIDENCES.index(document.request.settings.confidence)
    return [
        _diagnostic(document, finding)
        for finding in document.report.findings
        if finding.span.path == document.path and CONFIDENCES.index(finding.confidence) <= least
    ]


def _diagnostic(document: Document, finding: Finding) -> types.Diagnostic:
    message = finding.message + (f"\n{finding.help}" if finding.help else "")
    described = None
    if SHELLCHECK_CODE.match(finding.rule):
        described = types.CodeDescription(f"https://www.shellcheck.net/wiki/{finding.rule}")
    related = [
        types.DiagnosticRelatedInformation(_location(document, other.span), other.message) for other in finding.related
    ]
    return types.Diagnostic(
        range=_range(document, finding.span),
        severity=SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=described,
        source="recipe-lint",
        message=message,
        related_information=related or None,
    )


def _location(document: Document, span: Span) -> types.Location:
    if span.path == document.path:
        return types.Location(from_fs_path(document.path) or "", _range(document, span))
    source = document.report.sources.get(span.path, Source(span.path, ""))
    there = Document(span.path, source.text, document.request)
    return types.Location(from_fs_path(os.path.abspath(span.path)) or "", _range(there, span))


def _range(document: Document, span: Span) -> types.Range:
    return types.Range(
        types.Position(*document.position(span.start)),
        types.Position(*document.position(span.end)),
    )


def _edit(document: Document, edit: Edit) -> types.TextEdit:
    return types.TextEdit(_range(document, edit.span), edit.text)


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


# ------------------------------------------------------------------------------------------------------------ server


def create_server() -> RecipeServer:
    """A server with all its features, not started yet."""
    server = RecipeServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        settings.nearest.cache_clear()
        server.documents.clear()
        server.check_soon(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        waiting = server.waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        server.documents.pop(uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        text = hover(server.document(params.text_document.uri), _position(params.position))
        return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "="]))
    def completed(params: types.CompletionParams) -> types.CompletionList:
        document = server.document(params.text_document.uri)
        end = document.offset(_position(params.position))
        items = [
            types.CompletionItem(
                suggestion.text,
                detail=suggestion.detail,
                sort_text=f"{rank:04}",
                text_edit=types.TextEdit(_range(document, Span(document.path, suggestion.start, end)), suggestion.text),
            )
            for rank, suggestion in enumerate(complete(document, _position(params.position)))
        ]
        return types.CompletionList(is_incomplete=True, items=items)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def asked_for_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        document = server.document(uri)
        start, end = (document.offset(_position(place)) for place in (params.range.start, params.range.end))
        return [
            types.CodeAction(
                action.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[_diagnostic(document, action.finding)],
                is_preferred=action.preferred,
                edit=types.WorkspaceEdit(changes={uri: [_edit(document, edit) for edit in action.edits]}),
            )
            for action in actions(document, start, end)
        ]

    return server


def serve() -> None:
    """Talk to an editor over standard input and output until it says goodbye."""
    create_server().start_io()
