"""What an editor tells and asks, one function for each kind of message of the Language Server Protocol."""

from __future__ import annotations

from lsprotocol import types

from lint.server.actions import actions, safe_edits
from lint.server.completion import complete
from lint.server.hover import hover
from lint.server.protocol import change, diagnostic, position_of, range_of
from lint.server.server import RecipeServer
from lint.text import Span

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.recipe-lint"
WATCHED = (
    *("**/*.sh", "**/*.yaml", "**/*.yml", "**/*.py", "**/*.toml", "**/.shellcheckrc", "**/config.json"),
    *("**/requirements*.txt", "**/*.lock", "**/Pipfile", "**/REQUIRED_VERL.txt", "**/setup.cfg", "**/.gitmodules"),
)
"""Files that findings depend on beside the script."""

# ------------------------------------------------------------------------------------------------------ what is told


async def initialized(server: RecipeServer, params: types.InitializedParams) -> None:
    """Ask to be told of files that results depend on, where the editor can do that."""
    workspace = server.client_capabilities.workspace
    watching = None if workspace is None else workspace.did_change_watched_files
    if watching is None or not watching.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(glob) for glob in WATCHED])
    watched = types.Registration("watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    await server.client_register_capability_async(types.RegistrationParams([watched]))


async def opened(server: RecipeServer, params: types.DidOpenTextDocumentParams) -> None:
    server.open.add(params.text_document.uri)
    server.check_soon(params.text_document.uri, 0)


async def changed(server: RecipeServer, params: types.DidChangeTextDocumentParams) -> None:
    server.retire(params.text_document.uri)
    server.check_soon(params.text_document.uri)
    server.check_dependents(params.text_document.uri)


async def saved(server: RecipeServer, params: types.DidSaveTextDocumentParams) -> None:
    server.check_all()
    server.check_soon(params.text_document.uri, 0)


async def closed(server: RecipeServer, params: types.DidCloseTextDocumentParams) -> None:
    server.close(params.text_document.uri)
    server.check_dependents(params.text_document.uri)


async def changed_on_disk(server: RecipeServer, params: types.DidChangeWatchedFilesParams) -> None:
    server.check_all()


# ------------------------------------------------------------------------------------------------------ what is asked


async def hovered(server: RecipeServer, params: types.HoverParams) -> types.Hover | None:
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    text = await server.apart(hover, document, position_of(params.position))
    return None if text is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


async def completed(server: RecipeServer, params: types.CompletionParams) -> types.CompletionList | None:
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    end = document.offset(position_of(params.position))
    suggestions = await server.apart(complete, document, position_of(params.position))
    items = [
        types.CompletionItem(
            suggestion.text,
            detail=suggestion.detail,
            sort_text=f"{rank:04}",
            text_edit=types.TextEdit(range_of(document, Span(document.path, suggestion.start, end)), suggestion.text),
        )
        for rank, suggestion in enumerate(suggestions or ())
    ]
    return types.CompletionList(is_incomplete=True, items=items)


async def asked_for_actions(server: RecipeServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    uri, wanted = params.text_document.uri, params.context.only or [QUICK_FIX]
    document = server.document(uri)
    if document is None:
        return []
    start, end = (document.offset(position_of(place)) for place in (params.range.start, params.range.end))
    found = []
    if any(QUICK_FIX.startswith(kind) for kind in wanted):
        for action in await server.apart(actions, document, start, end) or ():
            found.append(
                types.CodeAction(
                    action.title,
                    kind=QUICK_FIX,
                    diagnostics=[diagnostic(document, finding) for finding in action.findings],
                    is_preferred=action.preferred,
                    edit=change(document, uri, action.edits),
                )
            )
    if any(FIX_ALL.startswith(kind) for kind in wanted):
        edits = await server.apart(safe_edits, document)
        if edits:
            title = "fix all that recipe-lint can fix safely"
            found.append(types.CodeAction(title, kind=FIX_ALL, edit=change(document, uri, edits)))
    return found


# ------------------------------------------------------------------------------------------------------------ server


def create_server() -> RecipeServer:
    """A server with all its features, not started yet."""
    server = RecipeServer()
    server.feature(types.INITIALIZED)(initialized)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed_on_disk)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hovered)
    completion = types.CompletionOptions(trigger_characters=[".", "=", "["])
    server.feature(types.TEXT_DOCUMENT_COMPLETION, completion)(completed)
    kinds = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(asked_for_actions)
    return server


def serve() -> None:
    """Talk to an editor over standard input and output until it says goodbye."""
    create_server().start_io()
