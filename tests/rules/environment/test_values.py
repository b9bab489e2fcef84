"""Values of environment variables: refused ones, ones that nothing reads, and pairs that do not go together."""

from typing import Any

import pytest

from lint.facts.environment import environment_variables
from lint.findings import Finding
from tests.rules import pipeline
from tests.rules.factory import findings, subject

RAY_QUEUE = "+ray_kwargs.ray_init.runtime_env.env_vars.TRANSFER_QUEUE_ENABLE"


def found(rule: str, environment: dict[str, str], device: str | None = "ascend-a3", **given: Any) -> list[Finding]:
    return findings(rule, subject(device=device, environment=environment, **given))


def test_every_variable_is_either_checked_or_described_and_names_its_source() -> None:
    for variable in environment_variables().values():
        assert variable.effect
        assert variable.source
        assert bool(variable.allowed) == bool(variable.wrong), variable.name


@pytest.mark.parametrize(
    ("name", "refused", "accepted"),
    [
        ("HCCL_CONNECT_TIMEOUT", ["60", "7201", "30m", "", "-1"], ["120", "7200"]),
        ("HCCL_EXEC_TIMEOUT", ["-1", "2147483648"], ["0", "3600"]),
        ("HCCL_BUFFSIZE", ["0", "1.5"], ["1", "610"]),
        ("TASK_QUEUE_ENABLE", ["3", "true"], ["0", "1", "2"]),
        ("CPU_AFFINITY_CONF", ["3", "on"], ["1", "2,npu0:0-3", "mode:1"]),
        ("VERL_LOGGING_LEVEL", ["info", "verbose"], ["INFO", "DEBUG"]),
        ("OMP_NUM_THREADS", ["0", "all"], ["1", "8,2"]),
    ],
)
def test_a_value_outside_of_what_the_reader_takes(name: str, refused: list[str], accepted: list[str]) -> None:
    for value in refused:
        (finding,) = found("environment-value", {name: value})
        assert finding.message.startswith(f"{name} is {value or 'empty'}: ")
    for value in accepted:
        assert not found("environment-value", {name: value})


def test_a_variable_of_the_other_device_is_not_checked_for_its_value() -> None:
    assert not found("environment-value", {"HCCL_CONNECT_TIMEOUT": "60"}, device="h100")


@pytest.mark.parametrize(
    ("name", "release", "read"),
    [
        ("VLLM_ASCEND_ENABLE_DENSE_OPTIMIZE", "0.7.1", False),
        ("VLLM_ASCEND_ENABLE_PREFETCH_MLP", "0.7.1", True),
        ("VLLM_ASCEND_ENABLE_PREFETCH_MLP", "0.8.0", False),
        ("VLLM_ASCEND_ENABLE_FLASHCOMM", "0.8.0", True),
        ("VLLM_ASCEND_ENABLE_FLASHCOMM", "0.9.0", False),
        ("VLLM_ASCEND_TASK_QUEUE_ENABLE", "0.8.0", False),
        ("VLLM_ASCEND_TASK_QUEUE_ENABLE", "0.9.0", True),
        ("VLLM_USE_V1", "0.7.1", True),
        ("VLLM_USE_V1", "0.9.1", False),
    ],
)
def test_a_variable_is_read_by_some_releases_only(name: str, release: str, read: bool) -> None:
    assert bool(found("environment-not-read", {name: "1"}, release=release)) is not read


def test_what_is_not_read_names_what_to_write_instead() -> None:
    (finding,) = found("environment-not-read", {"VLLM_ASCEND_ENABLE_FLASHCOMM": "1"}, release="0.9.0")
    assert finding.help == "write VLLM_ASCEND_ENABLE_FLASHCOMM1 instead"


def test_a_cuda_variable_on_npus_and_an_npu_variable_on_gpus() -> None:
    (finding,) = found("environment-wrong-device", {"VLLM_ATTENTION_BACKEND": "XFORMERS"})
    assert finding.severity == "warning"
    (finding,) = found("environment-wrong-device", {"TASK_QUEUE_ENABLE": "1"}, device="h100")
    assert finding.severity == "info"
    assert not found("environment-wrong-device", {"VLLM_ATTENTION_BACKEND": "XFORMERS"}, device=None)


def test_a_variable_with_a_counterpart_is_removed_only_where_the_counterpart_is_set() -> None:
    cuda, npu = {"PYTORCH_CUDA_ALLOC_CONF": "a:1"}, {"PYTORCH_NPU_ALLOC_CONF": "a:1"}
    (alone,) = found("environment-wrong-device", cuda)
    (beside,) = found("environment-wrong-device", cuda | npu)
    assert (alone.help, beside.help) == ("set PYTORCH_NPU_ALLOC_CONF in its place", "remove it")
    assert alone.fix is None


