"""A launch that stands in a script and is not read is named, with its place and the reason."""

import pytest

from tests.launch.unread import unread

LAUNCH = "python3 -m verl.trainer.main_ppo trainer.nnodes=1"


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        ("exit 0", "the script ends before it, in line 1: exit 0"),
        ("exec sleep 1", "the script ends before it, in line 1: exec sleep 1"),
        ("set -e; false", "the script ends before it, in line 1: set -e; false"),
        ("while :; do sleep 1; done", "the script ends before it, in line 1: while :; do sleep 1; done"),
        ("for ((;;)); do sleep 1; done", "the script ends before it, in line 1: for ((;;)); do sleep 1; done"),
        ("stop() { exit 1; }; stop", "the script ends before it, in line 1: stop() { exit 1; }; stop"),
        ("false && \\", "no way through the script that was read comes here"),
    ],
)
def test_a_launch_that_no_way_comes_to(before: str, reason: str) -> None:
    assert (2, f"this launch is not read: {reason}") in unread(f"{before}\n{LAUNCH}")


def test_a_launch_in_a_function_that_nothing_calls() -> None:
    reason = "nothing in this script calls the function train"
    assert unread(f"train() {{\n  {LAUNCH}\n}}") == [(2, f"this launch is not read: {reason}")]


def test_a_launch_whose_python_is_a_variable_that_nothing_sets() -> None:
    assert unread(LAUNCH.replace("python3", "$PYTHON")) == [(1, "this launch is not read: as it stands it starts `-m`")]
    assert unread(LAUNCH.replace("python3", "$(which python3)")) == []


def test_a_loop_that_never_ends_is_named_if_something_follows() -> None:
    assert (1, "this loop never ends: nothing after it is run, nor read") in unread(f"while :; do :; done\n{LAUNCH}")
    assert unread(f"while :; do\n{LAUNCH}\ndone") == []
    assert unread(f"while :; do watch; done &\n{LAUNCH}") == []


def test_calls_without_end_are_named_and_the_launch_after_them_is_read() -> None:
    assert unread(f"f() {{ f; }}; f\n{LAUNCH}") == [(1, "functions nested deeper than 60")]


@pytest.mark.parametrize(
    "script",
    [
        f"cat > job.sh <<'END'\n{LAUNCH}\nEND\nrsync job.sh cluster:",
        f"on_every_node \\\n  '{LAUNCH}'",
        f"unused=(\n{LAUNCH})",
        f"cat <<END\n{LAUNCH}",
        f"unused=(\n{LAUNCH.replace('-m ', '-um ')})",
        f"unused=(\n{LAUNCH.replace('-m ', '-m')})",
        'python3 -c \\\n"from verl.trainer.main_ppo import main; main()" trainer.nnodes=1',
        "python3 - trainer.nnodes=1 <<END\nfrom verl.trainer.main_ppo import helper, run_ppo\nrun_ppo()\nEND",
        "python3 - <<END\nimport verl.trainer.main_ppo as trainer\n\ntrainer.main()\nEND",
        "python3 -c \\\n'import runpy; runpy.run_module(\"verl.trainer.main_ppo\")'",
    ],
)
def test_a_trainer_that_is_only_named_in_a_text(script: str) -> None:
    assert unread(script) == [(2, "a trainer is named here, but nothing that was read starts it")]


@pytest.mark.parametrize(
    "script",
    [
        LAUNCH,
        f"# {LAUNCH}",
        f"echo 'usage: {LAUNCH}'",
        f"cat <<END\n{LAUNCH}\nEND\ntrue",
        "pkill -f '-m verl.trainer.main_ppo'",
        "python3 -c 'import verl.trainer.main_ppo'",
        f"command=({LAUNCH})\n" + '"${command[@]}"',
        f"train() {{ {LAUNCH}; }}; train",
        f"[[ ${{DEVICE:-gpu}} == npu ]] && {LAUNCH}",
    ],
)
def test_nothing_is_said_of_what_is_read_or_only_talked_about(script: str) -> None:
    assert unread(script) == []
