"""Sizes that the devices or the model cannot be divided by: the launch fails before any device is full.

Sources, all verl unless named: workers/rollout/replica.py :: RolloutReplica.__init__, workers/engine_workers.py ::
init_model (rollout); workers/rollout/{vllm,sglang}_rollout/*_pd_replica.py, workers/rollout/llm_server.py ::
_initialize_llm_servers (servers that prefill or decode, 0.8.0 to 0.9.1); workers/engine/fsdp/utils.py ::
create_device_mesh, models/transformers/monkey_patch.py :: apply_monkey_patch (FSDP, 0.7.1 to 0.9.1); Megatron-LM
megatron/core/parallel_state.py :: initialize_model_parallel (core_r0.16.0); workers/config/rollout.py ::
RolloutConfig.__post_init__ (experts, from 0.7.1 on); vLLM vllm/config/model.py :: verify_with_parallel_config (0.18.0).
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.models import Model
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, Rollout, Training

MESHED = ("fsdp", "veomni")
"""Engines of the family of FSDP whose ranks are laid out by `fsdp_size` and the Ulysses size."""


def refusals(inputs: MemoryInputs) -> tuple[str, ...]:
    """Why the launch fails while it is built; empty if nothing of what is known stands against it."""
    roles = [role for role in (inputs.actor, inputs.critic, inputs.reference) if role is not None]
    found = [line for role in roles for line in _of_trainer(inputs, role)]
    if inputs.rollout is not None:
        found += _of_rollout(inputs, inputs.rollout)
    return tuple(dict.fromkeys(found))


def _of_rollout(inputs: MemoryInputs, rollout: Rollout) -> Iterator[str]:
    """Replicas have to fill the devices, and to be whole nodes or parts of one; heads are split over tensor ranks."""
    key, heads = f"{rollout.node}.tensor_model_parallel_size={rollout.tensor}", inputs.model.attention_heads
    replica, node = rollout.replica_devices, inputs.devices_per_node
    several = f" (a replica of {replica})" if replica > rollout.tensor else ""
    if rollout.decoders:
        yield from _of_separate_servers(inputs, rollout)
    elif rollout.colocated and inputs.world % replica:
        yield f"the {inputs.world} devices of the rollout do not divide by {key}{several}"
    elif rollout.colocated and replica > node and replica % node:
        yield f"{key}{several} is not a whole number of nodes of {node} devices"
    if rollout.expert > 1 and rollout.expert != rollout.tensor * rollout.data:
        sizes = f"tensor {rollout.tensor} x data {rollout.data} parallel = {rollout.tensor * rollout.data}"
        yield f"{rollout.node}.expert_parallel_size={rollout.expert} is neither 1 nor {sizes}"
    if _known(inputs.model) and heads % rollout.tensor:
        yield f"the {heads} attention heads of {inputs.model.name} do not divide by {key}"


def _of_separate_servers(inputs: MemoryInputs, rollout: Rollout) -> Iterator[str]:
    """A replica of one server that prefills and others that decode is on one node, and has no data parallel ranks."""
    replica, servers = rollout.replica_devices, 1 + rollout.decoders
    if inputs.is_npu:
        yield f"{rollout.node}.disaggregation is not for NPUs"
    if rollout.data > 1:
        yield f"{rollout.node}.data_parallel_size={rollout.data} is not for {rollout.node}.disaggregation"
    elif replica > inputs.devices_per_node:
        sizes = f"{servers} servers of {rollout.server_devices} devices"
        yield f"{rollout.node}.disaggregation makes replicas of {sizes}, a node has {inputs.devices_per_node}"
    elif rollout.colocated and inputs.world % replica:
        sizes = f"{servers} servers of {rollout.server_devices}"
        yield f"the {inputs.world} devices of the rollout do not divide by replicas of {sizes}: some get no server"


def _of_trainer(inputs: MemoryInputs, training: Training) -> Iterator[str]:
    engine, world = training.engine, inputs.world
    if isinstance(engine, Megatron):
        yield from _of_megatron(engine, world, training)
    elif engine.family in MESHED:
        yield from _of_mesh(engine, world, training, inputs.model_of(training))


def _of_mesh(engine: Fsdp, world: int, training: Training, model: Model) -> Iterator[str]:
    """Whole groups of ranks, and a share of the attention heads for each rank of a sequence group."""
    role, split, shard = training.role, engine.sequence_parallel, engine.shard
    key = f"{training.names.split or 'the sequence parallel size'}={split}"
    if world % split:
        yield f"{role}: {world} devices do not divide by {key}"
        return
    ranks = world // split if engine.family == "veomni" else world
    if shard < ranks and ranks % shard:
        kind = "devices" if ranks == world else "data parallel ranks"
        yield f"{role}: {ranks} {kind} do not divide by {training.names.engine}.fsdp_size={shard}"
    if not _known(model):
        return
    heads, key_value = model.attention_heads, model.key_value_heads
    if heads % split:
        yield f"{role}: the {heads} attention heads of {model.name} do not divide by {key}"
    elif model.latent_attention is None and key_value % split and split % key_value:
        yield f"{role}: the {key_value} key/value heads of {model.name} neither divide by {key} nor divide it"


def _of_megatron(engine: Megatron, world: int, training: Training) -> Iterator[str]:
    """Whole groups of ranks, for the layers and for their experts."""
    dense = engine.tensor * engine.pipeline * engine.context
    experts = engine.expert_tensor * engine.expert * engine.pipeline
    if world % dense:
        sizes = f"tensor {engine.tensor} x pipeline {engine.pipeline} x context {engine.context}"
        yield f"{training.role}: {world} devices do not divide by {sizes} parallel = {dense}"
    elif world % experts:
        sizes = f"expert tensor {engine.expert_tensor} x expert {engine.expert} x pipeline {engine.pipeline}"
        yield f"{training.role}: {world} devices do not divide by {sizes} parallel = {experts}"


def _known(model: Model) -> bool:
    """False for sizes taken by the name of a model alone."""
    return model.confidence != "low"