def test_a_misspelled_name_is_told_from_a_different_one() -> None:
    assert found("environment-misspelled", {"NCCL_IB_DISBALE": "1"})
    (finding,) = found("environment-misspelled", {"HCCL_CONECT_TIMEOUT": "1500"})
    assert finding.help == "write HCCL_CONNECT_TIMEOUT"
    assert found("environment-misspelled", {"RAY_ADRESS": "auto"})
    for name in (
        "RAY_ADDRESSES_OF_NODES",
        "RAY_AGENTS",
        "HCCL_IF_IP",
        "VLLM_ALLREDUCE_USE_SYMM_MEM",
        "VLLM_HOST_IP",
        "MASTER_PORT",
        "VLLM_ASCEND_ENABLE_FLASHCOMM2",
    ):
        assert not found("environment-misspelled", {name: "1"})


@pytest.mark.parametrize("timeout", ["0", "1092", "3600"])
def test_aiv_caps_the_time_of_a_collective(timeout: str) -> None:
    environment = {"HCCL_OP_EXPANSION_MODE": "AIV", "HCCL_EXEC_TIMEOUT": timeout}
    (finding,) = found("hccl-exec-timeout-aiv", environment)
    assert "1091 s at most" in finding.message


def test_a_time_that_aiv_honours() -> None:
    assert not found("hccl-exec-timeout-aiv", {"HCCL_OP_EXPANSION_MODE": "AIV", "HCCL_EXEC_TIMEOUT": "1091"})
    assert not found("hccl-exec-timeout-aiv", {"HCCL_EXEC_TIMEOUT": "3600"})


def test_deterministic_reductions_switch_aiv_off() -> None:
    assert found("hccl-aiv-training", {"HCCL_OP_EXPANSION_MODE": "AIV"})
    assert not found("hccl-aiv-training", {"HCCL_OP_EXPANSION_MODE": "AIV", "HCCL_DETERMINISTIC": "true"})


@pytest.mark.parametrize(
    ("ports", "problem"),
    [
        ("60000-60050,60050-60100", "port 60050 is named twice"),
        ("60000", "1 port for 2 processes"),
        ("80-90", "outside 1024 to 65535"),
        ("60050-60000", "is empty"),
        ("60000:60050", "neither a port nor a range"),
    ],
)
def test_a_port_range_that_hccl_cannot_use(ports: str, problem: str) -> None:
    (finding,) = found("hccl-port-range", {"HCCL_HOST_SOCKET_PORT_RANGE": ports})
    assert problem in finding.message


@pytest.mark.parametrize("ports", ["auto", "60000-60050", "56000,56005", "60000,60050-60100,60150-60160"])
def test_a_port_range_that_hccl_can_use(ports: str) -> None:
    assert not found("hccl-port-range", {"HCCL_NPU_SOCKET_PORT_RANGE": ports})


def test_exported_ports_take_away_auto_on_several_nodes_only() -> None:
    environment = {"HCCL_HOST_SOCKET_PORT_RANGE": "60000-60050"}
    assert found("hccl-ports-cancel-auto", environment, nodes=2)
    assert not found("hccl-ports-cancel-auto", environment, nodes=1)
    assert not found("hccl-ports-cancel-auto", {"HCCL_HOST_SOCKET_PORT_RANGE": "auto"}, nodes=2)


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("expandable_segments:True,max_split_size_mb:256", "excludes max_split_size_mb"),
        ("max_split_size_mb:20", "above 20"),
        ("garbage_collection_threshold:1.5", "between 0 and 1"),
        ("page_size:2m", "wants 1g"),
        ("expandable_segment:True", "does not know the option expandable_segment"),
        ("expandable_segments:true", "wants True or False"),
    ],
)
def test_an_allocator_setting_that_torch_npu_refuses(setting: str, problem: str) -> None:
    (finding,) = found("npu-alloc-conf", {"PYTORCH_NPU_ALLOC_CONF": setting})
    assert problem in finding.message


@pytest.mark.parametrize(
    "setting",
    [
        "expandable_segments:False,max_split_size_mb:256",
        "max_split_size_mb:21,garbage_collection_threshold:0.8",
        "roundup_power2_divisions:[256:1,512:2,>:8]",
        "page_size:1g",
    ],
)
def test_an_allocator_setting_that_torch_npu_takes(setting: str) -> None:
    assert not found("npu-alloc-conf", {"PYTORCH_NPU_ALLOC_CONF": setting})


