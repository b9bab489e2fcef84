"""Failures that follow from sizes alone: no measured constant decides them.

Each compares what must be on the device, or in the budget of the rollout, with what there is. A failed check is an
error; everything else the model says is a risk with a probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from lint.frozen import frozen
from lint.memory import rollout as engine
from lint.memory import trainer_fsdp, trainer_megatron
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, Rollout, Training
from lint.memory.terms import GIB, Component, Phase
from lint.memory.trainer import trainer_of
from lint.subject.derived import ROLLOUT

Name = Literal["weights", "sequence", "deferred gradients", "static state", "init", "resident"]


@frozen
class Failure:
    """One failed check: `needed` bytes against `available`, decided by `keys`. `sum` is the arithmetic in words."""

    name: Name
    phase: Phase
    needed: int
    available: int
    sum: str
    keys: tuple[str, ...]
    largest: Component


def gib(size: float, digits: int = 1) -> str:
    """`148.4 GiB`."""
    return f"{size / GIB:.{digits}f} GiB"


def apart(size: float, other: float) -> tuple[str, str]:
    """Two sizes with a digit more where they would look the same."""
    digits = 1 if gib(size) != gib(other) else 2
    return gib(size, digits), gib(other, digits)


def failures(inputs: MemoryInputs) -> list[Failure]:
    """Every failed check, in the order in which a run would meet them."""
    return [*_init(inputs), *engine_failures(inputs), *_resident(inputs), *_static(inputs), *_deferred(inputs)]


def _trained(inputs: MemoryInputs) -> list[Training]:
    return [role for role in (inputs.actor, inputs.critic) if role is not None]


def _init(inputs: MemoryInputs) -> Iterator[Failure]:
    """Megatron's DDP wrap holds two copies of the parameters and the gradient buffer."""
    for training in _trained(inputs):
        if not isinstance(training.engine, Megatron) or training.engine.fully_sharded:
            continue
        moment = trainer_megatron.init_moment(inputs, training)
        if moment.trainer_allocated > inputs.device.memory_bytes:
            parameters = trainer_megatron.heaviest(inputs.model_of(training), training.engine).parameters / 1e9
            buffers = f"(2 + 2 + {training.engine.gradient_bytes}) bytes"
            yield Failure(
                "init",
                "init",
                moment.trainer_allocated,
                inputs.device.memory_bytes,
                f"{parameters:.2f} billion parameters of one device x {buffers}",
                _megatron_keys(inputs, training),
                "parameters",
            )


def _megatron_keys(inputs: MemoryInputs, training: Training) -> tuple[str, ...]:
    node = training.names.engine
    names = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "expert_model_parallel_size")
    return tuple(f"{node}.{name}" for name in names)


def engine_failures(inputs: MemoryInputs) -> Iterator[Failure]:
    """The weights must fit the budget of their engine, and one sequence the pool that is left."""
    for _, own, rollout in engine.engines(inputs):
        yield from _engine(own, rollout)


def _engine(inputs: MemoryInputs, rollout: Rollout) -> Iterator[Failure]:
    if rollout.engine != "vllm":
        return
    keys = (f"{rollout.node}.gpu_memory_utilization", f"{rollout.node}.tensor_model_parallel_size")
    weights, budget = engine.rollout_weights(inputs.model, rollout), engine.budget(inputs, rollout)
    share = f"{rollout.utilization:g} x {gib(inputs.device.memory_bytes)}"
    if weights > budget:
        arithmetic = f"weights on one device at tensor parallel size {rollout.tensor}, budget {share}"
        yield Failure("weights", "init", weights, budget, arithmetic, keys, "rollout_weights")
        return
    one = rollout.longest_sequence * engine.growing_bytes(inputs.model, rollout)
    left = budget - weights
    if one > left:
        arithmetic = (
            f"kv cache of one sequence of {rollout.longest_sequence} tokens; "
            f"{share} less {gib(weights)} weights leaves {gib(left)}"
        )
        yield Failure("sequence", "init", one, left, arithmetic, keys, "kv_cache")


