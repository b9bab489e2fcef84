"""The pool of the inference engine, and what stands beside it while it generates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from lint.memory import rollout as engine
from lint.memory.checks import failures
from lint.memory.inputs import MemoryInputs, Rollout
from lint.memory.phases import fullest, moments
from lint.memory.terms import GIB, Phase
from lint.memory.trainer_fsdp import shard
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

KEPT: dict[str, Any] = {
    f"{ACTOR}.fsdp_config.param_offload": False,
    f"{ACTOR}.fsdp_config.optimizer_offload": False,
    f"{ROLLOUT}.gpu_memory_utilization": 0.5,
}


def launched(settings: dict[str, Any], release: str = "0.9.1") -> MemoryInputs:
    return inputs(subject({**KEPT, **settings}, device="h100", release=release))


def rollout_of(found: MemoryInputs) -> Rollout:
    assert found.rollout is not None
    return found.rollout


def components(found: MemoryInputs, phase: Phase) -> Mapping[str, int]:
    return {str(name): size for name, size in fullest(moments(found, "expected", phase), phase).components.items()}


# ---------------------------------------------------------------------------------------------------------- SGLang


def test_the_share_of_sglang_is_one_of_what_the_trainer_leaves_when_it_starts() -> None:
    """sglang, model_runner_kv_cache_mixin.py :: profile_max_num_token (0.5.8); parameters are there, no optimizer."""
    found = launched({f"{ROLLOUT}.name": "sglang"})
    offloaded = launched({f"{ROLLOUT}.name": "sglang", f"{ACTOR}.fsdp_config.param_offload": True})
    lost = engine.shared(offloaded, rollout_of(offloaded)) - engine.shared(found, rollout_of(found))
    assert lost == pytest.approx(shard(found.model, found.actor.engine), abs=2)  # type: ignore[arg-type]


def test_the_share_of_vllm_is_one_of_the_device() -> None:
    found = launched({f"{ROLLOUT}.name": "vllm"})
    assert engine.shared(found, rollout_of(found)) == found.device.memory_bytes


def test_the_share_of_sglang_pays_for_weights_and_pool_alone() -> None:
    found = launched({f"{ROLLOUT}.name": "sglang"})
    parts = components(found, "generate")
    share = engine.budget(found, rollout_of(found))
    assert parts["rollout_weights"] + parts["kv_cache"] == pytest.approx(share, abs=2)
    assert parts["rollout_activations"] > 0


def test_sglang_has_processes_of_its_own_in_every_release() -> None:
    assert not rollout_of(launched({f"{ROLLOUT}.name": "sglang"}, "0.6.1")).shares_process
    assert rollout_of(launched({f"{ROLLOUT}.name": "vllm"}, "0.6.1")).shares_process


# --------------------------------------------------------------------------------------------------- vllm-ascend


@pytest.mark.parametrize(("release", "inside"), [("0.7.1", True), ("0.8.0", False)])  # vllm-ascend 0.13 and 0.18
def test_old_vllm_ascend_takes_what_the_trainer_holds_for_its_own(release: str, inside: bool) -> None:
    def pool(offloaded: bool) -> int:
        settings = {**KEPT, f"{ACTOR}.fsdp_config.param_offload": offloaded}
        return components(inputs(subject(settings, device="ascend-a2", release=release)), "generate")["kv_cache"]

    parameters = 8190735360 * 4 / 8
    assert pool(True) - pool(False) == pytest.approx(parameters if inside else 0, rel=0.01)


# -------------------------------------------------------------------------------------------------------- one step


@pytest.mark.parametrize(
    ("steps", "validation", "again"),
    [(1, -1, False), (1, "False", False), (1, 5, True), (2, -1, True), (None, -1, True)],
)
def test_a_run_of_one_step_generates_before_the_optimizer_has_a_state(
    steps: int | None, validation: object, again: bool
) -> None:
    settings = {} if steps is None else {"trainer.total_training_steps": steps}
    found = launched({**settings, "trainer.test_freq": validation})
    assert ("optimizer" in components(found, "generate")) is again
    assert "optimizer" in components(found, "update_weights")  # sent once more behind the step


def test_in_one_process_the_only_weights_of_one_step_are_sent_before_it() -> None:
    found = launched({"trainer.total_training_steps": 1, "trainer.test_freq": -1}, "0.6.1")
    assert "optimizer" not in components(found, "update_weights")


def test_what_stands_beside_the_share_of_one_step_is_no_failure() -> None:
    """As in verl's workflows: half of the device, and a trainer whose optimizer only comes with the step."""
    found = replace(launched({}), device=replace(launched({}).device, memory_bytes=30 * GIB))
    shared = replace(found, rollout=replace(rollout_of(found), utilization=0.8), generates_again=False)
    assert [failure.name for failure in failures(shared)] == []
    assert [failure.name for failure in failures(replace(shared, generates_again=True))] == ["resident"]


@pytest.mark.parametrize(
    ("name", "merge", "kept"), [("sglang", False, True), ("sglang", True, False), ("vllm", False, False)]
)
def test_sglang_keeps_its_weights_while_adapters_are_trained(name: str, merge: bool, kept: bool) -> None:
    settings = {f"{ROLLOUT}.name": name, "actor_rollout_ref.model.lora_rank": 32}
    found = inputs(subject({**settings, "actor_rollout_ref.model.lora.merge": merge}, release="0.8.0", device="h100"))
    assert found.rollout is not None
    asleep = {term.component for term in engine.resting_terms(found, found.rollout)}
    assert ("rollout_weights" in asleep) is kept
