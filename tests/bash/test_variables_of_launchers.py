"""Variables that a script does not set and a launcher does, or another machine: known to be neither unset nor empty."""

from __future__ import annotations

import pytest

from tests.bash.real_bash import read_script


def said(script: str, **environment: str) -> list[list[str]]:
    commands = read_script(script, environment=environment).commands
    return [[word.shown for word in each.words[1:]] for each in commands if each.words[0].value == "say"]


@pytest.mark.parametrize(
    ("launcher", "name"),
    [
        ("srun -N 2", "SLURM_NNODES"),
        ("srun", "SLURM_NODELIST"),
        ("mpirun -np 2", "OMPI_COMM_WORLD_RANK"),
        ("torchrun --nproc-per-node 2 --no-python", "LOCAL_RANK"),
        ("nohup srun numactl -N 0", "SLURM_PROCID"),
    ],
)
def test_a_launcher_sets_variables(launcher: str, name: str) -> None:
    program = next(word for word in launcher.split() if word in ("srun", "mpirun", "torchrun"))
    unknown = f"<unknown: value of ${name}, which {program} sets>"
    assert said(f"{launcher} bash -c 'say x=${name}'") == [[f"x={unknown}"]]
    assert said(f"{launcher} bash -c 'set -u; say \"${{{name}:-1}}\" $NONE'") == []  # it sets no other
    assert said(f"{launcher} bash -c 'bash -c \"say \\${name}\"'") == [[unknown]]  # handed on
    assert said(f"{launcher} bash -c 'unset {name}; say \"${name}\"'") == [[""]]
    assert said(f"{launcher} bash -c 'say ${name}'", **{name: "3"}) == [["3"]]  # the caller says so
    assert said(f"say x=${name}") == [["x="]]


def test_a_script_that_a_launcher_starts_finds_them_too() -> None:
    script = "srun bash inner.sh\nbash inner.sh\nsrun bash inner.sh"
    reading = read_script(script, scripts={"inner.sh": 'say "nodes=$SLURM_NNODES"'})
    said = [each.words[1].shown for each in reading.commands if each.words[0].value == "say"]
    assert said == [f"nodes={value}" for value in ("<unknown: value of $SLURM_NNODES, which srun sets>", "") * 2][:3]


@pytest.mark.parametrize(
    ("launcher", "by"),
    [("ssh host", "ssh"), ("docker run image bash -c", "docker run")],
)
def test_of_the_environment_of_another_machine_nothing_is_known(launcher: str, by: str) -> None:
    unknown = f"<unknown: value of $A where {by} starts this>"
    assert said(f"export A=1\n{launcher} 'say $A'") == [[unknown]]
    assert said(f"export A=1\n{launcher} 'set -u; say $A'") == [[unknown]]
    assert said(f"{launcher} 'say ${{A:-2}} ${{A-3}}'") == [["2", "3"]]  # as for variables of the caller
    assert said(f"{launcher} 'A=4; say $A'") == [["4"]]
    assert said(f"{launcher} 'local_(){{ local A; say \"x$A\"; }}; local_'") == [["x"]]
    assert said(f"{launcher} 'say $((A + 1))'") != [["1"]]
    assert said(f"{launcher} 'say ${{#A}}'") != [["0"]]
    assert said(f"{launcher} '[ -z \"$A\" ] && say empty || say full'") == [["empty"], ["full"]]


def test_what_a_launcher_sets_is_left_behind_where_nothing_is_handed_on() -> None:
    assert said("srun ssh host 'say \"${SLURM_NNODES:-1}\"'") == [["1"]]
    assert said("docker run -e A=1 image bash -c 'say $A'") == [["1"]]
