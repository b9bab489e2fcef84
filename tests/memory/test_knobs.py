"""What could be changed, the cheapest first, each with its recomputed effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lint.memory.inputs import MemoryInputs
from lint.memory.knobs import Knob, knobs, pair
from lint.memory.lengths import Batches, Packing
from lint.memory.phases import fullest, moments
from lint.memory.terms import Phase
from lint.memory.verdict import TIGHT
from lint.memory.what_if import WhatIf, apply
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

COSTS = ["free", "transfers", "slower rollout", "slower training", "more devices"]
RESIDENT: dict[str, object] = {
    "data.train_batch_size": 256,
    f"{ACTOR}.ppo_mini_batch_size": 256,
    f"{ACTOR}.ppo_max_token_len_per_gpu": 16384,
    f"{ROLLOUT}.log_prob_use_dynamic_bsz": True,
    f"{ROLLOUT}.n": 8,
}


def launch(**more: object) -> MemoryInputs:
    return inputs(subject({**RESIDENT, **more}, device="h100"))


def found(launched: MemoryInputs, phase: Phase) -> list[Knob]:
    return list(knobs(launched, fullest(moments(launched, "expected"), phase)))


@pytest.mark.parametrize("phase", ["old_log_prob", "update_actor", "generate", "update_weights"])
def test_the_cheapest_come_first(phase: Phase) -> None:
    costs = [COSTS.index(knob.cost) for knob in found(launch(), phase)]
    assert costs
    assert costs == sorted(costs)


def test_each_saves_what_the_changed_launch_needs_less() -> None:
    launched = launch()
    before = fullest(moments(launched, "expected"), "update_actor").expected
    for knob in found(launched, "update_actor"):
        assert knob.saved == before - fullest(moments(knob.inputs, "expected"), "update_actor").expected
        assert knob.saved > 0


def test_what_a_launch_has_already_is_not_offered() -> None:
    titles = [knob.title for knob in found(launch(), "old_log_prob")]
    fused = launch(**{"actor_rollout_ref.model.use_fused_kernels": True})
    assert "use_fused_kernels True" in titles
    assert not [knob for knob in found(fused, "old_log_prob") if "fused" in knob.title or "chunking" in knob.title]


def test_chunks_are_not_offered_where_they_have_no_effect() -> None:
    padded = launch(**{"actor_rollout_ref.model.use_remove_padding": False})
    assert not [knob for knob in found(padded, "old_log_prob") if "chunking" in knob.title]
    assert not apply(padded, WhatIf(chunked_entropy=True)).actor.chunked_entropy


def test_the_critics_keys_are_its_own() -> None:
    launched = launch(**{"algorithm.adv_estimator": "gae"})
    keys = {key for knob in found(launched, "update_critic") for key, _ in knob.writes}
    assert "+critic.ppo_infer_max_token_len_per_gpu" in keys  # the one that reaches its engine under V1
    assert f"{ACTOR}.ppo_max_token_len_per_gpu" not in keys


def test_what_the_other_role_keeps_can_be_moved_away() -> None:
    launched = launch(**{"algorithm.adv_estimator": "gae"})
    critic = {key for knob in found(launched, "update_actor") for key, _ in knob.writes}
    actor = {key for knob in found(launched, "update_critic") for key, _ in knob.writes}
    assert "critic.fsdp.param_offload" in critic
    assert f"{ACTOR}.fsdp_config.param_offload" in actor


def test_only_what_is_not_there_yet_is_named() -> None:
    node = f"{ACTOR}.fsdp_config"
    launched = launch(**{f"{node}.param_offload": True, f"{node}.optimizer_offload": False})
    (moved,) = [knob for knob in found(launched, "generate") if "offload" in knob.title]
    assert moved.writes == ((f"{node}.optimizer_offload", "True"),)


def test_offload_can_be_asked_for_and_taken_away() -> None:
    here, there = (apply(launch(), WhatIf(offload=whether)) for whether in (False, True))
    kept = [fullest(moments(one, "expected"), "generate").components for one in (here, there)]
    assert kept[0]["optimizer"] > 0
    assert kept[1].get("optimizer", 0) == 0


def test_each_phase_has_budgets_of_its_own() -> None:
    """Micro-batches that are only read have keys of their own; those of the update say nothing about them."""
    reading = [key for knob in found(launch(), "old_log_prob") for key, _ in knob.writes if "max_token_len" in key]
    assert reading == [f"{ROLLOUT}.log_prob_max_token_len_per_gpu"]
    training = [key for knob in found(launch(), "update_actor") for key, _ in knob.writes if "max_token_len" in key]
    assert training == [f"{ACTOR}.ppo_max_token_len_per_gpu"]


# ------------------------------------------------------------------------------------------------------------- together

SIZE = f"{ACTOR}.fsdp_config.fsdp_size"
SHARDED_IN_TWO: dict[str, object] = {
    **RESIDENT,
    SIZE: 2,
    f"{ACTOR}.fsdp_config.param_offload": True,
    f"{ACTOR}.fsdp_config.optimizer_offload": True,
    f"{ACTOR}.ppo_max_token_len_per_gpu": 32768,
}


def test_all_devices_can_share_what_some_share() -> None:
    launched = inputs(subject(SHARDED_IN_TWO, device="h100"))
    (whole,) = [knob for knob in found(launched, "update_actor") if "fsdp_size" in knob.title]
    assert whole.writes == ((SIZE, "-1"),)
    assert whole.inputs.actor.engine == inputs(subject({**SHARDED_IN_TWO, SIZE: -1}, device="h100")).actor.engine


def test_two_changes_are_offered_together_where_none_is_enough() -> None:
    launched = inputs(subject(SHARDED_IN_TWO, model="Qwen3-32B", device="h100"))
    moment = fullest(moments(launched, "expected"), "update_actor")
    assert all(knob.probability >= TIGHT for knob in knobs(launched, moment))
    both = pair(launched, moment)
    assert both is not None
    assert both.probability < TIGHT
    assert len(dict(both.writes)) >= 2
    assert both.saved == moment.expected - fullest(moments(both.inputs, "expected"), "update_actor").expected


def test_no_pair_is_offered_where_one_change_is_enough() -> None:
    launched = launch()
    moment = fullest(moments(launched, "expected"), "old_log_prob")
    assert any(knob.probability < TIGHT for knob in knobs(launched, moment))
    assert pair(launched, moment) is None


# ------------------------------------------------------------------------------------------------------------- samples

PACKED = Packing(True, 8192, 0, 0, 1)
BATCHES = Batches(PACKED, PACKED, 256, 256, 8, 1024, 4096)  # 32 samples of each group


def test_a_wider_split_leaves_packed_micro_batches_as_full_and_makes_fewer() -> None:
    wide = BATCHES.split_by(2)
    assert (BATCHES.expected.update_tokens, BATCHES.expected.micro_batches) == (8192, 4)
    assert (wide.groups, wide.expected.update_tokens, wide.expected.micro_batches) == (4, 8192, 4)


def test_a_wider_split_halves_the_tokens_of_a_number_of_samples() -> None:
    one = replace(BATCHES, update=Packing(False, 0, 4, 0, 1))
    assert one.split_by(2).expected.update_tokens == pytest.approx(one.expected.update_tokens / 2, abs=1)


def test_half_a_budget_is_half_the_tokens() -> None:
    assert replace(BATCHES, update=PACKED.halved()).expected.update_tokens == 4096
    assert BATCHES.packed_into(2048).expected.update_tokens == 2048


def test_adapters_can_be_read_layer_by_layer() -> None:
    adapters: dict[str, object] = {"actor_rollout_ref.model.lora_rank": 32, f"{ACTOR}.strategy": "fsdp"}
    launched = inputs(subject(adapters, device="h100", devices=8))
    layered = [knob for knob in found(launched, "update_weights") if "layered_summon" in knob.title]
    assert [knob.writes for knob in layered] == [
        ((f"{ROLLOUT}.layered_summon", "True"), (f"{ROLLOUT}.load_format", "safetensors"))
    ]
    merged = inputs(subject({**adapters, "actor_rollout_ref.model.lora.merge": True}, device="h100", devices=8))
    assert not [knob for knob in found(merged, "update_weights") if "layered_summon" in knob.title]
