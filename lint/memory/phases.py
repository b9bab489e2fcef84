"""The phases of a training step, each with everything that is on one device at its moments.

A device holds the trainer's process (actor, critic and reference share its allocator), the rollout's process, and what
the driver and the collectives keep for both. Event order: verl/workers/engine_workers.py and
verl/trainer/ppo/ray_trainer.py (0.9.1 wheel); the first `update_weights` comes before the first step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lint.memory.allocator import slack_term
from lint.memory.communicators import Group, group_bytes, trainer_groups
from lint.memory.constants import constants
from lint.memory.inputs import MemoryInputs, Rollout, Training
from lint.memory.lengths import Lengths
from lint.memory.rollout import (
    generating_terms,
    pool_term,
    prompt_log_probs_term,
    resting_terms,
    weights_term,
)
from lint.memory.terms import Moment, Phase, Term, trained
from lint.memory.trainer import trainer_of
from lint.memory.weight_sync import cached_terms, gather_terms, staged_terms

Length: TypeAlias = Literal["expected", "worst"]


@dataclass(frozen=True, slots=True)
class PhaseMemory:
    """The fullest moment of one phase, and the same under the longest sequences."""

    expected: Moment
    worst: Moment


def phases(inputs: MemoryInputs, expected: Sequence[Moment]) -> dict[Phase, PhaseMemory]:
    """Every phase that the launch goes through, in order; `expected` are its moments under expected lengths."""
    worst = moments(inputs, "worst")
    found: dict[Phase, PhaseMemory] = {}
    for phase in dict.fromkeys(moment.phase for moment in expected):
        found[phase] = PhaseMemory(fullest(expected, phase), fullest(worst, phase))
    return found


def fullest(found: Iterable[Moment], phase: Phase) -> Moment:
    """The moment of a phase that most likely exceeds a device: the one with the highest 95th percentile."""
    return max((moment for moment in found if moment.phase == phase), key=lambda moment: moment.high)


def moments(inputs: MemoryInputs, length: Length) -> list[Moment]:
    """All moments of one step, in order, under expected or longest sequences."""
    found = [*_init(inputs), *_rollout_moments(inputs), *_served_moments(inputs)]
    actor, reference, critic = inputs.actor, inputs.reference, inputs.critic
    if inputs.program == "sft":
        found += _training(inputs, actor, [*_update(inputs, actor, "train", length), _save(inputs, actor)])
        return found
    if inputs.recomputes_log_probs:
        found += _training(inputs, actor, [_log_prob(inputs, actor, "old_log_prob", length, entropy=True)])
    if reference is not None:
        found += _training(inputs, reference, [_log_prob(inputs, reference, "ref_log_prob", length, entropy=False)])
    if critic is not None:
        found += _training(inputs, critic, _update(inputs, critic, "update_critic", length))
    found += _training(inputs, actor, _update(inputs, actor, "update_actor", length))
    found += _training(inputs, actor, [_save(inputs, actor)])
    return found


# ----------------------------------------------------------------------------------------------------------- trainer


def _lengths(training: Training, length: Length) -> Lengths:
    return training.batches.expected if length == "expected" else training.batches.worst


def _log_prob(inputs: MemoryInputs, training: Training, phase: Phase, length: Length, *, entropy: bool) -> Moment:
    tokens = _lengths(training, length).log_prob_tokens
    return trainer_of(training).log_prob_moment(inputs, training, phase, tokens, entropy)


def _update(inputs: MemoryInputs, training: Training, phase: Phase, length: Length) -> list[Moment]:
    lengths = _lengths(training, length)
    return trainer_of(training).update_moments(inputs, training, phase, lengths.update_tokens, lengths.micro_batches)


def _save(inputs: MemoryInputs, training: Training) -> Moment:
    """The shard is on the device while it is written; the optimizer's state goes through the host."""
    size = trainer_of(training).stored_bytes(inputs, training)
    rest = [term for term in _resident(inputs, (training,)) if term.component != "parameters"]
    return Moment("save", "write checkpoint", (trained("parameters", size, "shard", 0.01), *rest))


def _init(inputs: MemoryInputs) -> list[Moment]:
    """Models are loaded (Megatron: wrapped, its largest moment before the first step), then the rollout starts.

    No optimizer state exists yet.
    """
    roles = [training for training in (inputs.actor, inputs.critic) if training is not None]
    found = []
    for role in roles:
        moment = trainer_of(role).init_moment(inputs, role)
        found.append(
            moment.with_terms([*_trainer_process(inputs), slack_term(moment, expandable=inputs.expandable_segments)])
        )
    rollout = inputs.rollout
    if rollout is not None and rollout.colocated:
        asleep = resting_terms(inputs, replace(rollout, free_cache=True))
        kept = [term for term in _resident(inputs, _roles(inputs)) if term.component != "optimizer"]
        filled = (weights_term(inputs, rollout), pool_term(inputs, rollout), *generating_terms(inputs, rollout))
        found.append(Moment("init", "start rollout", (*filled, *asleep, *kept, *_trainer_process(inputs))))
    return found


def _training(inputs: MemoryInputs, role: Training, found: list[Moment]) -> list[Moment]:
    """The moments of one role beside everything else on the device."""
    others = [training for training in _roles(inputs) if training is not role]
    beside = [*_resident(inputs, others), *_trainer_process(inputs), *_sleeping(inputs)]
    return [moment.with_terms([*beside, slack_term(moment, expandable=inputs.expandable_segments)]) for moment in found]


def _roles(inputs: MemoryInputs) -> list[Training]:
    return [role for role in (inputs.actor, inputs.critic, inputs.reference) if role is not None]


