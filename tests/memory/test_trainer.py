"""Terms of a role's own phases: vision towers, recomputation, pipeline stages, reward models, buckets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lint.facts.models import find_model
from lint.memory.activations import fused_bytes_per_token, vision_term
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs
from lint.memory.phases import fullest, moments
from lint.memory.terms import GIB
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

TRANSFORMER = f"+{ACTOR}.megatron.override_transformer_config"


def megatron(model: str = "Qwen3-8B", devices: int = 8, **settings: Any) -> Megatron:
    values = {"model_engine": "megatron", **settings}
    engine = inputs(subject(values, model=model, device="h100", devices=devices)).actor.engine
    assert isinstance(engine, Megatron)
    return engine


# ---------------------------------------------------------------------------------------------------------- megatron


def test_embedding_and_loss_can_count_as_layers_of_their_stages() -> None:
    def layers(*parts: str) -> tuple[int, ...]:
        counted = {f"{TRANSFORMER}.account_for_{part}_in_pipeline_split": True for part in parts}
        pipeline = {f"{ACTOR}.megatron.pipeline_model_parallel_size": 2}
        return megatron(model="DeepSeek-V3", **pipeline, **counted).stage_layers

    assert layers("embedding") == (30, 31)
    assert layers("loss") == (31, 30)


def test_selective_recomputation_drops_the_activations_of_its_modules() -> None:
    model = find_model("Qwen3-8B")
    assert model is not None
    whole = fused_bytes_per_token(model)
    assert fused_bytes_per_token(model, frozenset({"core_attn"})) == whole  # flash attention keeps no scores
    assert whole - fused_bytes_per_token(model, frozenset({"mlp"})) == 6 * model.intermediate_size
    assert whole - fused_bytes_per_token(model, frozenset({"layernorm"})) == 4 * model.hidden_size


def test_experts_keep_no_output_because_routing_weights_act_before_it() -> None:
    model = find_model("Qwen3-30B-A3B")
    assert model is not None
    assert model.experts is not None
    routed = fused_bytes_per_token(model) - fused_bytes_per_token(model, frozenset({"moe"}))
    assert routed == model.experts.per_token * (6 * model.experts.intermediate_size + 2 * model.hidden_size)


def test_fused_kernels_have_no_logits() -> None:
    def logits(fused: bool) -> int:
        values = {"model_engine": "megatron", "actor_rollout_ref.model.use_fused_kernels": fused}
        found = moments(inputs(subject(values, device="h100")), "expected")
        return max(moment.components.get("logits", 0) for moment in found if moment.phase == "update_actor")

    assert logits(False) > GIB
    assert logits(True) == 0


# ------------------------------------------------------------------------------------------------------------- vision

VISION = inputs(subject({"data.max_prompt_length": 1024}, model="Qwen3-VL-8B", device="h100"))


def test_parts_of_a_stage_that_take_turns_hold_more_micro_batches() -> None:
    def checkpoints(**settings: object) -> int:
        node = f"{ACTOR}.megatron"
        values = {
            "model_engine": "megatron",
            f"{node}.pipeline_model_parallel_size": 4,
            f"{TRANSFORMER}.recompute_granularity": "full",
            f"{ACTOR}.use_dynamic_bsz": False,
            f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
            **{f"{node}.{name}": value for name, value in settings.items()},
        }
        launched = inputs(subject(values, model="Qwen3-8B", device="h100", devices=8))
        found = [moment for moment in moments(launched, "expected") if moment.stage == "layer backward"]
        return max(moment.components.get("checkpoints", 0) for moment in found)

    plain = checkpoints()
    assert checkpoints(virtual_pipeline_model_parallel_size=3) == pytest.approx(plain * (2 * 3 + 2 * 4 + 1) / 3 / 4)


def test_entropy_in_the_loss_keeps_a_copy_of_the_logits_and_their_softmax() -> None:
    def logits(**more: object) -> int:
        launched = subject(
            {f"{ACTOR}.strategy": "megatron", "model_engine": "megatron", **more}, model="Qwen3-8B", device="h100"
        )
        found = [moment for moment in moments(inputs(launched), "expected") if moment.phase == "update_actor"]
        return max(moment.components.get("logits", 0) for moment in found)

    assert logits(**{f"{ACTOR}.entropy_coeff": 0.001}) == pytest.approx(1.8 * logits())


def test_entropy_in_the_loss_that_nothing_compiles_takes_twenty_eight_bytes_of_a_logit() -> None:
    """Where torch.compile fuses it, six."""

    def logits(*, compiled: bool) -> int:
        settings = {f"{ACTOR}.entropy_coeff": 0.001, f"{ACTOR}.fsdp_config.use_torch_compile": compiled}
        launched = inputs(subject(settings, model="Qwen3-8B", device="h100", release="0.9.1"))
        found = [moment for moment in moments(launched, "expected") if moment.phase == "update_actor"]
        return max(moment.components.get("logits", 0) for moment in found)

    assert logits(compiled=False) == pytest.approx(28 / 6 * logits(compiled=True))


def tower(launched: MemoryInputs, tokens: int = 8192, *, recomputed: bool = True) -> int:
    return vision_term(launched, launched.actor, tokens, recomputed=recomputed).size


def test_a_vision_tower_keeps_one_hidden_state_a_layer_of_each_patch() -> None:
    vision = VISION.model.vision
    assert vision is not None
    assert vision.hidden_size is not None
    assert vision.depth is not None
    patches = 4 * VISION.image_share * 8192
    assert tower(VISION) == round(2 * vision.hidden_size * vision.depth * patches)
    assert tower(VISION, recomputed=False) == pytest.approx(17 * tower(VISION), rel=1e-6)


def test_patches_are_not_split_over_sequence_parallel_ranks() -> None:
    engine = VISION.actor.engine
    assert isinstance(engine, Fsdp)
    wide = replace(VISION, actor=replace(VISION.actor, engine=replace(engine, sequence_parallel=4)))
    assert tower(wide, 2048) == tower(VISION, 8192)


def test_a_frozen_tower_keeps_nothing_and_text_models_have_none() -> None:
    assert tower(replace(VISION, vision_frozen=True)) == 0
    assert tower(inputs(subject({}, device="h100"))) == 0


# ------------------------------------------------------------------------------------------------ beside the trainer


def test_a_reward_model_takes_its_turn_and_then_leaves_what_no_pool_holds() -> None:
    values: dict[str, object] = {
        "reward.reward_model.enable": True,
        "reward.reward_model.model_path": "Qwen/Qwen3-4B",
        "reward.reward_model.rollout.name": "vllm",
        "reward.reward_model.rollout.gpu_memory_utilization": 0.5,
    }
    with_reward, without = (inputs(subject(chosen, device="h100")) for chosen in (values, {}))
    scoring = fullest(moments(with_reward, "expected"), "reward").components
    pooled = scoring["rollout_weights"] + scoring["kv_cache"] + scoring["rollout_activations"]
    assert pooled == pytest.approx(0.5 * with_reward.device.memory_bytes, rel=0.05)  # its process is paid too
    both = [fullest(moments(one, "expected"), "update_actor").components for one in (with_reward, without)]
    assert both[0]["outside_torch"] > both[1]["outside_torch"]


def test_a_rollout_on_devices_of_its_own_receives_into_three_buckets() -> None:
    values: dict[str, object] = {
        "rollout.nnodes": 1,
        "rollout.n_gpus_per_node": 8,
        f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes": 1024,
    }
    entry_point = "verl.experimental.fully_async_policy.fully_async_main"
    found = moments(inputs(subject(values, device="h100", entry_point=entry_point)), "expected")
    sizes = {moment.stage: moment.components for moment in found if moment.phase == "update_weights"}
    assert sizes["receive, rollout's device"]["weight_bucket"] == 3 * GIB
    assert sizes["send, trainer's device"]["weight_bucket"] == 2 * GIB
    assert "kv_cache" not in sizes["send, trainer's device"]


@pytest.mark.parametrize(
    ("engine", "release", "stays"),
    [("vllm", "0.9.0", True), ("vllm", "0.9.1", False), ("sglang", "0.8.0", False)],
)
def test_a_rollout_on_devices_of_its_own_may_give_its_cache_back_while_weights_are_sent(
    engine: str, release: str, stays: bool
) -> None:
    values: dict[str, object] = {"rollout.nnodes": 1, "rollout.n_gpus_per_node": 8, f"{ROLLOUT}.name": engine}
    entry_point = "verl.experimental.fully_async_policy.fully_async_main"
    launched = subject(values, device="h100", entry_point=entry_point, release=release)
    (receiving,) = [moment for moment in moments(inputs(launched), "expected") if moment.stage.startswith("receive")]
    assert ("kv_cache" in receiving.components) is stays
    assert ("rollout_activations" in receiving.components) is stays  # its allocator keeps them until it sleeps
    assert "rollout_weights" in receiving.components


# -------------------------------------------------------------------------------------------------- log-probabilities


@pytest.mark.parametrize("values", [{f"{ACTOR}.strategy": "fsdp2"}, {"model_engine": "megatron"}])
def test_states_that_are_not_offloaded_stay_while_the_actor_computes_log_probabilities(
    values: dict[str, object],
) -> None:
    """Evaluation moves parameters alone, and only those that are offloaded (verl/workers/engine/base.py)."""
    found = moments(inputs(subject({f"{ACTOR}.use_dynamic_bsz": True, **values}, device="h100")), "expected")
    passing, saving = (fullest(found, phase).components for phase in ("old_log_prob", "save"))
    states = {part for part in saving if part in ("optimizer", "gradients")}
    assert "optimizer" in states
    assert {part: passing[part] for part in states} == {part: saving[part] for part in states}


def test_offloaded_states_do_not() -> None:
    values: dict[str, object] = {f"{ACTOR}.fsdp_config.optimizer_offload": True, f"{ACTOR}.use_dynamic_bsz": True}
    found = moments(inputs(subject(values, device="h100")), "expected")
    assert "optimizer" not in fullest(found, "old_log_prob").components


# ---------------------------------------------------------------------------------------------- finished micro-batches


def pinned(release: str, **settings: Any) -> float:
    """GiB that each micro-batch that is done leaves in update_actor."""
    values: dict[str, object] = {
        "actor_rollout_ref.model.lora_rank": 32,
        f"{ACTOR}.ppo_max_token_len_per_gpu": 16384,
        f"{ACTOR}.use_dynamic_bsz": True,
        "data.max_prompt_length": 8192,
        "data.max_response_length": 8192,
        **settings,
    }
    launched = inputs(subject(values, model="Qwen3-8B", device="h100", release=release), 8192)
    lengths = launched.actor.batches.expected
    assert lengths.micro_batches > 1
    found = next(one for one in moments(launched, "expected") if one.phase == "update_actor")
    size = sum(term.size for term in found.terms if "micro-batches that are done" in term.note)
    return size / GIB / (lengths.micro_batches - 1)


def test_before_0_9_the_engine_pins_embedded_tokens_of_each_micro_batch_under_an_adapter() -> None:
    """verl PR 6699: 24.8 GiB are allocated at the 250th micro-batch of 16 k tokens, 64 at the 400th."""
    assert pinned("0.8.0") == pytest.approx((64 - 24.8) / 150, rel=0.05)
    assert pinned("0.9.0") == 0


def test_older_workers_and_whole_models_pin_nothing() -> None:
    assert pinned("0.7.1") == 0
    assert pinned("0.7.1", **{"trainer.use_legacy_worker_impl": "disable"}) > 0
    assert pinned("0.8.0", **{"actor_rollout_ref.model.lora_rank": 0}) == 0


@pytest.mark.parametrize(("release", "keeps"), [("0.8.0", True), ("0.9.0", True), ("0.9.1", False)])
def test_the_last_stage_keeps_what_it_received_for_micro_batches_that_are_done(release: str, keeps: bool) -> None:
    settings = {
        "model_engine": "megatron",
        f"{ACTOR}.megatron.pipeline_model_parallel_size": 2,
        f"{ACTOR}.use_dynamic_bsz": "False",
        f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
        f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": 1,
    }
    found = inputs(subject(settings, release=release, device="h100", devices=8))
    last = max(moments(found, "expected", "update_actor"), key=lambda one: one.stage == "logits")
    assert any("that are done" in term.note for term in last.terms) is keeps


# -------------------------------------------------------------------------------------------------- ends under FSDP1


def whole(stage: str, devices: int, rows: int = 64) -> int:
    """Bytes of gradients beside the shard at one moment of the actor's update, Qwen3-8B."""
    sizes = {
        "data.train_batch_size": rows,
        f"{ACTOR}.ppo_mini_batch_size": rows,
        f"{ACTOR}.use_dynamic_bsz": False,
        f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
        f"{ROLLOUT}.tensor_model_parallel_size": 1,
        f"{ROLLOUT}.n": 1,
    }
    launched = inputs(subject(sizes, model="Qwen3-8B", device="h100", nodes=1, devices=devices))
    (moment,) = [one for one in moments(launched, "expected", "update_actor") if one.stage == stage]
    return sum(term.size for term in moment.terms if term.component == "gradients" and "whole" in term.note)


HEAD = 151936 * 4096


def test_the_gradient_of_the_head_waits_in_bfloat16_for_that_of_the_embedding() -> None:
    assert whole("head backward", 8) == 2 * HEAD
    layer = 192_946_432 * (2 + 4)
    assert whole("layer backward", 8) == 2 * HEAD + layer


def test_both_are_copied_to_single_precision_and_reduced_into_one_more_shard() -> None:
    assert whole("root reduce", 8) == 2 * HEAD * (2 + 4 + 4 / 8)
    assert whole("root reduce", 8, rows=8) == 2 * HEAD * (2 + 4)  # one micro-batch: its shard is the only one


def test_a_unit_that_does_not_divide_into_shards_is_copied_to_be_filled_up() -> None:
    found = whole("root reduce", 7, rows=7 * 8)
    assert found == pytest.approx(2 * HEAD * (2 + 4 + 4 + 4 / 7), rel=1e-6)
