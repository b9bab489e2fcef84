"""Sizes computed by hand, one formula each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lint.facts.models import find_model
from lint.facts.software import software_of
from lint.memory.inputs import Megatron, Rollout
from lint.memory.lengths import Packing, tokens_per_device
from lint.memory.phases import moments
from lint.memory.rollout import growing_bytes, pool_factor, rollout_weights, token_bytes
from lint.memory.switches import switches_of
from lint.memory.terms import GIB, Moment, Term
from lint.memory.trainer_megatron import stages
from lint.memory.weight_sync import largest_pair
from tests.memory.launches import ACTOR, ROLLOUT, inputs, story
from tests.rules.factory import subject

# ----------------------------------------------------------------------------------------------------------- lengths


@pytest.mark.parametrize(
    ("packing", "rows", "sequence", "expected"),
    [
        (Packing(True, 4096, 0, 0, 1), 16, 1024, (4096, 4)),  # 16 x 1024 in four full micro-batches
        (Packing(True, 4096, 0, 0, 1), 10, 1000, (3334, 3)),  # 10000 tokens balanced over three
        (Packing(True, 4096, 0, 0, 4), 16, 1024, (4096, 1)),  # the budget counts for each of 4 devices
        (Packing(True, 512, 0, 0, 1), 2, 1024, (1024, 2)),  # a sample is never cut
        (Packing(False, 0, 4, 0, 2), 16, 1000, (3050, 4)),  # 4 x 1000 and 3 x 0.35 x 1000 x sqrt(4), over 2 devices
        (Packing(False, 0, 4, 2048, 2), 16, 1000, (4096, 4)),  # padded to 2048 tokens each
        (Packing(True, 4096, 0, 2048, 1), 8, 1024, (8192, 2)),  # the budget counts 4 samples without their padding
        (Packing(False, 0, 64, 0, 1), 16, 100, (2020, 1)),  # never more samples than there are
    ],
)
def test_tokens_of_a_micro_batch(packing: Packing, rows: int, sequence: int, expected: tuple[int, int]) -> None:
    assert tokens_per_device(packing, rows, sequence, 2048, packing.padded) == expected


# ----------------------------------------------------------------------------------------------------------- rollout


def generating(**settings: object) -> Rollout:
    named = {f"{ROLLOUT}.{name}": value for name, value in {"tensor_model_parallel_size": 1, **settings}.items()}
    rollout = inputs(subject(named, model="Llama-3.1-8B", device="h100", nodes=1, devices=8)).rollout
    assert rollout is not None
    return rollout


def test_key_value_heads_are_copied_when_there_are_more_ranks_than_heads() -> None:
    model = find_model("Qwen3-30B-A3B")  # 4 key/value heads of 128, 48 layers, bfloat16
    assert model is not None
    sizes = [token_bytes(model, replace(generating(), tensor=tensor)) for tensor in (1, 4, 8)]
    assert sizes == [2 * 48 * 4 * 128 * 2, 2 * 48 * 1 * 128 * 2, 2 * 48 * 1 * 128 * 2]


def test_latent_attention_caches_one_compressed_vector_a_layer() -> None:
    model = find_model("DeepSeek-V3")
    assert model is not None
    assert token_bytes(model, generating()) == 61 * (512 + 64) * 2


def test_only_full_attention_grows_with_a_sequence() -> None:
    rollout = inputs(story()).rollout
    hybrid, dense = find_model("Qwen3-Next-80B-A3B"), find_model("Qwen3-8B")
    assert rollout is not None
    assert hybrid is not None
    assert dense is not None
    assert 4 * growing_bytes(hybrid, rollout) == token_bytes(hybrid, rollout)
    assert growing_bytes(dense, rollout) == token_bytes(dense, rollout)


def test_rollout_weights_of_a_dense_model_are_its_bytes_over_the_ranks() -> None:
    model = find_model("Llama-3.1-8B")
    assert model is not None
    assert rollout_weights(model, generating()) == pytest.approx(2 * model.parameters.total, rel=1e-5)


def test_single_precision_doubles_weights_and_cache() -> None:
    model = find_model("Llama-3.1-8B")
    assert model is not None
    half, single = generating(), generating(dtype="float32")
    assert rollout_weights(model, single) == 2 * rollout_weights(model, half)
    assert token_bytes(model, single) == 2 * token_bytes(model, half)


def test_fp8_halves_the_linear_layers_and_leaves_embeddings_and_cache() -> None:
    model = find_model("Llama-3.1-8B")
    assert model is not None
    half, quantized = generating(), generating(quantization="fp8")
    ends = model.parameters.embedding + model.parameters.output_head
    saved = model.parameters.total - ends - model.layers * model.parameters.norm_layer
    assert rollout_weights(model, half) - rollout_weights(model, quantized) == pytest.approx(saved, rel=1e-5)
    assert token_bytes(model, quantized) == token_bytes(model, half)


def test_vllm_ascend_allocated_hybrid_pools_several_times() -> None:
    hybrid, dense = find_model("Qwen3-Next-80B-A3B"), find_model("Qwen3-8B")
    assert hybrid is not None
    assert dense is not None
    assert pool_factor(hybrid, software_of("0.7.1", "npu")) == 2  # vllm-ascend 0.13
    assert pool_factor(hybrid, software_of("0.9.1", "npu")) == 1
    assert pool_factor(dense, software_of("0.7.1", "npu")) == 1


# ----------------------------------------------------------------------------------------------------------- trainer


def components(found: list[Moment], stage: str) -> dict[str, int]:
    chosen = next(moment for moment in found if moment.stage == stage)
    return {str(name): size for name, size in chosen.components.items()}


def test_fsdp_shards_parameters_gradients_and_both_moments() -> None:
    launched = inputs(subject({f"{ACTOR}.strategy": "fsdp2"}, device="h100"))
    step = components(moments(launched, "expected"), "optimizer step")
    shard = 8190735360 * 4 // 8  # float32 over 8 devices
    assert (step["parameters"], step["gradients"], step["optimizer"]) == (shard, shard, 2 * shard)


def test_cpu_offload_policy_keeps_the_states_on_the_host() -> None:
    launched = inputs(
        subject({f"{ACTOR}.strategy": "fsdp2", f"{ACTOR}.fsdp_config.offload_policy": True}, device="h100")
    )
    step = components(moments(launched, "expected"), "optimizer step")
    assert "parameters" not in step
    assert "optimizer" not in step


MEGATRON = {
    "model_engine": "megatron",
    f"{ACTOR}.megatron.tensor_model_parallel_size": 4,
    "actor_rollout_ref.ref.megatron.tensor_model_parallel_size": 4,
}


def test_megatron_wraps_at_eight_bytes_a_parameter() -> None:
    launched = inputs(subject(MEGATRON, model="Qwen2.5-7B", device="ascend-a2", devices=4))
    (wrap,) = [moment for moment in moments(launched, "expected") if moment.stage == "DDP wrap"]
    assert wrap.trainer_allocated / GIB == pytest.approx(14.19, abs=0.01)  # measured: verl-ascend-recipe reports/gmpo


def test_pipeline_stages_hold_all_parameters_between_them() -> None:
    launched = inputs(
        subject(
            {
                "model_engine": "megatron",
                f"{ACTOR}.megatron.pipeline_model_parallel_size": 4,
                f"{ACTOR}.megatron.expert_model_parallel_size": 2,
                "actor_rollout_ref.ref.megatron.pipeline_model_parallel_size": 4,
                "actor_rollout_ref.ref.megatron.expert_model_parallel_size": 2,
            },
            model="Qwen3-30B-A3B",
            device="ascend-a2",
        )
    )
    engine = launched.actor.engine
    assert isinstance(engine, Megatron)
    assert engine.stage_layers == (12, 12, 12, 12)
    found = stages(launched.model, engine)
    whole = sum(stage.dense + 2 * stage.experts for stage in found)
    assert whole == pytest.approx(launched.model.parameters.total, rel=1e-6)


# ------------------------------------------------------------------------------------------------------- weight sync


def test_two_neighbouring_tensors_are_alive_while_weights_are_sent() -> None:
    model = find_model("Qwen3-Next-80B-A3B")
    assert model is not None
    assert largest_pair(model, packed=True) == (2 * 512 * 512 * 2048, 512 * 512 * 2048)
    assert sum(largest_pair(model, packed=False)) == pytest.approx(151936 * 2048, rel=0.1)


# ---------------------------------------------------------------------------------------------------------- switches


def test_releases_differ_in_what_they_hold() -> None:
    before, between, now = (switches_of(story(release=release)) for release in ("0.8.0", "0.9.0", "0.9.1"))
    assert before.fsdp2_stages_shard
    assert not before.empty_cache_before_resume
    assert between.deferred_gradient_sync
    assert not between.fsdp2_stages_shard
    assert now.unit_temperature_needs_no_copy


# ------------------------------------------------------------------------------------------------------------- terms


def test_a_moment_sums_its_terms_and_takes_their_spreads_as_independent() -> None:
    moment = Moment("generate", "x", (Term("kv_cache", 30, 3), Term("parameters", 10, 4, allocated=True)))
    assert (moment.expected, moment.deviation, moment.trainer_allocated) == (40, 5.0, 10)
    assert moment.exceeds(40) == 0.5
    assert moment.exceeds(45) == pytest.approx(0.159, abs=0.001)
    assert (moment.low, moment.high) == (32, 48)


def test_the_probability_of_a_sum_without_spread_is_certain() -> None:
    moment = Moment("generate", "x", (Term("kv_cache", 30),))
    assert (moment.exceeds(29), moment.exceeds(31)) == (1.0, 0.0)


def test_the_story_has_every_phase_of_a_step_in_order() -> None:
    phases = dict.fromkeys(moment.phase for moment in moments(inputs(story()), "expected"))
    assert list(phases) == [
        "init",
        "update_weights",
        "generate",
        "old_log_prob",
        "ref_log_prob",
        "update_actor",
        "save",
    ]


def test_adapters_alone_have_gradients_and_optimizer_state() -> None:
    adapter = {"actor_rollout_ref.model.lora_rank": 32, "actor_rollout_ref.model.target_modules": "all-linear"}
    for engine in ({}, MEGATRON):
        launched = inputs(subject({**adapter, **engine}, model="Qwen3-8B", device="h100"))
        share = launched.actor.trainable_parameters / launched.model.parameters.total
        assert 0.005 < share < 0.02
        found = [moment for moment in moments(launched, "expected") if moment.phase == "update_actor"]
        states = max(moment.components["optimizer"] for moment in found)
        assert states < 2 * GIB


def test_one_device_needs_no_communicator() -> None:
    alone, together = (inputs(subject({}, device="h100", devices=devices)) for devices in (1, 8))
    outside = [
        next(moment for moment in moments(launched, "expected") if moment.phase == "save").components["outside_torch"]
        for launched in (alone, together)
    ]
    assert outside[1] - outside[0] == 688 * 2**20  # one group over all eight: NVIDIA/nccl#964
