"""What memory is made of: named terms, the moments at which they stand side by side, and the spread of their sum.

All sizes are bytes on one device. Each term carries one standard deviation of its own; the deviations of a moment's
terms are taken as independent, so the sum's is their root of squares.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt
from typing import Literal, TypeAlias

from lint.frozen import frozen

GIB = 2**30
MIB = 2**20
NINETY_FIVE = 1.645
"""Standard deviations between the middle and the 5th or 95th percentile of a normal distribution."""

Component: TypeAlias = Literal[
    "parameters",
    "gradients",
    "optimizer",
    "optimizer_step",
    "gathered_layers",
    "checkpoints",
    "activations",
    "logits",
    "rollout_weights",
    "kv_cache",
    "rollout_activations",
    "rollout_reserve",
    "weight_bucket",
    "gathered_tensors",
    "cached_blocks",
    "allocator_slack",
    "outside_torch",
    "unexplained",
]
Phase: TypeAlias = Literal[
    "init",
    "update_weights",
    "generate",
    "reward",
    "teacher",
    "old_log_prob",
    "ref_log_prob",
    "update_critic",
    "update_actor",
    "train",
    "save",
]


@frozen
class Term:
    """One owner of memory. `allocated`: torch's allocator of the trainer process counts it."""

    component: Component
    size: int
    deviation: int = 0
    allocated: bool = False
    note: str = ""
    block: int = 0  # its largest single tensor, where that matters to the allocator


@dataclass(frozen=True)
class Moment:
    """The terms that are on one device together. `stage` names the moment within its phase.

    Its sums are asked for many times, and are computed once.
    """

    phase: Phase
    stage: str
    terms: tuple[Term, ...]

    @cached_property
    def expected(self) -> int:
        return sum(term.size for term in self.terms)

    @cached_property
    def deviation(self) -> float:
        return sqrt(sum(term.deviation**2 for term in self.terms))

    @property
    def low(self) -> int:
        return max(0, round(self.expected - NINETY_FIVE * self.deviation))

    @property
    def high(self) -> int:
        return round(self.expected + NINETY_FIVE * self.deviation)

    @property
    def trainer_allocated(self) -> int:
        """What `torch.*.max_memory_allocated` of the trainer process reports at this moment."""
        return sum(term.size for term in self.terms if term.allocated)

    @property
    def components(self) -> dict[Component, int]:
        """Bytes by component, in the order of the terms."""
        found: dict[Component, int] = {}
        for term in self.terms:
            found[term.component] = found.get(term.component, 0) + term.size
        return {component: size for component, size in found.items() if size}

    def exceeds(self, capacity: int) -> float:
        """Probability that the sum is above `capacity`, given the deviations."""
        if not self.deviation:
            return float(self.expected > capacity)
        return 0.5 * (1 + erf((self.expected - capacity) / (self.deviation * sqrt(2))))

    def with_terms(self, terms: Iterable[Term]) -> Moment:
        """The moment with further terms beside its own."""
        return Moment(self.phase, self.stage, (*self.terms, *terms))


def trained(component: Component, size: float, note: str = "", relative: float = 0.0, block: float = 0.0) -> Term:
    """A term that the trainer's allocator counts; `relative` is its deviation as a share of its size."""
    return Term(component, round(size), round(size * relative), True, note, round(block))


def percent(probability: float) -> str:
    """`41%`; a model of this kind never says never."""
    return f"{probability:.0%}" if probability >= 0.005 else "<1%"
