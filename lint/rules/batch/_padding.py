"""How many rows a step really has: the V1 trainer fills the batch up before it is split.

Source: verl/trainer/ppo/v1/trainer_base.py :: _get_required_batch_multiple, step (0.9.0, main).
"""

from __future__ import annotations

from math import lcm

from lint.subject.derived import data_parallel, generation, mini_batch_rows, samples, trained_roles, trainer_mode
from lint.subject.subject import Subject

SYNC_STEP = "trainer.v1.separate_async.parameter_sync_step"


def required_multiple(subject: Subject) -> int | None:
    """The number that the V1 trainer fills a batch up to a multiple of."""
    sizes = [data_parallel(subject), *(mini_batch_rows(subject, role) for role in trained_roles(subject))]
    return None if any(not size for size in sizes) else lcm(*(size for size in sizes if size))


def sampled_rows(subject: Subject) -> int | None:
    """Responses that one update samples: those of a step, or its part in `separate_async`."""
    rows = samples(subject)
    if rows is None or trainer_mode(subject) != "separate_async":
        return rows
    parts = subject.integer(SYNC_STEP)
    return None if not parts or rows % parts else rows // parts


def scored_rows(subject: Subject) -> int | None:
    """Rows for which log-probabilities are computed, padding of V1 included."""
    chosen, rows = generation(subject), sampled_rows(subject)
    if rows is None or chosen is None:
        return None
    if chosen == "v0":
        return rows
    multiple = required_multiple(subject)
    return None if multiple is None else -(-rows // multiple) * multiple
