"""The touchstone: the Qwen3-Next-80B recipe before and after its repair, on three releases."""

from __future__ import annotations

import pytest

from lint.memory.terms import GIB
from lint.memory.verdict import predict
from tests.memory.launches import ACTOR, BEFORE, ROLLOUT, STORY, inputs, story
from tests.rules.factory import findings

SPLIT, SHARE = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.gpu_memory_utilization"


@pytest.mark.parametrize("release", ["0.8.0", "0.9.0", "0.9.1"])
def test_the_old_values_are_a_risk_in_update_weights(release: str) -> None:
    """They failed before 0.9.0, which frees a shard and the optimizer's cached blocks before it sends weights."""
    (risk,) = [one for one in findings("device-memory", story(BEFORE, release)) if one.severity == "warning"]
    assert risk.phase == "update_weights"
    assert risk.key == SPLIT
    assert "tensor_model_parallel_size 4 and gpu_memory_utilization 0.8" in risk.message
    assert "rollout weights 37.2" in risk.message
    assert risk.help is not None
    assert f"write {SPLIT}=8 and {SHARE}=0.6" in risk.help


@pytest.mark.parametrize("release", ["0.8.0", "0.9.1"])
def test_the_new_values_fit(release: str) -> None:
    launched = story(STORY, release)
    assert predict(inputs(launched)).verdict == "fits"
    for rule in ("device-memory", "memory-utilization-ceiling", "kv-cache-too-small"):
        assert findings(rule, launched) == []


@pytest.mark.parametrize("values", [BEFORE, STORY])
def test_verl_0_9_0_keeps_gradients_whole_and_fails_in_update_actor(values: dict[str, object]) -> None:
    (error,) = [one for one in findings("device-memory", story(values, "0.9.0")) if one.severity == "error"]
    assert error.phase == "update_actor"
    assert "needs 148.4 GiB per device, ascend-a3 has 61.3 GiB: 79.67 billion gradients x 2 bytes" in error.message


@pytest.mark.parametrize("release", ["0.8.0", "0.9.1"])
def test_other_releases_shard_gradients_after_every_micro_batch(release: str) -> None:
    gradients = predict(inputs(story(STORY, release))).phases["update_actor"].expected.components["gradients"]
    assert gradients < 10 * GIB


def test_0_9_1_keeps_them_whole_again_if_its_switch_says_so() -> None:
    switch = f"{ACTOR}.fsdp_config.use_no_sync_for_gradient_accumulation"
    (error,) = findings("device-memory", story({**STORY, switch: True}))
    assert (error.severity, error.key, error.help) == ("error", switch, error.help)
    assert error.help is not None
    assert error.help.startswith(f"write {switch}=False")


def test_each_term_of_the_weight_update_is_named() -> None:
    components = predict(inputs(story(BEFORE, "0.8.0"))).phases["update_weights"].expected.components
    sizes = {name: round(size / GIB, 1) for name, size in components.items()}
    assert sizes == {
        "rollout_weights": 37.2,
        "weight_bucket": 2.0,
        "gathered_tensors": 3.0,  # packed experts: 2 + 1 GiB
        "allocator_slack": 0.6,
        "unexplained": 4.0,
        "parameters": 2.3,  # the shard, staged until verl 0.9.0
        "cached_blocks": 4.6,  # Adam moments, freed but kept by the allocator until 0.9.0
        "outside_torch": 4.3,
        "rollout_reserve": 0.5,
    }
