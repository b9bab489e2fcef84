"""A copy that was edited by hand keeps its edits when its recipe changes and it is backported again."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lint.copies.merge import merge
from lint.copies.stamp import stamp_of, stamped, without_stamp
from tests.copies.conftest import Work
from tests.copies.test_commands import call

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
SHARE = "actor_rollout_ref.rollout.gpu_memory_utilization"
RECIPE, COPY = "examples/run_a.sh", "old/0.8.0/run_a.sh"


def script(release: str, tp: int = 8, share: float = 0.6, more: str = "") -> str:
    return (
        "#!/usr/bin/env bash\n"
        f"# Software: verl {release}\n#\n# recipe-lint: release={release}\n"
        "ROLLOUT=(\n"
        f"    {TP}={tp}\n"
        "    actor_rollout_ref.rollout.name=vllm\n"
        "    actor_rollout_ref.rollout.n=8\n"
        f"    {SHARE}={share}\n"
        f"{more})\n"
        'python3 -m verl.trainer.main_ppo "${ROLLOUT[@]}"\n'
    )


@pytest.fixture
def here(work: Work, monkeypatch: pytest.MonkeyPatch) -> Work:
    """A recipe with a copy for 0.8.0 that was made of it."""
    monkeypatch.chdir(work.folder)
    work.write(RECIPE, script("0.9.1"))
    assert call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY).exit_code == 0
    work.commit()
    return work


def text(work: Work, path: str = COPY) -> str:
    return (work.folder / path).read_text()


def edit(work: Work, path: str, old: str, new: str) -> None:
    before = text(work, path)
    assert old in before
    work.write(path, before.replace(old, new))


# ---------------------------------------------------------------------------------------------------------- stamps


def test_a_copy_says_what_it_was_made_from(here: Work) -> None:
    made = text(here)
    assert without_stamp(made) == script("0.8.0")
    assert made.splitlines()[4] == f"# recipe-lint: copy-of={here.git('rev-parse', f'HEAD:{RECIPE}')[:12]}"


def test_the_stamp_is_no_mistake_to_the_linter(here: Work) -> None:
    assert "unknown-directive" not in call("check", "--select", "unknown-directive", COPY).stdout
    edit(here, COPY, "copy-of=", "copy-of=not-")
    assert "copy-of must be the id of a file in git" in call("check", "--select", "unknown-directive", COPY).stdout


@pytest.mark.parametrize("before", ["echo x\n", "#!/bin/sh\n\necho release=0.8.0\n", ""])
def test_a_script_whose_head_names_no_release_is_not_stamped(before: str) -> None:
    assert stamped(before, "a" * 40) == before


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_stamping_again_replaces_the_stamp(end: str) -> None:
    before = f"#!/bin/sh{end}# recipe-lint: release=0.8.0{end}echo x{end}"
    again = stamped(stamped(before, "a" * 40), "b" * 40)
    assert stamp_of(again) == "b" * 12
    assert without_stamp(again) == before


# --------------------------------------------------------------------------------------------------------- merging


def test_an_edit_of_the_copy_stays_when_the_recipe_changes_elsewhere(here: Work) -> None:
    edit(here, COPY, f"{SHARE}=0.6", f"{SHARE}=0.5  # 0.8.0 needs more")
    edit(here, RECIPE, f"{TP}=8", f"{TP}=4")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert result.exit_code == 0
    assert f"    {TP}=4\n" in text(here)
    assert f"    {SHARE}=0.5  # 0.8.0 needs more\n" in text(here)
    assert f"edited in the copy: {SHARE} is 0.5, was 0.6" in result.stderr
    assert "merged into old/0.8.0/run_a.sh, which was made from examples/run_a.sh at " in result.stderr
    assert "checked: verl 0.8.0 takes all 4 overrides of 1 launch" in result.stderr


def test_a_merged_copy_is_the_base_of_the_next_merge(here: Work) -> None:
    edit(here, COPY, f"{SHARE}=0.6", f"{SHARE}=0.5")
    for tp in ("4", "2", "1"):
        edit(here, RECIPE, next(line for line in text(here, RECIPE).splitlines() if TP in line), f"    {TP}={tp}")
        here.commit()
        assert call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY).exit_code == 0
        assert f"{TP}={tp}\n" in text(here)
        assert f"{SHARE}=0.5\n" in text(here)


def test_two_changes_of_one_line_are_a_conflict_with_both_of_them(here: Work) -> None:
    edit(here, COPY, f"{SHARE}=0.6", f"{SHARE}=0.5")
    edit(here, RECIPE, f"{SHARE}=0.6", f"{SHARE}=0.7")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert result.exit_code == 1
    assert "conflict, line 10: recipe and copy changed the same lines" in result.stderr
    assert text(here).splitlines()[9] == "<<<<<<< old/0.8.0/run_a.sh"
    for share in ("0.5", "0.6", "0.7"):
        assert f"    {SHARE}={share}\n" in text(here)


def test_changes_of_overrides_beside_each_other_are_no_conflict(here: Work) -> None:
    edit(here, COPY, f"{SHARE}=0.6\n", f"{SHARE}=0.5\n    data.seed=1\n")
    edit(here, RECIPE, "rollout.n=8\n", "rollout.n=4\n    trainer.nnodes=2\n")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert (result.exit_code, "conflict" in result.stderr) == (0, False)
    merged = text(here).splitlines()[8:12]
    assert [line.strip() for line in merged] == [
        "actor_rollout_ref.rollout.n=4",
        "trainer.nnodes=2",
        f"{SHARE}=0.5",
        "data.seed=1",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        ("b=2 c=3", "a=1 b=2 c=9", "b=2 c=9"),
        ("a=1 c=3", "a=1 b=2 c=4", "a=1 c=4"),
        ("a=1 b=2 c=3 d=4", "a=1 b=2 c=3 e=5", "a=1 b=2 c=3 e=5 d=4"),
        ("a=1 b=3 c=3", "a=1 b=4 c=3", None),
        ("a=1 b=3 c=3", "a=1 c=3", None),  # changed here, gone there
        ("a=1 b=2 word", "a=1 b=3 c=3", None),
    ],
)
def test_overrides_are_merged_one_by_one(ours: str, theirs: str, merged: str | None) -> None:
    ours, base, theirs = ("".join(f"{word}\n" for word in words.split()) for words in (ours, "a=1 b=2 c=3", theirs))
    found = merge(ours, base, theirs, ("ours", "base", "theirs"))
    assert found.has_conflicts is (merged is None)
    assert merged is None or found.text.split() == merged.split()


def test_a_copy_that_nobody_edited_is_replaced(here: Work) -> None:
    edit(here, RECIPE, f"{SHARE}=0.6", f"{SHARE}=0.7")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert (result.exit_code, without_stamp(text(here))) == (0, script("0.8.0", share=0.7))


def test_edits_can_be_given_up(here: Work) -> None:
    edit(here, COPY, f"{SHARE}=0.6", f"{SHARE}=0.5")
    assert call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY, "--overwrite").exit_code == 0
    assert without_stamp(text(here)) == script("0.8.0")


def test_a_copy_of_unknown_origin_is_not_overwritten(here: Work) -> None:
    here.write(COPY, without_stamp(script("0.8.0", share=0.5)))
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert result.exit_code == 2
    assert (
        "nothing tells which text of examples/run_a.sh it was made from: name the commit with --base" in result.stderr
    )
    assert text(here) == script("0.8.0", share=0.5)


def test_the_origin_of_a_copy_can_be_named(here: Work) -> None:
    here.write(COPY, script("0.8.0", share=0.5))
    edit(here, RECIPE, f"{TP}=8", f"{TP}=4")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY, "--base", "HEAD")
    assert (result.exit_code, without_stamp(text(here))) == (0, script("0.8.0", tp=4, share=0.5))


def test_a_recipe_that_git_never_saw_is_asked_for(here: Work) -> None:
    edit(here, COPY, "copy-of=", "copy-of=0123456")
    edit(here, COPY, f"{SHARE}=0.6", f"{SHARE}=0.5")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert result.exit_code == 2
    assert "was made from a text of the recipe that git does not have" in result.stderr


def test_on_a_branch_the_base_is_where_the_branches_part(here: Work) -> None:
    """No stamp: the copy is what the branch was cut with, and an edit."""
    here.write("run_b.sh", script("").replace("# recipe-lint: release=\n", ""))
    here.commit()
    here.git("checkout", "--quiet", "-b", "release/v0.8.0")
    edit(here, "run_b.sh", f"{SHARE}=0.6", f"{SHARE}=0.5")
    here.commit()
    here.git("checkout", "--quiet", "main")
    edit(here, "run_b.sh", f"{TP}=8", f"{TP}=4")
    here.commit()
    result = call("copies", "backport", "run_b.sh", "--to", "release/v0.8.0", "--patch")
    assert result.exit_code == 0
    assert "where the branches part" in result.stderr
    changed = [line for line in result.stdout.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == [f"-    {TP}=8", f"+    {TP}=4"]


def test_a_recipe_with_another_name_on_the_branch_is_brought_up_to_date_there(here: Work) -> None:
    here.git("rm", "--quiet", "-r", "old")
    here.commit()
    here.git("branch", "release/v0.8.0")
    here.git("mv", RECIPE, "examples/run_b.sh")
    edit(here, "examples/run_b.sh", f"{TP}=8", f"{TP}=4")
    here.commit()
    result = call("copies", "backport", "examples/run_b.sh", "--to", "release/v0.8.0", "--patch")
    assert "merged into release/v0.8.0:examples/run_a.sh, which was made from examples/run_a.sh at " in result.stderr
    here.git("checkout", "--quiet", "release/v0.8.0")
    subprocess.run(["git", "apply", "-"], input=result.stdout.encode(), cwd=here.folder, check=True)
    assert without_stamp(text(here, RECIPE)) == script("0.8.0", tp=4)


def test_a_branch_that_was_cut_with_the_recipe_gets_a_copy_for_its_release(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands there is the recipe for its own release: only what differs from that was edited."""
    monkeypatch.chdir(work.folder)
    work.write("run_b.sh", script("0.9.1", more="    critic.fsdp.param_offload=True\n"))
    work.commit()
    work.git("checkout", "--quiet", "-b", "release/v0.7.1")
    edit(work, "run_b.sh", f"{TP}=8", f"{TP}=4")
    work.commit()
    work.git("checkout", "--quiet", "main")
    result = call("copies", "backport", "run_b.sh", "--to", "release/v0.7.1")
    assert result.exit_code == 0
    offload = "    critic.model.fsdp_config.param_offload=True\n"
    assert without_stamp(result.stdout) == script("0.7.1", tp=4, more=offload)
    assert [line for line in result.stderr.splitlines() if "edited in the copy" in line] == [
        f"  edited in the copy: {TP} is 4, was 8"
    ]


