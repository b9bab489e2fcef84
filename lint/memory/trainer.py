"""What the phases ask of the engine that trains a role, whichever it is."""

from __future__ import annotations

from typing import Protocol

from lint.memory import trainer_fsdp, trainer_megatron
from lint.memory.inputs import Megatron, MemoryInputs, Training
from lint.memory.lengths import Lengths
from lint.memory.terms import Moment, Phase, Term


class Trainer(Protocol):
    """The functions that each module of an engine has; bytes on one device."""

    def stored_bytes(self, inputs: MemoryInputs, training: Training) -> float: ...
    def static_bytes(self, inputs: MemoryInputs, training: Training) -> float: ...
    def resident_terms(self, inputs: MemoryInputs, training: Training) -> tuple[Term, ...]: ...
    def init_moment(self, inputs: MemoryInputs, training: Training) -> Moment: ...
    def log_prob_moment(
        self, inputs: MemoryInputs, training: Training, phase: Phase, tokens: int, entropy: bool
    ) -> Moment: ...
    def update_moments(
        self, inputs: MemoryInputs, training: Training, phase: Phase, lengths: Lengths
    ) -> list[Moment]: ...


def trainer_of(training: Training) -> Trainer:
    """The engine's formulas."""
    return trainer_megatron if isinstance(training.engine, Megatron) else trainer_fsdp
