"""What the editor server tells and answers, asked by a real client over standard input and output."""

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types

from tests.schema.trees import VERL, write
from tests.server.editor import LINES, SCRIPT, Editor, applied, session


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
