"""`launch_ray_cluster.sh` starts Ray on a node, and says in one line what keeps it from doing so."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from tests.examples.conftest import EXAMPLES, Machine

LAUNCHER = EXAMPLES / "ascend_extras" / "launch_ray_cluster.sh"
VARIABLES = ("HCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME", "HCCL_IF_IP", "HCCL_SOCKET_FAMILY")
# `ray status` finds nothing; `ray start` writes down what it is given.
RAY = (
    f'[ "$1" = start ] || exit 1; echo "$@" >> started; env | grep -E "^({"|".join(VARIABLES)})=" > environment || true'
)


@pytest.fixture
def node(machine: Machine) -> Machine:
    """A node with four NPUs, an interface `eth0`, and Ray, on which nothing runs yet. Time does not pass."""
    for npu in range(4):
        (machine.folder / "dev").mkdir(exist_ok=True)
        (machine.folder / "dev" / f"davinci{npu}").touch()
    (machine.folder / "dev" / "davinci_manager").touch()
    (machine.folder / "net" / "eth0").mkdir(parents=True)
    (machine.folder / "net" / "lo").mkdir()
    machine.install("ray", RAY)
    machine.install("sleep", "exit 0")
    machine.install("python3", "echo 1 1")
    return machine


def launch(machine: Machine, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    here = {"OPEN_FILES": "64", "DEVICE_FOLDER": str(machine.folder / "dev"), "NETWORK": str(machine.folder / "net")}
    return machine.run(LAUNCHER, *arguments, **{**here, "NPUS_PER_NODE": "4", **environment})


def dry(machine: Machine, *arguments: str, **environment: str) -> list[str]:
    """The command that would start Ray, without `ray start`."""
    result = launch(machine, *arguments, DRY_RUN="1", PATH="/nowhere", **environment)
    assert (result.returncode, result.stderr) == (0, "")
    words = shlex.split(result.stdout)
    assert words[:2] == ["ray", "start"]
    return words[2:]


def refused(result: subprocess.CompletedProcess[str]) -> str:
    """What is said in the one line of a launch that started nothing."""
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1), result
    return result.stderr


def started(machine: Machine) -> list[str]:
    """Each call of `ray start`."""
    file = machine.folder / "started"
    return file.read_text().splitlines() if file.exists() else []


def exported(machine: Machine) -> dict[str, str]:
    lines = (machine.folder / "environment").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


# --------------------------------------------------------------------------------------------------------- commands


def test_the_head_opens_a_port(machine: Machine) -> None:
    assert dry(machine, "head", NPUS_PER_NODE="8") == ["--head", "--port=6379", '--resources={"NPU": 8}']


def test_a_worker_joins_the_head(machine: Machine) -> None:
    command = dry(machine, "worker", HEAD_ADDRESS="10.0.0.1", NODE_ADDRESS="10.0.0.2", RAY_PORT="6766")
    assert command == ["--address=10.0.0.1:6766", '--resources={"NPU": 4}', "--node-ip-address=10.0.0.2"]


@pytest.mark.parametrize("address", ["fd00::1", "[fd00::1]"])
def test_an_ipv6_address_is_told_from_its_port_by_brackets(machine: Machine, address: str) -> None:
    assert dry(machine, "worker", HEAD_ADDRESS=address)[0] == "--address=[fd00::1]:6379"


# ----------------------------------------------------------------------------------------------- what is not started


def test_a_worker_without_a_head_is_one_clear_line(node: Machine) -> None:
    assert "a worker needs HEAD_ADDRESS" in refused(launch(node, "worker"))


@pytest.mark.parametrize("arguments", [(), ("master",)])
def test_the_role_must_be_known(node: Machine, arguments: tuple[str, ...]) -> None:
    assert "head or worker" in refused(launch(node, *arguments))


@pytest.mark.parametrize("name", ["NNODES", "NPUS_PER_NODE", "RAY_PORT", "WAIT_SECONDS", "OPEN_FILES"])
@pytest.mark.parametrize("value", ["two", "-1", "08", "4 "])
def test_a_number_must_be_one(node: Machine, name: str, value: str) -> None:
    assert f"{name}={value} is not a whole number" in refused(launch(node, "head", **{name: value}))


def test_too_few_npus_are_counted(node: Machine) -> None:
    said = refused(launch(node, "head", NPUS_PER_NODE="16"))
    assert "this node has 4 NPUs, NPUS_PER_NODE asks for 16" in said
    assert started(node) == []


def test_a_machine_without_npus_is_told_so(node: Machine) -> None:
    assert "this node has 0 NPUs" in refused(launch(node, "head", DEVICE_FOLDER="/nowhere"))


def test_an_interface_that_is_not_there_is_named_with_those_that_are(node: Machine) -> None:
    said = refused(launch(node, "head", SOCKET_IFNAME="enp1"))
    assert "no network interface SOCKET_IFNAME=enp1 here; there is eth0 lo" in said


def test_a_running_cluster_is_left_alone(node: Machine) -> None:
    node.install("ray", f'[ "$1" = status ] && exit 0; {RAY}')
    assert "Ray runs on this node already" in refused(launch(node, "head"))
    assert started(node) == []


def test_a_low_limit_of_open_files_is_one_clear_line(node: Machine) -> None:
    assert "open files are limited to" in refused(launch(node, "head", OPEN_FILES="999999999"))


def test_ray_must_be_installed(node: Machine) -> None:
    (node.programs / "ray").unlink()
    assert "ray is not on PATH" in refused(launch(node, "head", PATH=f"{node.programs}:/bin"))


# ------------------------------------------------------------------------------------------------------- environment


def test_the_interface_and_the_address_of_the_node_reach_its_workers(node: Machine) -> None:
    launch(node, "head", SOCKET_IFNAME="eth0", NODE_ADDRESS="10.0.0.2")
    assert exported(node) == {
        "HCCL_SOCKET_IFNAME": "eth0",
        "GLOO_SOCKET_IFNAME": "eth0",
        "TP_SOCKET_IFNAME": "eth0",
        "HCCL_IF_IP": "10.0.0.2",
    }


def test_what_is_not_said_is_left_to_hccl(node: Machine) -> None:
    launch(node, "head")
    assert exported(node) == {}


def test_an_address_for_hccl_alone_is_kept(node: Machine) -> None:
    launch(node, "head", NODE_ADDRESS="10.0.0.2", HCCL_IF_IP="192.168.0.2")
    assert exported(node) == {"HCCL_IF_IP": "192.168.0.2"}


def test_hccl_is_told_of_ipv6(node: Machine) -> None:
    launch(node, "worker", HEAD_ADDRESS="fd00::1")
    assert exported(node) == {"HCCL_SOCKET_FAMILY": "AF_INET6"}


# ----------------------------------------------------------------------------------------------------------- waiting


def test_a_worker_tries_until_the_head_answers(node: Machine) -> None:
    node.install("ray", f'{RAY}; [ "$(wc -l < started)" -ge 3 ]')
    result = launch(node, "worker", HEAD_ADDRESS="10.0.0.1")
    assert (result.returncode, len(started(node))) == (0, 3)
    assert result.stdout == "waiting: 10.0.0.1 does not answer at port 6379\n" * 2


def test_a_worker_gives_up(node: Machine) -> None:
    node.install("ray", f"{RAY}; exit 1")
    result = launch(node, "worker", HEAD_ADDRESS="10.0.0.1", WAIT_SECONDS="10")
    assert (result.returncode, len(started(node))) == (1, 3)
    assert "the head did not answer at 10.0.0.1:6379 within 10 seconds" in result.stderr


def test_the_head_waits_until_all_nodes_have_joined(node: Machine) -> None:
    node.install("python3", 'echo x >> joined; n=$(wc -l < joined); echo "a line of an import"; echo $n $n')
    result = launch(node, "head", NNODES="3")
    assert result.returncode == 0
    assert result.stdout.splitlines()[-2:] == [
        "waiting: 2 of 3 nodes with 4 NPUs, 2 joined",
        "3 nodes with 4 NPUs each are ready: start the recipe on this node",
    ]


def test_nodes_beyond_those_asked_for_are_mentioned(node: Machine) -> None:
    node.install("python3", "echo 3 3")
    assert "note: NNODES=2 of them are used" in launch(node, "head", NNODES="2").stdout


def test_the_head_gives_up_and_says_how_many_are_missing(node: Machine) -> None:
    node.install("python3", "echo 1 2")  # the second node has fewer NPUs
    result = launch(node, "head", NNODES="2", WAIT_SECONDS="10")
    assert result.returncode == 1
    assert "waiting: 1 of 2 nodes with 4 NPUs, 2 joined" in result.stdout
    assert "only 1 of 2 nodes with 4 NPUs after 10 seconds" in result.stderr


def test_a_head_that_does_not_start_is_one_clear_line(node: Machine) -> None:
    node.install("ray", "exit 1")
    assert "ray did not start; is port 6379 free?" in refused(launch(node, "head"))


def test_a_python_without_ray_is_one_clear_line(node: Machine) -> None:
    node.install("python3", "echo Traceback >&2; exit 1")
    assert "python3 cannot ask it for its nodes" in refused(launch(node, "head"))
