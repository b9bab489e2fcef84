"""What the rows of a step must be a multiple of, and how many V1 makes of them: it fills the batch up.

Source: verl/trainer/ppo/v1/trainer_base.py :: _get_required_batch_multiple, step (0.9.0, main).
"""

from __future__ import annotations

from math import lcm

from lint.subject.derived import (
    ACTOR,
    data_parallel,
    engine,
    generation,
    mini_batch_rows,
    samples,
    trained_roles,
    trainer_mode,
    world_size,
)
from lint.subject.subject import Subject

SYNC_STEP = "trainer.v1.separate_async.parameter_sync_step"


def required_multiple(subject: Subject) -> int | None:
    """The number that the V1 trainer fills a batch up to a multiple of."""
    sizes = [data_parallel(subject), *(mini_batch_rows(subject, role) for role in trained_roles(subject))]
    return None if any(not size for size in sizes) else lcm(*(size for size in sizes if size))


def sync_step(subject: Subject) -> int:
    """Updates that share the samples of a step: several in `separate_async`; 0 if that is not known."""
    return (subject.integer(SYNC_STEP) or 0) if trainer_mode(subject) == "separate_async" else 1


def sampled_rows(subject: Subject) -> int | None:
    """Responses that one update samples: those of a step, or its part in `separate_async`."""
    rows, parts = samples(subject), sync_step(subject)
    return None if rows is None or not parts or rows % parts else rows // parts


def scored_rows(subject: Subject) -> int | None:
    """Rows for which log-probabilities are computed, padding of V1 included."""
    chosen, rows = generation(subject), sampled_rows(subject)
    if rows is None or chosen is None:
        return None
    if chosen == "v0":
        return rows
    multiple = required_multiple(subject)
    return None if multiple is None else -(-rows // multiple) * multiple


def demanded(subject: Subject) -> tuple[int, str] | None:
    """The step that the rows must be a multiple of, and how it comes about."""
    world, ranks = world_size(subject), data_parallel(subject)
    dynamic = subject.boolean(f"{ACTOR}.use_dynamic_bsz")
    if world is None or dynamic is None:
        return None
    if dynamic:
        return (ranks, f"{ranks} data parallel ranks") if ranks and generation(subject) == "v0" else None
    if engine(subject) != "megatron":
        return world, f"{world} devices"
    micro = subject.integer(f"{ACTOR}.ppo_micro_batch_size_per_gpu")
    if ranks is None or micro is None or subject.boolean(f"{ACTOR}.megatron.dynamic_context_parallel"):
        return None
    return ranks * micro, f"{ranks} data parallel ranks x micro-batch {micro} = {ranks * micro}"
