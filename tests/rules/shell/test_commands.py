"""Launches as bash reads them: where they end, what goes through their pipes, and what reaches them."""

import pytest

from lint.fixes.fix import edited
from tests.rules.pipeline import found, lines, repaired

LAUNCH = "python3 -m verl.trainer.main_ppo"
BROKEN = {
    "a blank line": ("    data.a=1 \\\n\n    data.b=2\n", 4, "a blank line follows the backslash of line 2"),
    "a comment line": ("    data.a=1 \\\n    # why\n    data.b=2\n", 4, "a comment follows the backslash of line 2"),
    "a blank behind": ("    data.a=1 \\ \n    data.b=2\n", 3, "blanks stand behind the backslash of line 2"),
    "a comment behind": (
        "    data.a=1 \\  # why\n    data.b=2\n",
        3,
        "a comment stands behind the backslash of line 2",
    ),
    "a comment one blank behind": (
        "    data.a=1 \\ # why\n    data.b=2\n",
        3,
        "a comment stands behind the backslash of line 2",
    ),
    "no backslash": ("    data.a=1\n    data.b=2\n", 3, "line 2 does not end with a backslash"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_overrides_that_are_run_as_commands(case: str) -> None:
    rest, line, reason = BROKEN[case]
    script = f"{LAUNCH} \\\n{rest}"
    (finding,) = found("continuation-broken", script)
    assert lines("continuation-broken", script) == [line]
    assert finding.message == f"1 override from here on is run as a command, not passed: {reason}"


def test_an_array_of_overrides_that_is_run_as_a_command() -> None:
    arrays = "A=(data.a=1)\nB=(data.b=2 data.c=3)\n"
    script = f'{arrays}{LAUNCH} \\\n    "${{A[@]}}"\n    "${{B[@]}}" \\\n    data.d=4 "$@"\n'
    (finding,) = found("continuation-broken", script)
    assert lines("continuation-broken", script) == [5]
    assert finding.message.startswith("3 overrides from here on are run as a command, not passed: line 4 does not end")
    assert all_repairs(script) == f'{arrays}{LAUNCH} \\\n    "${{A[@]}}" \\\n    "${{B[@]}}" \\\n    data.d=4 "$@"\n'


def test_an_array_of_words_of_a_command_is_a_command() -> None:
    script = f'RUN=(python3 -m verl.trainer.main_ppo)\nB=(data.b=2)\n{LAUNCH} data.a=1\n"${{RUN[@]}}" "${{B[@]}}"\n'
    assert not found("continuation-broken", script)


def all_repairs(script: str) -> str:
    """The script after all fixes of broken continuations, unsafe ones too."""
    return edited(script, [edit for one in found("continuation-broken", script) if one.fix for edit in one.fix.edits])


@pytest.mark.parametrize("case", BROKEN)
def test_a_repaired_continuation_passes_both(case: str) -> None:
    rest, _, _ = BROKEN[case]
    script = all_repairs(f"{LAUNCH} \\\n{rest}")
    assert not found("continuation-broken", script)
    assert script == f"{LAUNCH} \\\n    data.a=1 \\\n    data.b=2\n"


@pytest.mark.parametrize(
    "rest",
    [
        "    data.a=1 \\\n    # data.c=3 \\\n    data.b=2\n",  # a comment would be lost
        "    data.a=1 \\  # why\n    data.b=2\n",
        "    data.a=1  # why\n    data.b=2\n",
        "    data.a=1\n\n    data.b=2\n",  # a blank line where the command ended
        '    data.a=1 "$@"\n    data.b=2\n',  # what stands behind "$@" would win over what the caller says
        "    data.a=1 > train.log\n    data.b=2\n",
        "    \\\n    --config-name=ppo\n    data.b=2\n",
    ],
)
def test_a_continuation_that_the_author_may_not_have_meant_is_repaired_on_demand_only(rest: str) -> None:
    script = f"{LAUNCH} \\\n{rest}"
    assert repaired("continuation-broken", script) == script
    assert found("continuation-broken", script)
    assert not found("continuation-broken", all_repairs(script))


@pytest.mark.parametrize(
    "script",
    [
        "echo start\ndata.b=2\n",
        "echo start \\\n\ndata.b=2\n",
        f"if {LAUNCH} data.a=1; then\n    data.b=2\nfi\n",
        f"{{ {LAUNCH} data.a=1\n}}\ndata.b=2\n",
        f"{LAUNCH} data.a=1 | tee train.log\ndata.b=2\n",
        f"{LAUNCH} data.a=1 &\ndata.b=2\n",
        f"{LAUNCH} data.a=1; \\\n    data.b=2\n",
        f"{LAUNCH} data.a=1 \\\\\n    data.b=2\n",
        f"{LAUNCH} data.a=1 <<EOF\nEOF\ndata.b=2\n",
        f"bash -c '{LAUNCH} data.a=1'\ndata.b=2\n",
        "data.a=1; data.b=2\n",
    ],
)
def test_what_stands_below_something_else_than_a_launch_is_left_alone(script: str) -> None:
    assert found("continuation-broken", script)
    assert all_repairs(script) == script


def test_a_dozen_breaks_are_repaired_at_once() -> None:
    names = "abcdefghijkl"
    lines_alone = "".join(f"    data.{name}=1\n" for name in names)
    spread = "".join(f"    data.{name}=1 \\\n\n" for name in names)
    joined = f"{LAUNCH} \\\n" + " \\\n".join(f"    data.{name}=1" for name in names)
    assert repaired("continuation-broken", f"{LAUNCH} \\\n{lines_alone}") == f"{joined}\n"
    assert repaired("continuation-broken", f"{LAUNCH} \\\n{spread}") == f"{joined} \\\n\n"


def test_overrides_that_are_joined_stay_apart() -> None:
    assert repaired("continuation-broken", f"{LAUNCH} data.a=1\\\n\ndata.b=2\n") == f"{LAUNCH} data.a=1 \\\ndata.b=2\n"


@pytest.mark.parametrize(
    "rest",
    [
        "    data.a=1 \\\n    data.b=2\n",
        "    data.a=1 \\\n    # a comment at the end \\\n    # does no harm \\\n",
        '    "${A[@]}"\nB=(\n    # comments and blank lines\n\n    data.b=2\n)\n',
        "    data.a='two\n    data.b=2\n'\n",
        "    data.a=1\ncat <<'EOF'\nmodel.path = x\ndata.b=2\nEOF\n",
        "    data.a=1\nexport DATA=1\nresult=done\n",
    ],
)
def test_what_only_looks_like_a_broken_continuation(rest: str) -> None:
    assert not found("continuation-broken", f"{LAUNCH} \\\n{rest}")


def test_one_finding_for_each_break() -> None:
    script = f"{LAUNCH} \\\n    data.a=1 \\\n\n    data.b=2 \\\n    data.c=3 \\\n    data.d=4\n"
    (finding,) = found("continuation-broken", script)
    assert finding.message.startswith("3 overrides from here on")


def test_glued_arguments() -> None:
    script = f"{LAUNCH} --config-name='ppo.yaml'\\\ndata.a=1 \\\n    data.b=2\n"
    assert lines("words-glued", script) == [1]
    assert repaired("words-glued", script) == script.replace("'\\", "' \\")


@pytest.mark.parametrize("rest", ["    data.a=1\\\n    data.b=2\n", 'data.a="x\\\ny=1"\n', "data.a=[1,\\\n2]\n"])
def test_arguments_that_stay_apart(rest: str) -> None:
    assert not found("words-glued", f"{LAUNCH} \\\n{rest}")


def test_the_status_in_a_pipe() -> None:
    script = f"set -x\n{LAUNCH} a=1 2>&1 | tee train.log\n"
    assert lines("status-lost-in-pipe", script) == [2]
    assert repaired("status-lost-in-pipe", script) == "set -o pipefail\n" + script


@pytest.mark.parametrize(
    "script",
    [
        f"set -euo pipefail\n{LAUNCH} a=1 | tee t.log\n",
        f"set -x -o pipefail\n{LAUNCH} a=1 | tee t.log\n",
        f'{LAUNCH} a=1 | tee t.log\nexit "${{PIPESTATUS[0]}}"\n',
        f"{LAUNCH} a=1 > t.log 2>&1\n",
        "ls | tee t.log\n",
    ],
)
def test_a_status_that_is_kept(script: str) -> None:
    assert not found("status-lost-in-pipe", script)


def test_errors_that_are_not_logged() -> None:
    script = f"{LAUNCH} a=1 | tee t.log\n"
    assert lines("errors-not-logged", script) == [1]
    assert repaired("errors-not-logged", script) == f"{LAUNCH} a=1 2>&1 | tee t.log\n"


@pytest.mark.parametrize(
    "script",
    [
        f"{LAUNCH} a=1 2>&1 | tee t.log\n",
        f"{LAUNCH} a=1 |& tee t.log\n",
        f"exec 2>&1\n{LAUNCH} a=1 | tee t.log\n",
        f"{LAUNCH} a=1 2> errors.log | tee t.log\n",
    ],
)
def test_errors_that_are_logged(script: str) -> None:
    assert not found("errors-not-logged", script)


@pytest.mark.parametrize(
    ("script", "finds"),
    [
        (f"{LAUNCH} a=1 2>&1 | tee logs/t.log\n", True),
        (f"{LAUNCH} a=1 > logs/t.log 2>&1\n", True),
        (f"D=logs/run\n{LAUNCH} a=1 2>&1 | tee -a $D/t.log\n", True),
        (f"mkdir -p logs\n{LAUNCH} a=1 2>&1 | tee logs/t.log\n", False),
        (f"D=logs/run\nmkdir -p $D\n{LAUNCH} a=1 2>&1 | tee $D/t.log\n", False),
        (f"[ -d logs ] || mkdir -p logs/a\n{LAUNCH} a=1 2>&1 | tee logs/t.log\n", False),
        (f"{LAUNCH} a=1 2>&1 | tee t.log\n", False),
        (f"{LAUNCH} a=1 2>&1 | tee ./t.log\n", False),
        (f"{LAUNCH} a=1 2>&1 | tee /var/log/verl/t.log\n", False),
        (f"{LAUNCH} a=1 2>&1 | tee $LOGS/t.log\n", False),
    ],
)
def test_the_folder_of_a_log(script: str, finds: bool) -> None:
    assert bool(found("log-folder-missing", script)) is finds


def test_arguments_of_the_script() -> None:
    script = f"{LAUNCH} \\\n    a=1\n"
    assert repaired("arguments-not-passed", script) == f'{LAUNCH} \\\n    a=1 "$@"\n'
    assert not found("arguments-not-passed", f'{LAUNCH} a=1 "$@"\n')
    assert not found("arguments-not-passed", f'A=("$@")\n{LAUNCH} "${{A[@]}}"\n')
    (finding,) = found("arguments-not-passed", f"{LAUNCH} actor_rollout_ref.rollout.name=${{1:-vllm}}\n")
    assert finding.fix is None, "its first argument means something else"


@pytest.mark.parametrize(
    ("command", "passes"),
    [
        (f"nohup {LAUNCH} a.b=1", True),
        (f"ray job submit -- {LAUNCH} a.b=1", True),
        (f"nohup bash -c '{LAUNCH} a.b=1'", False),
        (f"ssh host '{LAUNCH} a.b=1'", False),
    ],
)
def test_arguments_are_only_appended_where_they_reach_the_launch(command: str, passes: bool) -> None:
    (finding,) = found("arguments-not-passed", command)
    assert (finding.fix is not None) == passes


@pytest.mark.parametrize(
    ("script", "help_text"),
    [
        (f"{LAUNCH} a.b=1\n", 'append "$@" to the launch'),
        (f"run() {{ {LAUNCH} a.b=1; }}\nrun\n", 'append "$@" to the launch, and to every call of run'),
        (f"nohup bash -lc '{LAUNCH} a.b=1'\n", 'end the text with "$@", and write bash "$@" behind it'),
        (f'srun bash -c "{LAUNCH} a.b=1"\n', r'end the text with \"\$@\", and write bash "$@" behind it'),
        (f"find . -exec {LAUNCH} a.b={{}} \\;\n", 'write "$@" behind the last override of the launch'),
        (f"sbatch <<EOF\n#!/bin/bash\n{LAUNCH} a.b=1\nEOF\n", None),
        (f"ssh host bash -c \"'{LAUNCH} a.b=1'\"\n", None),
        (f"run() {{ bash -c '{LAUNCH} a.b=1'; }}\nrun\n", None),
    ],
)
def test_it_is_said_where_arguments_can_be_added_so_that_they_arrive(script: str, help_text: str | None) -> None:
    (finding,) = found("arguments-not-passed", script)
    assert finding.help == help_text


def test_a_text_for_bash_with_its_arguments_passes_them_on() -> None:
    assert not found("arguments-not-passed", f'bash -c \'{LAUNCH} a.b=1 "$@"\' bash "$@"\n')


def test_the_shell_of_the_script_decides_what_becomes_of_the_status_of_another_one() -> None:
    command = f"nohup bash -c '{LAUNCH} a.b=1' | tee log"
    assert lines("status-lost-in-pipe", command) == [1]
    assert lines("status-lost-in-pipe", f"set -o pipefail\n{command}") == []


@pytest.mark.parametrize(
    ("written", "reason", "help"),
    [
        ("$((1024 x 32))", "syntax error in expression", "write whole numbers"),
        ("$((1024 * 1.5))", "syntax error in expression", "write whole numbers"),
        ("$((1024 / 0))", "division by 0", "write a divisor that is not 0"),
        ("$((1024 *))", "syntax error: operand expected", "write whole numbers"),
        ("${HOME:0:-99}", "-99: substring expression < 0", "write a length that the value has"),
    ],
)
def test_an_expansion_that_bash_gives_up_on(written: str, reason: str, help: str) -> None:
    script = f'HOME=/root\nlength=a{written}b\n{LAUNCH} data.max_length=$length "$@"\n'
    (finding,) = found("expansion-refused", script)
    assert finding.message == f"bash gives up here: {reason}"
    assert (finding.help or "").startswith(help)
    assert script[finding.span.start : finding.span.end] == written


def test_the_innermost_expansion_that_bash_gives_up_on_is_shown() -> None:
    script = f"length=${{N:-$((2 * $((1 / 0))))}}\n{LAUNCH} data.max_length=$length"
    (finding,) = found("expansion-refused", script)
    assert script[finding.span.start : finding.span.end] == "$((1 / 0))"


@pytest.mark.parametrize(
    "written", ["$((N * 32))", "$((1024 / ${N:-2}))", "${N:0:2}", "$(date +%s)", "${N:?is needed}"]
)
def test_an_expansion_that_a_run_may_take(written: str) -> None:
    assert not found("expansion-refused", f'length={written}\n{LAUNCH} data.max_length=$length "$@"\n')
