"""What is on a device while weights are sent, beyond the weights themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lint.memory.inputs import MemoryInputs
from lint.memory.phases import moments
from lint.memory.terms import GIB, MIB, Component, Moment
from lint.memory.weight_sync import gather_terms
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

MODEL = "actor_rollout_ref.model"
ADAPTERS: dict[str, object] = {
    "algorithm.adv_estimator": "grpo",
    f"{MODEL}.lora_rank": 32,
    f"{ACTOR}.strategy": "fsdp",
    f"{ACTOR}.fsdp_config.model_dtype": "bfloat16",
    f"{ROLLOUT}.tensor_model_parallel_size": 2,
}


def launch(overrides: dict[str, object], release: str = "0.9.1", devices: int = 8) -> MemoryInputs:
    return inputs(subject(overrides, model="Qwen3-14B", device="h100", nodes=1, devices=devices, release=release))


def of(found: MemoryInputs, stage: str) -> Moment | None:
    return next((one for one in moments(found, "expected", "update_weights") if one.stage == stage), None)


def size(moment: Moment | None, component: Component) -> float:
    assert moment is not None
    return moment.components.get(component, 0) / GIB


def test_fsdp1_gathers_the_whole_model_on_every_device_for_its_adapters() -> None:
    collected = of(launch(ADAPTERS), "collect adapters")
    assert size(collected, "gathered_tensors") == pytest.approx(55.0, abs=0.2)  # 2 x 14.77 billion x 2 bytes
    assert size(collected, "rollout_weights") > 13  # the engine was woken before


def test_in_its_stored_type() -> None:
    stored = {**ADAPTERS, f"{ACTOR}.fsdp_config.model_dtype": "fp32"}
    assert size(of(launch(stored), "collect adapters"), "gathered_tensors") == pytest.approx(110, abs=0.4)


def test_the_second_copy_is_of_a_base_model_that_the_engine_did_not_load_itself() -> None:
    loaded = {**ADAPTERS, f"{ROLLOUT}.load_format": "safetensors"}
    assert size(of(launch(loaded), "collect adapters"), "gathered_tensors") == pytest.approx(27.5, abs=0.1)


@pytest.mark.parametrize(
    "setting",
    [{f"{ROLLOUT}.layered_summon": True}, {f"{ACTOR}.strategy": "fsdp2"}, {f"{MODEL}.lora_rank": 0}],
    ids=["layer by layer", "FSDP2", "no adapters"],
)
def test_not_all_do(setting: dict[str, object]) -> None:
    assert of(launch({**ADAPTERS, **setting}), "collect adapters") is None


def test_one_device_has_nothing_to_gather_but_the_base_model_that_comes_back_from_the_host() -> None:
    alone: dict[str, object] = {**ADAPTERS, f"{ROLLOUT}.tensor_model_parallel_size": 1}
    assert size(of(launch(alone, devices=1), "collect adapters"), "gathered_tensors") == pytest.approx(27.5, abs=0.1)
    assert of(launch({**alone, f"{ROLLOUT}.load_format": "safetensors"}, devices=1), "collect adapters") is None


def test_merged_adapters_take_the_whole_model_whatever_layered_summon_says() -> None:
    merged = {**ADAPTERS, f"{MODEL}.lora.merge": True, f"{ROLLOUT}.layered_summon": True}
    assert of(launch(merged), "collect adapters") is not None


def test_an_engine_in_the_trainers_process_still_sleeps_meanwhile() -> None:
    collected = of(launch(ADAPTERS, release="0.6.1"), "collect adapters")
    assert size(collected, "rollout_weights") == 0


def test_but_one_that_never_sleeps_keeps_its_weights_and_its_cache() -> None:
    awake = {**ADAPTERS, f"{ROLLOUT}.free_cache_engine": False}
    collected = of(launch(awake, release="0.6.1"), "collect adapters")
    assert size(collected, "rollout_weights") > 13
    assert size(collected, "kv_cache") > 20


RESIDENT: dict[str, object] = {"algorithm.adv_estimator": "grpo", f"{ACTOR}.fsdp_config.param_offload": False}


def test_blocks_of_a_step_stay_until_the_cache_is_emptied() -> None:
    held = size(of(launch(RESIDENT, "0.8.0"), "resume weights"), "cached_blocks")
    peak = max(one.trainer_allocated for one in moments(launch(RESIDENT, "0.8.0"), "expected", "update_actor"))
    assert held > 5.9
    assert held < peak / GIB


@pytest.mark.parametrize(
    ("setting", "release"),
    [
        ({f"{ACTOR}.fsdp_config.param_offload": True}, "0.8.0"),
        ({f"{ROLLOUT}.free_cache_engine": False}, "0.8.0"),
        ({}, "0.9.0"),
        ({}, "0.6.1"),
    ],
    ids=["moved to the host", "engine never sleeps", "emptied before", "workers that empty it"],
)
def test_no_blocks_stay(setting: dict[str, object], release: str) -> None:
    assert size(of(launch({**RESIDENT, **setting}, release), "resume weights"), "cached_blocks") == 0


def test_blocks_of_a_step_are_no_more_than_the_device_has_left() -> None:
    """A step that needs more than the device has failed before: nothing of it is left to be in the way."""
    samples: dict[str, object] = {
        "data.train_files": "data",
        "data.train_batch_size": 1024,
        "data.max_response_length": 16384,
        f"{ACTOR}.use_dynamic_bsz": False,
        f"{ACTOR}.ppo_mini_batch_size": 512,
        f"{ACTOR}.ppo_micro_batch_size_per_gpu": 64,
    }
    large = launch({**RESIDENT, **samples}, "0.8.0")
    weights = of(large, "resume weights")
    assert weights is not None
    held = sum(term.size for term in weights.terms if term.allocated or term.component == "cached_blocks")
    assert held < large.device.memory_bytes < of_step(large).trainer_allocated


def test_blocks_of_a_step_are_known_no_better_than_the_step() -> None:
    found = launch(RESIDENT, "0.8.0")
    weights = of(found, "resume weights")
    assert weights is not None
    (blocks,) = (term for term in weights.terms if term.component == "cached_blocks")
    assert blocks.deviation > max(term.deviation for term in of_step(found).terms if term.allocated) > 0


def of_step(found: MemoryInputs) -> Moment:
    return max(moments(found, "expected", "update_actor"), key=lambda one: one.trainer_allocated)


def test_send_buffers_of_the_first_trainer_stay_through_the_step() -> None:
    found = launch({**RESIDENT, "actor_rollout_ref.hybrid_engine": False}, "0.9.0")
    assert found.rollout is not None
    apart = replace(found, rollout=replace(found.rollout, colocated=False))
    held = 2 * found.rollout.bucket_bytes / GIB
    assert size(of_step(apart), "weight_bucket") == pytest.approx(held)
    assert size(of_step(found), "weight_bucket") == 0
    npu = replace(apart, device=replace(apart.device, kind="npu"))
    assert size(of_step(npu), "weight_bucket") == 0


def test_before_0_9_sglang_is_sent_a_clone_of_each_tensor_however_large() -> None:
    def bucket(release: str, engine: str) -> int:
        settings: dict[str, object] = {"actor_rollout_ref.rollout.name": engine}
        launched = inputs(subject(settings, model="Qwen3-235B-A22B", device="h200", nodes=8, release=release))
        rollout = launched.rollout
        assert rollout is not None
        terms = gather_terms(launched, launched.actor, rollout)
        return sum(term.size for term in terms if term.component == "weight_bucket")

    assert bucket("0.8.0", "sglang") == 2 * 2 * 128 * 1536 * 4096  # gate and up of all experts of a layer, bfloat16
    assert bucket("0.8.0", "vllm") == bucket("0.9.0", "sglang") == 2048 * MIB
