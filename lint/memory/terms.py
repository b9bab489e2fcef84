"""What memory is made of: named terms, the moments at which they stand side by side, and the spread of their sum.

All sizes are bytes on one device. Each term carries one standard deviation of its own; the deviations of a moment's
terms are taken as independent, so the sum's is their root of squares. What all terms of a moment share, the length of
samples, is no deviation of a term: the moment is computed for each length that there may be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import erf, fsum, sqrt
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
TITLES: dict[Component, str] = {"unexplained": "measured but not explained"}
"""Components whose name alone does not say what they are."""
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


def in_words(component: Component) -> str:
    """A component in words."""
    return TITLES.get(component, component.replace("_", " "))


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

    `others`: the same moment with samples of other lengths, each as likely as the next, where the length is assumed;
    the terms are those of a usual sample. Sums are asked for many times, and are computed once.
    """

    phase: Phase
    stage: str
    terms: tuple[Term, ...]
    others: tuple[Moment, ...] = ()

    @property
    def expected(self) -> int:
        return self._sums[0]

    @property
    def deviation(self) -> float:
        """That of the terms; that of the lengths is in `others`."""
        return self._sums[1]

    @cached_property
    def _sums(self) -> tuple[int, float]:
        """Size and deviation of all terms, in one turn: every phase of every launch asks for both."""
        size = square = 0
        for term in self.terms:
            size += term.size
            square += term.deviation * term.deviation
        return size, sqrt(square)

    @property
    def low(self) -> int:
        """The 5th percentile."""
        return max(0, round(self._percentile(-NINETY_FIVE)))

    @property
    def high(self) -> int:
        """The 95th percentile."""
        return round(self._percentile(NINETY_FIVE))

    def _percentile(self, deviations: float) -> float:
        """So many deviations from the middle; with lengths that vary, those of all together, and in their bounds."""
        own = self.expected + deviations * self.deviation
        if not self.others:
            return own
        middle = fsum(other.expected for other in self.others) / len(self.others)
        square = fsum(other.deviation**2 + (other.expected - middle) ** 2 for other in self.others) / len(self.others)
        of_all = middle + deviations * sqrt(square)
        ends = [other.expected + deviations * other.deviation for other in self.others]
        return max(own, min(of_all, max(ends))) if deviations > 0 else min(own, max(of_all, min(ends)))

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
        """Probability that the sum is above `capacity`, given the deviations and the lengths that there may be."""
        if self.others:
            return fsum(other.exceeds(capacity) for other in self.others) / len(self.others)
        if not self.deviation:
            return float(self.expected > capacity)
        return 0.5 * (1 + erf((self.expected - capacity) / (self.deviation * sqrt(2))))

    def with_terms(self, terms: Iterable[Term]) -> Moment:
        """The moment with further terms beside its own."""
        return Moment(self.phase, self.stage, (*self.terms, *terms))


def trained(component: Component, size: float, note: str = "", relative: float = 0.0, block: float = 0.0) -> Term:
    """A term that the trainer's allocator counts; `relative` is its deviation as a share of its size."""
    deviation = round(size * relative) if relative else 0
    return Term(component, round(size), deviation, True, note, round(block) if block else 0)


def percent(probability: float) -> str:
    """`41%`; a model of this kind never says never."""
    return f"{probability:.0%}" if probability >= 0.005 else "<1%"