def _resident(inputs: MemoryInputs, roles: Iterable[Training]) -> list[Term]:
    return [term for role in roles for term in trainer_of(role).resident_terms(inputs, role)]


def _trainer_process(inputs: MemoryInputs) -> list[Term]:
    numbers, kind = constants(), inputs.device.kind
    groups = [group for group in trainer_groups(inputs) if group.ranks > 1]
    size = numbers.context(kind) + group_bytes(inputs, groups)
    note = f"trainer process, {len(groups)} communicators"
    return [Term("outside_torch", round(size), round(numbers.outside_deviation(kind)), note=note)]


# ----------------------------------------------------------------------------------------------------------- rollout


def _sleeping(inputs: MemoryInputs) -> tuple[Term, ...]:
    rollout = inputs.rollout
    asleep = resting_terms(inputs, rollout) if rollout is not None and rollout.colocated else ()
    return (*asleep, *_served_asleep(inputs))


def _served_asleep(inputs: MemoryInputs) -> tuple[Term, ...]:
    """What models that share the devices leave there while they do not compute."""
    beside = [one for one in inputs.served if one.engine.colocated]
    return tuple(term for one in beside for term in resting_terms(replace(inputs, model=one.model), one.engine))


def _served_moments(inputs: MemoryInputs) -> list[Moment]:
    """Reward models and teachers while they compute.

    On shared devices a reward model scores while the rollout sleeps (ray_trainer.py :: _compute_reward_colocate); on
    its own it has them alone (verl/experimental/reward_loop, teacher_loop).
    """
    found = []
    for one in inputs.served:
        of_its_own, engine = replace(inputs, model=one.model), replace(one.engine, free_cache=True)
        running = (
            weights_term(of_its_own, engine),
            pool_term(of_its_own, engine),
            *generating_terms(of_its_own, engine),
            *((prompt_log_probs_term(of_its_own, engine),) if one.prompt_log_probs else ()),
        )
        if one.engine.colocated:
            beside = (*_sleeping(inputs), *_resident(inputs, _roles(inputs)), *_trainer_process(inputs))
            found.append(Moment(one.phase, one.name, (*running, *beside)))
        else:
            resting = resting_terms(of_its_own, engine)
            found.append(Moment(one.phase, f"{one.name}, its own devices", (*running, *resting)))
    return found


def _rollout_moments(inputs: MemoryInputs) -> list[Moment]:
    """Weight update and generation. On devices of its own the rollout shares them with no trainer."""
    rollout = inputs.rollout
    if rollout is None:
        return []
    weights, pool = weights_term(inputs, rollout), pool_term(inputs, rollout)
    asleep = (*resting_terms(inputs, replace(rollout, free_cache=True)), *_served_asleep(inputs))
    generate = Moment("generate", "generate", (weights, pool, *generating_terms(inputs, rollout), *asleep))
    if not rollout.colocated:
        return [*_separate_update(inputs, rollout, (weights, pool, *asleep)), generate]
    beside = [*_resident(inputs, _roles(inputs)), *_trainer_process(inputs), *asleep]
    staged, cached = staged_terms(inputs, inputs.actor), cached_terms(inputs, inputs.actor)
    gathered = gather_terms(inputs, inputs.actor, rollout)
    kept = () if rollout.free_cache else (pool,)
    left = _not_reused(inputs, cached, (*staged, *gathered))
    return [
        Moment("update_weights", "resume weights", (weights, *kept, *cached, *beside)),
        Moment("update_weights", "gather and send", (weights, *kept, *gathered, *staged, *left, *beside)),
        Moment("update_weights", "resume kv cache", (weights, pool, *beside)),
        generate.with_terms([*_resident(inputs, _roles(inputs)), *_trainer_process(inputs)]),
    ]


def _not_reused(inputs: MemoryInputs, cached: tuple[Term, ...], needed: tuple[Term, ...]) -> tuple[Term, ...]:
    """Cached pages beside what the gather takes: where expandable segments stay on, the gather uses them first."""
    if inputs.is_npu and not inputs.switches.expandable_toggle_npu:
        taken = sum(term.size for term in needed)
        return tuple(replace(term, size=max(0, term.size - taken)) for term in cached)
    return cached


def _separate_update(inputs: MemoryInputs, rollout: Rollout, engine: tuple[Term, ...]) -> list[Moment]:
    """Trainer and rollout on devices of their own; the KV cache stays.

    Both sides of the transfer hold a bucket that is filled and one that is sent; on the rollout's device a process of
    its own receives them and hands each on in a third (verl/checkpoint_engine/base.py :: CheckpointEngineWorker).
    """
    bucket, kind = rollout.bucket_bytes, inputs.device.kind
    second = Term("weight_bucket", bucket, note="bucket that is filled meanwhile")
    trainer = (
        *gather_terms(inputs, inputs.actor, replace(rollout, interprocess=True)),
        second,
        *staged_terms(inputs, inputs.actor),
        *_resident(inputs, _roles(inputs)),
        *_trainer_process(inputs),
    )
    outside = constants().context(kind) + group_bytes(inputs, [Group(inputs.world + 1)])
    deviation = round(constants().rollout_outside_deviation)
    receiver = (
        Term("weight_bucket", 3 * bucket, note="two receive buffers and the one that is handed on"),
        Term("outside_torch", round(outside), deviation, note="receiving process"),
    )
    return [
        Moment("update_weights", "send, trainer's device", trainer),
        Moment("update_weights", "receive, rollout's device", (*engine, *receiver)),
    ]
