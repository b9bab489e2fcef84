"""An editor to talk to the server with: a real client over standard input and output."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from lint.server.server import AT_WORK

SCRIPT = """\
#!/usr/bin/env bash
# recipe-lint: release=0.9.1
batch=64
echo "模型🚀 ${batch}"
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size="${batch}" \\
    actor_rollout_ref.rollout.tensor_model_parallel_siz=2 \\
    actor_rollout_ref.rollout.name=vllm "$@"
"""
LINES = SCRIPT.split("\n")


class Editor(LanguageClient):
    """A client with one document open."""

    def __init__(self, folder: Path) -> None:
        super().__init__("test editor", "1")
        self.uri = (folder / "run.sh").as_uri()
        self.edition = 1
        self.registered: list[str] = []
        self.told_of: set[str] = set()
        self.published: asyncio.Queue[list[types.Diagnostic]] = asyncio.Queue()
        self.before: list[list[types.Diagnostic]] = []  # what was told before shellcheck was done

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.told_of.add(params.uri)
            found = list(params.diagnostics)
            if any(AT_WORK in diagnostic.message for diagnostic in found):
                self.before.append(found)
            else:
                self.published.put_nowait(found)

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
        def asked_to_register(params: types.RegistrationParams) -> None:
            self.registered += [registration.method for registration in params.registrations]

    async def open(self, text: str) -> list[types.Diagnostic]:
        document = types.TextDocumentItem(self.uri, "shellscript", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return await self.diagnostics()

    def change(self, text: str) -> None:
        """Replace the whole text."""
        self.edition += 1
        document = types.VersionedTextDocumentIdentifier(self.edition, self.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def diagnostics(self) -> list[types.Diagnostic]:
        return await asyncio.wait_for(self.published.get(), 60)

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)


def session(
    folder: Path,
    talk: Callable[[Editor], Awaitable[None]],
    capabilities: types.ClientCapabilities | None = None,
    start: tuple[str, ...] = ("-m", "lint", "server"),
) -> None:
    """Start a server, talk to it, and say goodbye; it must end by itself."""

    async def run() -> None:
        editor = Editor(folder)
        await editor.start_io(sys.executable, *start)
        can = capabilities or types.ClientCapabilities()
        await editor.initialize_async(types.InitializeParams(can, root_uri=folder.as_uri()))
        editor.initialized(types.InitializedParams())
        await talk(editor)
        await editor.shutdown_async(None)
        editor.exit(None)
        await asyncio.wait_for(editor.stop(), 30)  # type: ignore[no-untyped-call]

    asyncio.run(run())


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits, by the positions of the protocol."""
    encoded = [line.encode("utf-16-le") for line in text.split("\n")]
    for edit in edits:
        start, end = edit.range.start, edit.range.end
        assert start.line == end.line
        line = encoded[start.line]
        encoded[start.line] = (
            line[: 2 * start.character] + edit.new_text.encode("utf-16-le") + line[2 * end.character :]
        )
    return "\n".join(line.decode("utf-16-le") for line in encoded)
