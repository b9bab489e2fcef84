"""`recipe-lint check` from the outside: what it prints, writes, and ends with."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import BROKEN, ONLY, QUIET, SCRIPT, Run, findings, rules
from tests.schema.trees import VERL, write, write_wheel

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
NEW_KEY = "ray_kwargs.ray_init.runtime_env.py_executable"  # of verl 0.9.1


# ------------------------------------------------------------------------------------------------------ exit status


def test_a_clean_script_ends_with_0(run: Run) -> None:
    ended = run("check", "run.sh", *ONLY, files={"run.sh": SCRIPT})
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.endswith("in 1 script, 1 launch\n")


def test_errors_end_with_1_unless_told_otherwise(run: Run) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, "--format", "json", files={"run.sh": BROKEN})
    assert (ended.status, rules(ended)) == (1, ["unknown-key"])
    assert run("check", "run.sh", *QUIET, *ONLY, "--exit-zero").status == 0


def test_remarks_fail_a_strict_run_only(run: Run) -> None:
    files = {"run.sh": SCRIPT.replace(' \\\n    "$@"', "")}
    ended = run("check", "run.sh", *QUIET, *ONLY, files=files)
    assert (ended.status, "info[" in ended.out) == (0, True)
    assert run("check", "run.sh", *QUIET, *ONLY, "--strict").status == 1
    assert run("check", "run.sh", *QUIET, *ONLY, "--strict", "--min-severity", "warning").status == 0


def test_a_report_does_not_replace_a_script_that_is_checked(run: Run, folder: Path) -> None:
    ended = run("check", ".", *QUIET, "--output-file", "./run.sh", files={"run.sh": SCRIPT})
    assert (ended.status, ended.out) == (2, "")
    assert "--output-file: run.sh is one of the scripts that are checked" in " ".join(ended.err.split())
    assert (folder / "run.sh").read_text() == SCRIPT


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bogus"], "No such option"),
        (["--format", "yaml"], "yaml"),
        (["--select", "hydraa"], "no rule or group is called 'hydraa'; did you mean 'hydra'?"),
        (["--release", "0.9.9"], "no release of verl is known by the name '0.9.9' (known are 0.6.1"),
        (["--device", "a3"], "known are ascend-a2"),
        (["--env", "NNODES"], "--env wants NAME=VALUE, not 'NNODES'"),
        (
            ["--baseline", "nowhere.json"],
            "nowhere.json: no baseline can be read there: it does not exist; write one with --write-baseline",
        ),
        (["--baseline", "."], "no baseline can be read there: it is a folder; name a file"),
        (["--changed=HEAD"], "--changed: fatal: not a git repository"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(run: Run, arguments: list[str], said: str) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, *arguments, files={"run.sh": SCRIPT})
    assert ended.status == 2
    assert said in " ".join(ended.err.split())


def test_wrong_settings_end_with_2_and_name_their_place(run: Run) -> None:
    ended = run("check", "run.sh", files={"run.sh": SCRIPT, "recipe-lint.toml": "\nreleese = '0.9.1'\n"})
    assert ended.status == 2
    assert ended.err == "recipe-lint: recipe-lint.toml:2: unknown setting 'releese'; did you mean 'release'?\n"


def test_no_input_ends_with_3(run: Run) -> None:
    ended = run("check", ".", *QUIET, *ONLY)
    assert (ended.status, ended.err) == (3, "recipe-lint: no scripts found in .\n")
    ended = run("check", "nowhere.sh", *QUIET, *ONLY)
    assert (ended.status, ended.err) == (3, "recipe-lint: nowhere.sh: no such file or folder\n")


def test_bad_files_are_reported_and_the_others_still_checked(run: Run, folder: Path) -> None:
    files = {"a.sh": BROKEN, "binary.sh": b"\x7fELF\0", "empty.sh": "", "open.sh": "if true; then\n"}
    ended = run("check", ".", "nowhere.sh", *QUIET, *ONLY, "--format", "json", files=files)
    document = json.loads(ended.out)
    assert [(finding["path"], finding["rule"]) for finding in document["findings"]] == [
        ("a.sh", "unknown-key"),
        ("binary.sh", "unreadable-script"),
        ("empty.sh", "empty-script"),
        ("open.sh", "syntax-error"),
    ]
    assert [row["path"] for row in document["unchecked"]] == ["nowhere.sh"]  # what no finding says
    assert ended.status == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_reported(run: Run, folder: Path) -> None:
    (folder / "secret.sh").write_text(SCRIPT)
    (folder / "secret.sh").chmod(0)
    ended = run("check", "secret.sh", *QUIET, *ONLY)
    assert ended.status == 1
    assert "cannot be read: permission denied" in ended.out


# ------------------------------------------------------------------------------------------------------------ inputs


def test_standard_input_is_checked_under_a_name(run: Run) -> None:
    ended = run("check", "-", "--stdin-filename", "x/run.sh", *QUIET, *ONLY, "-f", "json", stdin=BROKEN)
    assert [finding["path"] for finding in findings(ended)] == ["x/run.sh"]
    assert run("check", "-", *QUIET, *ONLY, stdin=SCRIPT).status == 0


def test_a_name_for_standard_input_asks_for_it(run: Run) -> None:
    files = {"run.sh": SCRIPT}
    ended = run("check", "--stdin-filename", "x/run.sh", *QUIET, *ONLY, "-f", "json", files=files, stdin=BROKEN)
    assert {finding["path"] for finding in findings(ended)} == {"x/run.sh"}
    ended = run("check", "run.sh", "--stdin-filename", "x/run.sh", *QUIET, stdin=BROKEN)
    assert (ended.status, ended.out) == (2, "")
    assert "--stdin-filename names what is read from standard input" in ended.err


def test_the_environment_can_be_given(run: Run) -> None:
    files = {"run.sh": SCRIPT.replace("train_batch=64", "train_batch=${TRAIN_BATCH:-64}")}
    assert run("check", "run.sh", *QUIET, *ONLY, files=files).status == 0
    ended = run("check", "run.sh", *QUIET, *ONLY, "--env", "TRAIN_BATCH=32", "-f", "json")
    assert "mini-batch-gt-train-batch" in rules(ended)


def test_a_branch_behind_a_toggle_is_checked_and_named(run: Run) -> None:
    toggle = "DEVICE=${DEVICE:-gpu}\ncase $DEVICE in npu) train_batch=32 ;; *) train_batch=64 ;; esac\n"
    ended = run(
        "check", "run.sh", *QUIET, *ONLY, "-f", "json", files={"run.sh": SCRIPT.replace("train_batch=64\n", toggle)}
    )
    found = [row for row in findings(ended) if row["rule"] == "mini-batch-gt-train-batch"]
    assert [row["scenario"] for row in found] == [{"DEVICE": "npu"}]


def test_the_release_decides(run: Run) -> None:
    script = SCRIPT.replace(" release=0.9.1", "").replace("trainer.nnodes=1", "trainer.use_v1=False trainer.nnodes=1")
    files = {"run.sh": script}
    call = ("check", "run.sh", *QUIET, "--select", "hydra", "-f", "json")
    assert run(*call, "--release", "0.9.1", files=files).status == 0
    assert run(*call, "--release", "0.7.1").status == 1
    assert run(*call, files={"recipe-lint.toml": "[[paths]]\nmatch = ['run.sh']\nrelease = '0.7.1'\n"}).status == 1
    assert run(*call, files={"run.sh": f"# recipe-lint: release=0.9.1\n{script}"}).status == 0
    assert run(*call, "--release", "0.7.1").status == 1


def test_several_releases_give_a_table_of_what_breaks_where(run: Run) -> None:
    files = {"a.sh": SCRIPT, "b.sh": SCRIPT.replace("trainer.save_freq=10", f"{NEW_KEY}=x")}
    ended = run("check", ".", *QUIET, "--releases", "0.9.0,0.9.1", files=files)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert [line.split() for line in lines[:3]] == [["0.9.0", "0.9.1"], ["a.sh", "ok", "ok"], ["b.sh", "1", "ok"]]
    assert any(line.startswith("b.sh:") and line.endswith(": 0.9.0") for line in lines[4:])
    document = json.loads(run("check", ".", *QUIET, "--releases", "all", "-f", "json").out)
    assert document["scripts"][1]["releases"]["0.9.0"]["works"] is False
    assert "no release of verl is known by the name '1'" in run("check", ".", *QUIET, "--releases", "1").err


def test_on_a_release_works_what_has_no_error_of_any_rule(run: Run) -> None:
    wrong = SCRIPT.replace("trainer.save_freq=10", "actor_rollout_ref.rollout.name=vlllm")
    ended = run("check", "a.sh", *QUIET, "--releases", "0.9.1", files={"a.sh": wrong})
    assert (ended.status, "error[rollout-name]: 0.9.1" in ended.out) == (1, True)


def test_a_release_is_ok_where_no_rule_has_an_error(run: Run) -> None:
    large = SCRIPT.replace(
        "trainer.save_freq=10", "actor_rollout_ref.actor.ppo_mini_batch_size=100000 trainer.save_freq=10"
    )
    call = ("check", "run.sh", *QUIET, "-f", "json")
    found = json.loads(run(*call, "--releases", "0.8.0", files={"run.sh": large}).out)
    alone = json.loads(run(*call, "--release", "0.8.0").out)
    (script,) = found["scripts"]
    assert not script["releases"]["0.8.0"]["works"]
    assert script["releases"]["0.8.0"]["findings"] == alone["findings"]


def test_only_changed_files_are_checked(run: Run, folder: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)

    (folder / "old.sh").write_text(BROKEN)
    (folder / "edited.sh").write_text(SCRIPT)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "start")
    assert run("check", ".", *QUIET, *ONLY, "--changed", "-f", "json").status == 0
    ended = run("check", ".", "--changed", *QUIET, *ONLY, "-f", "json", files={"edited.sh": BROKEN, "new.sh": BROKEN})
    assert [finding["path"] for finding in findings(ended)] == ["edited.sh", "new.sh"]
    assert "git knows no commit '--help'" in run("check", ".", *QUIET, *ONLY, "--changed=--help").err


def test_git_is_asked_once_for_all_scripts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def changed_files(reference: str) -> frozenset[str]:
        asked.append(reference)
        return frozenset()

    monkeypatch.setattr("lint.files.changed.changed_files", changed_files)
    files = {f"{number}.sh": SCRIPT for number in range(5)}
    assert run("check", ".", *QUIET, *ONLY, "--changed=main", files=files).status == 0
    assert asked == ["main"]


LAUNCH = "python3 -m verl.trainer.main_ppo data.files=x data.shards=2\n"


def test_scripts_are_checked_against_a_checkout_a_wheel_or_a_schema_that_was_built(run: Run, folder: Path) -> None:
    write(folder / "tree", VERL)
    write_wheel(folder / "verl-1.0-py3-none-any.whl", VERL)
    assert run("schema", "build", "tree", "--no-verify", "-o", "built.json").status == 0
    for verl in ("tree", "verl-1.0-py3-none-any.whl", "built.json"):
        ended = run(
            "check", "run.sh", "--verl", verl, *QUIET, "--select", "unknown-key", "-f", "json", files={"run.sh": LAUNCH}
        )
        assert [row["key"] for row in findings(ended)] == ["data.shards"], verl
    for wrong, said in (
        ("run.sh", "is no verl to check against: name the folder of a checkout, a wheel"),
        (".", "is no checkout of verl"),
    ):
        ended = run("check", "run.sh", "--verl", wrong)
        assert (ended.status, said in ended.err) == (2, True)


# ------------------------------------------------------------------------------------------------- rules, suppression


def test_rules_can_be_chosen_and_left_out(run: Run) -> None:
    files = {"run.sh": BROKEN}
    assert run("check", "run.sh", *QUIET, "--select", "batch", files=files).status == 0
    assert run("check", "run.sh", *QUIET, *ONLY, "--ignore", "unknown-key,batch").status == 0
    assert run("check", "run.sh", *QUIET, "--select", "hydra").status == 1
    assert run("check", "run.sh", *QUIET, *ONLY, files={"recipe-lint.toml": "severity = {hydra = 'off'}"}).status == 0
    assert run("check", "run.sh", *QUIET, *ONLY, files={"recipe-lint.toml": "severity = {hydra = 'info'}"}).status == 0


def test_syntax_errors_are_reported_whatever_is_selected(run: Run) -> None:
    ended = run("check", "run.sh", *QUIET, "--select", "batch", "-f", "json", files={"run.sh": "echo 'open\n"})
    assert rules(ended) == ["syntax-error"]


def test_suppressions_silence_our_rules_and_shellcheck_alike(run: Run) -> None:
    comment = "# recipe-lint: ignore[unknown-key, SC2034] -- a fork of ours has it\n"
    script = BROKEN.replace("python3", f"{comment}python3").replace("set -e", f"{comment}unused=1\nset -e")
    ended = run("check", "run.sh", "--no-cache", *ONLY, "--select", "SC2034", "-f", "json", files={"run.sh": script})
    assert rules(ended) == ["unused-suppression", "unused-suppression"]


def test_shellcheck_is_left_out_where_the_value_is_proven(run: Run) -> None:
    script = '#!/bin/bash\nn=8\nA=(key=${n} path=$1)\necho "${A[@]}"\n'
    ended = run("check", "run.sh", "--no-cache", "-f", "json", files={"run.sh": script})
    document = json.loads(ended.out)
    assert [(row["rule"], row["column"]) for row in document["findings"]] == [("SC2206", 18)]


def test_a_rule_that_fails_is_a_finding_and_the_others_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from lint.rules.registry import all_rules

    def fail(subject: object) -> Any:
        raise KeyError("missing size")

    broken = [replace(rule, check=fail) if rule.name == "mini-batch-gt-train-batch" else rule for rule in all_rules()]
    monkeypatch.setattr("lint.checking.selection.rules_under", lambda release: tuple(broken))
    ended = run("check", "run.sh", *QUIET, *ONLY, "-f", "json", files={"run.sh": BROKEN})
    assert sorted(rules(ended)) == ["internal-error", "unknown-key"]
    message = next(row["message"] for row in findings(ended) if row["rule"] == "internal-error")
    assert "rule mini-batch-gt-train-batch" in message
    assert "KeyError: 'missing size' at test_check.py" in message


# ------------------------------------------------------------------------------------------------------------- fixes


UNUSED = SCRIPT.replace("train_batch=64\n", "train_batch=64  # recipe-lint: ignore[unknown-key] -- old\n")


def test_fix_repairs_the_file_and_nothing_else(run: Run, folder: Path) -> None:
    data = UNUSED.replace("set -e", "# caf\u00e9 \r\nset -e").encode() + b"# \xff\n"
    ended = run("check", "run.sh", *QUIET, *ONLY, "--fix", files={"run.sh": data})
    assert ended.status == 0
    assert ended.err == "recipe-lint: fixed 1 finding in 1 script\n"
    fixed = (folder / "run.sh").read_bytes()
    assert fixed == data.replace(b"  # recipe-lint: ignore[unknown-key] -- old", b"")
    run("check", "run.sh", *QUIET, *ONLY, "--fix")
    assert (folder / "run.sh").read_bytes() == fixed


def test_diff_is_a_patch_and_changes_nothing(run: Run, folder: Path) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, "--diff", files={"run.sh": UNUSED})
    assert ended.status == 1
    assert (folder / "run.sh").read_text() == UNUSED
    subprocess.run(["git", "apply", "-"], input=ended.out.encode(), cwd=folder, check=True)
    assert "ignore[unknown-key]" not in (folder / "run.sh").read_text()


def test_standard_input_can_be_shown_but_not_written(run: Run) -> None:
    assert run("check", "-", *QUIET, *ONLY, "--fix", stdin=UNUSED).status == 2
    assert "-train_batch=64  # recipe-lint" in run("check", "-", *QUIET, *ONLY, "--diff", stdin=UNUSED).out


def test_unsafe_fixes_are_applied_when_asked_for(run: Run, folder: Path) -> None:
    files = {"run.sh": "#!/bin/bash\nx=$1\necho $x\n"}
    run("check", "run.sh", "--no-cache", "--fix", files=files)
    assert (folder / "run.sh").read_text() == files["run.sh"]
    run("check", "run.sh", "--no-cache", "--unsafe-fixes")
    assert (folder / "run.sh").read_text() == '#!/bin/bash\nx=$1\necho "$x"\n'


# ----------------------------------------------------------------------------------------------------------- outputs


def test_a_report_can_go_to_a_file(run: Run, folder: Path) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, "-f", "sarif", "-o", "out/report.sarif", files={"run.sh": BROKEN})
    assert (ended.status, ended.out) == (1, "")
    assert json.loads((folder / "out" / "report.sarif").read_text())["version"] == "2.1.0"


def test_inside_github_actions_annotations_are_the_default(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert run("check", "run.sh", *QUIET, *ONLY, files={"run.sh": BROKEN}).out.startswith("::error title=recipe-lint")


def test_statistics_count_each_rule(run: Run) -> None:
    ended = run("check", ".", *QUIET, *ONLY, "--statistics", files={"a.sh": BROKEN, "b.sh": BROKEN})
    assert ended.out.splitlines()[0].split() == ["2", "error", "unknown-key"]


def test_a_baseline_silences_what_was_there_and_shrinks(run: Run) -> None:
    settings = "select = ['hydra']\nshellcheck = false\nbaseline = 'base.json'\n"
    files = {"run.sh": BROKEN, "recipe-lint.toml": settings}
    assert run("check", "run.sh", "--no-cache", "--write-baseline", "base.json", files=files).status == 0
    assert run("check", "run.sh", "--no-cache").status == 0
    moved = BROKEN.replace("set -e", "# a new line\nset -e")
    assert run("check", "run.sh", "--no-cache", files={"run.sh": moved}).status == 0
    ended = run("check", "run.sh", "--no-cache", files={"run.sh": SCRIPT})
    assert "took 1 finding that no longer occurs out of base.json" in ended.err
    assert run("check", "run.sh", "--no-cache", files={"run.sh": BROKEN}).status == 1
