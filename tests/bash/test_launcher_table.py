"""What is said of programs that start others: each fact once, and options as the programs read them."""

from __future__ import annotations

import itertools
import json
import shlex

import pytest

from lint.bash.programs.launcher_table import launchers
from lint.bash.programs.launchers import steps
from lint.packaged import packaged

SAME = 0.4  # of the options of the shorter list: as many as two programs of one kind have in common


@pytest.mark.parametrize(
    ("command", "started"),
    [
        ("python3 -uW ignore x.py", ("file", "x.py")),
        ("python3 -uWignore -m verl.x", ("module", "verl.x")),
        ("python3 -OOX dev a.py b", ("file", "a.py")),
        ("python -Wm x.py", ("file", "x.py")),
        ("python3 -Bum verl.y a", ("module", "verl.y")),
        ("python3 -X dev -bbmverl.z a", ("module", "verl.z")),
        ("qsub -b y -N job train", ("command", "train")),
        ("qsub -by train a", ("command", "train")),
        ("qsub -b yes -V train", ("command", "train")),
        ("qsub -b n job.sh", ("script", "job.sh")),
        ("qsub -b y -b n job.sh", ("script", "job.sh")),
        ("qsub -N job job.sh", ("script", "job.sh")),
        ("docker-compose -f c.yml exec -T -e A=1 trainer run", ("command", "run")),
        ("docker compose run --name x trainer run", ("command", "run")),
        ("accelerate-launch --num_processes 2 -m verl.x", ("module", "verl.x")),
    ],
)
def test_what_is_started(command: str, started: tuple[str, str]) -> None:
    words = shlex.split(command)
    last = steps(words)[-1]
    assert (last.what, words[last.after][last.offset :]) == started


@pytest.mark.parametrize("command", ["python3 -uc 'run()' x.py", "python -c 'run()' x.py", "python3 -BEc 1 x.py"])
def test_code_on_the_command_line_starts_no_file(command: str) -> None:
    assert steps(shlex.split(command)) == ()


def test_a_launcher_like_another_has_all_that_is_said_of_it() -> None:
    table = launchers()
    assert table["docker-compose"] == tuple(
        one for one in table["podman-compose"] if one.subcommands in ((("exec",),), (("run",),))
    )
    assert table["accelerate-launch"][0].value == table["accelerate"][0].value
    assert "--account" in table["srun"][0].value & table["sbatch"][0].value


def test_each_fact_is_said_once() -> None:
    document = json.loads(packaged("bash/programs/launchers.json").read_text("utf-8"))
    for one, other in itertools.combinations(document["launchers"], 2):
        mine, theirs = ({w for w in each.get("value", ()) if w.startswith("--")} for each in (one, other))
        known = {"docker", "torchrun"} & {*one["names"], *other["names"]}  # whose options others take for themselves
        assert known or len(mine & theirs) <= SAME * max(10, min(len(mine), len(theirs))), (
            one["names"],
            other["names"],
        )
    patterns = [pattern for group in document["variables"].values() for pattern in group["gives"]]
    assert len(set(patterns)) == len(patterns)
    for group in ("options", "variables"):
        field = {"options": "common"}.get(group, group)
        used = {name for each in document["launchers"] for name in each.get(field, ())}
        assert used == document[group].keys()
