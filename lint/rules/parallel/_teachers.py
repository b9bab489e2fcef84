"""Sizes of the teachers of distillation, which an added teacher need not set."""

from __future__ import annotations

from math import prod

from lint.subject.subject import Subject

PARALLEL = {"tensor_model": 2, "data": 1, "pipeline_model": 1}
"""The defaults of RolloutConfig (verl/workers/config/rollout.py, 0.8.0 to 0.9.1)."""


def replica_size(subject: Subject, inference: str) -> int | None:
    """Devices of one replica of the engine at a node; None if a size is not known."""
    sizes = [size(subject, f"{inference}.{name}_parallel_size", absent) for name, absent in PARALLEL.items()]
    return None if None in sizes else prod(one or 1 for one in sizes)


def size(subject: Subject, key: str, absent: int) -> int | None:
    """The value of a key, what stands where the config has none, None if it is not known."""
    return absent if subject.setting(key) is None else subject.integer(key)
