"""Variables that a script does not set and a launcher does, or another machine: known to be neither unset nor empty."""

from __future__ import annotations

import pytest

from lint.bash.programs.handing import handed_on
from lint.bash.programs.launchers import steps, texts
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
        ("deepspeed --no_python", "CROSS_RANK"),
    ],
)
def test_a_launcher_sets_variables(launcher: str, name: str) -> None:
    program = next(word for word in launcher.split() if word in ("srun", "mpirun", "torchrun", "deepspeed"))
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


@pytest.mark.parametrize(
    ("launcher", "by", "name"),
    [
        ("accelerate launch --no_python", "accelerate launch", "MASTER_ADDR"),
        ("accelerate launch --no_python", "accelerate launch", "ACCELERATE_USE_FSDP"),
        ("accelerate-launch --no_python", "accelerate-launch", "RANK"),
        ("deepspeed --no_python", "deepspeed", "CUDA_VISIBLE_DEVICES"),
        ("sbatch --wrap", "sbatch", "SLURM_NNODES"),
    ],
)
def test_launchers_with_subcommands_set_variables_too(launcher: str, by: str, name: str) -> None:
    shell = "" if launcher.endswith("--wrap") else "bash -c "
    assert said(f"{launcher} {shell}'say ${name}'") == [[f"<unknown: value of ${name}, which {by} sets>"]]


def test_jobs_of_parallel_and_xargs_have_numbers() -> None:
    assert said("parallel 'say $PARALLEL_SEQ {}' ::: a") == [
        ["<unknown: value of $PARALLEL_SEQ, which parallel sets>", "a"]
    ]
    assert said("echo a | xargs --process-slot-var=K bash -c 'say $K $1' x") == [
        ["<unknown: value of $K, which xargs sets>", "a"]
    ]
    assert said("echo a | xargs bash -c 'say x$K $1' x") == [["x", "a"]]


@pytest.mark.parametrize(
    ("launcher", "name"),
    [
        ("srun", "SLURM_PROCID"),
        ("torchrun --no_python", "MASTER_ADDR"),
        ("deepspeed --no_python", "RANK"),
        ("mpirun", "OMPI_COMM_WORLD_RANK"),
    ],
)
def test_what_is_set_for_each_process_is_not_what_the_script_has_set(launcher: str, name: str) -> None:
    unknown = f"<unknown: value of ${name}, which {launcher.split()[0]} sets>"
    assert said(f"export {name}=3; {launcher} bash -c 'say ${name}'") == [[unknown]]
    assert said(f"{name}=3 {launcher} bash -c 'say ${name}'") == [[unknown]]
    assert said(f"env -u {name} {launcher} bash -c 'say ${name}'") == [[unknown]]
    assert said(f"export {name}=3; {launcher} env {name}=4 bash -c 'say ${name}'") == [["4"]]
    assert said(f"export {name}=3; {launcher} env -u {name} bash -c 'say x${name}'") == [["x"]]
    assert said(f"export {name}=3; say ${name}") == [["3"]]


def test_what_the_script_tells_a_launcher_stays() -> None:
    assert said("export SLURM_NNODES=3; srun bash -c 'say $SLURM_NNODES'") == [["3"]]
    assert said("export OMPI_MCA_btl=tcp; mpirun bash -c 'say $OMPI_MCA_btl'") == [["tcp"]]
    assert said("export CUDA_VISIBLE_DEVICES=1; deepspeed --no_python bash -c 'say $CUDA_VISIBLE_DEVICES'") == [["1"]]


def test_the_environment_of_a_launch_has_them_unknown() -> None:
    command = read_script("export RANK=3 A=1; torchrun train.py").commands[0]
    found = handed_on(steps(texts(command.words)), command.words, {}).variables(command.environment)
    assert {name: text.value for name, text in found.items()} == {"RANK": None, "A": "1"}
