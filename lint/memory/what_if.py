"""What-if: a launch with some of its sizes replaced, as the flags of `recipe-lint memory` say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from lint.memory.inputs import Fsdp, Lengths, MemoryInputs, Training
from lint.memory.knobs import with_nodes
from lint.memory.terms import MIB


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Sizes to use instead of the script's; None keeps the script's."""

    tensor: int | None = None
    utilization: float | None = None
    sequence_parallel: int | None = None
    nodes: int | None = None
    token_budget: int | None = None
    bucket_megabytes: int | None = None


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
    actor = _resized(inputs.actor, change)
    reference = _resized(inputs.reference, change) if inputs.reference is not None else None
    return replace(inputs, actor=actor, reference=reference)


def _resized(training: Training, change: WhatIf) -> Training:
    """Another sequence parallel size divides the tokens; another budget caps them and makes more micro-batches."""
    expected, worst, engine = training.expected, training.worst, training.engine
    if change.sequence_parallel is not None and isinstance(engine, Fsdp):
        ratio = engine.sequence_parallel / change.sequence_parallel
        engine = replace(engine, sequence_parallel=change.sequence_parallel)
        expected, worst = _scaled(expected, ratio), _scaled(worst, ratio)
    if change.token_budget is not None:
        ratio = change.token_budget / worst.update_tokens
        expected = _scaled(expected, min(ratio, change.token_budget / expected.update_tokens))
        worst = _scaled(worst, ratio)
    return replace(training, engine=engine, expected=expected, worst=worst)


def _scaled(lengths: Lengths, ratio: float) -> Lengths:
    micro = max(1, ceil(lengths.micro_batches / ratio)) if ratio < 1 else lengths.micro_batches
    return Lengths(ceil(lengths.update_tokens * ratio), ceil(lengths.log_prob_tokens * ratio), micro)
