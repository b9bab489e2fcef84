"""The rollout engine: what it refuses, ignores, and cannot do together."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from lint.findings import Finding
from lint.schema.load import load as load_schema
from tests.rules.factory import findings, subject

MODEL = "actor_rollout_ref.model"
ROLLOUT = "actor_rollout_ref.rollout"


def found(rule: str, overrides: Mapping[str, object] | None = None, **given: Any) -> list[Finding]:
    keys: dict[str, object] = {
        f"{key[:1] if key[0] == '+' else ''}{ROLLOUT}.{key.lstrip('+')}": value
        for key, value in (overrides or {}).items()
    }
    keys.update(given.pop("also", {}))
    return findings(rule, subject(keys, **given))


@pytest.mark.parametrize(
    ("name", "finds"), [("hf", True), (None, False), ("vllm", False), ("sglang", False), ("trtllm", False)]
)
def test_the_engine_must_be_one_that_exists(name: str | None, finds: bool) -> None:
    assert bool(found("rollout-name", {"name": name})) is finds


def test_a_trainer_of_robots_has_a_rollout_of_its_own() -> None:
    launched = subject({f"{ROLLOUT}.name": "hf"})
    robots = replace(launched, launch=replace(launched.launch, entry_point="verl.experimental.vla.main_ppo"))
    assert findings("rollout-name", launched)
    assert not findings("rollout-name", robots)


def test_a_library_may_register_an_engine() -> None:
    library = {"actor_rollout_ref.model.external_lib": "mine.rollouts"}
    assert [one.confidence for one in found("rollout-name", {"name": "mine"}, also=library)] == ["low"]


def test_sync_mode_is_an_error_and_another_mode_a_warning() -> None:
    assert [one.severity for one in found("rollout-mode", {"mode": "sync"})] == ["error"]
    assert [one.severity for one in found("rollout-mode", {"mode": "batch"})] == ["warning"]
    assert not found("rollout-mode", {"mode": "async"})
    assert not found("rollout-mode", {"mode": "sync"}, release="0.6.1")


def test_expandable_segments_do_not_go_with_sleep_mode() -> None:
    environment = {"PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"}
    npu: dict[str, Any] = {"environment": environment, "device": "ascend-a3"}
    assert found("npu-expandable-segments-sleep", **npu)
    assert not found("npu-expandable-segments-sleep", {"free_cache_engine": False}, **npu)
    assert not found("npu-expandable-segments-sleep", {"+enable_sleep_mode": False}, **npu)
    assert not found("npu-expandable-segments-sleep", {"name": "sglang"}, **npu)


def test_expandable_segments_on_gpus_were_a_problem_of_old_vllm() -> None:
    environment = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
    assert found("npu-expandable-segments-sleep", environment=environment, device="h100", release="0.7.1")
    assert not found("npu-expandable-segments-sleep", environment=environment, device="h100", release="0.8.0")


def test_graph_capture_needs_queue_level_1() -> None:
    npu: dict[str, Any] = {"device": "ascend-a3"}
    two = {"TASK_QUEUE_ENABLE": "2"}
    assert found("npu-graph-task-queue", environment=two, **npu)
    assert not found("npu-graph-task-queue", {"enforce_eager": True}, environment=two, **npu)
    assert not found("npu-graph-task-queue", environment={"TASK_QUEUE_ENABLE": "1"}, **npu)
    separate = {**two, "VLLM_ASCEND_TASK_QUEUE_ENABLE": "1"}
    assert not found("npu-graph-task-queue", environment=separate, release="0.9.0", **npu)
    assert found("npu-graph-task-queue", environment=separate, release="0.8.0", **npu)


def test_the_nz_layout_cannot_wake_up() -> None:
    for value, finds in (("1", True), ("2", True), ("0", False)):
        assert bool(found("npu-nz", environment={"VLLM_ASCEND_ENABLE_NZ": value}, device="ascend-a3")) is finds


def test_flash_comm_needs_tensor_and_expert_parallelism() -> None:
    npu = {"device": "ascend-a3", "environment": {"VLLM_ASCEND_ENABLE_FLASHCOMM1": "1"}}
    assert found("npu-flashcomm", {"tensor_model_parallel_size": 1}, **npu)
    assert not found("npu-flashcomm", {"tensor_model_parallel_size": 4}, model="Qwen3-8B", **npu)
    assert found("npu-flashcomm", {"tensor_model_parallel_size": 4}, model="Qwen3-30B-A3B", **npu)
    expert = {"tensor_model_parallel_size": 4, "expert_parallel_size": 4}
    assert not found("npu-flashcomm", expert, model="Qwen3-30B-A3B", **npu)


def test_full_and_piecewise_becomes_piecewise() -> None:
    mode = {"+engine_kwargs.vllm.compilation_config.cudagraph_mode": "FULL_AND_PIECEWISE"}
    assert found("npu-cudagraph-mode", mode, device="ascend-a3", release="0.8.0")
    assert not found("npu-cudagraph-mode", mode, device="ascend-a3", release="0.9.0")
    assert not found("npu-cudagraph-mode", device="ascend-a3", release="0.8.0")
    assert not found("npu-cudagraph-mode", {**mode, "enforce_eager": True}, device="ascend-a3", release="0.8.0")


@pytest.mark.parametrize("release", ["0.7.1", "0.8.0", "0.9.0"])
def test_a_false_flag_does_not_reach_vllm(release: str) -> None:
    assert found("vllm-false-flag-dropped", {"enable_chunked_prefill": False}, release=release)
    assert not found("vllm-false-flag-dropped", {"enable_chunked_prefill": True}, release=release)
    assert not found("vllm-false-flag-dropped", {"name": "sglang", "enable_chunked_prefill": False}, release=release)


@pytest.mark.parametrize("release", ["0.6.1", "0.9.1"])
def test_vllm_in_the_process_of_the_trainer_and_0_9_1_get_the_false(release: str) -> None:
    assert not found("vllm-false-flag-dropped", {"enable_chunked_prefill": False}, release=release)


def test_sglang_gets_a_fixed_set_of_arguments() -> None:
    (finding,) = found("sglang-ignored-key", {"name": "sglang", "max_num_batched_tokens": 16384})
    assert "max_num_batched_tokens 16384 never reaches SGLang" in finding.message
    assert not found("sglang-ignored-key", {"name": "sglang", "max_num_batched_tokens": 8192}), "the default anyway"
    assert not found("sglang-ignored-key", {"name": "sglang", "max_num_seqs": 32})


def test_sglang_on_npus_needs_its_backend() -> None:
    backend = "+engine_kwargs.sglang.attention_backend"
    npu: dict[str, Any] = {"device": "ascend-a3", "release": "0.6.1"}
    assert found("sglang-npu-backend", {"name": "sglang"}, **npu)
    assert found("sglang-npu-backend", {"name": "sglang", backend: "fa3"}, **npu)
    assert not found("sglang-npu-backend", {"name": "sglang", backend: "ascend"}, **npu)
    assert not found("sglang-npu-backend", {"name": "sglang"}, **{**npu, "device": "h100"})
    assert not found("sglang-npu-backend", {"name": "sglang"}, **{**npu, "release": "0.7.1"}), "SGLang sets it itself"


@pytest.mark.parametrize(
    ("engine", "method", "release", "finds"),
    [
        ("vllm", "awq", "0.9.0", True),
        ("vllm", "fp8", "0.9.0", False),
        ("vllm", "ascend", "0.7.1", True),
        ("vllm", "ascend", "0.8.0", False),
        ("sglang", "torchao", "0.9.0", True),
        ("sglang", "fp8", "0.9.0", False),
    ],
)
def test_quantization_by_engine_and_release(engine: str, method: str, release: str, finds: bool) -> None:
    assert bool(found("rollout-quantization", {"name": engine, "quantization": method}, release=release)) is finds


def test_a_rollout_that_shares_devices_must_free_them() -> None:
    assert found("free-cache-engine-off", {"free_cache_engine": False})
    assert not found("free-cache-engine-off")
    assert found("sleep-mode-off", {"+enable_sleep_mode": False})
    assert not found("sleep-mode-off", {"+enable_sleep_mode": False, "name": "sglang"})


def test_the_old_default_of_concurrent_sequences_for_a_huge_model() -> None:
    vl = "Qwen3-VL-235B-A22B"
    assert found("max-num-seqs-default", model=vl, release="0.8.0")
    assert not found("max-num-seqs-default", {"max_num_seqs": 32}, model=vl, release="0.8.0")
    assert not found("max-num-seqs-default", model=vl, release="0.9.0")
    assert not found("max-num-seqs-default", model="Qwen3-VL-8B-Instruct", release="0.8.0")
    assert not found("max-num-seqs-default", model="Qwen3-235B-A22B", release="0.8.0")


def test_greedy_validation_repeats_itself() -> None:
    assert found("validation-greedy-repeated", {"val_kwargs.n": 8})
    assert not found("validation-greedy-repeated", {"val_kwargs.n": 8, "val_kwargs.temperature": 1.0})
    assert not found("validation-greedy-repeated", {"val_kwargs.n": 1})


def test_sampling_in_validation_wants_a_training_temperature() -> None:
    assert found("validation-temperature", {"val_kwargs.do_sample": True, "temperature": 0})
    assert not found("validation-temperature", {"val_kwargs.do_sample": True, "temperature": 0.6})


def test_tool_parsers_by_release() -> None:
    turns = {"multi_turn.enable": True}
    (finding,) = found("tool-parser", {**turns, "multi_turn.format": "qwen3-coder"})
    assert finding.help == f"write {ROLLOUT}.multi_turn.format=qwen3_coder"
    assert found("tool-parser", {**turns, "multi_turn.format": "glm"}, release="0.8.0")
    assert not found("tool-parser", {**turns, "multi_turn.format": "glm"}, release="0.9.0")
    assert not found("tool-parser", {"multi_turn.format": "anything"})


def test_layered_summon_needs_the_base_model_in_the_rollout() -> None:
    lora = {"actor_rollout_ref.model.lora_rank": 32}
    assert found("layered-summon-dummy", {"layered_summon": True}, also=dict(lora))
    loaded = {"layered_summon": True, "load_format": "safetensors"}
    assert not found("layered-summon-dummy", loaded, also=dict(lora))
    assert not found("layered-summon-dummy", {"layered_summon": True})
    assert found("layered-summon-dummy", {"layered_summon": True}, also=dict(lora), release="0.6.1")


@pytest.mark.parametrize(
    ("model", "tensor", "size", "said"),
    [
        (None, 4, 8, "does not divide tensor_model_parallel_size 4"),
        (None, 8, 4, None),
        ("DeepSeek-V3", 8, 8, None),  # latent attention: each device holds the whole cache
        ("Qwen3-30B-A3B", 8, 2, None),
        ("Qwen3-30B-A3B", 4, 2, "needs tensor_model_parallel_size 4 above the 4 key-value heads"),
        ("Qwen3-30B-A3B", 8, 4, "is above tensor_model_parallel_size 8 // 4 key-value heads"),
        ("Qwen2.5-7B", 12, 3, "does not divide the 7 query heads"),
        ("Qwen3-8B", 8, 1, None),
    ],
)
def test_decode_context_parallel_takes_copies_of_heads(
    model: str | None, tensor: int, size: int, said: str | None
) -> None:
    overrides = {
        "tensor_model_parallel_size": tensor,
        "+engine_kwargs.vllm.decode_context_parallel_size": size,
    }
    messages = [finding.message for finding in found("decode-context-parallel", overrides, model=model)]
    assert [said in message for message in messages if said] == ([] if said is None else [True])


def test_0_7_1_leaves_data_parallel_shards_awake() -> None:
    assert found("data-parallel-sleep", {"data_parallel_size": 2}, release="0.7.1")
    assert not found("data-parallel-sleep", {"data_parallel_size": 1}, release="0.7.1")


def test_the_image_cache_of_old_vllm_falls_out_of_step() -> None:
    vl: dict[str, Any] = {"model": "Qwen3-VL-8B-Instruct", "release": "0.8.0"}
    assert found("multimodal-cache", **vl)
    assert not found("multimodal-cache", {"+engine_kwargs.vllm.mm_processor_cache_gb": 0}, **vl)
    assert not found("multimodal-cache", {"+engine_kwargs.vllm.disable_mm_preprocessor_cache": True}, **vl)
    assert not found("multimodal-cache", {"free_cache_engine": False}, **vl)
    assert not found("multimodal-cache", {"name": "sglang"}, **vl)
    assert not found("multimodal-cache", model="Qwen3-VL-8B-Instruct", release="0.9.0")
    assert not found("multimodal-cache", model="Qwen3-8B", release="0.8.0")


def test_random_weights_without_a_trainer() -> None:
    server = "verl.trainer.main_generation_server"
    base = {"algorithm.adv_estimator": None, "actor_rollout_ref.actor.use_dynamic_bsz": None}
    assert found("generation-random-weights", also=dict(base), entry_point=server)
    assert not found("generation-random-weights", also=dict(base), entry_point=server, release="0.9.0")
    assert not found("generation-random-weights", {"load_format": "auto"}, also=dict(base), entry_point=server)


def test_an_adapter_on_random_weights() -> None:
    lora = {"actor_rollout_ref.model.lora_rank": 32}
    assert found("lora-base-weights", also=dict(lora))
    assert not found("lora-base-weights", {"load_format": "safetensors"}, also=dict(lora))
    assert not found("lora-base-weights")


@pytest.mark.parametrize(
    ("sizes", "severities"), [("[8,16,32]", []), ("[4,8,16]", ["info"]), ("[1,2,4]", ["error"]), ("null", [])]
)
def test_capture_sizes_with_flash_comm(sizes: str, severities: list[str]) -> None:
    overrides = {"cudagraph_capture_sizes": sizes, "tensor_model_parallel_size": 8}
    npu = {"device": "ascend-a3", "environment": {"VLLM_ASCEND_ENABLE_FLASHCOMM1": "1"}}
    assert [one.severity for one in found("npu-capture-sizes", overrides, **npu)] == severities
    assert not found("npu-capture-sizes", {**overrides, "enforce_eager": True}, **npu)
    assert not found("npu-capture-sizes", overrides, device="ascend-a3")


def test_capture_sizes_and_streams() -> None:
    sizes = str(list(range(8, 8 * 41, 8))).replace(" ", "")
    piecewise = {"+engine_kwargs.vllm.compilation_config.cudagraph_mode": "PIECEWISE", "tensor_model_parallel_size": 8}
    overrides = {**piecewise, "cudagraph_capture_sizes": sizes}
    npu: dict[str, Any] = {"device": "ascend-a3", "release": "0.8.0"}
    (finding,) = found("npu-capture-sizes", overrides, model="Qwen3-8B", **npu)
    assert "keeps 15 of them" in finding.message  # (1800 - 40) // (36 + 1) // 3
    npu["environment"] = {"HCCL_OP_EXPANSION_MODE": "AIV"}
    (finding,) = found("npu-capture-sizes", overrides, model="Qwen3-8B", **npu)
    assert "keeps 23 of them" in finding.message  # (1800 - 2 x 37) // 37 // 2
    (finding,) = found("npu-capture-sizes", overrides, model="Qwen3-30B-A3B", **npu)
    assert "keeps 18 of them" in finding.message  # 1800 // (48 + 1) // 2
    assert not found("npu-capture-sizes", overrides, model="Qwen3-8B", device="ascend-a3", release="0.9.0")
    assert not found("npu-capture-sizes", overrides, model="Qwen3-8B", device="h100", release="0.8.0")


@pytest.mark.parametrize(
    ("rule", "key", "model"),
    [
        ("engine-argument-unknown", "+engine_kwargs.vllm.max_modell_len", "Qwen3-8B"),
        ("routes-of-hybrid-model", "enable_rollout_routing_replay", "Qwen3-Next-80B-A3B"),
    ],
)
def test_what_the_engine_of_a_release_refuses_is_less_sure_for_a_checkout_of_a_branch(
    rule: str, key: str, model: str
) -> None:
    (finding,) = found(rule, {key: True}, model=model, release="0.8.0")
    branch = replace(load_schema("0.8.0"), release="0.8.0.dev")
    (between,) = found(rule, {key: True}, model=model, release="0.8.0", schema=branch)
    assert (finding.severity, between.severity) == ("error", "warning")


@pytest.mark.parametrize(
    ("engine", "argument", "severity"),
    [
        ("vllm", "disable_mm_preprocessor_cache", "warning"),  # vLLM before 0.11 has it
        ("vllm", "gpu_memory_utilisation", "error"),
        ("sglang", "enable_double_sparsity", "warning"),  # SGLang had it once
        ("sglang", "max_model_len", "error"),  # vLLM has it
    ],
)
def test_an_argument_that_another_version_of_the_engine_has_is_no_certain_error(
    engine: str, argument: str, severity: str
) -> None:
    overrides = {"name": engine, f"+engine_kwargs.{engine}.{argument}": True}
    (finding,) = found("engine-argument-unknown", overrides, model="Qwen3-8B", device="h100", release="0.9.1")
    assert finding.severity == severity


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({f"{MODEL}.lora_rank": 0, f"{MODEL}.lora_alpha": 32, f"{MODEL}.target_modules": "all-linear"}, ["info"]),
        ({"model_engine": "megatron", f"{MODEL}.lora.alpha": 32}, ["info"]),
        ({f"{MODEL}.lora_rank": 8, f"{MODEL}.lora_alpha": 32}, []),
        ({f"{MODEL}.lora_rank": 0, f"{MODEL}.lora_alpha": 0, f"{MODEL}.target_modules": "all-linear"}, []),
        ({f"{MODEL}.lora_alpha": 32, f"{MODEL}.lora_adapter_path": "adapter"}, []),
        ({f"{MODEL}.target_modules": "null"}, []),
    ],
)
def test_settings_of_an_adapter_that_a_rank_of_zero_leaves_out(
    settings: dict[str, object], expected: list[str]
) -> None:
    assert [one.severity for one in findings("lora-keys-without-rank", subject(settings))] == expected
