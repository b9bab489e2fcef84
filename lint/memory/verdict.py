"""Does it fit? The probability that some phase exceeds the device, and what that is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, prod
from typing import Literal, TypeAlias

from lint.memory import rollout as engine
from lint.memory.checks import Failure, failures
from lint.memory.host import host_bytes
from lint.memory.inputs import MemoryInputs
from lint.memory.lengths import Packing
from lint.memory.phases import (
    OF_LENGTHS,
    PhaseMemory,
    device_of,
    fullest,
    moments,
    moments_of,
    phases,
    varied_moments,
)
from lint.memory.terms import Moment, Phase

Verdict: TypeAlias = Literal["fits", "tight", "out-of-memory", "unknown"]

TIGHT = 0.02
"""From this probability on a launch is called tight. Chosen on the labelled cases of `data/calibration.json`: below it
more false alarms and no further failure found."""
LIKELY = 0.05
"""From this probability on it is worth a warning: two in three labelled launches at or above it failed, and two in
five of those below 50 % (`make calibration`, by chance). An hour of a cluster weighs more than reading a line."""
CERTAIN = 0.95
"""From this probability on it is called out-of-memory."""
OF_THE_ROLLOUT: tuple[Phase, ...] = ("init", "update_weights", "generate")
"""Phases in which the rollout holds its share of the device."""
STEP = 0.05
"""Grid of `gpu_memory_utilization` on which a largest safe value is looked for."""


@dataclass(frozen=True)
class Prediction:
    """What the model says about one launch.

    `moments` are those of one step under expected lengths, `worst` is the one most likely to exceed the device,
    `longest` are those that depend on lengths, under the longest.
    """

    inputs: MemoryInputs
    moments: tuple[Moment, ...]
    failures: tuple[Failure, ...]
    worst: Moment
    probability: float
    longest: tuple[Moment, ...]

    @cached_property
    def phases(self) -> Mapping[Phase, PhaseMemory]:
        """The fullest moment of each phase, under expected and under longest sequences."""
        return phases(self.moments, self.longest)

    @cached_property
    def host(self) -> Mapping[str, int]:
        """Host memory of one node, by component."""
        return host_bytes(self.inputs)

    @property
    def verdict(self) -> Verdict:
        if self.failures or self.probability >= CERTAIN:
            return "out-of-memory"
        return "tight" if self.probability >= TIGHT else "fits"


def predict(inputs: MemoryInputs, *, ranges: bool = True) -> Prediction:
    """Every phase, and the verdict.

    Without `ranges` a phase that is not tight with the longest samples is not computed with each of the lengths that
    there may be: its percentiles are those of usual samples, and no verdict is another.
    """
    capacity, device = inputs.device.memory_bytes, device_of(inputs)
    longest = tuple(moments_of(device, "worst", OF_LENGTHS))
    varied = {one.phase for one in longest if one.exceeds(capacity) >= TIGHT}
    varied.update(OF_LENGTHS if ranges else _fuller_below_limits(inputs))
    found = tuple(varied_moments(device, varied=varied))
    worst = max(found, key=lambda moment: (moment.exceeds(capacity), moment.high))
    return Prediction(inputs, found, tuple(failures(inputs)), worst, worst.exceeds(capacity), longest)


def _fuller_below_limits(inputs: MemoryInputs) -> Iterator[Phase]:
    """Phases that shorter samples may fill more: padded ones, as many as a budget of tokens without padding holds."""
    actor, critic, reference = inputs.actor.batches, inputs.critic, inputs.reference
    packings: dict[Phase, Packing | None] = {
        "old_log_prob": actor.log_prob,
        "ref_log_prob": reference.batches.log_prob if reference is not None else None,
        "update_critic": critic.batches.update if critic is not None else None,
        "update_actor": actor.update,
        "train": actor.update,
    }
    return (phase for phase, packing in packings.items() if packing and packing.dynamic and packing.padded)


def risk(inputs: MemoryInputs, *of: Phase) -> float:
    """Probability that a moment of the named phases (all, if none is named) exceeds the device."""
    capacity = inputs.device.memory_bytes
    return max((moment.exceeds(capacity) for moment in moments(inputs, "expected", *of)), default=0.0)


def with_length(inputs: MemoryInputs, sequence: int) -> MemoryInputs:
    """The launch with a number of tokens in a usual sample that is given."""
    actor, critic, reference = (
        None if role is None else replace(role, batches=role.batches.of_length(sequence))
        for role in (inputs.actor, inputs.critic, inputs.reference)
    )
    assert actor is not None
    return replace(inputs, actor=actor, critic=critic, reference=reference, samples=())


def breaking_length(inputs: MemoryInputs, phase: Phase) -> int:
    """Tokens of a usual sample from which on a phase that fits now is expected to exceed the device."""
    low, high = inputs.actor.batches.sequence, inputs.actor.batches.longest
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        expected = fullest(moments(with_length(inputs, middle), "expected", phase), phase).expected
        low, high = (low, middle) if expected > inputs.device.memory_bytes else (middle, high)
    return high


def with_utilization(inputs: MemoryInputs, utilization: float) -> MemoryInputs:
    """The launch with another `gpu_memory_utilization`."""
    assert inputs.rollout is not None
    return replace(inputs, rollout=replace(inputs.rollout, utilization=utilization))


def largest_safe_utilization(inputs: MemoryInputs) -> float | None:
    """The largest `gpu_memory_utilization` on the grid that leaves room in every phase of the rollout.

    None: there is no rollout, or no value helps.
    """
    rollout = inputs.rollout
    if rollout is None:
        return None
    for step in range(round(0.95 / STEP), 0, -1):
        utilization = round(step * STEP, 2)
        changed = with_utilization(inputs, utilization)
        assert changed.rollout is not None
        if engine.longest_held(changed, changed.rollout) < rollout.longest_sequence:
            return None
        failed = any(failure.phase in OF_THE_ROLLOUT for failure in failures(changed))
        if risk(changed, *OF_THE_ROLLOUT) < TIGHT and not failed:
            return utilization
    return None


def generation_ceiling(inputs: MemoryInputs) -> float | None:
    """The largest `gpu_memory_utilization` on the grid under which generating is not tight, whatever else is."""
    if inputs.rollout is None:
        return None
    for step in range(round(0.95 / STEP), 0, -1):
        utilization = round(step * STEP, 2)
        if risk(with_utilization(inputs, utilization), "generate") < TIGHT:
            return utilization
    return None


def useful_utilization(inputs: MemoryInputs) -> float | None:
    """The `gpu_memory_utilization` whose KV cache holds the sequences that one replica runs at once, and not more.

    Of lengths that there may be it is the longest but one: a cache that is too small costs more than one too large.
    Rounded to the grid and never above the largest safe value. None where that is None.
    """
    rollout, safe = inputs.rollout, largest_safe_utilization(inputs)
    if rollout is None or safe is None:
        return None
    devices = inputs.world if rollout.own_pool is None else prod(rollout.own_pool)
    servers = max(1, devices // rollout.replica_devices) * max(1, rollout.decoders)
    share = ceil(rollout.responses / servers) or rollout.max_sequences
    running = min(rollout.max_sequences, share)
    possible = sorted(sample.usual for sample in inputs.samples)
    sequence = max((inputs.actor.batches.sequence, *possible[-2:-1]))
    pool = running * sequence * engine.token_bytes(inputs.model, rollout)
    fixed = engine.budget(inputs, rollout) - engine.planned_pool(inputs, rollout)
    wanted = round((pool + fixed) / engine.shared(inputs, rollout) / STEP) * STEP
    return round(min(safe, max(STEP, wanted)), 2)
