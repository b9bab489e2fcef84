"""Forks and checkouts of verl before 0.6 are read by what their code does, beside the keys of 0.6.1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from lint.memory import rollout as engine
from lint.memory.communicators import group_bytes, rollout_groups, trainer_groups
from lint.memory.inputs import MemoryInputs, Rollout
from lint.memory.phases import moments
from lint.memory.report import assumptions
from lint.memory.rollout import profile_peak, resting_terms, rollout_weights, weights_term
from lint.memory.trainer_fsdp import shard
from lint.memory.verdict import predict
from lint.schema.load import load
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

PACKED: dict[str, Any] = {"actor_rollout_ref.model.use_remove_padding": True}


def launched(*behaviours: str, **settings: Any) -> MemoryInputs:
    """A launch of code that does what `behaviours` name, and all else as 0.6.1; `settings` are of the rollout."""
    schema = load("0.6.1")
    older = replace(schema, behaviours=tuple(sorted({*schema.behaviours, *behaviours})))
    rollout = {f"{ROLLOUT}.{name}": value for name, value in settings.items()}
    return inputs(subject({**PACKED, **rollout}, device="a100-80g", release="0.6.1", schema=older))


def rollout_of(found: MemoryInputs) -> Rollout:
    assert found.rollout is not None
    return found.rollout


def left_asleep(found: MemoryInputs) -> Mapping[str, int]:
    sizes: dict[str, int] = {}
    for term in resting_terms(found, rollout_of(found)):
        sizes[term.component] = sizes.get(term.component, 0) + term.size
    return sizes


def test_the_vllm_of_2024_shares_what_trainer_weights_and_largest_batch_leave_free() -> None:
    """verl/third_party/vllm/vllm_v_0_6_3/worker.py :: determine_num_available_blocks (verl 0.2.0)."""
    found = launched("vllm_before_sleep", gpu_memory_utilization=0.5)
    rollout = rollout_of(found)
    communicators = group_bytes(found, rollout_groups(rollout.tensor))
    context = 0.7 * 2**30
    loaded = shard(found.model, found.actor.engine) + context + communicators  # type: ignore[arg-type]
    free = (
        found.device.memory_bytes - loaded - rollout_weights(found.model, rollout) - profile_peak(found.model, rollout)
    )
    assert engine.planned_pool(found, rollout) == pytest.approx(0.5 * free, abs=2)


def test_the_share_of_the_vllm_of_2025_pays_for_what_the_trainer_has_loaded_in_its_process() -> None:
    """vllm/v1/worker/gpu_worker.py :: determine_available_memory (0.8) takes the peak of all that is allocated."""
    newer, older = launched(), launched("vllm_pays_for_trainer")
    kept = shard(newer.model, newer.actor.engine) + 0.7 * 2**30  # type: ignore[arg-type]
    kept += group_bytes(newer, trainer_groups(newer))
    pools = [engine.planned_pool(found, rollout_of(found)) for found in (newer, older)]
    assert pools[0] - pools[1] == pytest.approx(kept, abs=2)


def test_beside_the_context_that_is_there_an_engine_in_the_trainers_process_adds_its_communicators() -> None:
    one = launched(tensor_model_parallel_size=1)
    held = rollout_weights(one.model, rollout_of(one)) + profile_peak(one.model, rollout_of(one))
    share = engine.budget(one, rollout_of(one))
    assert engine.planned_pool(one, rollout_of(one)) == pytest.approx(share - held, abs=2)


def test_it_leaves_its_communicators_alone_behind_and_newer_ones_more() -> None:
    found = launched("vllm_before_sleep", enforce_eager=True)
    assert left_asleep(found) == {"rollout_reserve": group_bytes(found, rollout_groups(rollout_of(found).tensor))}
    assert left_asleep(launched(enforce_eager=True))["rollout_reserve"] > left_asleep(found)["rollout_reserve"]


def test_it_moves_its_weights_to_the_host_even_where_it_keeps_its_cache() -> None:
    found = launched("vllm_before_sleep", enforce_eager=True, free_cache_engine=False)
    assert set(left_asleep(found)) == {"rollout_reserve", "kv_cache"}
    newer = launched(enforce_eager=True, free_cache_engine=False)
    assert left_asleep(newer)["rollout_weights"] == weights_term(newer, rollout_of(newer)).size


def test_graphs_stay_with_what_an_engine_leaves_in_the_trainers_process() -> None:
    graphs = left_asleep(launched())["rollout_reserve"] - left_asleep(launched(enforce_eager=True))["rollout_reserve"]
    assert graphs == 2**29


def test_the_output_names_the_engine_that_older_code_requires() -> None:
    assert "vllm 0.6 or before, as this code requires" in assumptions(predict(launched("vllm_before_sleep")))
    assert "vllm 0.9 or before, as this code requires" in assumptions(predict(launched("vllm_pays_for_trainer")))
    assert "vllm 0.11.0, as in the image of verl 0.6.1" in assumptions(predict(launched()))


def test_before_free_cache_engine_was_asked_vllm_slept_whatever_it_said() -> None:
    assert rollout_of(launched("always_sleeps", free_cache_engine=False)).free_cache
    assert not rollout_of(launched(free_cache_engine=False)).free_cache
    assert not rollout_of(launched("always_sleeps", name="sglang", free_cache_engine=False)).free_cache


def test_segments_were_of_fixed_size() -> None:
    assert not launched("fixed_segments").expandable_segments
    assert launched().expandable_segments


def test_every_update_took_the_gradient_of_the_entropy() -> None:
    assert launched("entropy_in_every_pass").actor.entropy_in_loss
    assert not launched().actor.entropy_in_loss


def test_the_loss_of_padded_samples_takes_the_logits_of_their_responses() -> None:
    """dp_actor.py :: _forward_micro_batch slices them; the entropy of those comes to 28 bytes, beside the 2 of all."""

    def logits(response: int) -> float:
        settings: dict[str, Any] = {
            "data.max_prompt_length": 1024,
            "data.max_response_length": response,
            f"{ACTOR}.use_dynamic_bsz": False,
            f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
            f"{ACTOR}.entropy_coeff": 0.001,
            "actor_rollout_ref.model.use_remove_padding": False,
        }
        found = inputs(subject(settings, device="a100-80g", release="0.6.1"))
        whole = found.actor.batches.expected.update_tokens * found.model.vocabulary_size
        return max(moment.components.get("logits", 0) for moment in moments(found, "expected", "update_actor")) / whole

    assert logits(1024) == pytest.approx(2 + 28 / 2)
    assert logits(3072) == pytest.approx(2 + 28 * 3 / 4)