def _resident(inputs: MemoryInputs) -> Iterator[Failure]:
    """What the trainer keeps on the device while the rollout has its share, or the other way round."""
    rollout = inputs.rollout
    if rollout is None or not rollout.colocated:
        return
    share, key = engine.budget(inputs, rollout), f"{ROLLOUT}.gpu_memory_utilization"
    total = inputs.device.memory_bytes
    rolling = f"{rollout.utilization:g} x {gib(engine.shared(inputs, rollout))}"
    terms = [term for role in _trained(inputs) for term in trainer_of(role).resident_terms(inputs, role)]
    if not inputs.generates_again:
        terms = [term for term in terms if term.component != "optimizer"]
    if rollout.engine == "vllm" and engine.pays_for_trainer(inputs, rollout):
        terms = [term for term in terms if term.component == "optimizer"]
    kept = sum(term.size for term in terms)
    if kept + share > total:
        names = [
            f"{role.names.engine}.{name}"
            for role in _trained(inputs)
            for name in ("param_offload", "optimizer_offload")
        ]
        arithmetic = f"{rolling} for the rollout and {gib(kept)} that the trainer keeps"
        yield Failure("resident", "generate", kept + share, total, arithmetic, (key, *names), "parameters")
    elif not rollout.free_cache:
        static = max(_static_bytes(inputs, role) for role in _trained(inputs))
        if static + share > total:
            arithmetic = f"{rolling} that the rollout keeps and {gib(static)} of parameters, gradients and optimizer"
            keys = (f"{ROLLOUT}.free_cache_engine", key)
            yield Failure("resident", "update_actor", static + share, total, arithmetic, keys, "kv_cache")


def _static_bytes(inputs: MemoryInputs, training: Training) -> int:
    return round(trainer_of(training).static_bytes(inputs, training))


def _phase(inputs: MemoryInputs, training: Training) -> Phase:
    """The phase in which a role is trained."""
    if inputs.program == "sft":
        return "train"
    return "update_critic" if training.role == "critic" else "update_actor"


def _static(inputs: MemoryInputs) -> Iterator[Failure]:
    for training in _trained(inputs):
        static = _static_bytes(inputs, training)
        if static > inputs.device.memory_bytes:
            phase = _phase(inputs, training)
            keys = (inputs.nodes_key, "trainer.n_gpus_per_node")
            arithmetic = f"parameters, gradients and optimizer of one of {inputs.world} devices"
            yield Failure("static state", phase, static, inputs.device.memory_bytes, arithmetic, keys, "optimizer")


def _fewest_micro_batches(inputs: MemoryInputs, training: Training) -> int:
    """Of a mini-batch, with samples of any of the lengths that there may be."""
    batches = training.batches
    possible = [batches.lengths_of(sample) for sample in inputs.samples] or [batches.expected]
    return min(lengths.micro_batches for lengths in possible)


def _deferred(inputs: MemoryInputs) -> Iterator[Failure]:
    """FSDP gradients that stay whole on every device until the last micro-batch."""
    for training in _trained(inputs):
        engine_of, micro = training.engine, _fewest_micro_batches(inputs, training)
        if not isinstance(engine_of, Fsdp) or not engine_of.deferred_sync or micro < 2:
            continue
        per = engine_of.reduce_bytes if engine_of.version == 2 else trainer_fsdp.COMPUTE
        needed = round(trainer_fsdp.whole_gradients(inputs.model_of(training), training, engine_of))
        if needed > inputs.device.memory_bytes:
            phase = _phase(inputs, training)
            arithmetic = f"{needed / per / 1e9:.2f} billion gradients x {per} bytes, not sharded"
            keys = (f"{training.names.engine}.use_no_sync_for_gradient_accumulation",)
            yield Failure(
                "deferred gradients", phase, needed, inputs.device.memory_bytes, arithmetic, keys, "gradients"
            )
