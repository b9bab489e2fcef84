"""What-if: a launch with some of its sizes replaced, as the flags of `recipe-lint memory` say."""

from __future__ import annotations

from dataclasses import replace

from lint.frozen import frozen
from lint.memory.inputs import Fsdp, MemoryInputs, Training
from lint.memory.knobs import ULYSSES, can_chunk, offloaded, with_nodes
from lint.memory.terms import MIB


@frozen
class WhatIf:
    """Sizes to use instead of the script's; None keeps the script's."""

    tensor: int | None = None
    utilization: float | None = None
    sequence_parallel: int | None = None
    nodes: int | None = None
    token_budget: int | None = None
    bucket_megabytes: int | None = None
    offload: bool | None = None
    chunked_entropy: bool | None = None

    @property
    def words(self) -> str:
        """What differs from the script, for a heading; empty if nothing does."""
        named = {
            "tensor_model_parallel_size": self.tensor,
            "gpu_memory_utilization": self.utilization,
            "sequence parallel size": self.sequence_parallel,
            "nodes": self.nodes,
            "tokens per micro-batch and device": self.token_budget,
            "update_weights_bucket_megabytes": self.bucket_megabytes,
            "offload": self.offload,
            "entropy in chunks": self.chunked_entropy,
        }
        return ", ".join(f"{name} {value}" for name, value in named.items() if value is not None)


def apply(inputs: MemoryInputs, change: WhatIf) -> MemoryInputs:
    """The changed launch. Sizes that the launch does not have (a rollout, FSDP) are left alone."""
    rollout = inputs.rollout
    if rollout is not None:
        rollout = replace(
            rollout,
            tensor=change.tensor or rollout.tensor,
            utilization=change.utilization or rollout.utilization,
            bucket_bytes=change.bucket_megabytes * MIB if change.bucket_megabytes else rollout.bucket_bytes,
        )
        inputs = replace(inputs, rollout=rollout)
    if change.nodes is not None and change.nodes != inputs.nodes:
        inputs = with_nodes(inputs, change.nodes)
    actor, critic, reference = (
        None if role is None else _resized(role, change) for role in (inputs.actor, inputs.critic, inputs.reference)
    )
    assert actor is not None
    return replace(inputs, actor=actor, critic=critic, reference=reference)


def _resized(training: Training, change: WhatIf) -> Training:
    """The role with its samples packed again."""
    engine, batches = training.engine, training.batches
    if change.sequence_parallel is not None and isinstance(engine, Fsdp) and engine.family in ULYSSES:
        engine = replace(engine, sequence_parallel=change.sequence_parallel, together=change.sequence_parallel)
        batches = batches.split_by(change.sequence_parallel)
    if change.token_budget is not None:
        batches = batches.packed_into(change.token_budget)
    if change.offload is not None:
        engine = offloaded(engine, change.offload)
    asked = training.chunked_entropy if change.chunked_entropy is None else change.chunked_entropy
    chunked = asked and can_chunk(training)
    return replace(training, engine=engine, chunked_entropy=chunked, batches=batches)