def test_two_allocator_variables_are_refused_from_torch_2_10_on() -> None:
    both = {"PYTORCH_NPU_ALLOC_CONF": "page_size:1g", "PYTORCH_ALLOC_CONF": "page_size:1g"}
    assert found("npu-alloc-conf", both, release="0.9.0")
    assert not found("npu-alloc-conf", both, release="0.8.0")


def test_what_the_weight_update_resets() -> None:
    environment = {"PYTORCH_NPU_ALLOC_CONF": "max_split_size_mb:256"}
    assert found("npu-alloc-conf-lost", environment, release="0.8.0")
    assert not found("npu-alloc-conf-lost", environment, release="0.7.1")
    assert not found("npu-alloc-conf-lost", {"PYTORCH_NPU_ALLOC_CONF": "page_size:1g"}, release="0.9.0")


def test_mc2_and_npu_ports_clash_on_a2_only() -> None:
    environment = {"VLLM_ASCEND_ENABLE_MATMUL_ALLREDUCE": "1"}
    assert found("hccl-npu-port-mc2", environment, device="ascend-a2")
    assert not found("hccl-npu-port-mc2", environment, device="ascend-a3")


def test_blocking_launches_are_refused_while_graphs_are_captured() -> None:
    eager = {"actor_rollout_ref.rollout.enforce_eager": "True"}
    (finding,) = found("launch-blocking", {"ASCEND_LAUNCH_BLOCKING": "1"})
    assert finding.severity == "error"
    (finding,) = found("launch-blocking", {"ASCEND_LAUNCH_BLOCKING": "1"}, overrides=eager)
    assert finding.severity == "warning"
    assert not found("launch-blocking", {"ASCEND_LAUNCH_BLOCKING": "0"})


@pytest.mark.parametrize(("listed", "wanted", "finds"), [("0,1", 8, True), ("0,1", 2, False), ("0,0", 2, True)])
def test_visible_devices_against_the_devices_of_the_launch(listed: str, wanted: int, finds: bool) -> None:
    assert bool(found("visible-devices", {"CUDA_VISIBLE_DEVICES": listed}, "h100", devices=wanted)) is finds


def test_visible_devices_of_this_node_say_nothing_about_several_nodes() -> None:
    assert not found("visible-devices", {"CUDA_VISIBLE_DEVICES": "0,1"}, "h100", nodes=2)


@pytest.mark.parametrize(
    ("written", "finds"), [("1", True), ("true", True), ("0.5", True), ('"1"', False), ("on", False)]
)
def test_ray_takes_strings_only(written: str, finds: bool) -> None:
    key = "+ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE"
    assert bool(found("ray-env-vars-string", {}, overrides={key: written})) is finds


@pytest.mark.parametrize(("release", "queue", "finds"), [("0.9.0", "True", False), ("0.9.1", "True", True)])
def test_the_trainer_writes_its_own_string_over_the_variable_of_the_queue_until_0_9_0(
    release: str, queue: str, finds: bool
) -> None:
    given = {RAY_QUEUE: "1", "transfer_queue.enable": queue}
    assert bool(found("ray-env-vars-string", {}, overrides=given, release=release)) is finds


def test_what_is_handed_to_ray_is_checked_like_an_export() -> None:
    key = "+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_CONNECT_TIMEOUT"
    (finding,) = found("environment-value", {}, overrides={key: '"60"'})
    assert "HCCL_CONNECT_TIMEOUT is 60" in finding.message


def test_a_version_that_the_image_does_not_hold() -> None:
    assert found("vllm-version", {"VLLM_VERSION": "0.13.0"}, release="0.9.0")
    assert not found("vllm-version", {"VLLM_VERSION": "0.13.0"}, release="0.7.1")


def test_several_npu_nodes_without_a_connect_timeout() -> None:
    assert found("hccl-connect-timeout-unset", {}, nodes=2)
    assert not found("hccl-connect-timeout-unset", {"HCCL_CONNECT_TIMEOUT": "1500"}, nodes=2)
    assert not found("hccl-connect-timeout-unset", {}, nodes=1)


def test_one_hardware_queue_is_for_megatron() -> None:
    fsdp2 = {"actor_rollout_ref.actor.strategy": "fsdp2"}
    environment = {"CUDA_DEVICE_MAX_CONNECTIONS": "1"}
    assert found("cuda-max-connections", environment, "h100", overrides=fsdp2)
    assert not found("cuda-max-connections", environment, "h100")
    assert not found("cuda-max-connections", environment, "h100", overrides=fsdp2, release="0.8.0")


