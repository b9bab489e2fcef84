"""The phases of a training step, each with everything that is on one device at its moments.

A device holds the trainer's process (actor, critic and reference share its allocator), the rollout's process, and what
the driver and the collectives keep for both. Event order: verl/workers/engine_workers.py and
verl/trainer/ppo/ray_trainer.py (0.9.1 wheel); the first `update_weights` comes before the first step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import hypot
from typing import Literal, TypeAlias

from lint.frozen import frozen
from lint.memory.allocator import slack_term
from lint.memory.communicators import Group, group_bytes, trainer_groups
from lint.memory.constants import constants
from lint.memory.inputs import MemoryInputs, Rollout, Served, Training
from lint.memory.lengths import Lengths, Sample
from lint.memory.rollout import (
    frees_for_sync,
    generating_terms,
    pool_term,
    prompt_log_probs_term,
    resting_terms,
    weights_term,
)
from lint.memory.terms import Moment, Phase, Term, trained
from lint.memory.trainer import trainer_of
from lint.memory.weight_sync import cached_terms, gather_terms, staged_terms, summoned_terms

Length: TypeAlias = Literal["expected", "worst"]
Samples: TypeAlias = "Length | Sample"
"""Those that a phase computes: usual ones, the longest, or others that there may be."""
OF_THE_TRAINER: tuple[Phase, ...] = ("old_log_prob", "ref_log_prob", "update_critic", "update_actor")
"""Phases of a step that the trainer computes."""
OF_LENGTHS: tuple[Phase, ...] = (*OF_THE_TRAINER, "train")
"""Phases that take more memory for longer sequences."""


@frozen
class PhaseMemory:
    """The fullest moment of one phase, and the same under the longest sequences."""

    expected: Moment
    worst: Moment


def phases(expected: Sequence[Moment], longest: Sequence[Moment]) -> dict[Phase, PhaseMemory]:
    """Every phase that the launch goes through, in order. `longest`: moments that depend on it, under the longest."""
    worst = [*longest, *(one for one in expected if one.phase not in OF_LENGTHS)]
    found: dict[Phase, PhaseMemory] = {}
    for phase in dict.fromkeys(moment.phase for moment in expected):
        found[phase] = PhaseMemory(fullest(expected, phase), fullest(worst, phase))
    return found


def fullest(found: Iterable[Moment], phase: Phase) -> Moment:
    """The moment of a phase that most likely exceeds a device: the one with the highest 95th percentile."""
    return max((moment for moment in found if moment.phase == phase), key=lambda moment: moment.high)


def moments(inputs: MemoryInputs, length: Length, *of: Phase) -> list[Moment]:
    """All moments of one step (or of the named phases), in order, under expected or longest sequences."""
    device = device_of(inputs)
    return varied_moments(device, of) if length == "expected" else moments_of(device, length, of)


def varied_moments(device: Device, of: Collection[Phase] = (), varied: Collection[Phase] = OF_LENGTHS) -> list[Moment]:
    """All moments under expected lengths; those of the `varied` phases with the other lengths that there may be, too.

    What a training step leaves in the trainer's cache beside the rollout's weights varies as the step does.
    """
    found, cached = moments_of(device, "expected", of), ("update_weights",) if _keeps_blocks(device.inputs) else ()
    asked = [phase for phase in (*varied, *cached) if not of or phase in of]
    others = _with_other_samples(device, asked)
    return [replace(one, others=others[place]) if (place := (one.phase, one.stage)) in others else one for one in found]


def moments_of(device: Device, samples: Samples, of: Collection[Phase] = ()) -> list[Moment]:
    """The moments of a device with samples of one length."""
    return [moment for phase, made in _plan(device, samples) if not of or phase in of for moment in made()]


def _with_other_samples(device: Device, of: Collection[Phase]) -> dict[tuple[Phase, str], tuple[Moment, ...]]:
    """The moments of some phases with each of the samples that there may be, by phase and stage.

    None where all samples come to as many tokens: a full budget holds what it holds.
    """
    samples, roles = device.inputs.samples, [role for role, _ in device.kept]
    if not of:
        return {}
    usual = [role.batches.expected for role in roles]
    lengths = [tuple(role.batches.lengths_of(sample) for role in roles) for sample in samples]
    if all([*one] == usual for one in lengths):
        return {}
    made = {one: moments_of(device, sample, of) for one, sample in zip(lengths, samples, strict=True)}
    found: dict[tuple[Phase, str], tuple[Moment, ...]] = {}
    for one in lengths:
        for moment in made[one]:
            place = (moment.phase, moment.stage)
            found[place] = (*found.get(place, ()), moment)
    return found


@frozen
class Device:
    """One device, and what of it does not change while something computes."""

    inputs: MemoryInputs
    process: tuple[Term, ...]  # of the trainer, outside torch
    kept: tuple[tuple[Training, tuple[Term, ...]], ...]  # by each role, while another one computes
    asleep: tuple[Term, ...]  # rollout, reward models and teachers that share the device
    sender: tuple[Term, ...]  # buckets of the last weight update that never go back to the driver

    def resident(self, but: Training | None = None) -> list[Term]:
        """What the roles keep while they do not compute, `but` the one that does."""
        return [term for role, terms in self.kept if role is not but for term in terms]

    def beside_rollout(self, *, again: bool) -> list[Term]:
        """What the roles keep beside the rollout: before the first step (not `again`) no optimizer has a state."""
        return [term for term in self.resident() if again or term.component != "optimizer"]


def device_of(inputs: MemoryInputs) -> Device:
    """The device that a launch fills, before anything computes."""
    roles = [role for role in (inputs.actor, inputs.critic, inputs.reference) if role is not None]
    kept = tuple((role, trainer_of(role).resident_terms(inputs, role)) for role in roles)
    return Device(inputs, (_trainer_process(inputs),), kept, _sleeping(inputs), _sender(inputs))


def _plan(device: Device, samples: Samples) -> Iterator[tuple[Phase, Callable[[], Iterable[Moment]]]]:
    """The phases in order, each with what computes its moments. The first weights are sent before the first step."""
    inputs = device.inputs
    actor, rollout = inputs.actor, inputs.rollout
    yield "init", partial(_init, device)
    if rollout is not None:
        yield "update_weights", partial(_weight_update, device, rollout, samples)
        yield "generate", partial(_generation, device, rollout)
    for one in inputs.served:
        yield one.phase, partial(_serving, device, one)
    if inputs.program == "ppo" and inputs.recomputes_log_probs:
        yield "old_log_prob", partial(_log_prob, device, actor, "old_log_prob", samples, entropy=True)
    if inputs.reference is not None:
        yield "ref_log_prob", partial(_log_prob, device, inputs.reference, "ref_log_prob", samples, entropy=False)
    if inputs.critic is not None:
        yield "update_critic", partial(_update, device, inputs.critic, "update_critic", samples)
    training: Phase = "train" if inputs.program == "sft" else "update_actor"
    yield training, partial(_update, device, actor, training, samples)
    yield "save", partial(_save, device, actor)


# ----------------------------------------------------------------------------------------------------------- trainer


def _lengths(training: Training, samples: Samples) -> Lengths:
    if isinstance(samples, Sample):
        return training.batches.lengths_of(samples)
    return training.batches.expected if samples == "expected" else training.batches.worst


def _log_prob(device: Device, training: Training, phase: Phase, samples: Samples, *, entropy: bool) -> Iterator[Moment]:
    tokens = _lengths(training, samples).log_prob_tokens
    moment = trainer_of(training).log_prob_moment(device.inputs, training, phase, tokens, entropy)
    yield _beside(device, training, moment.with_terms(_states(device, training)))


def _update(device: Device, training: Training, phase: Phase, samples: Samples) -> Iterator[Moment]:
    for moment in trainer_of(training).update_moments(device.inputs, training, phase, _lengths(training, samples)):
        yield _beside(device, training, moment)


def _save(device: Device, training: Training) -> Iterator[Moment]:
    """The shard is on the device while it is written; the optimizer's state goes through the host."""
    stored = trained("parameters", trainer_of(training).stored_bytes(device.inputs, training), "shard", 0.01)
    yield _beside(device, training, Moment("save", "write checkpoint", (stored, *_states(device, training))))