def test_what_the_release_refuses_of_an_edit_is_said(here: Work) -> None:
    edit(here, COPY, f"    {SHARE}=0.6", f"    {SHARE}=0.6\n    trainer.v1.trainer_mode=sync")
    edit(here, RECIPE, f"{TP}=8", f"{TP}=4")
    result = call("copies", "backport", RECIPE, "--to", "0.8.0", "-o", COPY)
    assert result.exit_code == 1
    assert "refused there, line 11: no key `trainer.v1" in result.stderr


OWN = "hydra:\n  searchpath:\n    - file://verl/trainer/config\ndefaults:\n  - ppo_trainer\n  - _self_\n"


def test_a_config_of_the_project_is_composed_with_the_release(here: Work) -> None:
    here.write("examples/config/mine.yaml", OWN)
    options = "--config-path=$PWD/examples/config --config-name=mine"
    here.write("run_b.sh", f"python3 -m verl.trainer.main_ppo {options} trainer.v1.trainer_mode=sync {TP}=8\n")
    result = call("copies", "backport", "run_b.sh", "--to", "0.8.0")
    assert "not carried over, line 1: verl 0.8.0 has no trainer.v1.trainer_mode" in result.stderr
    assert "checked: verl 0.8.0 takes all 1 override of 1 launch" in result.stderr


def test_what_cannot_be_checked_is_said(here: Work) -> None:
    here.write("run_b.sh", f"python3 -m verl.trainer.main_ppo --config-path=/somewhere {TP}=8\n")
    result = call("copies", "backport", "run_b.sh", "--to", "0.8.0")
    assert "not checked, line 1: config folder /somewhere is not part of verl 0.8.0" in result.stderr
    assert "checked: verl" not in result.stderr


# ----------------------------------------------------------------------------------------------------- git merge-file


def test_texts_that_are_no_utf8_and_have_no_last_line_end_are_merged(tmp_path: Path) -> None:
    base = "a\r\n\udcff\r\nb\r\nc\r\nd"
    merged = merge(base.replace("a", "A"), base, base.replace("d", "D"), ("--x", "-y", "z\n"))
    assert (merged.text, merged.has_conflicts) == ("A\r\n\udcff\r\nb\r\nc\r\nD", False)


def test_our_own_copies_say_what_they_were_made_from() -> None:
    copies = list((Path(__file__).parents[2] / "examples" / "release").rglob("*.sh"))
    assert copies
    assert [copy.name for copy in copies if stamp_of(copy.read_text()) is None] == []
