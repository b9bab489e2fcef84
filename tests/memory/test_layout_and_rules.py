"""Prediction and rules refuse the same launches: what divides what is said in two places, in two vocabularies."""

from __future__ import annotations

from random import Random

import pytest

from lint.memory.inputs import NotEnough
from lint.memory.layout import refusals
from lint.memory.reading import read_inputs
from lint.subject.subject import Subject
from tests.memory.launches import ACTOR, ROLLOUT
from tests.rules.factory import findings, subject

SIZES = ("rollout-world", "rollout-expert-product", "rollout-disaggregation", "shard-world", "megatron-world")
RULES = (*SIZES, "model-divisible", "expert-parallel-dense")
MODELS = ("Qwen2.5-0.5B", "Qwen2.5-7B", "Qwen3-14B", "Qwen3-30B-A3B", "Qwen3-Next-80B-A3B-Instruct", "DeepSeek-V3")
MEGATRON = ("tensor_model", "pipeline_model", "context", "expert_model", "expert_tensor")


def some_launch(seed: int) -> Subject:
    """Sizes of every kind, half of which do not go together."""
    random = Random(seed)

    def chance(share: float) -> bool:
        return random.random() < share

    sizes: dict[str, object] = {
        f"{ROLLOUT}.tensor_model_parallel_size": random.choice([1, 2, 3, 4, 6, 8, 16]),
        f"{ROLLOUT}.data_parallel_size": random.choice([2, 3, 4]) if chance(0.3) else 1,
        f"{ROLLOUT}.expert_parallel_size": random.choice([2, 4, 8]) if chance(0.3) else 1,
        f"{ROLLOUT}.disaggregation.enabled": chance(0.2),
        f"{ROLLOUT}.disaggregation.decode_replicas": random.choice([1, 2, 3]),
    }
    if chance(0.5):
        sizes["model_engine"] = "megatron"
        parallel = {name: random.choice([1, 2, 3, 4, 8]) for name in MEGATRON if chance(0.4)}
        sizes |= {f"{ACTOR}.megatron.{name}_parallel_size": size for name, size in parallel.items()}
    else:
        sizes[f"{ACTOR}.ulysses_sequence_parallel_size"] = random.choice([2, 3, 4, 8, 16]) if chance(0.5) else 1
        sizes[f"{ACTOR}.fsdp_config.fsdp_size"] = random.choice([2, 3, 4, 8]) if chance(0.5) else -1
    nodes, devices = random.choice([1, 2, 3, 4]), random.choice([1, 2, 4, 6, 8])
    return subject(sizes, model=random.choice(MODELS), device="h100", nodes=nodes, devices=devices)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_what_is_predicted_nothing_of_is_what_a_rule_calls_an_error(first: int) -> None:
    refused = 0
    for seed in range(first, first + 50):
        launch = some_launch(seed)
        inputs = read_inputs(launch)
        if isinstance(inputs, NotEnough):  # sizes of Megatron that leave no data parallel rank, or no layers
            continue
        found = [finding for rule in RULES for finding in findings(rule, launch)]
        errors = [finding.message for finding in found if finding.severity == "error"]
        assert bool(refusals(inputs)) == bool(errors), (seed, refusals(inputs), errors)
        refused += bool(errors)
    assert 10 < refused < 40