def _states(device: Device, training: Training) -> list[Term]:
    """Gradients and optimizer of a role that stay while its parameters alone are used (engine/base.py :: eval mode)."""
    kept = trainer_of(training).resident_terms(device.inputs, training)
    return [term for term in kept if term.component != "parameters"]


def _beside(device: Device, role: Training, moment: Moment) -> Moment:
    """A moment of one role beside everything else on the device."""
    slack = slack_term(moment, expandable=device.inputs.expandable_segments)
    return moment.with_terms([*device.resident(role), *device.process, *device.asleep, *device.sender, slack])


def _init(device: Device) -> Iterator[Moment]:
    """Models are loaded (Megatron: wrapped, its largest moment before the first step), then the rollout starts.

    No optimizer state exists yet.
    """
    inputs, rollout = device.inputs, device.inputs.rollout
    for role in (inputs.actor, inputs.critic):
        if role is not None:
            moment = trainer_of(role).init_moment(inputs, role)
            slack = slack_term(moment, expandable=inputs.expandable_segments)
            yield moment.with_terms([*device.process, slack])
    if rollout is not None and rollout.colocated:
        asleep = resting_terms(inputs, replace(rollout, free_cache=True), awake=True)
        kept = device.beside_rollout(again=False)
        filled = (weights_term(inputs, rollout), pool_term(inputs, rollout), *generating_terms(inputs, rollout))
        yield Moment("init", "start rollout", (*filled, *asleep, *kept, *device.process))


