"""Graphs that vLLM captures."""

from __future__ import annotations

from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

MODE = f"{ROLLOUT}.engine_kwargs.vllm.compilation_config.cudagraph_mode"


def captures(subject: Subject) -> bool:
    """True if the rollout certainly captures graphs."""
    return subject.string(f"{ROLLOUT}.name") == "vllm" and subject.boolean(f"{ROLLOUT}.enforce_eager") is False