def test_one_network_for_all_libraries() -> None:
    two = {"HCCL_SOCKET_IFNAME": "eth0", "GLOO_SOCKET_IFNAME": "eth1"}
    assert found("socket-interface-differs", two, nodes=2)
    assert not found("socket-interface-differs", two, nodes=1)
    assert not found("socket-interface-differs", {"HCCL_SOCKET_IFNAME": "eth0"}, nodes=2)
    for other in ("eth", "=eth0", "^docker", "lo,eth0"):
        assert not found(
            "socket-interface-differs", {"HCCL_SOCKET_IFNAME": other, "GLOO_SOCKET_IFNAME": "eth0"}, nodes=2
        )
    unread = {"NCCL_SOCKET_IFNAME": "eth1", "GLOO_SOCKET_IFNAME": "eth0"}
    assert not found("socket-interface-differs", unread, nodes=2, device="ascend-a2")


SUBMITTED = "ray job submit {options} -- python3 -m verl.trainer.main_ppo trainer.nnodes=1"


def underlined(one: Finding, texts: dict[str, str]) -> str:
    return texts[one.span.path][one.span.start : one.span.end]


@pytest.mark.parametrize(("value", "kind"), [("3600", "an integer"), ("1.5", "a number"), ("yes", "a boolean")])
def test_ray_refuses_what_yaml_reads_as_no_string(value: str, kind: str) -> None:
    script = SUBMITTED.format(options="--runtime-env env.yaml")
    texts = {"env.yaml": f"env_vars:\n  A: '{value}'\n  HCCL_CONNECT_TIMEOUT: {value}\n"}
    (finding,) = pipeline.found("ray-env-vars-string", script, beside=texts)
    assert finding.message == f"HCCL_CONNECT_TIMEOUT is {kind} ({value}) for Ray, which takes strings only"
    assert underlined(finding, texts) == f"HCCL_CONNECT_TIMEOUT: {value}"


def test_ray_refuses_a_number_in_json_on_the_command_line_but_no_unknown_value() -> None:
    number = SUBMITTED.format(options="""--runtime-env-json '{"env_vars":{"A":3600,"B":"1"}}'""")
    (finding,) = pipeline.found("ray-env-vars-string", number)
    assert underlined(finding, {pipeline.PATH: number}) == '"A":3600'
    unknown = SUBMITTED.format(options="""--runtime-env-json "{\\"env_vars\\":{\\"A\\":$(hostname)}}" """)
    assert not pipeline.found("ray-env-vars-string", unknown)


def test_findings_about_a_variable_show_its_name_in_whatever_form_it_is_given() -> None:
    texts = {"env.yaml": 'env_vars:\n  "HCCL_CONECT_TIMEOUT" : "1500"\n'}
    (finding,) = pipeline.found(
        "environment-misspelled", SUBMITTED.format(options="--runtime-env env.yaml"), beside=texts
    )
    assert underlined(finding, texts) == '"HCCL_CONECT_TIMEOUT" : "1500"'
    script = "export CUDA_DEVICE_MAX_CONNECTIONS=1\n" + SUBMITTED.format(options="")
    (finding,) = pipeline.found("not-reaching-workers", script)
    assert underlined(finding, {pipeline.PATH: script}) == "CUDA_DEVICE_MAX_CONNECTIONS=1"


EXPORTS = "export HCCL_CONNECT_TIMEOUT=1500\nexport HCCL_BUFFSIZE=200\n"
TRAINS = "python3 -m verl.trainer.main_ppo trainer.nnodes={nodes}"


@pytest.mark.parametrize("nodes", [1, 2])
def test_exports_do_not_reach_a_container(nodes: int) -> None:
    (finding,) = pipeline.found("not-reaching-workers", EXPORTS + "docker run image " + TRAINS.format(nodes=nodes))
    assert finding.severity == "warning"
    assert "HCCL_CONNECT_TIMEOUT, HCCL_BUFFSIZE" in finding.message
    assert finding.message.endswith("docker run does not hand on the environment of this shell")
    assert finding.help == "add -e NAME for each to docker run"


def test_what_a_container_is_given_or_sets_itself_is_there() -> None:
    train = TRAINS.format(nodes=1)
    for started in (
        f"docker run -e HCCL_CONNECT_TIMEOUT -e HCCL_BUFFSIZE=100 image {train}",
        f"docker run image bash -c '{EXPORTS}{train}'",
        f"sudo -E {train}",
    ):
        assert not pipeline.found("not-reaching-workers", EXPORTS + started)
    (finding,) = pipeline.found("not-reaching-workers", f"{EXPORTS}docker run -e HCCL_BUFFSIZE image {train}")
    assert finding.message.startswith("HCCL_CONNECT_TIMEOUT: ")


def test_a_container_that_runs_already_may_have_been_given_them() -> None:
    (finding,) = pipeline.found("not-reaching-workers", f"{EXPORTS}docker exec box {TRAINS.format(nodes=1)}")
    assert finding.severity == "info"