def _trainer_process(inputs: MemoryInputs) -> Term:
    numbers, kind = constants(), inputs.device.kind
    groups = [group for group in trainer_groups(inputs) if group.ranks > 1]
    size = numbers.context(kind) + group_bytes(inputs, groups)
    note = f"trainer process, {len(groups)} communicators"
    return Term("outside_torch", round(size), round(numbers.outside_deviation(kind)), note=note)


# ----------------------------------------------------------------------------------------------------------- rollout


def _sleeping(inputs: MemoryInputs) -> tuple[Term, ...]:
    rollout = inputs.rollout
    asleep = resting_terms(inputs, rollout) if rollout is not None and rollout.colocated else ()
    return (*asleep, *_served_asleep(inputs))


def _served_asleep(inputs: MemoryInputs) -> tuple[Term, ...]:
    """What models that share the devices leave there while they do not compute."""
    beside = [one for one in inputs.served if one.engine.colocated]
    return tuple(term for one in beside for term in resting_terms(replace(inputs, model=one.model), one.engine))


def _serving(device: Device, one: Served) -> Iterator[Moment]:
    """A reward model or teacher while it computes.

    On shared devices a reward model scores while the rollout sleeps (ray_trainer.py :: _compute_reward_colocate); on
    its own it has them alone (verl/experimental/reward_loop, teacher_loop).
    """
    inputs, engine = replace(device.inputs, model=one.model), replace(one.engine, free_cache=True)
    running = (
        weights_term(inputs, engine),
        pool_term(inputs, engine),
        *generating_terms(inputs, engine),
        *((prompt_log_probs_term(inputs, engine),) if one.prompt_log_probs else ()),
    )
    if one.engine.colocated:
        yield Moment(one.phase, one.name, (*running, *device.asleep, *device.resident(), *device.process))
    else:
        yield Moment(one.phase, f"{one.name}, its own devices", (*running, *resting_terms(inputs, engine)))


def _asleep_beside(inputs: MemoryInputs, rollout: Rollout) -> tuple[Term, ...]:
    """What the rollout's process holds beside its two pools, and what other models leave."""
    return (*resting_terms(inputs, replace(rollout, free_cache=True), awake=True), *_served_asleep(inputs))


def _generation(device: Device, rollout: Rollout) -> Iterator[Moment]:
    inputs = device.inputs
    filled = (weights_term(inputs, rollout), pool_term(inputs, rollout), *generating_terms(inputs, rollout))
    beside = (*device.beside_rollout(again=inputs.generates_again), *device.process) if rollout.colocated else ()
    yield Moment("generate", "generate", (*filled, *_asleep_beside(inputs, rollout), *beside))


def _weight_update(device: Device, rollout: Rollout, samples: Samples) -> Iterator[Moment]:
    """On devices of its own the rollout shares them with no trainer. `samples`: of the step before."""
    inputs, actor = device.inputs, device.inputs.actor
    weights, pool = weights_term(inputs, rollout), pool_term(inputs, rollout)
    asleep = _asleep_beside(inputs, rollout)
    if not rollout.colocated:
        yield from _separate_update(device, rollout)
        return
    again = inputs.generates_again or inputs.switches.separate_rollout_process  # in one process as generating begins
    beside = (*device.beside_rollout(again=again), *device.process, *asleep)
    staged, cached = staged_terms(inputs, actor), cached_terms(inputs, actor)
    gathered = gather_terms(inputs, actor, rollout)
    kept = () if rollout.free_cache else (pool,)
    left = _not_reused(inputs, cached, (*staged, *gathered))
    summoned = summoned_terms(inputs, actor)
    if summoned and inputs.switches.separate_rollout_process:  # before, the engine still sleeps then
        yield Moment("update_weights", "collect adapters", (weights, *kept, *summoned, *staged, *beside))
    elif summoned:
        collected = (*summoned, *staged, *device.beside_rollout(again=again), *device.process, *device.asleep)
        yield Moment("update_weights", "collect adapters", collected)
    blocks = _left_of_a_step(device, samples) if _keeps_blocks(inputs) else ()
    yield Moment("update_weights", "resume weights", (weights, *kept, *cached, *blocks, *beside))
    yield Moment("update_weights", "gather and send", (weights, *kept, *gathered, *staged, *left, *beside))
    yield Moment("update_weights", "resume kv cache", (weights, pool, *beside))


