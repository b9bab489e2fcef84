"""No value of a script makes the model raise, and the model moves as memory does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lint.memory.inputs import MemoryInputs, NotEnough
from lint.memory.knobs import with_nodes
from lint.memory.phases import moments
from lint.memory.reading import read_inputs
from lint.memory.report import launch_memory, to_plain
from lint.memory.rollout import planned_pool, rollout_weights
from lint.memory.verdict import predict, with_utilization
from lint.memory.what_if import WhatIf, apply
from tests.memory.launches import ACTOR, ROLLOUT, inputs, story
from tests.rules.factory import subject

STRANGE = st.sampled_from(
    ["0", "-1", "1", "3", "7", "64", "1e9", "0.5", "-0.5", "2.5", "null", "True", "text", "[1,2]"]
)
KEYS = [
    f"{ACTOR}.ppo_mini_batch_size",
    f"{ACTOR}.ppo_micro_batch_size_per_gpu",
    f"{ACTOR}.ppo_max_token_len_per_gpu",
    f"{ACTOR}.ulysses_sequence_parallel_size",
    f"{ACTOR}.fsdp_config.fsdp_size",
    f"{ACTOR}.fsdp_config.model_dtype",
    f"{ACTOR}.entropy_coeff",
    f"{ROLLOUT}.n",
    f"{ROLLOUT}.tensor_model_parallel_size",
    f"{ROLLOUT}.data_parallel_size",
    f"{ROLLOUT}.expert_parallel_size",
    f"{ROLLOUT}.gpu_memory_utilization",
    f"{ROLLOUT}.max_num_seqs",
    f"{ROLLOUT}.max_num_batched_tokens",
    f"{ROLLOUT}.max_model_len",
    f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes",
    "data.train_batch_size",
    "data.max_prompt_length",
    "data.max_response_length",
    "actor_rollout_ref.model.lora_rank",
]
MEGATRON_KEYS = [
    f"{ACTOR}.megatron.{name}_parallel_size"
    for name in ("tensor_model", "pipeline_model", "context", "expert_model", "expert_tensor")
]
MODELS = st.sampled_from(
    ["Qwen3-8B", "Qwen3-30B-A3B", "Qwen3-Next-80B-A3B", "DeepSeek-V3", "Qwen3-VL-8B", "gpt-oss-20b"]
)
DEVICES = st.sampled_from(["ascend-a2", "ascend-a3", "ascend-a5", "h100"])


@settings(max_examples=150, deadline=None)
@given(
    overrides=st.dictionaries(st.sampled_from(KEYS), STRANGE, max_size=6),
    model=MODELS,
    device=DEVICES,
    release=st.sampled_from(["0.6.1", "0.8.0", "0.9.1"]),
)
def test_strange_values_give_a_prediction_or_a_reason(
    overrides: dict[str, str], model: str, device: str, release: str
) -> None:
    known = {key: value for key, value in overrides.items() if release != "0.6.1" or "checkpoint_engine" not in key}
    found = read_inputs(subject(known, model=model, device=device, release=release))
    plain = to_plain(launch_memory("x.sh", 1, {}, model, device, found))
    assert plain["verdict"] in ("fits", "tight", "out-of-memory", "unknown")
    assert isinstance(found, MemoryInputs) or (isinstance(found, NotEnough) and found.reasons)


@settings(max_examples=100, deadline=None)
@given(
    sizes=st.dictionaries(
        st.sampled_from(MEGATRON_KEYS), st.sampled_from(["0", "1", "2", "3", "8", "null"]), max_size=5
    ),
    model=MODELS,
)
def test_strange_megatron_sizes_give_a_prediction_or_a_reason(sizes: dict[str, str], model: str) -> None:
    found = read_inputs(subject({"model_engine": "megatron", **sizes}, model=model, device="h100", nodes=2))
    to_plain(launch_memory("x.sh", 1, {}, model, "h100", found))


@settings(max_examples=50, deadline=None)
@given(
    tensor=st.sampled_from([None, 1, 3, 16]),
    utilization=st.sampled_from([None, 0.01, 0.5, 1.0]),
    sequence=st.sampled_from([None, 1, 7, 64]),
    nodes=st.sampled_from([None, 1, 3, 100]),
    budget=st.sampled_from([None, 1, 100000]),
    bucket=st.sampled_from([None, 1, 8192]),
)
def test_what_if_takes_any_size(
    tensor: int | None,
    utilization: float | None,
    sequence: int | None,
    nodes: int | None,
    budget: int | None,
    bucket: int | None,
) -> None:
    changed = apply(inputs(story()), WhatIf(tensor, utilization, sequence, nodes, budget, bucket))
    assert 0 <= predict(changed).probability <= 1


@pytest.mark.parametrize("nodes", [8, 16, 64])
def test_more_nodes_never_need_more_of_a_device(nodes: int) -> None:
    before = inputs(story())
    after = with_nodes(before, nodes)
    pairs = zip(moments(before, "expected"), moments(after, "expected"), strict=True)
    assert all(more.expected <= few.expected for few, more in pairs)


def test_a_wider_rollout_holds_fewer_weights_on_each_device() -> None:
    launched = inputs(story())
    assert launched.rollout is not None
    sizes = [rollout_weights(launched.model, replace(launched.rollout, tensor=size)) for size in (1, 2, 4, 8, 16)]
    assert sizes == sorted(sizes, reverse=True)


def test_a_larger_share_goes_to_the_cache_alone() -> None:
    launched = inputs(story())
    more = with_utilization(launched, 0.7)
    assert launched.rollout is not None
    assert more.rollout is not None
    gained = planned_pool(more, more.rollout) - planned_pool(launched, launched.rollout)
    assert gained == pytest.approx(0.1 * launched.device.memory_bytes, abs=2)


def test_longer_samples_never_need_less() -> None:
    short, long = inputs(story(), tokens=500), inputs(story(), tokens=20000)
    pairs = zip(moments(short, "expected"), moments(long, "expected"), strict=True)
    assert all(few.expected <= many.expected for few, many in pairs if few.phase != "update_actor")
