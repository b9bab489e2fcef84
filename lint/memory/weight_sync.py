"""Sending the trainer's weights to the rollout on the same device: `update_weights`. Bytes.

Order of events (verl/workers/engine_workers.py :: update_weights, 0.9.1 wheel): expandable segments off, cache emptied
(from 0.9.0), rollout weights resumed, parameters gathered one by one into a bucket and sent, trainer back to the host,
KV cache resumed. Two gathered tensors are alive at once: the one being sent and the next one
(bucketed_weight_transfer.py :: async_send_weights holds the last item of the generator). With LoRA the base model is
sent whole in the first update, and in every update when the adapter is merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lint.facts.models import Model
from lint.memory.constants import constants
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, Rollout, Training
from lint.memory.terms import Term, trained
from lint.memory.trainer import trainer_of
from lint.memory.trainer_fsdp import shard, states
from lint.memory.trainer_megatron import COMPUTE


def largest_pair(model: Model, packed: bool) -> tuple[int, int]:
    """The two consecutive tensors of the state dict with the largest sum, in parameters."""
    return max(pairwise(_tensors(model, packed)), key=sum)


def _tensors(model: Model, packed: bool) -> Iterator[int]:
    """Sizes in state dict order: embedding, one layer of each kind, head."""
    hidden, query = model.hidden_size, model.attention_heads * model.head_dim
    embedding = model.vocabulary_size * hidden
    yield embedding
    yield query * hidden * (2 if model.attention_gate else 1)
    if model.experts is not None and packed:
        expert = model.experts.count * model.experts.intermediate_size * hidden
        yield 2 * expert
        yield expert
    elif model.experts is not None:
        yield from (model.experts.intermediate_size * hidden,) * 3
    if model.parameters.dense_layers:
        yield from (hidden * model.intermediate_size,) * 3
    yield hidden
    if not model.tied_embedding:
        yield embedding


def staged_terms(inputs: MemoryInputs, training: Training) -> tuple[Term, ...]:
    """Parameters on the device for the export, beyond what is resident anyway."""
    engine, model = training.engine, inputs.model
    if isinstance(engine, Megatron):
        size = trainer_of(training).stored_bytes(inputs, training) if engine.offload_parameters else 0.0
        return (trained("parameters", size, "loaded for the export", 0.01),)
    stages_shard = engine.version == 1 or training.lora or inputs.switches.fsdp2_stages_shard
    if engine.offload_policy or not (engine.offload_parameters and stages_shard):
        return ()
    return (trained("parameters", shard(model, engine), "shard loaded for the export", 0.01),)


def cached_terms(inputs: MemoryInputs, training: Training) -> tuple[Term, ...]:
    """Pages of the optimizer that was moved to the host and that the allocator still holds."""
    engine = training.engine
    if not isinstance(engine, Fsdp) or engine.offload_policy or not engine.offload_optimizer:
        return ()
    if inputs.switches.empty_cache_before_resume:
        return ()
    size = round(states(training, engine))
    reusable = inputs.is_npu and not inputs.switches.expandable_toggle_npu
    note = "freed optimizer pages" + (", reused by the gather" if reusable else ", kept by the allocator")
    return (Term("cached_blocks", size, round(constants().cached_deviation * size), note=note),)


def summoned_terms(inputs: MemoryInputs, training: Training) -> tuple[Term, ...]:
    """The whole model in its stored type, gathered on every device for its adapters (torch: summon_full_params).

    To send the base model, its parameters are moved to the host and back while they are gathered: what comes back is a
    second copy, as the gathered one stays until the end (fsdp_utils.py :: collect_lora_params; in verl#3366 the
    allocation that fails is one float32 matrix of a 7B model, with 94 GiB counted by torch).
    """
    engine, model = training.engine, inputs.model
    if not training.summons or not isinstance(engine, Fsdp):
        return ()
    whole = model.parameters.total * engine.parameter_bytes / engine.tensor
    gathered = trained("gathered_tensors", whole, "whole model, for its adapters", 0.02)
    back = trained("gathered_tensors", whole, "the same, back from the host", 0.02)
    return (*((gathered,) if engine.shard > 1 else ()), *((back,) if training.summons == "base" else ()))


def gather_terms(inputs: MemoryInputs, training: Training, rollout: Rollout) -> tuple[Term, ...]:
    """Bucket and gathered tensors. A bucket of SGLang's holds a tensor that is larger than it."""
    engine, model = training.engine, inputs.model
    bucket = rollout.bucket_bytes if rollout.interprocess else 0
    if isinstance(engine, Megatron):
        group = engine.expert * (model.experts.intermediate_size * model.hidden_size if model.experts else 0)
        one = max(model.vocabulary_size * model.hidden_size, group) * COMPUTE
        gathered = 2 * one
    else:
        first, second = largest_pair(model, inputs.switches.packed_experts)
        if inputs.switches.casts_before_send and engine.parameter_bytes > COMPUTE:
            gathered = COMPUTE * first + (COMPUTE + engine.parameter_bytes) * second
        else:
            gathered = engine.parameter_bytes * (first + second)
        if rollout.engine == "sglang" and inputs.switches.sglang_clones_weights:
            sent = COMPUTE if inputs.switches.casts_before_send else engine.parameter_bytes
            bucket = max(bucket, sent * max(first, second))
    received = 0 if rollout.interprocess else rollout.bucket_bytes
    numbers = constants()
    lost = round(numbers.gather_fragments * gathered)
    return (
        trained("weight_bucket", bucket, "send buffer"),
        Term("weight_bucket", received, note="receive buffer, through host memory"),
        trained("gathered_tensors", gathered, "the two largest neighbours", 0.1),
        Term("allocator_slack", lost, lost + round(numbers.gather_deviation), note="segments"),
        *_unexplained(inputs),
    )


def _unexplained(inputs: MemoryInputs) -> tuple[Term, ...]:
    """What measured failures on NPU need beyond every term above. Fitted, and said so in `data/constants.json`."""
    if not (inputs.is_npu and inputs.switches.expandable_toggle_npu):
        return ()
    numbers = constants()
    deviation = round(numbers.unexplained_update_npu_deviation)
    note = "which two measured failures took beyond every other part"
    return (Term("unexplained", round(numbers.unexplained_update_npu), deviation, note=note),)