def _keeps_blocks(inputs: MemoryInputs) -> bool:
    """True where the trainer's allocator holds blocks of a training step while a rollout beside it takes its weights.

    Moving them to the host empties the cache (verl/utils/fsdp_utils.py, megatron_utils.py); nothing else does before
    the next weights are sent (verl/workers/engine_workers.py). The rollout cannot take them back: with 47.5 of 79 GiB
    so cached, the driver refuses 38 GiB (measured in verl#6912).
    """
    rollout = inputs.rollout
    resumes = rollout is not None and rollout.colocated and rollout.free_cache
    empties = inputs.switches.empty_cache_before_resume or inputs.actor.engine.offload_parameters
    return resumes and not empties


def _left_of_a_step(device: Device, samples: Samples) -> tuple[Term, ...]:
    """Those blocks: what the fullest moment of a step took, less what is in use again."""
    inputs, numbers = device.inputs, constants()
    step = max(moments_of(device, samples, OF_THE_TRAINER), key=lambda moment: moment.trainer_allocated)
    resident = sum(term.size for term in device.resident() if term.allocated)
    room = inputs.device.memory_bytes - sum(term.size for term in step.terms if not _held_by_torch(term))
    held = min(step.trainer_allocated + round(numbers.reserved_beyond_peak), room) - resident
    spread = hypot(numbers.reserved_beyond_peak_deviation, *(term.deviation for term in step.terms if term.allocated))
    return (Term("cached_blocks", max(0, held), round(spread), note="freed blocks of a step, kept by the allocator"),)


def _held_by_torch(term: Term) -> bool:
    """True for what the trainer's allocator has reserved: a step that fits leaves no more than the device's rest."""
    return term.allocated or term.component in ("allocator_slack", "cached_blocks")


def _not_reused(inputs: MemoryInputs, cached: tuple[Term, ...], needed: tuple[Term, ...]) -> tuple[Term, ...]:
    """Cached pages beside what the gather takes: where expandable segments stay on, the gather uses them first."""
    if inputs.is_npu and not inputs.switches.expandable_toggle_npu:
        taken = sum(term.size for term in needed)
        return tuple(replace(term, size=max(0, term.size - taken)) for term in cached)
    return cached


def _sender(inputs: MemoryInputs) -> tuple[Term, ...]:
    """The two send buffers of the first trainer where the rollout has devices of its own.

    They are cupy's (verl/checkpoint_engine/nccl_checkpoint_engine.py :: prepare), whose pool keeps what is freed:
    `finalize` drops them and empties torch's cache alone, and the next update takes the same blocks again. The engine
    for sparse updates empties the pool and says so (delta_checkpoint_engine.py :: _release_staging_pool). NIXL's are
    cupy's too, HCCL's are torch's (nixl_checkpoint_engine.py, hccl_checkpoint_engine.py :: prepare).
    """
    rollout = inputs.rollout
    if rollout is None or rollout.colocated or inputs.device.kind != "cuda":
        return ()
    return (Term("weight_bucket", 2 * rollout.bucket_bytes, note="two send buffers that cupy's pool keeps"),)


def _separate_update(device: Device, rollout: Rollout) -> Iterator[Moment]:
    """Trainer and rollout on devices of their own; whether the KV cache stays is a matter of engine and release.

    Both sides of the transfer hold a bucket that is filled and one that is sent; on the rollout's device a process of
    its own receives them and hands each on in a third (verl/checkpoint_engine/base.py :: CheckpointEngineWorker).
    """
    inputs, bucket, kind = device.inputs, rollout.bucket_bytes, device.inputs.device.kind
    second = Term("weight_bucket", bucket, note="bucket that is filled meanwhile")
    trainer = (
        *gather_terms(inputs, inputs.actor, replace(rollout, interprocess=True)),
        second,
        *staged_terms(inputs, inputs.actor),
        *device.resident(),
        *device.process,
    )
    outside = constants().context(kind) + group_bytes(inputs, [Group(inputs.world + 1)])
    deviation = round(constants().rollout_outside_deviation)
    frees = frees_for_sync(inputs, rollout)
    engine = (
        *((weights_term(inputs, rollout),) if frees else ()),
        *resting_terms(inputs, replace(rollout, free_cache=frees)),
        *_served_asleep(inputs),
    )
    receiver = (
        Term("weight_bucket", 3 * bucket, note="two receive buffers and the one that is handed on"),
        Term("outside_torch", round(outside), deviation, note="receiving process"),
    )
    yield Moment("update_weights", "send, trainer's device", trainer)
    yield Moment("update_weights", "receive, rollout's device", (*engine, *receiver))
