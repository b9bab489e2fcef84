"""`recipe-lint check` from the outside: what it prints, writes, and ends with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lint.server.memory import forget
from lint.shellcheck import configuration
from tests.cli.conftest import BROKEN, SCRIPT, Run
from tests.schema.trees import VERL, write, write_wheel

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
NEW_KEY = "ray_kwargs.ray_init.runtime_env.py_executable"  # of verl 0.9.1
QUIET = ("--no-shellcheck", "--no-cache")
ONLY = ("--select", "unknown-key,mini-batch-gt-train-batch,arguments-not-passed,tool")
"""Rules whose findings these tests are about, so that a new rule breaks none of them."""


def rules(text: str) -> list[str]:
    """The rules of the findings in JSON output."""
    return [finding["rule"] for finding in json.loads(text)["findings"] if finding["severity"] != "info"]


# ------------------------------------------------------------------------------------------------------ exit status


def test_a_clean_script_ends_with_0(run: Run) -> None:
    ended = run("check", "run.sh", *ONLY, files={"run.sh": SCRIPT})
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.endswith("in 1 script, 1 launch\n")


def test_errors_end_with_1_unless_told_otherwise(run: Run) -> None:
    ended = run("check", "run.sh", *QUIET, *ONLY, "--format", "json", files={"run.sh": BROKEN})
    assert (ended.status, rules(ended.out)) == (1, ["unknown-key"])
    assert run("check", "run.sh", *QUIET, *ONLY, "--exit-zero").status == 0


def test_remarks_fail_a_strict_run_only(run: Run) -> None:
    files = {"run.sh": SCRIPT.replace(' \\\n    "$@"', "")}
    ended = run("check", "run.sh", *QUIET, *ONLY, files=files)
    assert (ended.status, "info[" in ended.out) == (0, True)
    assert run("check", "run.sh", *QUIET, *ONLY, "--strict").status == 1
    assert run("check", "run.sh", *QUIET, *ONLY, "--strict", "--min-severity", "warning").status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bogus"], "No such option"),
        (["--format", "yaml"], "yaml"),
        (["--select", "hydraa"], "no rule or group is called 'hydraa'; did you mean 'hydra'?"),
        (["--release", "0.9.9"], "no release of verl is known by the name '0.9.9'; did you mean '0.9.1'?"),
        (["--device", "a3"], "known are ascend-a2"),
        (["--env", "NNODES"], "--env wants NAME=VALUE, not 'NNODES'"),
        (["--baseline", "nowhere.json"], "nowhere.json: cannot be read"),
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
    assert [finding["path"] for finding in json.loads(ended.out)["findings"]] == ["x/run.sh"]
    assert run("check", "-", *QUIET, *ONLY, stdin=SCRIPT).status == 0


def test_a_name_for_standard_input_asks_for_it(run: Run) -> None:
    files = {"run.sh": SCRIPT}
    ended = run("check", "--stdin-filename", "x/run.sh", *QUIET, *ONLY, "-f", "json", files=files, stdin=BROKEN)
    assert {finding["path"] for finding in json.loads(ended.out)["findings"]} == {"x/run.sh"}
    ended = run("check", "run.sh", "--stdin-filename", "x/run.sh", *QUIET, stdin=BROKEN)
    assert (ended.status, ended.out) == (2, "")
    assert "--stdin-filename names what is read from standard input" in ended.err


def test_the_environment_can_be_given(run: Run) -> None:
    files = {"run.sh": SCRIPT.replace("train_batch=64", "train_batch=${TRAIN_BATCH:-64}")}
    assert run("check", "run.sh", *QUIET, *ONLY, files=files).status == 0
    ended = run("check", "run.sh", *QUIET, *ONLY, "--env", "TRAIN_BATCH=32", "-f", "json")
    assert "mini-batch-gt-train-batch" in rules(ended.out)


def test_a_branch_behind_a_toggle_is_checked_and_named(run: Run) -> None:
    toggle = "DEVICE=${DEVICE:-gpu}\ncase $DEVICE in npu) train_batch=32 ;; *) train_batch=64 ;; esac\n"
    ended = run(
        "check", "run.sh", *QUIET, *ONLY, "-f", "json", files={"run.sh": SCRIPT.replace("train_batch=64\n", toggle)}
    )
    found = [row for row in json.loads(ended.out)["findings"] if row["rule"] == "mini-batch-gt-train-batch"]
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
    assert [finding["path"] for finding in json.loads(ended.out)["findings"]] == ["edited.sh", "new.sh"]
    assert "git knows no commit '--help'" in run("check", ".", *QUIET, *ONLY, "--changed=--help").err


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
    assert rules(ended.out) == ["syntax-error"]


def test_suppressions_silence_our_rules_and_shellcheck_alike(run: Run) -> None:
    comment = "# recipe-lint: ignore[unknown-key, SC2034] -- a fork of ours has it\n"
    script = BROKEN.replace("python3", f"{comment}python3").replace("set -e", f"{comment}unused=1\nset -e")
    ended = run("check", "run.sh", "--no-cache", *ONLY, "--select", "SC2034", "-f", "json", files={"run.sh": script})
    assert rules(ended.out) == ["unused-suppression", "unused-suppression"]


def test_shellcheck_is_left_out_where_the_value_is_proven(run: Run) -> None:
    script = '#!/bin/bash\nn=8\nA=(key=${n} path=$1)\necho "${A[@]}"\n'
    ended = run("check", "run.sh", "--no-cache", "-f", "json", files={"run.sh": script})
    document = json.loads(ended.out)
    assert [(row["rule"], row["column"]) for row in document["findings"]] == [("SC2206", 18)]


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


# --------------------------------------------------------------------------------------------------- cache, processes


def findings(ended: Any) -> Any:
    return json.loads(ended.out)["findings"]


def test_a_second_run_says_the_same_from_the_cache(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("check", ".", "-f", "json", files={"a.sh": BROKEN, "b.sh": SCRIPT})
    with monkeypatch.context() as patch:
        patch.setattr("lint.checking.run.examine_one", lambda job, source: pytest.fail("examined again"))
        assert run("check", ".", "-f", "json").out == first.out
    for file in (folder / ".recipe-lint-cache").rglob("*.json"):
        file.write_bytes(file.read_bytes()[:40])
    assert run("check", ".", "-f", "json").out == first.out


def test_the_cache_sees_changed_text_changed_settings_and_changed_sourced_files(run: Run) -> None:
    script = SCRIPT.replace("train_batch=64\n", "source ./sizes.sh\n")
    files = {"run.sh": script, "sizes.sh": "train_batch=64\n"}
    select = ("--select", "batch", "-f", "json")
    assert findings(run("check", "run.sh", *select, files=files)) == []
    assert findings(run("check", "run.sh", *select, files={"sizes.sh": "train_batch=32\n"})) != []
    assert findings(run("check", "run.sh", *select, files={"sizes.sh": "train_batch=64\n"})) == []
    assert findings(
        run("check", "run.sh", *select, files={"run.sh": script.replace("batch_size=64", "batch_size=128")})
    )
    assert findings(run("check", "run.sh", "--select", "tool", "-f", "json")) == []


def test_the_cache_sees_a_model_that_was_downloaded(run: Run) -> None:
    script = SCRIPT.replace("Qwen/Qwen3-8B", "./model").replace("trainer.nnodes=1", f"{TP}=3 trainer.nnodes=3")
    call = ("check", "run.sh", "--select", "model-divisible", "-f", "json")
    assert findings(run(*call, files={"run.sh": script})) == []
    sizes = {"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8}
    more = {"num_hidden_layers": 36, "vocab_size": 151936, "intermediate_size": 12288, "head_dim": 128}
    config = json.dumps({**sizes, **more})
    assert findings(run(*call, files={"model/config.json": config})) != []


@pytest.mark.parametrize("place", ["command line", "head comment", "settings"])
def test_the_cache_sees_a_change_of_a_model_that_is_stated(run: Run, place: str) -> None:
    sizes = {"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8}
    more = {"num_hidden_layers": 36, "vocab_size": 151936, "intermediate_size": 12288, "head_dim": 128}
    config = json.dumps({**sizes, **more})
    script = SCRIPT.replace("trainer.nnodes=1", f"{TP}=3 trainer.nnodes=3")
    if place == "head comment":
        script = script.replace("\n", "\n# recipe-lint: model=./model\n", 1)
    settings = "model = './model'\n" if place == "settings" else ""
    given = ("--model", "./model") if place == "command line" else ()
    call = ("check", "run.sh", "--select", "model-divisible", "-f", "json", *given)
    files = {"run.sh": script, "recipe-lint.toml": settings, "model/config.json": config}
    assert findings(run(*call, files=files)) != []
    assert (
        findings(
            run(
                *call,
                files={"model/config.json": config.replace('"num_attention_heads": 32', '"num_attention_heads": 24')},
            )
        )
        == []
    )


def test_many_scripts_in_many_processes_say_the_same_as_one(run: Run) -> None:
    files = {f"run_{number:02}.sh": BROKEN if number % 2 else SCRIPT for number in range(24)}
    one = run("check", ".", *QUIET, *ONLY, "--jobs", "1", "-f", "json", files=files)
    assert run("check", ".", *QUIET, *ONLY, "--jobs", "3", "-f", "json").out == one.out
    assert len(findings(one)) == 12


def test_a_rule_that_fails_is_a_finding_and_the_others_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from lint.rules.registry import all_rules

    def fail(subject: object) -> Any:
        raise KeyError("missing size")

    broken = [replace(rule, check=fail) if rule.name == "mini-batch-gt-train-batch" else rule for rule in all_rules()]
    monkeypatch.setattr("lint.checking.linter.all_rules", lambda: tuple(broken))
    ended = run("check", "run.sh", *QUIET, *ONLY, "-f", "json", files={"run.sh": BROKEN})
    assert sorted(rules(ended.out)) == ["internal-error", "unknown-key"]
    message = next(row["message"] for row in findings(ended) if row["rule"] == "internal-error")
    assert "rule mini-batch-gt-train-batch" in message
    assert "KeyError: 'missing size' at test_check.py" in message


# ----------------------------------------------------------------------------------------------------- the process


def tool(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "lint", *arguments], env=environment, **{**pipes, **options})


def test_an_interrupt_ends_cleanly_with_130(folder: Path) -> None:
    slow = "i=0\nwhile ((i < 9000)); do ((i += 1)); done\n"  # half a second each: the signal comes long before the end
    for number in range(100):
        (folder / f"{number}.sh").write_text(slow + BROKEN)
    process = tool("check", ".", "--jobs", "2", cwd=folder)
    while not (folder / ".recipe-lint-cache").exists():  # it is at work then
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said
    assert process.returncode == 130


def test_a_reader_that_goes_away_is_no_crash(folder: Path) -> None:
    for number in range(60):
        (folder / f"{number}.sh").write_text(BROKEN)
    process = tool("check", ".", *QUIET, *ONLY, cwd=folder)
    assert process.stdout is not None
    process.stdout.close()
    assert b"Traceback" not in process.communicate(timeout=30)[1]


def test_the_version_is_printed_without_loading_the_rest(folder: Path) -> None:
    code = "import sys; from lint.__main__ import main; main(['--version']); print('typer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "recipe-lint"
    assert done.stdout.split()[-1] == "False"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_output_that_cannot_be_written_is_said_in_one_line(folder: Path) -> None:
    (folder / "a.sh").write_text(BROKEN)
    with open("/dev/full", "wb") as full:
        process = tool("check", "a.sh", *QUIET, *ONLY, cwd=folder, stdout=full)
        said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (2, b"recipe-lint: standard output: No space left on device\n")


def test_a_caller_that_closed_standard_output_still_gets_the_status(folder: Path) -> None:
    (folder / "a.sh").write_text(BROKEN)
    process = tool("check", "a.sh", *QUIET, *ONLY, cwd=folder, stdout=None, preexec_fn=lambda: os.close(1))
    assert process.communicate(timeout=30)[1] == b""
    assert process.returncode == 1


@pytest.mark.parametrize("command", ["check", "show", "memory", "settings"])
def test_what_the_encoding_of_standard_output_lacks_is_shown_as_escapes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (folder / "模.sh").write_text(SCRIPT.replace("Qwen/Qwen3-8B", "模型"), "utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    process = tool(command, "模.sh", cwd=folder)
    out, said = process.communicate(timeout=30)
    assert (process.returncode in (0, 1), b"\\u6a21" in out, said) == (True, True, b"")


def test_where_there_is_no_home_folder_all_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda identity: {}[identity])
    configuration.cache_clear()
    assert run("check", "run.sh", "--no-cache", files={"run.sh": SCRIPT}).err == ""


# -------------------------------------------------------------------------------------------------- another verl

LAUNCH = "python3 -m verl.trainer.main_ppo data.files=x data.shards=2\n"


def test_scripts_are_checked_against_a_checkout_a_wheel_or_a_schema_that_was_built(run: Run, folder: Path) -> None:
    write(folder / "tree", VERL)
    write_wheel(folder / "verl-1.0-py3-none-any.whl", VERL)
    assert run("schema", "build", "tree", "--no-verify", "-o", "built.json").status == 0
    for verl in ("tree", "verl-1.0-py3-none-any.whl", "built.json"):
        ended = run(
            "check", "run.sh", "--verl", verl, *QUIET, "--select", "unknown-key", "-f", "json", files={"run.sh": LAUNCH}
        )
        assert [row["key"] for row in json.loads(ended.out)["findings"]] == ["data.shards"], verl
    for wrong, said in (("run.sh", "not a folder and not a wheel"), (".", "is no checkout of verl")):
        ended = run("check", "run.sh", "--verl", wrong)
        assert (ended.status, said in ended.err) == (2, True)


def test_a_cached_result_is_given_up_when_the_checkout_that_was_named_changes(run: Run, folder: Path) -> None:
    write(folder / "tree", VERL)
    call = ("check", "run.sh", "--verl", "tree", "--no-shellcheck", "--select", "unknown-key", "-f", "json")
    assert "data.shards" in run(*call, files={"run.sh": LAUNCH}).out
    write(folder / "tree", {"verl/trainer/config/data/table.yaml": "files: [a]\nshards: 1\n"})
    forget()
    assert "data.shards" not in run(*call).out
