"""What could be changed, and what each change does: every effect is the model run again.

The cheapest come first: what costs no speed, then what costs some, then more devices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

from lint.frozen import frozen
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, Training
from lint.memory.layout import refusals
from lint.memory.names import LOG_PROB, Names
from lint.memory.phases import fullest, moments
from lint.memory.terms import GIB, MIB, Moment, Phase
from lint.memory.verdict import STEP, TIGHT, useful_utilization, with_utilization
from lint.subject.derived import MODEL, ROLLOUT

Cost: TypeAlias = Literal["free", "transfers", "slower rollout", "slower training", "more devices"]

COSTS: dict[Cost, str] = {
    "free": "nothing",
    "transfers": "transfers to the host and back",
    "slower rollout": "rollout throughput",
    "slower training": "training throughput",
    "more devices": "devices",
}

WithRole: TypeAlias = Callable[[Training], MemoryInputs]
LEAST = 64 * MIB
"""Changes that save less are not worth showing."""
MOST_TRIED = 3
"""Changes that are tried together with every other one."""
MOST_TENSOR = 32
"""A rollout is not split further."""
ULYSSES = frozenset({"fsdp", "veomni"})
"""Engines that divide the tokens of a sample between ranks on request, and leave recomputation to the model."""


@frozen
class Knob:
    """One change: `writes` are keys and values.

    It saves `saved` bytes in `phase`, which then has `probability` to exceed the device.
    """

    title: str
    cost: Cost
    writes: tuple[tuple[str, str], ...]
    phase: Phase
    saved: int
    probability: float
    inputs: MemoryInputs


@frozen
class Change:
    """A changed launch and the settings that make it so."""

    cost: Cost
    writes: tuple[tuple[str, str], ...]
    inputs: MemoryInputs


def knobs(inputs: MemoryInputs, moment: Moment) -> Iterator[Knob]:
    """Every change that lowers the phase of `moment`, the cheapest first; each is computed when it is asked for."""
    tried = (_knob(change, moment) for change in _changes(inputs, moment.phase))
    return (knob for knob in tried if knob.saved >= LEAST)


def remedy(inputs: MemoryInputs, moment: Moment) -> Knob | None:
    """The cheapest change after which the phase is not tight."""
    return next((knob for knob in knobs(inputs, moment) if knob.probability < TIGHT), None)


def pair(inputs: MemoryInputs, moment: Moment) -> Knob | None:
    """Two changes together after which the phase is not tight, where no single one does it: the cheapest such pair.

    Only the changes that save most are tried as one of the two: all pairs would take too long.
    """
    alone = sorted(knobs(inputs, moment), key=lambda knob: -knob.saved)
    if any(knob.probability < TIGHT for knob in alone):
        return None
    found = []
    for first in alone[:MOST_TRIED]:
        taken = {key for key, _ in first.writes}
        for change in _changes(first.inputs, moment.phase):
            if taken.isdisjoint(key for key, _ in change.writes):
                dearer = max(first.cost, change.cost, key=list(COSTS).index)
                both = _knob(Change(dearer, (*first.writes, *change.writes), change.inputs), moment)
                if both.probability < TIGHT:
                    found.append(both)
    return min(found, key=lambda knob: (list(COSTS).index(knob.cost), -knob.saved), default=None)


def rollout_advice(inputs: MemoryInputs) -> Knob | None:
    """A larger tensor parallel size, with the utilization that its KV cache needs, if that lowers `update_weights`."""
    for change in _wider_rollout(inputs):
        useful = useful_utilization(change.inputs)
        if useful is None or refusals(change.inputs):
            continue
        rollout = inputs.rollout
        assert rollout is not None
        utilization = min(useful, rollout.utilization)
        changed = with_utilization(change.inputs, utilization)
        writes = (*change.writes, (f"{ROLLOUT}.gpu_memory_utilization", f"{utilization:g}"))
        before = fullest(moments(inputs, "expected", "update_weights"), "update_weights")
        knob = _knob(Change("slower rollout", writes, changed), before)
        if knob.saved >= LEAST:
            return knob
    return None


def _knob(change: Change, moment: Moment) -> Knob:
    found = moments(change.inputs, "expected", moment.phase)
    after, capacity = fullest(found, moment.phase), change.inputs.device.memory_bytes
    title = ", ".join(dict.fromkeys(f"{key.rsplit('.', 1)[-1]} {value}" for key, value in change.writes))
    if all(key.startswith("critic.") for key, _ in change.writes):
        title += " (critic)"
    remaining = max(one.exceeds(capacity) for one in found)
    saved = moment.expected - after.expected
    return Knob(title, change.cost, change.writes, moment.phase, saved, remaining, change.inputs)


def _changes(inputs: MemoryInputs, phase: Phase) -> Iterator[Change]:
    """Those of all that devices and model can be divided by: none brings a new reason to fail at init."""
    before = set(refusals(inputs))
    return (change for change in _all_changes(inputs, phase) if before.issuperset(refusals(change.inputs)))


def _all_changes(inputs: MemoryInputs, phase: Phase) -> Iterator[Change]:
    """Each with the settings of the role that computes in `phase`."""
    critic = inputs.critic if phase == "update_critic" else None
    role = critic or inputs.actor
    names = role.names

    with_role = partial(_with_role, inputs)
    yield from _smaller_bucket(inputs)
    yield from _layer_by_layer(inputs.actor, with_role)
    yield from _entropy(role, names, with_role)
    yield from _fused(inputs, role, with_role)
    yield from _synchronized(role, names, with_role)
    for owner in (inputs.actor, inputs.critic):  # each takes room while the other computes
        if owner is not None:
            yield from _offloads(inputs, owner, with_role)
            yield from _whole_shards(inputs, owner, owner.names, with_role)
    yield from _wider_rollout(inputs)
    yield from _less_utilization(inputs)
    yield from _less_of_served(inputs, phase)
    yield from _recomputation(role, names, with_role)
    yield from _smaller_batches(inputs, role, names, phase)
    yield from _wider_sequence(inputs, role, names, with_role)
    writes = ((inputs.nodes_key, str(2 * inputs.nodes)),)
    yield Change("more devices", writes, with_nodes(inputs, 2 * inputs.nodes))


def _with_role(inputs: MemoryInputs, training: Training) -> MemoryInputs:
    """The launch with one of its roles changed."""
    if training.role == "actor":
        return replace(inputs, actor=training)
    return replace(inputs, critic=training) if training.role == "critic" else replace(inputs, reference=training)


def _entropy(role: Training, names: Names, with_role: WithRole) -> Iterator[Change]:
    """The entropy of the log-probability pass in chunks."""
    if role.role != "actor" or not names.chunking:
        return
    if can_chunk(role) and not role.chunked_entropy and not role.fused_kernels:
        yield Change("free", ((names.chunking, "True"),), with_role(replace(role, chunked_entropy=True)))


def can_chunk(role: Training) -> bool:
    """FSDP takes the entropy of padded samples in one piece, whatever the switch says (verl PR 7582)."""
    return isinstance(role.engine, Megatron) or not role.batches.update.padded


def _fused(inputs: MemoryInputs, role: Training, with_role: WithRole) -> Iterator[Change]:
    """No logits: the head and the loss in one kernel. A critic has none, and an adapter may not reach the head."""
    if role.role == "actor" and not role.fused_kernels and not role.lora and not inputs.is_npu:
        node = MODEL if inputs.program == "ppo" else "model"
        yield Change("free", ((f"{node}.use_fused_kernels", "True"),), with_role(replace(role, fused_kernels=True)))


def _synchronized(role: Training, names: Names, with_role: WithRole) -> Iterator[Change]:
    """Gradients reduced in every micro-batch."""
    engine = role.engine
    if isinstance(engine, Fsdp) and engine.deferred_sync and engine.switchable_sync:
        key = f"{names.engine}.use_no_sync_for_gradient_accumulation"
        yield Change("free", ((key, "False"),), with_role(replace(role, engine=replace(engine, deferred_sync=False))))


def _offloads(inputs: MemoryInputs, role: Training, with_role: WithRole) -> Iterator[Change]:
    """Parameters and optimizer to the host while the role does not compute. The reference follows the actor."""
    engine, reference = role.engine, inputs.reference
    if engine == offloaded(engine, True) or (isinstance(engine, Fsdp) and engine.offload_policy):
        return
    parts = {"param": engine.offload_parameters, "optimizer": engine.offload_optimizer}
    if isinstance(engine, Megatron):
        parts["grad"] = engine.offload_gradients
    writes = [(f"{role.names.engine}.{part}_offload", "True") for part, is_there in parts.items() if not is_there]
    changed = with_role(replace(role, engine=offloaded(engine, True)))
    if role.role == "actor" and reference is not None and isinstance(reference.engine, Megatron):
        if not reference.engine.offload_parameters:
            writes.append((f"{reference.names.engine}.param_offload", "True"))
        changed = replace(changed, reference=replace(reference, engine=offloaded(reference.engine, True)))
    yield Change("transfers", tuple(writes), changed)


def _whole_shards(inputs: MemoryInputs, role: Training, names: Names, with_role: WithRole) -> Iterator[Change]:
    """Each parameter shared by all devices instead of by some of them."""
    engine = role.engine
    if isinstance(engine, Fsdp) and engine.family in ULYSSES and engine.shard < inputs.world:
        changed = with_role(replace(role, engine=replace(engine, shard=inputs.world, shards_over_all=True)))
        yield Change("slower training", ((f"{names.engine}.fsdp_size", "-1"),), changed)


def offloaded(engine: Fsdp | Megatron, whether: bool) -> Fsdp | Megatron:
    """The engine with everything that can be moved to the host there between its phases, or nothing."""
    if isinstance(engine, Megatron):
        return replace(engine, offload_parameters=whether, offload_gradients=whether, offload_optimizer=whether)
    return replace(engine, offload_parameters=whether, offload_optimizer=whether)


def _wider_rollout(inputs: MemoryInputs) -> Iterator[Change]:
    """Twice the tensor parallel size, on the devices of a node; experts stay split over all ranks of a replica."""
    rollout = inputs.rollout
    if rollout is None or rollout.decoders:  # whose sizes are two settings
        return
    wider = 2 * rollout.tensor
    if inputs.devices_per_node % wider or wider > MOST_TENSOR:
        return
    writes = [(f"{ROLLOUT}.tensor_model_parallel_size", str(wider))]
    changed = replace(rollout, tensor=wider)
    if rollout.expert > 1:
        changed = replace(changed, expert=wider * rollout.data)
        writes.append((f"{ROLLOUT}.expert_parallel_size", str(changed.expert)))
    yield Change("slower rollout", tuple(writes), replace(inputs, rollout=changed))


def _less_utilization(inputs: MemoryInputs) -> Iterator[Change]:
    rollout = inputs.rollout
    if rollout is None or rollout.utilization <= 2 * STEP:
        return
    lower = round(rollout.utilization - 2 * STEP, 2)
    writes = ((f"{ROLLOUT}.gpu_memory_utilization", f"{lower:g}"),)
    yield Change("slower rollout", writes, with_utilization(inputs, lower))


def _less_of_served(inputs: MemoryInputs, phase: Phase) -> Iterator[Change]:
    """A smaller share for a reward model or teacher."""
    for index, one in enumerate(inputs.served):
        lower = round(one.engine.utilization - 2 * STEP, 2)
        if one.phase == phase and lower > 0:
            changed = replace(one, engine=replace(one.engine, utilization=lower))
            served = (*inputs.served[:index], changed, *inputs.served[index + 1 :])
            writes = ((f"{one.engine.node}.gpu_memory_utilization", f"{lower:g}"),)
            yield Change("slower rollout", writes, replace(inputs, served=served))


def _smaller_bucket(inputs: MemoryInputs) -> Iterator[Change]:
    rollout = inputs.rollout
    if rollout is None or rollout.bucket_bytes < GIB:
        return
    half = rollout.bucket_bytes // 2
    key = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
    yield Change("free", ((key, str(half // MIB)),), replace(inputs, rollout=replace(rollout, bucket_bytes=half)))


def _layer_by_layer(actor: Training, with_role: WithRole) -> Iterator[Change]:
    """Adapters read from one layer after the other; the engine then loads the model itself."""
    if actor.summons in ("adapters", "base"):
        writes = ((f"{ROLLOUT}.layered_summon", "True"), (f"{ROLLOUT}.load_format", "safetensors"))
        yield Change("free", writes, with_role(replace(actor, summons="")))


def _recomputation(role: Training, names: Names, with_role: WithRole) -> Iterator[Change]:
    """Activations computed again in the backward pass."""
    engine = role.engine
    if isinstance(engine, Megatron) and not engine.recompute:
        node = f"+{names.engine}.override_transformer_config"
        settings = {"recompute_granularity": "full", "recompute_method": "uniform", "recompute_num_layers": "1"}
        writes = tuple((f"{node}.{name}", value) for name, value in settings.items())
        yield Change("slower training", writes, with_role(replace(role, engine=replace(engine, recompute=True))))
    if isinstance(engine, Fsdp) and engine.family in ULYSSES and not role.gradient_checkpointing:
        node = "critic.model" if role.role == "critic" else "model" if names.engine == "engine" else MODEL
        writes = ((f"{node}.enable_gradient_checkpointing", "True"),)
        yield Change("slower training", writes, with_role(replace(role, kept_activations=0.0)))


def _smaller_batches(inputs: MemoryInputs, role: Training, names: Names, phase: Phase) -> Iterator[Change]:
    """Half the tokens in a micro-batch of the phase, or half its samples."""
    prefix = LOG_PROB.get(phase)
    if prefix is None:
        packing, batches = role.batches.update, replace(role.batches, update=role.batches.update.halved())
        budget, samples = names.budget, names.samples
    else:
        role = inputs.reference or role if phase == "ref_log_prob" else role
        packing, batches = role.batches.log_prob, replace(role.batches, log_prob=role.batches.log_prob.halved())
        budget, samples = f"{prefix}.log_prob_max_token_len_per_gpu", f"{prefix}.log_prob_micro_batch_size_per_gpu"
    changed = _with_role(inputs, replace(role, batches=batches))
    if packing.dynamic:
        yield Change("slower training", ((budget, str(packing.halved().budget)),), changed)
    elif packing.samples > 1:
        yield Change("slower training", ((samples, str(packing.halved().samples)),), changed)


def _wider_sequence(inputs: MemoryInputs, role: Training, names: Names, with_role: WithRole) -> Iterator[Change]:
    """Twice the sequence parallel size. Token budgets count for each device, so packed micro-batches stay as full."""
    engine = role.engine
    if not isinstance(engine, Fsdp) or engine.family not in ULYSSES or not names.split:
        return
    wider = 2 * engine.sequence_parallel
    writes, changed = [(names.split, str(wider))], with_role(_split(role, engine, wider))
    reference = inputs.reference
    if role.role == "actor" and reference is not None and isinstance(reference.engine, Fsdp):
        writes.append((reference.names.split, str(wider)))
        changed = replace(changed, reference=_split(reference, reference.engine, wider))
    yield Change("slower training", tuple(writes), changed)


def _split(role: Training, engine: Fsdp, ranks: int) -> Training:
    """The role with each sample divided between so many ranks."""
    split = replace(engine, sequence_parallel=ranks, together=ranks)
    return replace(role, engine=split, batches=role.batches.split_by(ranks))


def with_nodes(inputs: MemoryInputs, nodes: int) -> MemoryInputs:
    """The launch on another number of nodes: FSDP shards over all of them, Megatron adds data parallel copies."""
    factor = nodes / inputs.nodes

    def wider(training: Training | None) -> Training | None:
        if training is None:
            return None
        engine, batches = training.engine, training.batches
        batches = replace(batches, groups=max(1, round(batches.groups * factor)))
        if isinstance(engine, Megatron):
            data = max(1, round(engine.data * factor))
            return replace(training, engine=replace(engine, data=data), batches=batches)
        shard = max(1, round(engine.shard * factor)) if engine.shards_over_all else engine.shard
        return replace(training, engine=replace(engine, shard=shard), batches=batches)

    actor = wider(inputs.actor)
    assert actor is not None
    return replace(inputs, nodes=nodes, actor=actor, critic=wider(inputs.critic), reference=wider(inputs.reference))
