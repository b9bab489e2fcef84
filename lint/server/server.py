"""The documents that an editor has open, and when they are checked.

A check waits for a pause in the typing that is as long as the last check of the text took: what a key costs is bounded,
however long the text. When the text changes, the check that is at work is given up: shellcheck is ended, and nothing
more is told of it. Where shellcheck takes long, the findings of our own rules are told before.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

import lint
from lint import settings
from lint.checking.examination import Request
from lint.checking.remembered import forget, surroundings
from lint.output.report import Report
from lint.server.document import Document, Outdated
from lint.server.protocol import BEGINNING, SEVERITIES, SOURCE, diagnostics, hint, path_of
from lint.settings import ScriptSettings

P = ParamSpec("P")
Result = TypeVar("Result")

PAUSE = 0.1  # seconds without a key before the text is checked: with shellcheck, findings are there within 0.3
LONGEST_PAUSE = 5.0  # seconds
ALONE = 0.5  # seconds that our own findings wait for those of shellcheck
AT_WORK = "not checked yet by shellcheck, which is at work: its findings follow"


class RecipeServer(LanguageServer):
    """The documents that are open, and the checks that are waiting for a pause in the typing."""

    def __init__(self) -> None:
        super().__init__("recipe-lint", lint.__version__)
        self.open: set[str] = set()  # as the editor writes them; the workspace keeps other forms of them
        self.documents: dict[str, Document] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.states: dict[str, str] = {}  # of the checkouts around documents, by URI
        self.seconds: dict[str, float] = {}  # that our own rules took for a document the last time
        self._threads = ThreadPoolExecutor()  # not that of the loop, which waits for its threads when it ends

    @property
    def encoding(self) -> str:
        """The unit of columns that the editor and this server agreed on."""
        return self.workspace.position_encoding or "utf-16"

    async def apart(self, work: Callable[P, Result], *arguments: P.args, **named: P.kwargs) -> Result | None:
        """Something that takes its time, outside of the loop; None if the text that it is about has changed."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *arguments, **named))
        except Outdated:
            return None

    # ----------------------------------------------------------------------------------------------------- documents

    def document(self, uri: str) -> Document | None:
        """The present version of a text; None if it is not open, or was closed meanwhile."""
        if uri not in self.open:
            return None
        texts = {one: self.workspace.get_text_document(one).source for one in self.open}
        unsaved = {os.path.realpath(path_of(one)): text for one, text in texts.items() if one != uri}
        known = self.documents.get(uri)
        if known is None or not known.is_of(texts[uri], unsaved):
            self.retire(uri)
            known = Document(path_of(uri), texts[uri], request_for(path_of(uri))[0], self.encoding, unsaved)
            self.documents[uri] = known
        return known

    def retire(self, uri: str) -> None:
        """Give up what is being worked out about the version of a text that is known."""
        known = self.documents.pop(uri, None)
        if known is not None:
            known.retire()

    def retire_all(self) -> None:
        """The same for every text."""
        for uri in tuple(self.documents):
            self.retire(uri)

    def close(self, uri: str) -> None:
        """Forget a text, and take back what was told of it."""
        self.open.discard(uri)
        self.retire(uri)
        self.seconds.pop(uri, None)
        waiting = self.waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def refresh(self, uri: str) -> str | None:
        """Forget what was read of settings and of the checkout if they changed; what is wrong with the settings."""
        settings.nearest.cache_clear()
        present = surroundings([path_of(uri)])
        if self.states.get(uri, present) != present:
            forget()
            self.retire_all()
            for other in self.open - {uri}:
                self.check_soon(other)
        self.states[uri] = present
        request, problem = request_for(path_of(uri))
        known = self.documents.get(uri)
        if known is not None and known.request != request:
            self.retire(uri)
        return problem

    # -------------------------------------------------------------------------------------------------------- checks

    def check_soon(self, uri: str, pause: float | None = None) -> None:
        """Check a text once nobody has typed for a while."""
        if pause is None:
            pause = min(max(PAUSE, self.seconds.get(uri, 0)), LONGEST_PAUSE)
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
        whole = asyncio.create_task(self.apart(lambda: document.report))
        begin = time.monotonic()
        own = await self.apart(lambda: document.own_report)
        self.seconds[uri] = time.monotonic() - begin
        await asyncio.wait([whole], timeout=ALONE)
        if own is not None and not whole.done():
            await self.tell(uri, version, document, own, problem, [hint(BEGINNING, AT_WORK)])
        report = await whole
        if report is not None:
            await self.tell(uri, version, document, report, problem)

    async def tell(
        self,
        uri: str,
        version: int | None,
        document: Document,
        report: Report,
        problem: str | None,
        more: Sequence[types.Diagnostic] = (),
    ) -> None:
        """Publish what was found in a version of a text."""
        found = await self.apart(diagnostics, document, report) or []
        if problem is not None:
            about = types.Diagnostic(BEGINNING, problem, SEVERITIES["error"], "settings", source=SOURCE)
            found = [about, *found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [*found, *more], version))

    def check_dependents(self, uri: str) -> None:
        """Check the other open texts again that read this one."""
        path = os.path.realpath(path_of(uri))
        for other in self.open - {uri}:
            known = self.documents.get(other)
            if known is None or known.depends_on(path):
                self.check_soon(other)

    def check_all(self) -> None:
        """Check every open text again: something that they depend on has changed."""
        forget()
        self.retire_all()
        for uri in self.open:
            self.check_soon(uri)


def request_for(path: str) -> tuple[Request, str | None]:
    """The settings for a path, or the built-in ones and what is wrong with the settings."""
    try:
        return Request(settings.settings_for(path).for_script(path), ScriptSettings()), None
    except settings.BadSettings as error:
        return Request(ScriptSettings(), ScriptSettings()), str(error)
