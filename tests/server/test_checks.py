"""When the editor server checks a text, and what ends a check that is at work."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lint.__main__ import main
from lint.server.features import create_server
from lint.server.server import AT_WORK
from tests.server.editor import LINES, SCRIPT, Editor, session


def test_a_text_that_was_never_saved_is_checked(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.uri = "untitled:Untitled-1"
        assert "unknown-key" in {diagnostic.code for diagnostic in await editor.open(SCRIPT)}
        place = types.Position(6, LINES[6].index("train_batch"))
        assert await editor.text_document_hover_async(types.HoverParams(editor.document, place)) is not None

    session(tmp_path, talk)


def test_a_large_text_is_checked_and_a_question_about_it_can_be_taken_back(tmp_path: Path) -> None:
    large = SCRIPT + "".join(f'echo "line {number} ${{batch}}"\n' for number in range(2000))

    async def talk(editor: Editor) -> None:
        document = types.TextDocumentItem(editor.uri, "shellscript", 1, large)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(document))
        asked = types.HoverParams(editor.document, types.Position(6, LINES[6].index("train_batch")))
        first, second = (
            asyncio.wrap_future(editor.protocol.send_request("textDocument/hover", asked, msg_id=name))
            for name in ("one", "two")
        )
        editor.cancel_request(types.CancelParams("one"))
        with pytest.raises(JsonRpcException, match="cancel"):
            await asyncio.wait_for(first, 60)
        assert isinstance(await asyncio.wait_for(second, 60), types.Hover)
        assert "unknown-key" in {diagnostic.code for diagnostic in await editor.diagnostics()}

    session(tmp_path, talk)


def test_only_the_last_of_many_changes_is_told_of(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT)
        for number in range(20):
            editor.change(SCRIPT + f"# {number}\n")
        editor.change(SCRIPT.replace("parallel_siz=", "parallel_size="))
        assert "unknown-key" not in {diagnostic.code for diagnostic in await editor.diagnostics()}
        assert editor.published.empty()

    session(tmp_path, talk)


def server_with_slow_shellcheck(folder: Path) -> tuple[Path, str]:
    """Code that starts a server whose shellcheck takes for ever on all but texts that say `quick`, and the file where
    that shellcheck writes its process id."""
    begun, fake = folder / "begun", folder / "shellcheck"
    fake.write_text(
        f"""#!/bin/sh
if grep -q quick; then echo '{{"comments": []}}'; exit; fi
echo $$ >'{begun}'
exec sleep 1000
"""
    )
    fake.chmod(0o755)
    code = "from lint import shellcheck, __main__\n"
    return begun, f"{code}shellcheck.program = lambda: {str(fake)!r}\n__main__.main(['server'])"


def test_our_findings_are_told_while_shellcheck_is_at_work_which_is_ended_when_the_text_changes(tmp_path: Path) -> None:
    begun, code = server_with_slow_shellcheck(tmp_path)

    async def talk(editor: Editor) -> None:
        document = types.TextDocumentItem(editor.uri, "shellscript", 1, SCRIPT)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(document))
        while not editor.before:
            await asyncio.sleep(0.02)
        told = {diagnostic.code: diagnostic for diagnostic in editor.before[0] if AT_WORK not in diagnostic.message}
        assert "unknown-key" in told
        editor.change(SCRIPT + "# quick\n")
        assert "unknown-key" in {diagnostic.code for diagnostic in await editor.diagnostics()}
        while Path("/proc", begun.read_text().strip()).exists():
            await asyncio.sleep(0.02)

    session(tmp_path, talk, start=("-c", code))


def test_what_was_not_checked_is_a_hint(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        found = await editor.open(SCRIPT + ". ./missing.sh\n")
        (hint,) = (one for one in found if one.severity == types.DiagnosticSeverity.Hint and "missing" in one.message)
        assert (hint.code, hint.range.start.line) == ("not-checked", len(LINES) - 1)

    session(tmp_path, talk)


def test_a_text_that_takes_long_is_checked_after_a_pause_as_long() -> None:
    server, pauses = create_server(), list[float]()

    async def noted(uri: str, pause: float) -> None:
        pauses.append(pause)

    async def talk() -> None:
        server.check = noted  # type: ignore[method-assign]
        for seconds in (0, 2, 1000):
            server.seconds["a"] = seconds
            server.check_soon("a")
            await server.waiting["a"]

    asyncio.run(talk())
    assert pauses == [0.1, 2, 5]


def test_without_pygls_the_server_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    for module in ("server", "features", "protocol"):
        monkeypatch.delitem(sys.modules, f"lint.server.{module}", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["server"])
    assert (ended.value.code, "pip install 'recipe-lint[server]'" in capsys.readouterr().err) == (2, True)


def message(text: str) -> bytes:
    """A message of the protocol as it goes over the wire."""
    body = f'{{"jsonrpc":"2.0",{text}}}'.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


GOODBYE = message('"method":"shutdown","id":2') + message('"method":"exit"')


def test_the_server_ends_without_a_word_when_the_editor_says_goodbye() -> None:
    said = message('"method":"initialize","id":1,"params":{"capabilities":{}}') + GOODBYE
    ended = subprocess.run([sys.executable, "-m", "lint", "server"], input=said, capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("end", ["goodbye", "SIGTERM", "SIGKILL"])
def test_the_server_does_not_wait_for_a_check_that_is_at_work(tmp_path: Path, end: str) -> None:
    begun, code = server_with_slow_shellcheck(tmp_path)
    text = json.dumps({"uri": (tmp_path / "run.sh").as_uri(), "languageId": "sh", "version": 1, "text": SCRIPT})
    server = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    server.stdin.write(message('"method":"initialize","id":1,"params":{"capabilities":{}}'))
    server.stdin.write(message(f'"method":"textDocument/didOpen","params":{{"textDocument":{text}}}'))
    server.stdin.flush()
    while not begun.exists() or not begun.read_text():
        assert server.poll() is None
        time.sleep(0.02)
    if end == "goodbye":
        server.stdin.write(GOODBYE)
        server.stdin.flush()
    else:
        server.send_signal(getattr(signal, end))
    assert server.wait(20) == (0 if end == "goodbye" else -getattr(signal, end))
    server.communicate()
