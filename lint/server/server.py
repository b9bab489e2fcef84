"""The Language Server Protocol around the plain functions of this room."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

import lint
from lint import settings
from lint.checking.examination import Request
from lint.checking.remembered import forget, surroundings
from lint.findings import Edit, Finding
from lint.output.report import stated
from lint.rules.catalogue import describe
from lint.server.actions import actions, safe_edits
from lint.server.completion import complete
from lint.server.document import Document, Position
from lint.server.hover import hover
from lint.settings import CONFIDENCES, ScriptSettings
from lint.text import Source, Span

P = ParamSpec("P")
Result = TypeVar("Result")

PAUSE = 0.1  # seconds without a key before the text is checked: with shellcheck, findings are there within 0.3

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.recipe-lint"
WATCHED = (
    *("**/*.sh", "**/*.yaml", "**/*.yml", "**/*.py", "**/*.toml", "**/.shellcheckrc", "**/config.json"),
    *("**/requirements*.txt", "**/*.lock", "**/Pipfile", "**/REQUIRED_VERL.txt", "**/setup.cfg", "**/.gitmodules"),
)
"""Files that findings depend on beside the script."""

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


class RecipeServer(LanguageServer):
    """The documents that are open, and the checks that are waiting for a pause in the typing."""

    def __init__(self) -> None:
        super().__init__("recipe-lint", lint.__version__)
        self.open: set[str] = set()  # as the editor writes them; the workspace keeps other forms of them
        self.documents: dict[str, Document] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.states: dict[str, str] = {}  # of the checkouts around documents, by URI
        self._threads = ThreadPoolExecutor()  # not that of the loop, which waits for its threads when it ends

    @property
    def encoding(self) -> str:
        """The unit of columns that the editor and this server agreed on."""
        return self.workspace.position_encoding or "utf-16"

    async def apart(self, work: Callable[P, Result], *arguments: P.args, **named: P.kwargs) -> Result:
        """Something that takes its time, outside of the loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *arguments, **named))

    def document(self, uri: str) -> Document | None:
        """The present version of a text; None if it is not open, or was closed meanwhile."""
        if uri not in self.open:
            return None
        texts = {one: self.workspace.get_text_document(one).source for one in self.open}
        unsaved = {os.path.realpath(_path(one)): text for one, text in texts.items() if one != uri}
        known = self.documents.get(uri)
        if known is None or not known.is_of(texts[uri], unsaved):
            known = Document(_path(uri), texts[uri], request_for(_path(uri))[0], self.encoding, unsaved)
            self.documents[uri] = known
        return known

    def refresh(self, uri: str) -> str | None:
        """Forget what was read of settings and of the checkout if they changed; what is wrong with the settings."""
        settings.nearest.cache_clear()
        present = surroundings([_path(uri)])
        if self.states.get(uri, present) != present:
            forget()
            self.documents.clear()
        self.states[uri] = present
        request, problem = request_for(_path(uri))
        known = self.documents.get(uri)
        if known is not None and known.request != request:
            del self.documents[uri]
        return problem

    def check_soon(self, uri: str, pause: float) -> None:
        """Check a text once nobody has typed for a while."""
        waiting = self.waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.waiting[uri] = asyncio.get_running_loop().create_task(self.check(uri, pause))

    async def check(self, uri: str, pause: float) -> None:
        """Check a text and publish what was found; shellcheck and rules run outside the loop."""
        await asyncio.sleep(pause)
        problem = self.refresh(uri)
        document = self.document(uri)
        if document is None:
            return
        version = self.workspace.get_text_document(uri).version
        found = await self.apart(diagnostics, document)
        if problem is not None:
            place = types.Range(types.Position(0, 0), types.Position(0, 0))
            about = types.Diagnostic(place, problem, SEVERITIES["error"], "settings", source="recipe-lint")
            found = [about, *found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def check_dependents(self, uri: str) -> None:
        """Check the other open texts again that read this one."""
        path = os.path.realpath(_path(uri))
        for other in self.open - {uri}:
            known = self.documents.get(other)
            if known is not None and known.depends_on(path):
                self.check_soon(other, PAUSE)

    def check_all(self) -> None:
        """Check every open text again: something that they depend on has changed."""
        forget()
        self.documents.clear()
        for uri in self.open:
            self.check_soon(uri, PAUSE)


def _path(uri: str) -> str:
    """The path of a document; a text that was never saved lies in the current folder."""
    return to_fs_path(uri) or "untitled.sh" if uri.startswith("file:") else "untitled.sh"


def request_for(path: str) -> tuple[Request, str | None]:
    """The settings for a path, or the built-in ones and what is wrong with the settings."""
    try:
        return Request(settings.settings_for(path).for_script(path), ScriptSettings()), None
    except settings.BadSettings as error:
        return Request(ScriptSettings(), ScriptSettings()), str(error)


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
    message = stated(finding) + (f"\n{finding.help}" if finding.help else "")
    related = [
        types.DiagnosticRelatedInformation(_location(document, other.span), other.message) for other in finding.related
    ]
    return types.Diagnostic(
        range=_range(document, finding.span),
        severity=SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(describe(finding.rule).address),
        source="recipe-lint",
        message=message,
        related_information=related or None,
    )


def _location(document: Document, span: Span) -> types.Location:
    if span.path == document.path:
        return types.Location(from_fs_path(document.path) or "", _range(document, span))
    source = document.report.sources.get(span.path, Source(span.path, ""))
    there = Document(span.path, source.text, document.request, document.encoding)
    return types.Location(from_fs_path(os.path.abspath(span.path)) or "", _range(there, span))


def _range(document: Document, span: Span) -> types.Range:
    return types.Range(
        types.Position(*document.position(span.start)),
        types.Position(*document.position(span.end)),
    )


def _edit(document: Document, edit: Edit) -> types.TextEdit:
    return types.TextEdit(_range(document, edit.span), edit.text)


def _change(document: Document, uri: str, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={uri: [_edit(document, edit) for edit in edits]})


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


# ------------------------------------------------------------------------------------------------------------ server


def create_server() -> RecipeServer:
    """A server with all its features, not started yet."""
    server = RecipeServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.open.add(params.text_document.uri)
        server.check_soon(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri, PAUSE)
        server.check_dependents(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.check_all()
        server.check_soon(params.text_document.uri, 0)

    @server.feature(types.INITIALIZED)
    async def ready(params: types.InitializedParams) -> None:
        """Ask to be told of files that results depend on, where the editor can do that."""
        workspace = server.client_capabilities.workspace
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is None or not watching.dynamic_registration:
            return
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in WATCHED])
        watched = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        await server.client_register_capability_async(types.RegistrationParams([watched]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed_on_disk(params: types.DidChangeWatchedFilesParams) -> None:
        server.check_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.open.discard(uri)
        waiting = server.waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        server.documents.pop(uri, None)
        server.check_dependents(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        text = await server.apart(hover, document, _position(params.position))
        return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", "=", "["]))
    async def completed(params: types.CompletionParams) -> types.CompletionList | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        end = document.offset(_position(params.position))
        suggestions = await server.apart(complete, document, _position(params.position))
        items = [
            types.CompletionItem(
                suggestion.text,
                detail=suggestion.detail,
                sort_text=f"{rank:04}",
                text_edit=types.TextEdit(_range(document, Span(document.path, suggestion.start, end)), suggestion.text),
            )
            for rank, suggestion in enumerate(suggestions)
        ]
        return types.CompletionList(is_incomplete=True, items=items)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL]))
    async def asked_for_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, wanted = params.text_document.uri, params.context.only or [QUICK_FIX]
        document = server.document(uri)
        if document is None:
            return []
        start, end = (document.offset(_position(place)) for place in (params.range.start, params.range.end))
        found = []
        if any(QUICK_FIX.startswith(kind) for kind in wanted):
            for action in await server.apart(actions, document, start, end):
                found.append(
                    types.CodeAction(
                        action.title,
                        kind=QUICK_FIX,
                        diagnostics=[_diagnostic(document, finding) for finding in action.findings],
                        is_preferred=action.preferred,
                        edit=_change(document, uri, action.edits),
                    )
                )
        if any(FIX_ALL.startswith(kind) for kind in wanted):
            edits = await server.apart(safe_edits, document)
            if edits:
                title = "fix all that recipe-lint can fix safely"
                found.append(types.CodeAction(title, kind=FIX_ALL, edit=_change(document, uri, edits)))
        return found

    return server


def serve() -> None:
    """Talk to an editor over standard input and output until it says goodbye."""
    create_server().start_io()
