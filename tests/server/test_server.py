"""The editor server, asked by a real client over standard input and output."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from lint.__main__ import main
from lint.server.features import create_server
from lint.server.server import AT_WORK
from tests.schema.trees import VERL, write

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


def test_diagnostics_follow_the_typing(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        found = {diagnostic.code: diagnostic for diagnostic in await editor.open(SCRIPT)}
        wrong = found["unknown-key"]
        assert wrong.severity == types.DiagnosticSeverity.Error
        assert (wrong.range.start.line, wrong.range.start.character) == (7, 4)
        assert wrong.code_description is not None
        assert wrong.code_description.href.endswith("docs/rules/hydra.md#unknown-key")
        typed = types.TextDocumentContentChangePartial(
            types.Range(wrong.range.end, wrong.range.end), "", range_length=0
        )
        end = LINES[7].index("_siz=") + len("_siz")
        typed.range = types.Range(types.Position(7, end), types.Position(7, end))
        typed.text = "e"
        editor.text_document_did_change(
            types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, editor.uri), [typed])
        )
        assert "unknown-key" not in {diagnostic.code for diagnostic in await editor.diagnostics()}
        editor.text_document_did_close(types.DidCloseTextDocumentParams(editor.document))
        assert await editor.diagnostics() == []

    session(tmp_path, talk)


def test_a_file_that_a_script_sources_counts_as_it_is_typed(tmp_path: Path) -> None:
    sourced = (tmp_path / "names.sh").as_uri()
    (tmp_path / "names.sh").write_text("KEY=train_batch_size\n")
    script = SCRIPT.replace("data.train_batch_size", "data.${KEY}").replace("batch=64", ". ./names.sh\nbatch=64")

    async def talk(editor: Editor) -> None:
        def typed(text: str) -> types.DidChangeTextDocumentParams:
            whole = types.TextDocumentContentChangeWholeDocument(text)
            return types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, sourced), [whole])

        async def keys_after(tell: Callable[[], None]) -> list[str]:
            tell()
            found = [one for _ in range(2) for one in await editor.diagnostics()]
            return [
                one.message.split()[5] for one in found if one.code == "unknown-key" and "parallel" not in one.message
            ]

        await editor.open(script)
        text = types.TextDocumentItem(sourced, "shellscript", 1, "KEY=train_batch_size\n")
        editor.text_document_did_open(types.DidOpenTextDocumentParams(text))
        await editor.diagnostics()
        assert await keys_after(lambda: editor.text_document_did_change(typed("KEY=train_batches\n"))) == [
            "data.train_batches:"
        ]
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(sourced))
        assert await keys_after(lambda: editor.text_document_did_close(closed)) == []

    session(tmp_path, talk)


def test_hover_tells_value_origin_default_and_release(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT)
        place = types.Position(6, LINES[6].index("train_batch"))
        answer = await editor.text_document_hover_async(types.HoverParams(editor.document, place))
        assert answer is not None
        assert isinstance(answer.contents, types.MarkupContent)
        text = answer.contents.value
        assert "**`data.train_batch_size`**" in text
        assert "effective value: `64`" in text
        assert "`batch` is decided at line 3: `64`" in text
        assert "default of verl 0.9.1: `1024`" in text
        nothing = await editor.text_document_hover_async(types.HoverParams(editor.document, types.Position(2, 1)))
        assert nothing is None

    session(tmp_path, talk)


async def hover(editor: Editor, line: int, text: str) -> str | None:
    """What is told at the start of a text in a line of the script."""
    place = types.Position(line, LINES[line].index(text))
    answer = await editor.text_document_hover_async(types.HoverParams(editor.document, place))
    if answer is None:
        return None
    assert isinstance(answer.contents, types.MarkupContent)
    return answer.contents.value


def test_hover_on_a_value_tells_what_it_decides(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT)
        assert await hover(editor, 2, "64") == "decides\n\n- `data.train_batch_size=64` at line 7"
        assert await hover(editor, 3, "echo") is None

    session(tmp_path, talk)


def test_hover_on_a_rule_tells_what_it_finds(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT + "echo  # recipe-lint: ignore[unknown-key, SC2086] -- why\n")
        for column, said in ((29, "**`unknown-key`**"), (42, "https://www.shellcheck.net/wiki/SC2086")):
            place = types.Position(9, column)
            answer = await editor.text_document_hover_async(types.HoverParams(editor.document, place))
            assert answer is not None
            assert isinstance(answer.contents, types.MarkupContent)
            assert said in answer.contents.value

    session(tmp_path, talk)


def test_keys_values_and_group_options_are_completed(tmp_path: Path) -> None:
    async def complete(editor: Editor, typed: str) -> list[str]:
        text = SCRIPT.replace(' "$@"', f" \\\n    {typed}")
        editor.uri += "x"  # a document of its own
        await editor.open(text)
        place = types.Position(9, 4 + len(typed))
        answer = await editor.text_document_completion_async(types.CompletionParams(editor.document, place))
        assert isinstance(answer, types.CompletionList)
        edits = [item.text_edit for item in answer.items]
        assert all(isinstance(edit, types.TextEdit) and edit.range.end == place for edit in edits)
        return [item.label for item in answer.items]

    async def talk(editor: Editor) -> None:
        keys = await complete(editor, "actor_rollout_ref.rollout.gpu_mem")
        assert keys == ["actor_rollout_ref.rollout.gpu_memory_utilization"]
        assert "actor_rollout_ref.rollout.gpu_memory_utilization" in await complete(editor, "gpu_mem")
        assert await complete(editor, "actor_rollout_ref.actor.use_kl_loss=") == ["True", "False"]
        assert await complete(editor, "algorithm.adv_estimator=grpo") == ["grpo", "grpo_passk", "grpo_vectorized"]
        assert "megatron" in await complete(editor, "model_engine=")
        assert await complete(editor, "model_eng") == ["model_engine"]
        assert await complete(editor, "") == []

    session(tmp_path, talk)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("# recipe-lint: ignore[", "micro-batch-missing"),  # it has found something
        ("# recipe-lint: ignore[unknown-key, unknown-con", "unknown-config"),
        ("# recipe-lint: rel", "release="),
        ("# recipe-lint: release=0.9", "0.9.1"),
        ("# recipe-lint: release=0.9.1 device=h1", "h100"),
        ("# recipe-lint: model=qwen3-8", "Qwen3-8B"),
        ("# recipe-lint: nodes=", None),
        ("# rel", None),
    ],
)
def test_comments_to_the_linter_are_completed(tmp_path: Path, typed: str, first: str | None) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT.replace(LINES[1], typed))
        place = types.Position(1, len(typed))
        answer = await editor.text_document_completion_async(types.CompletionParams(editor.document, place))
        assert isinstance(answer, types.CompletionList)
        assert next((item.label for item in answer.items), None) == first

    session(tmp_path, talk)


def test_quick_fixes_repair_or_suppress(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        wrong = next(found for found in await editor.open(SCRIPT) if found.code == "unknown-key")
        asked = types.CodeActionParams(editor.document, wrong.range, types.CodeActionContext([wrong]))
        answer = await editor.text_document_code_action_async(asked)
        actions = {action.title: action for action in answer or [] if isinstance(action, types.CodeAction)}
        fix = next(action for title, action in actions.items() if title.startswith("write "))
        assert fix.edit is not None
        assert fix.edit.changes is not None
        repaired = applied(SCRIPT, list(fix.edit.changes[editor.uri]))
        assert "actor_rollout_ref.rollout.tensor_model_parallel_size=2" in repaired
        suppress = actions["suppress unknown-key here"]
        assert suppress.edit is not None
        assert suppress.edit.changes is not None
        edit = suppress.edit.changes[editor.uri][0]
        assert (edit.range.start.line, edit.new_text) == (4, "# recipe-lint: ignore[unknown-key] -- \n")

    session(tmp_path, talk)


def test_what_serves_several_findings_is_offered_once(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        found = [one for one in await editor.open(SCRIPT) if one.code == "micro-batch-missing"]
        assert len(found) > 1
        asked = types.CodeActionParams(editor.document, found[0].range, types.CodeActionContext(found))
        answer = await editor.text_document_code_action_async(asked)
        titled = "suppress micro-batch-missing here"
        (action,) = [one for one in answer or [] if isinstance(one, types.CodeAction) and one.title == titled]
        assert len(action.diagnostics or []) == len(found)

    session(tmp_path, talk)


def test_nothing_is_known_of_a_text_that_is_not_open(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT)
        editor.text_document_did_close(types.DidCloseTextDocumentParams(editor.document))
        assert await editor.diagnostics() == []
        place = types.Position(7, 10)
        for uri in (editor.uri, "untitled:Untitled-1", "file:///nowhere/run.sh"):
            document = types.TextDocumentIdentifier(uri)
            asked = types.CodeActionParams(document, types.Range(place, place), types.CodeActionContext([]))
            assert await editor.text_document_hover_async(types.HoverParams(document, place)) is None
            assert await editor.text_document_completion_async(types.CompletionParams(document, place)) is None
            assert not await editor.text_document_code_action_async(asked)

    session(tmp_path, talk)


def test_broken_text_is_no_end_of_the_conversation(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        codes = {diagnostic.code for diagnostic in await editor.open("if true; then\n\x00'")}
        assert "syntax-error" in codes or "unreadable-script" in codes

    session(tmp_path, talk)


# ----------------------------------------------------------------------------------------------------------- positions


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 21), ("utf-16", 14), ("utf-32", 13)])
def test_columns_are_counted_as_the_editor_asks(tmp_path: Path, encoding: str, column: int) -> None:
    async def talk(editor: Editor) -> None:
        found = await editor.open('#!/bin/bash\nx=$1\necho "模型🚀 é" $x\n')
        (wrong,) = [diagnostic for diagnostic in found if diagnostic.code == "SC2086"]
        assert (wrong.range.start.character, wrong.range.end.character) == (column, column + 2)
        asked = types.CodeActionParams(editor.document, wrong.range, types.CodeActionContext([wrong]))
        answer = await editor.text_document_code_action_async(asked)
        assert "suppress SC2086 here" in [action.title for action in answer or []]

    general = types.GeneralClientCapabilities(position_encodings=[encoding, "utf-16"])
    session(tmp_path, talk, types.ClientCapabilities(general=general))


# ------------------------------------------------------------------------------------------------- what is beside it


LAUNCH = 'python3 -m verl.trainer.main_ppo data.size=1 "$@"\n'


def test_a_config_of_the_checkout_that_changes_is_noticed(tmp_path: Path) -> None:
    write(tmp_path, {**VERL, "run.sh": LAUNCH})

    async def talk(editor: Editor) -> None:
        before = {diagnostic.code for diagnostic in await editor.open(LAUNCH)}
        assert "unknown-key" in before
        table = tmp_path / "verl/trainer/config/data/table.yaml"
        table.write_text(table.read_text() + "\nsize: 3\n")
        editor.change(LAUNCH + "\n")
        assert "unknown-key" not in {diagnostic.code for diagnostic in await editor.diagnostics()}

    session(tmp_path, talk)


def test_what_is_told_of_all_texts_is_told_under_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "odd name 模"
    folder.mkdir()

    async def talk(editor: Editor) -> None:
        await editor.open(SCRIPT)
        changed = types.FileEvent((folder / "recipe-lint.toml").as_uri(), types.FileChangeType.Created)
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        await editor.diagnostics()
        assert editor.told_of == {editor.uri}

    session(folder, talk)


def test_editors_that_can_watch_files_are_asked_to(tmp_path: Path) -> None:
    write(tmp_path, {**VERL, "run.sh": LAUNCH})

    async def talk(editor: Editor) -> None:
        assert "unknown-key" in {diagnostic.code for diagnostic in await editor.open(LAUNCH)}
        assert editor.registered == ["workspace/didChangeWatchedFiles"]
        (tmp_path / "recipe-lint.toml").write_text("ignore = ['unknown-key']\n")
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
        assert "unknown-key" not in {diagnostic.code for diagnostic in await editor.diagnostics()}

    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watching)
    session(tmp_path, talk, types.ClientCapabilities(workspace=workspace))


def test_settings_that_cannot_be_used_are_a_diagnostic(tmp_path: Path) -> None:
    (tmp_path / "recipe-lint.toml").write_text("releese = '0.9.1'\n")

    async def talk(editor: Editor) -> None:
        about = next(found for found in await editor.open(SCRIPT) if found.code == "settings")
        assert "did you mean 'release'?" in about.message

    session(tmp_path, talk)


# ------------------------------------------------------------------------------------------------ texts of all kinds


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


def test_all_safe_fixes_are_applied_at_once_when_asked_for(tmp_path: Path) -> None:
    wrong = SCRIPT.replace("batch=64", "batch=64  # recipe-lint: ignore[SC2034] -- old")

    async def talk(editor: Editor) -> None:
        await editor.open(wrong)
        whole = types.Range(types.Position(0, 0), types.Position(9, 0))
        only = types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
        asked = types.CodeActionParams(editor.document, whole, only)
        (action,) = await editor.text_document_code_action_async(asked) or []
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        assert applied(wrong, list(action.edit.changes[editor.uri])) == SCRIPT

    session(tmp_path, talk)


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
