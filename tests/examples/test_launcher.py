"""`launch_ray_cluster.sh` starts Ray on a node, and says in one line what keeps it from doing so."""

from __future__ import annotations

import subprocess

from tests.examples.conftest import EXAMPLES, Machine

LAUNCHER = EXAMPLES / "ascend_extras" / "launch_ray_cluster.sh"


def launch(machine: Machine, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return machine.run(LAUNCHER, *arguments, **{"OPEN_FILES": "64", **environment})


def test_the_head_opens_a_port(machine: Machine) -> None:
    result = launch(machine, "head", DRY_RUN="1", NPUS_PER_NODE="8")
    assert result.stdout.split() == ["ray", "start", "--head", "--port=6379", '--resources=\\{\\"NPU\\":\\', "8\\}"]


def test_a_worker_joins_the_head(machine: Machine) -> None:
    result = launch(machine, "worker", DRY_RUN="1", HEAD_ADDRESS="10.0.0.1", NODE_ADDRESS="10.0.0.2")
    assert "--address=10.0.0.1:6379" in result.stdout
    assert "--node-ip-address=10.0.0.2" in result.stdout


def test_a_worker_without_a_head_is_one_clear_line(machine: Machine) -> None:
    result = launch(machine, "worker")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "a worker needs HEAD_ADDRESS" in result.stderr


def test_the_role_must_be_known(machine: Machine) -> None:
    for arguments in ([], ["master"]):
        result = launch(machine, *arguments)
        assert (result.returncode, result.stderr.count("\n")) == (1, 1)
        assert "head or worker" in result.stderr


def test_too_few_npus_are_counted(machine: Machine) -> None:
    machine.install("ray", "echo started > ray; exit 1")
    result = launch(machine, "head", NPUS_PER_NODE="999")
    assert result.returncode == 1
    assert "NPUS_PER_NODE asks for 999" in result.stderr
    assert not (machine.folder / "ray").exists()


def test_a_running_cluster_is_left_alone(machine: Machine) -> None:
    machine.install("ray", '[ "$1" = status ] || echo started > ray')
    result = launch(machine, "head", NPUS_PER_NODE="0")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "Ray runs on this node already" in result.stderr
    assert not (machine.folder / "ray").exists()


def test_a_low_limit_of_open_files_is_one_clear_line(machine: Machine) -> None:
    machine.install("ray", '[ "$1" = start ]')
    result = launch(machine, "head", NPUS_PER_NODE="0", OPEN_FILES="999999999")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "open files are limited to" in result.stderr


def test_the_head_waits_until_all_nodes_have_joined(machine: Machine) -> None:
    machine.install("ray", '[ "$1" = start ]')
    machine.install("sleep", "exit 0")
    machine.install("python3", "echo x >> joined; wc -l < joined")
    result = launch(machine, "head", NNODES="3", NPUS_PER_NODE="0")
    assert result.returncode == 0
    assert result.stdout.splitlines()[-2:] == [
        "waiting: 2 of 3 nodes with 0 NPUs",
        "3 nodes with 0 NPUs each are ready: start the recipe on this node",
    ]


def test_the_head_gives_up_and_says_how_many_are_missing(machine: Machine) -> None:
    machine.install("ray", '[ "$1" = start ]')
    machine.install("sleep", "exit 0")
    machine.install("python3", "echo 1")
    result = launch(machine, "head", NNODES="2", NPUS_PER_NODE="0", WAIT_SECONDS="10")
    assert result.returncode == 1
    assert "only 1 of 2 nodes" in result.stderr
