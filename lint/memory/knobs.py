"""What could be changed, and what each change does: every effect is the model run again.

The cheapest knobs come first: those that cost no speed, then those that cost some, then more devices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lint.memory.inputs import Fsdp, Lengths, Megatron, MemoryInputs, Training
from lint.memory.phases import fullest, moments
from lint.memory.terms import GIB, MIB, Moment, Phase
from lint.memory.verdict import STEP, risk, useful_utilization, with_utilization
from lint.subject.derived import ACTOR, MODEL, ROLLOUT

LEAST = 64 * MIB
"""Changes that save less are not worth showing."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One change: `writes` are keys and values.

    It saves `saved` bytes in `phase`, which then has `probability` to exceed the device.
    """

    title: str
    writes: tuple[tuple[str, str], ...]
    phase: Phase
    saved: int
    probability: float
    inputs: MemoryInputs


@dataclass(frozen=True, slots=True)
class Change:
    """A changed launch and the settings that make it so."""

    writes: tuple[tuple[str, str], ...]
    inputs: MemoryInputs


def knobs(inputs: MemoryInputs, moment: Moment) -> list[Knob]:
    """Every change that lowers the phase of `moment`, those that end the risk first, each group by cost."""
    found = []
    for change in _changes(inputs):
        after = fullest(moments(change.inputs, "expected"), moment.phase)
        saved = moment.expected - after.expected
        if saved < LEAST:
            continue
        title = ", ".join(f"{key.rsplit('.', 1)[-1]} {value}" for key, value in change.writes)
        found.append(Knob(title, change.writes, moment.phase, saved, risk(change.inputs, moment.phase), change.inputs))
    return sorted(found, key=lambda knob: knob.probability >= 0.5)


def rollout_advice(inputs: MemoryInputs) -> Knob | None:
    """A larger tensor parallel size, with the utilization that its KV cache needs, if that lowers `update_weights`."""
    for change in _wider_rollout(inputs):
        useful = useful_utilization(change.inputs)
        if useful is None:
            continue
        rollout = inputs.rollout
        assert rollout is not None
        utilization = min(useful, rollout.utilization)
        changed = with_utilization(change.inputs, utilization)
        before = fullest(moments(inputs, "expected"), "update_weights")
        after = fullest(moments(changed, "expected"), "update_weights")
        writes = (*change.writes, (f"{ROLLOUT}.gpu_memory_utilization", f"{utilization:g}"))
        title = f"tensor_model_parallel_size {writes[0][1]}, gpu_memory_utilization {utilization:g}"
        saved = before.expected - after.expected
        if saved < LEAST:
            continue
        return Knob(title, writes, "update_weights", saved, risk(changed, "update_weights"), changed)
    return None


def _changes(inputs: MemoryInputs) -> Iterator[Change]:
    actor = inputs.actor
    yield from _offloads(inputs)
    if not actor.chunked_entropy and not actor.fused_kernels:
        key = f"{ACTOR}.entropy_from_logits_with_chunking"
        yield Change(((key, "True"),), _with_actor(inputs, replace(actor, chunked_entropy=True)))
    if isinstance(actor.engine, Fsdp) and actor.engine.deferred_sync and actor.engine.switchable_sync:
        key = f"{ACTOR}.fsdp_config.use_no_sync_for_gradient_accumulation"
        engine = replace(actor.engine, deferred_sync=False)
        yield Change(((key, "False"),), _with_actor(inputs, replace(actor, engine=engine)))
    yield from _wider_rollout(inputs)
    yield from _less_utilization(inputs)
    yield from _smaller_bucket(inputs)
    yield from _smaller_budget(inputs)
    yield from _wider_sequence(inputs)
    if not actor.gradient_checkpointing and isinstance(actor.engine, Fsdp):
        key = f"{MODEL}.enable_gradient_checkpointing"
        yield Change(((key, "True"),), _with_actor(inputs, replace(actor, gradient_checkpointing=True)))
    yield Change((("trainer.nnodes", str(2 * inputs.nodes)),), with_nodes(inputs, 2 * inputs.nodes))


def _with_actor(inputs: MemoryInputs, actor: Training) -> MemoryInputs:
    return replace(inputs, actor=actor)


def _offloads(inputs: MemoryInputs) -> Iterator[Change]:
    """Parameters and optimizer to the host while the actor does not compute."""
    actor, engine = inputs.actor, inputs.actor.engine
    node = f"{ACTOR}.{'megatron' if isinstance(engine, Megatron) else 'fsdp_config'}"
    if engine.offload_parameters and engine.offload_optimizer:
        return
    if isinstance(engine, Fsdp) and engine.offload_policy:
        return
    writes = ((f"{node}.param_offload", "True"), (f"{node}.optimizer_offload", "True"))
    if isinstance(engine, Megatron):
        offloaded: Fsdp | Megatron = replace(
            engine, offload_parameters=True, offload_gradients=True, offload_optimizer=True
        )
    else:
        offloaded = replace(engine, offload_parameters=True, offload_optimizer=True)
    yield Change(writes, _with_actor(inputs, replace(actor, engine=offloaded)))


def _wider_rollout(inputs: MemoryInputs) -> Iterator[Change]:
    """Twice the tensor parallel size, where heads and devices of a node allow it."""
    rollout, model = inputs.rollout, inputs.model
    if rollout is None:
        return
    wider = 2 * rollout.tensor
    heads = model.attention_heads % wider == 0
    if heads and inputs.devices_per_node % wider == 0 and inputs.world % (wider * rollout.data) == 0:
        changed = replace(inputs, rollout=replace(rollout, tensor=wider))
        yield Change(((f"{ROLLOUT}.tensor_model_parallel_size", str(wider)),), changed)


def _less_utilization(inputs: MemoryInputs) -> Iterator[Change]:
    rollout = inputs.rollout
    if rollout is None or rollout.utilization <= 2 * STEP:
        return
    lower = round(rollout.utilization - 2 * STEP, 2)
    yield Change(((f"{ROLLOUT}.gpu_memory_utilization", f"{lower:g}"),), with_utilization(inputs, lower))


def _smaller_bucket(inputs: MemoryInputs) -> Iterator[Change]:
    rollout = inputs.rollout
    if rollout is None or rollout.bucket_bytes < GIB:
        return
    half = rollout.bucket_bytes // 2
    key = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
    yield Change(((key, str(half // MIB)),), replace(inputs, rollout=replace(rollout, bucket_bytes=half)))


def _smaller_budget(inputs: MemoryInputs) -> Iterator[Change]:
    """Half the tokens in a micro-batch."""
    actor = inputs.actor
    key = f"{ACTOR}.ppo_max_token_len_per_gpu"
    half = replace(actor, expected=_halved(actor.expected), worst=_halved(actor.worst))
    changed = _with_actor(inputs, half)
    if inputs.reference is not None:
        reference = inputs.reference
        halved = replace(reference, expected=_halved(reference.expected), worst=_halved(reference.worst))
        changed = replace(changed, reference=halved)
    yield Change(((key, str(max(1, actor.worst.update_tokens // 2))),), changed)


def _halved(lengths: Lengths) -> Lengths:
    return Lengths(max(1, lengths.update_tokens // 2), max(1, lengths.log_prob_tokens // 2), 2 * lengths.micro_batches)


def _wider_sequence(inputs: MemoryInputs) -> Iterator[Change]:
    """Twice the sequence parallel size, with half the budget of each device."""
    actor, engine = inputs.actor, inputs.actor.engine
    if not isinstance(engine, Fsdp):
        return
    wider = 2 * engine.sequence_parallel
    if inputs.model.attention_heads % wider or inputs.world % wider:
        return
    changed = replace(actor, engine=replace(engine, sequence_parallel=wider))
    changed = replace(changed, expected=_halved(actor.expected), worst=_halved(actor.worst))
    yield Change(((f"{ACTOR}.ulysses_sequence_parallel_size", str(wider)),), _with_actor(inputs, changed))


def with_nodes(inputs: MemoryInputs, nodes: int) -> MemoryInputs:
    """The launch on another number of nodes: FSDP shards over all of them, Megatron adds data parallel copies."""
    factor = nodes / inputs.nodes

    def wider(training: Training | None) -> Training | None:
        if training is None:
            return None
        engine = training.engine
        if isinstance(engine, Megatron):
            return replace(training, engine=replace(engine, data=max(1, round(engine.data * factor))))
        whole = engine.shard == inputs.world
        shard = max(1, round(engine.shard * factor)) if whole else engine.shard
        return replace(training, engine=replace(engine, shard=shard))

    actor = wider(inputs.actor)
    assert actor is not None
    return replace(inputs, nodes=nodes, actor=actor, critic=wider(inputs.critic), reference=wider(inputs.reference))
