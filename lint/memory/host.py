"""Host memory of one node: what its processes keep there. Bytes.

Sources: verl/utils/fsdp_utils.py and megatron_utils.py (offload), vllm sleep level 1 (weights copied to pinned memory),
megatron hybrid_optimizer.py (float32 gradients and bfloat16 parameters beside the states). Measured once: the
DeepSeek-V3 run of docs/perf/dpsk.md (1,500 GB per node).
"""

from __future__ import annotations

from lint.memory.constants import constants
from lint.memory.inputs import Megatron, MemoryInputs, Training
from lint.memory.rollout import rollout_weights
from lint.memory.trainer import trainer_of
from lint.memory.trainer_fsdp import ranks, states
from lint.memory.trainer_megatron import MASTER, heaviest, optimizer_parameters, trained_share


def host_bytes(inputs: MemoryInputs) -> dict[str, int]:
    """Bytes per node by component, `total` last."""
    ranks = inputs.devices_per_node
    found: dict[str, float] = {"processes": constants().host_process * ranks}
    for training in (inputs.actor, inputs.critic, inputs.reference):
        if training is not None:
            for name, size in _offloaded(inputs, training).items():
                found[name] = found.get(name, 0.0) + size * ranks
    rollout = inputs.rollout
    if rollout is not None and rollout.host_copy and rollout.colocated and rollout.free_cache:
        found["rollout_weights"] = float(rollout_weights(inputs.model, rollout) * ranks)
    if rollout is not None and rollout.colocated and not rollout.interprocess:
        found["weight_bucket"] = float(rollout.bucket_bytes * ranks)
    sizes = {name: round(size) for name, size in found.items() if size}
    return {**sizes, "total": sum(sizes.values())}


def _offloaded(inputs: MemoryInputs, training: Training) -> dict[str, float]:
    """Bytes of one rank on the host."""
    engine, stored = training.engine, trainer_of(training).stored_bytes(inputs, training)
    if isinstance(engine, Megatron):
        return _megatron(inputs, training, engine, stored if engine.offload_parameters else 0.0)
    if training.role == "ref":
        return {"reference": stored}
    held = {"parameters": 0.0, "optimizer": 0.0}
    if engine.offload_policy or engine.offload_parameters:
        held["parameters"] = stored
    if engine.offload_policy or engine.offload_optimizer:
        held["optimizer"] = states(training, engine)
    if engine.offload_policy:
        held["gradients"] = training.trainable_parameters * engine.parameter_bytes / ranks(engine)
    return held


def _megatron(inputs: MemoryInputs, training: Training, engine: Megatron, parameters: float) -> dict[str, float]:
    if training.role == "ref":
        return {"reference": parameters}
    model = inputs.model_of(training)
    share = optimizer_parameters(engine, heaviest(model, engine), trained_share(model, training))
    fraction = engine.optimizer_cpu_fraction
    whole = (MASTER + engine.moment_bytes) * share
    kept = {"parameters": parameters}
    if engine.offload_optimizer:
        kept["optimizer"] = whole
    if fraction:
        kept["optimizer"] = (whole if engine.offload_optimizer else fraction * whole) + fraction * 6 * share
    return kept
