"""`recipe-lint compare` and `recipe-lint copies backport` as people call them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lint.__main__ import application
from tests.copies.conftest import Work, launch

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
BUCKET = "actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes"


def call(*words: str) -> Result:
    return CliRunner().invoke(application(list(words)), list(words), catch_exceptions=False)


@pytest.fixture
def here(work: Work, monkeypatch: pytest.MonkeyPatch) -> Work:
    """main starts with tensor parallel size 8, the commit before with 4."""
    work.commit(deep__run_a_sh=launch(f"{TP}=4"))
    work.commit(deep__run_a_sh="gen_tp=8\n" + launch(f"{TP}=$gen_tp"))
    monkeypatch.chdir(work.folder)
    return work


# --------------------------------------------------------------------------------------------------------- compare


def test_two_commits_are_compared(here: Work) -> None:
    result = call("compare", "HEAD:deep/run_a.sh", "HEAD^:deep/run_a.sh")
    assert result.exit_code == 1
    assert [line.split() for line in result.stdout.splitlines() if TP in line] == [
        [TP, "8", "line", "4", "<-", "1", "4", "line", "3"]
    ]
    assert result.stdout.endswith("\n1 difference\n")


def test_a_file_is_compared_with_a_commit(here: Work) -> None:
    assert call("compare", "deep/run_a.sh", "main:deep/run_a.sh").exit_code == 0
    here.write("deep/run_a.sh", launch(f"{TP}=2"))
    assert call("compare", "deep/run_a.sh", "main:deep/run_a.sh").exit_code == 1


def test_a_path_of_a_commit_may_be_written_from_the_current_folder(here: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here.folder / "deep")
    for path in ("deep/run_a.sh", "run_a.sh", "./run_a.sh"):
        assert call("compare", "run_a.sh", f"main:{path}").exit_code == 0


def test_json_follows_the_documented_form(here: Work) -> None:
    result = call("compare", "HEAD:deep/run_a.sh", "HEAD^:deep/run_a.sh", "--format", "json")
    assert json.loads(result.stdout) == {
        "version": 1,
        "differences": [{"key": TP, "a": "8", "b": "4", "a_line": 4, "b_line": 3}],
    }


def test_markdown_is_a_table(here: Work) -> None:
    lines = call("compare", "HEAD:deep/run_a.sh", "HEAD^:deep/run_a.sh", "-f", "markdown").stdout.splitlines()
    assert lines[2:4] == ["| key | A | where | B | where |", "| --- | --- | --- | --- | --- |"]


def test_an_environment_can_be_given(here: Work) -> None:
    here.write("a.sh", launch(f"{TP}=${{GEN_TP:-8}}"))
    assert call("compare", "a.sh", "main:deep/run_a.sh").exit_code == 0
    assert call("compare", "a.sh", "main:deep/run_a.sh", "--env", "GEN_TP=4").exit_code == 1


@pytest.mark.parametrize(
    "name", ["none.sh", "main:none.sh", "none:deep/run_a.sh", "--help:a", ":deep/run_a.sh", "deep"]
)
def test_what_is_not_there_is_named(name: str, here: Work) -> None:
    result = call("compare", "--", "deep/run_a.sh", name)
    assert result.exit_code == 3
    assert result.stderr.startswith("recipe-lint: ")
    assert result.stderr.count("\n") == 1


def test_a_binary_file_is_no_script(here: Work) -> None:
    (here.folder / "binary.sh").write_bytes(b"\0\1")
    assert "binary" in call("compare", "deep/run_a.sh", "binary.sh").stderr


# -------------------------------------------------------------------------------------------------------- backport


def test_the_copy_goes_to_standard_output_and_the_report_to_standard_error(here: Work) -> None:
    here.write("a.sh", launch(f"{BUCKET}=4096"))
    result = call("copies", "backport", "a.sh", "--to", "0.6.1")
    assert (result.exit_code, result.stdout) == (0, launch(f"{BUCKET.replace('checkpoint_engine.', '')}=4096"))
    assert "a.sh: from verl 0.9.1 to 0.6.1" in result.stderr


def test_what_is_lost_makes_the_status_1(here: Work) -> None:
    here.write("a.sh", launch("trainer.v1.trainer_mode=sync"))
    result = call("copies", "backport", "a.sh", "--to", "release/v0.8.0")
    assert result.exit_code == 1
    assert "not carried over, line 3: verl 0.8.0 has no trainer.v1.trainer_mode" in result.stderr


def test_the_copy_is_written_to_a_file_or_below_a_folder(here: Work) -> None:
    assert call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "-o", "out/b.sh").exit_code == 0
    assert call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "-o", "out").exit_code == 0
    assert (here.folder / "out/b.sh").read_text() == (here.folder / "deep/run_a.sh").read_text()
    assert (here.folder / "out/deep/run_a.sh").exists()


def test_a_patch_brings_the_copy_to_a_branch(here: Work) -> None:
    """The branch has an older copy of one script and none of the other."""
    here.git("branch", "release/v0.6.1", "HEAD^")
    here.write("deep/run_a.sh", launch(f"{BUCKET}=4096"))
    here.write("deep/run_b.sh", launch(f"{TP}=8"))
    here.commit()
    patches = [
        call("copies", "backport", f"deep/{name}", "--to", "release/v0.6.1", "--patch").stdout
        for name in ("run_a.sh", "run_b.sh")
    ]
    here.git("checkout", "--quiet", "release/v0.6.1")
    subprocess.run(["git", "apply", "-"], input="".join(patches).encode(), cwd=here.folder, check=True)
    assert "rollout.update_weights_bucket_megabytes=4096" in (here.folder / "deep/run_a.sh").read_text()
    assert (here.folder / "deep/run_b.sh").read_text() == launch(f"{TP}=8")


def test_a_branch_that_git_does_not_have_is_taken_for_its_release(here: Work) -> None:
    result = call("copies", "backport", "deep/run_a.sh", "--to", "release/v0.8.0")
    assert "git has no branch release/v0.8.0 here: this is the recipe for that release" in result.stderr
    assert "git has no branch" not in call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0").stderr


def test_where_a_patch_is_to_be_applied_is_said(here: Work) -> None:
    here.git("branch", "release/v0.8.0")
    branch = call("copies", "backport", "deep/run_a.sh", "--to", "release/v0.8.0", "--patch").stderr
    assert branch.endswith("  the patch is for release/v0.8.0:deep/run_a.sh\n")
    release = call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "--patch").stderr
    assert release.endswith("  the patch changes deep/run_a.sh itself\n")


def test_where_a_copy_was_written_is_said(here: Work) -> None:
    written = call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "-o", "older").stderr
    assert written.endswith("  written to older/deep/run_a.sh\n")


def test_below_a_folder_of_copies_the_root_of_the_recipes_is_left_out(here: Work) -> None:
    here.write("recipe-lint.toml", '[copies]\nroot = "deep"\n[[copies.places]]\nfolder = "older/0.8.0"\n')
    written = call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "-o", "older/0.8.0").stderr
    assert written.endswith("  written to older/0.8.0/run_a.sh\n")


def test_the_name_of_a_release_is_that_of_a_folder(here: Work) -> None:
    written = call("copies", "backport", "deep/run_a.sh", "--to", "0.8.0", "-o", "older/0.8.0").stderr
    assert written.endswith("  written to older/0.8.0/deep/run_a.sh\n")


def test_a_script_of_a_commit_can_be_carried_over(here: Work, tmp_path: Path) -> None:
    result = call("copies", "backport", "HEAD^:deep/run_a.sh", "--to", "0.9.0", "-o", str(tmp_path / "out"))
    assert result.exit_code == 0
    assert (tmp_path / "out/deep/run_a.sh").read_text() == launch(f"{TP}=4")


def test_an_unknown_release_is_named(here: Work) -> None:
    result = call("copies", "backport", "deep/run_a.sh", "--to", "main")
    assert result.exit_code == 2
    assert "'main' names no release of verl; known are 0.6.1" in result.stderr
