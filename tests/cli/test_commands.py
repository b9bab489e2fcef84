"""The other subcommands from the outside: show, rules, explain, settings, and the command itself."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from lint.cli import COMMANDS, completing
from lint.cli.arguments import save
from tests.cli.conftest import Run

SCRIPT = """\
set -u
export HCCL_BUFFSIZE=300
gen_tp=${GEN_TP:-4}
budget=$((1024 * 2))
mkdir -p "$HOME/logs"
ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}
)
python3 -m verl.trainer.main_ppo "${ROLLOUT[@]}" +x.y=1 '~z' data.max_prompt_length=$budget trainer.note="$(date)"
"""
FILES = {"run.sh": SCRIPT}


# -------------------------------------------------------------------------------------------------------------- show


def test_show_gives_each_launch_with_its_values_and_their_origins(run: Run) -> None:
    document = json.loads(run("show", "run.sh", "--format", "json", files=FILES).out)
    assert document["version"] == 1
    (launch,) = document["launches"]
    assert (launch["path"], launch["line"], launch["entry_point"]) == ("run.sh", 10, "verl.trainer.main_ppo")
    assert launch["argv"][:4] == ["python3", "-m", "verl.trainer.main_ppo", "actor_rollout_ref.rollout.name=vllm"]
    assert launch["environment"] == {"HCCL_BUFFSIZE": "300"}
    assert launch["unresolved"] == [len(launch["argv"]) - 1]
    assert launch["argv"][-1].startswith("trainer.note=<unknown: output of `date`")
    overrides = {row["key"]: row for row in launch["overrides"]}
    tensor = overrides["actor_rollout_ref.rollout.tensor_model_parallel_size"]
    assert (tensor["prefix"], tensor["value"], tensor["line"], tensor["column"]) == ("", "4", 8, 5)
    assert [step["text"] for step in tensor["origin"]] == ["${gen_tp}", "${GEN_TP:-4}", "4"]
    assert [(step["line"], step["column"]) for step in tensor["origin"]] == [(8, 58), (3, 8), (3, 18)]
    assert overrides["data.max_prompt_length"]["origin"][-1]["text"] == "1024 * 2"
    assert (overrides["x.y"]["prefix"], overrides["z"]["prefix"], overrides["z"]["value"]) == ("+", "~", None)


def test_show_for_people_names_the_deciding_line(run: Run) -> None:
    out = run("show", "run.sh", files=FILES).out
    assert out.startswith("run.sh:10  verl.trainer.main_ppo, verl ")
    line = next(line for line in out.splitlines() if "tensor_model_parallel_size" in line)
    assert line.split() == ["actor_rollout_ref.rollout.tensor_model_parallel_size", "4", "line", "8", "<-", "line", "3"]


def test_what_comes_from_outside_of_the_script_stands_where_the_script_reads_it(run: Run) -> None:
    given = ("--env", "GEN_TP=8")
    launch = json.loads(run("show", "run.sh", *given, "--format", "json", files=FILES).out)["launches"][0]
    tensor = next(row for row in launch["overrides"] if row["value"] == "8")
    assert [(step["line"], step["kind"], step["text"]) for step in tensor["origin"]] == [
        (8, "expansion", "${gen_tp}"),
        (3, "expansion", "${GEN_TP:-4}"),
        (3, "environment", "GEN_TP"),
    ]
    out = run("show", "run.sh", *given).out
    line = next(line for line in out.splitlines() if "tensor_model_parallel_size" in line)
    assert line.endswith("line 8 <- line 3 <- GEN_TP from the environment")


def test_what_only_a_run_could_tell_is_shown_as_the_script_writes_it(run: Run) -> None:
    script = (
        "python3 -m verl.trainer.main_ppo trainer.a=$HOME/x trainer.b=r-$(date +%s) trainer.c=$PWD '+trainer.d=$HOME'"
    )
    out = run("show", "run.sh", files={"run.sh": script}).out
    rows = [line for line in out.splitlines() if line.startswith("  ") and "trainer." in line]
    values = [row.partition("trainer.")[2].removesuffix("line 1").partition(" ")[2].strip() for row in rows]
    assert values == ["<$HOME>/x", "r-<$(date +%s)>", "<working directory>", "$HOME"]


def test_an_argument_of_a_function_is_shown_as_the_script_writes_it(run: Run) -> None:
    script = "start() { python3 -m verl.trainer.main_ppo trainer.nnodes=$1; }\nstart 2\n"
    (launch,) = json.loads(run("show", "run.sh", "--format", "json", files={"run.sh": script}).out)["launches"]
    assert [(step["line"], step["text"]) for step in launch["overrides"][0]["origin"]] == [(1, "$1"), (2, "2")]


def test_a_finding_marks_where_the_environment_decides(run: Run) -> None:
    script = (
        "tp=${TP:-4}\n"
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm \\\n"
        "    actor_rollout_ref.model.path=Qwen/Qwen3-8B \\\n"
        "    actor_rollout_ref.rollout.tensor_model_parallel_size=$tp\n"
    )
    call = ("check", "run.sh", "--select", "model-divisible", "--format", "json", "--env", "TP=6")
    (finding,) = json.loads(run(*call, files={"run.sh": script}).out)["findings"]
    (related, *_) = finding["related"]
    assert (related["line"], related["column"]) == (1, 4)
    assert related["message"] == "TP is taken from the environment here"


def test_show_commands_gives_every_external_command_in_order(run: Run) -> None:
    document = json.loads(run("show", "--commands", "run.sh", "--env", "HOME=/h", "--env", "GEN_TP=2", files=FILES).out)
    assert [row["argv"][0] for row in document["commands"]] == ["mkdir", "date", "python3"]
    assert document["commands"][0]["argv"] == ["mkdir", "-p", "/h/logs"]
    assert "actor_rollout_ref.rollout.tensor_model_parallel_size=2" in document["commands"][2]["argv"]


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("set -u; N=$NODES", "NODES is not set (unbound variable): bash goes no further here; with --env NODES=... "),
        (": ${NODES:?how many}", "NODES is not set (how many): bash goes no further here; with --env NODES=... "),
        (
            '[ -n "$NODES" ] || exit 1',
            "NODES is not set (the script ends without it): bash goes no further here; ",
        ),
        ("set -u; NODES=$1", "no argument 1 is given (unbound variable): bash goes no further here"),
    ],
)
def test_show_commands_ends_where_bash_does_and_says_why(run: Run, test: str, reason: str) -> None:
    script = f"date 1\n{test}\ndate 2\n"
    document = json.loads(run("show", "--commands", "run.sh", files={"run.sh": script}).out)
    assert [each["argv"][1] for each in document["commands"]] == ["1"]
    ((path, line, said),) = [(each["path"], each["line"], each["reason"]) for each in document["unchecked"]]
    assert (path, line, said.startswith(reason)) == ("run.sh", 2, True), said
    if "--env" in said:
        document = json.loads(run("show", "--commands", "run.sh", "--env", "NODES=2").out)
        assert ([each["argv"][1] for each in document["commands"]], document["unchecked"]) == (["1", "2"], [])


def test_show_commands_names_the_program_that_starts_a_command_in_place_of_the_script(run: Run) -> None:
    script = "ray job submit -- python3 a.py\nbash -c 'ls; bash other.sh'\nls\n"
    ended = run("show", "--commands", "run.sh", files={"run.sh": script, "other.sh": "date\n"})
    assert [(row["argv"][0], row["started_by"]) for row in json.loads(ended.out)["commands"]] == [
        ("ray", None),
        ("python3", "ray"),
        ("bash", None),
        ("ls", "bash"),
        ("bash", "bash"),
        ("date", "bash"),
        ("ls", None),
    ]


def test_show_says_what_it_could_not_read(run: Run) -> None:
    ended = run("show", "--commands", "run.sh", "nowhere.sh", "x.bin", files={**FILES, "x.bin": b"\0"})
    document = json.loads(ended.out)
    assert ended.status == 3
    assert [row["path"] for row in document["unchecked"]] == ["nowhere.sh", "x.bin"]
    assert len(document["commands"]) == 3


# ------------------------------------------------------------------------------------------- rules, explain, settings


def test_standard_input_is_shown_as_a_script_is(run: Run) -> None:
    launch = "python3 -m verl.trainer.main_ppo trainer.nnodes=3 actor_rollout_ref.rollout.name=vllm\n"
    (row,) = json.loads(run("show", "-", "--format", "json", stdin=launch).out)["launches"]
    assert (row["path"], row["overrides"][0]["value"]) == ("-", "3")
    assert json.loads(run("show", "--commands", "-", stdin="ls\n").out)["commands"][0]["argv"] == ["ls"]
    assert json.loads(run("memory", "-", "--format", "json", stdin=launch).out)["launches"][0]["path"] == "-"


@pytest.mark.parametrize("command", ["show", "memory"])
def test_people_are_told_that_nothing_starts_a_trainer(run: Run, command: str) -> None:
    ended = run(command, "tool.sh", files={"tool.sh": "ls\n"})
    assert (ended.status, ended.out) == (0, "")
    assert ended.err == "recipe-lint: nothing in tool.sh starts a trainer that is known\n"


def test_rules_are_listed_and_can_be_explained(run: Run) -> None:
    rules = json.loads(run("rules", "--format", "json").out)["rules"]
    assert {"syntax-error", "unknown-key"} <= {rule["name"] for rule in rules}
    assert all(rule["summary"].endswith(".") for rule in rules)
    listed = run("rules", "tool").out
    assert listed.startswith("tool: ")
    assert "unused-suppression" in listed
    assert "unknown-key" not in listed
    assert run("explain", "unknown-key", "SC2086").out.startswith("# unknown-key\n\nGroup hydra; severity error")
    ended = run("explain", "unknwon-key")
    assert (ended.status, "did you mean 'unknown-key'?" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["explain", "hydra"], "'hydra' is a group; name one of its rules, which `recipe-lint rules hydra` lists"),
        (["explain", "UNKNOWN-KEY"], "no rule is called 'UNKNOWN-KEY'; did you mean 'unknown-key'?"),
        (["explain", "zzzz"], "no rule is called 'zzzz'; `recipe-lint rules` lists all"),
        (
            ["rules", "unknown-key"],
            "'unknown-key' is a rule; `recipe-lint explain unknown-key` prints its documentation",
        ),
        (["rules", "hydraa"], "no rule or group is called 'hydraa'; did you mean 'hydra'?"),
    ],
)
def test_a_name_of_another_kind_is_told_from_one_that_nobody_has(run: Run, call: list[str], said: str) -> None:
    ended = run(*call)
    assert (ended.status, ended.err) == (2, f"recipe-lint: {said}\n")


def test_a_suppression_of_a_group_is_told_to_name_rules(run: Run) -> None:
    ended = run("check", "a.sh", "-f", "json", files={"a.sh": "# recipe-lint: ignore-file[naming] -- old name\nls\n"})
    (finding,) = json.loads(ended.out)["findings"]
    assert finding["message"].startswith("'naming' is a group; name one of its rules")
    assert finding["fix"]["title"] == "remove the suppression"


def test_settings_tell_where_each_comes_from(run: Run) -> None:
    text = "device = 'ascend-a3'\n[[paths]]\nmatch = ['old/**']\nrelease = '0.8.0'\n"
    out = run("settings", "old/run.sh", files={"recipe-lint.toml": text, "old/run.sh": ""}).out
    lines = {line.split("=")[0].strip(): line for line in out.splitlines()[1:]}
    assert lines["device"].endswith('= "ascend-a3"  (recipe-lint.toml)')
    assert lines["release"].endswith('= "0.8.0"  (recipe-lint.toml (paths: old/**))')
    assert lines["nodes"].endswith("= not set  (default)")
    assert run("check", "old/run.sh", "--show-settings").out == out


# --------------------------------------------------------------------------------------------------------- the command


def test_help_names_every_subcommand(run: Run) -> None:
    ended = run("--help")
    assert ended.status == 0
    for name in COMMANDS:
        assert f" {name} " in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_subcommand_has_help_of_its_own(run: Run, name: str) -> None:
    ended = run(name, "--help")
    assert (ended.status, f"recipe-lint {name}" in ended.out) == (0, True)


def test_no_arguments_at_all_print_the_help(run: Run) -> None:
    assert "Usage: recipe-lint" in run().out


def test_an_unknown_subcommand_is_met_with_the_nearest(run: Run) -> None:
    ended = run("chek")
    assert (ended.status, "check" in ended.err) == (2, True)


def test_the_shell_completes_subcommands_and_options() -> None:
    def complete(words: str) -> list[str]:
        environment = {**os.environ, "_RECIPE_LINT_COMPLETE": "complete_bash", "COMP_WORDS": words}
        environment["COMP_CWORD"] = str(len(words.split()) - 1)
        code = "import sys; sys.argv = ['recipe-lint']; from lint.__main__ import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        return done.stdout.split()

    assert complete("recipe-lint che") == ["check"]
    assert "--format" in complete("recipe-lint check --for")
    assert complete("recipe-lint check --device ascend-a") == ["ascend-a2", "ascend-a3", "ascend-a5"]


@pytest.mark.parametrize(
    ("names", "typed", "first"),
    [
        (completing.releases, "0.9", "0.9.1"),
        (completing.devices, "H100", "h100"),
        (completing.models, "qwen3-8b", "Qwen3-8B"),
        (completing.rules, "unknown-k", "unknown-key"),
        (completing.groups, "hy", "hydra"),
        (completing.rules_and_groups, "SC2086,unknown-k", "SC2086,unknown-key"),
    ],
)
def test_the_shell_completes_names(names: Callable[[str], completing.Found], typed: str, first: str) -> None:
    assert names(typed)[0][0] == first
    assert not names("no such name")


def test_a_defect_of_the_tool_is_said_in_two_lines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("no such size")

    monkeypatch.setattr("lint.checking.linter.compose", fail)
    ended = run("memory", "run.sh", files=FILES)
    assert ended.status == 2
    assert ended.err.startswith("recipe-lint: a defect of this tool, not of what it was given: KeyError: 'no such")
    assert len(ended.err.splitlines()) == 2
    monkeypatch.setenv("RECIPE_LINT_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run("memory", "run.sh")


def test_a_device_that_is_written_to_keeps_its_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[object] = []
    monkeypatch.setattr(os, "chmod", lambda path, mode: changed.append(path))
    save(os.devnull, b"text", 0o755)
    assert not changed
