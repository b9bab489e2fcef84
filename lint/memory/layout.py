"""Sizes that the devices or the model cannot be divided by: the launch fails before any device is full.

Sources, all verl unless named: workers/rollout/replica.py :: RolloutReplica.__init__, init_standalone,
workers/engine_workers.py :: init_model (rollout); workers/rollout/{vllm,sglang}_rollout/*_pd_replica.py,
workers/rollout/llm_server.py :: _initialize_llm_servers (servers that prefill or decode, 0.8.0 to 0.9.1);
workers/engine/fsdp/utils.py :: create_device_mesh (FSDP, 0.7.1 to 0.9.1); Megatron-LM
megatron/core/parallel_state.py :: initialize_model_parallel (core_r0.16.0); workers/config/rollout.py ::
RolloutConfig.__post_init__ (experts, from 0.7.1 on); workers/rollout/vllm_rollout/vllm_async_server.py ::
launch_server (data parallel ranks of one node). Models without experts: Megatron-LM transformer_config.py ::
__post_init__, vLLM config/model.py :: _verify_with_expert_parallelism. What of the model must divide:
`lint.facts.divisions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.facts.divisions import By, divisions
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
    """Replicas have to fill the devices, and to be whole nodes or parts of one.

    On devices of its own each replica looks for nodes with room for it, and those that are left over stay idle.
    """
    key, replica = f"{rollout.node}.tensor_model_parallel_size={rollout.tensor}", rollout.replica_devices
    nodes, node = rollout.own_pool or (inputs.nodes, inputs.devices_per_node)
    several = f" (a replica of {replica})" if replica > rollout.tensor else ""
    if rollout.decoders:
        yield from _of_separate_servers(inputs, rollout)
    elif rollout.colocated and nodes * node % replica:
        yield f"the {nodes * node} devices of the rollout do not divide by {key}{several}"
    elif nodes * node < replica:
        yield f"the {nodes * node} devices of the rollout are fewer than {key}{several} takes: no server starts"
    elif replica > node and replica % node:
        yield f"{key}{several} is not a whole number of nodes of {node} devices"
    elif rollout.colocated and nodes > 1 and node % min(node, replica):
        yield f"replicas of {replica} devices ({key}) do not fill a node of {node}: some would straddle two nodes"
    elif rollout.data > 1 and min(node, replica) % rollout.tensor:
        yield f"a node of {node} devices does not divide by {key}, and data parallel ranks do not straddle nodes"
    if rollout.expert > 1 and rollout.expert != rollout.tensor * rollout.data:
        sizes = f"tensor {rollout.tensor} x data {rollout.data} parallel = {rollout.tensor * rollout.data}"
        yield f"{rollout.node}.expert_parallel_size={rollout.expert} is neither 1 nor {sizes}"
    if rollout.engine in ("vllm", "sglang"):
        yield from _of_no_experts(inputs.model, f"{rollout.node}.expert_parallel_size", rollout.expert)
    yield from _of_model(inputs.model, None, rollout.engine, {"rollout tensor": (key, rollout.tensor)})


def _of_separate_servers(inputs: MemoryInputs, rollout: Rollout) -> Iterator[str]:
    """A replica of one server that prefills and others that decode is on one node, and has no data parallel ranks."""
    replica, servers = rollout.replica_devices, 1 + rollout.decoders
    node = inputs.devices_per_node if rollout.own_pool is None else rollout.own_pool[1]
    if inputs.is_npu:
        yield f"{rollout.node}.disaggregation is not for NPUs"
    if rollout.data > 1:
        yield f"{rollout.node}.data_parallel_size={rollout.data} is not for {rollout.node}.disaggregation"
    elif replica > node:
        sizes = f"{servers} servers of {rollout.server_devices} devices"
        yield f"{rollout.node}.disaggregation makes replicas of {sizes}, a node has {node}"
    elif rollout.colocated and inputs.world % replica:
        sizes = f"{servers} servers of {rollout.server_devices}"
        yield f"the {inputs.world} devices of the rollout do not divide by replicas of {sizes}: some get no server"


def _of_trainer(inputs: MemoryInputs, training: Training) -> Iterator[str]:
    engine, world = training.engine, inputs.world
    model, node = inputs.model_of(training), training.names.engine
    if isinstance(engine, Megatron):
        yield from _of_megatron(engine, world, training)
        experts = f"{node}.expert_model_parallel_size"
        yield from _of_no_experts(model, experts, engine.expert, f"{training.role}: ")
        sizes: dict[By, tuple[str, int]] = {
            "tensor": (f"{node}.tensor_model_parallel_size={engine.tensor}", engine.tensor),
            "expert tensor": (f"{node}.expert_tensor_parallel_size={engine.expert_tensor}", engine.expert_tensor),
            "expert": (f"{experts}={engine.expert}", engine.expert),
        }
        yield from _of_model(model, "megatron", None, sizes, f"{training.role}: ")
    elif engine.family in MESHED:
        yield from _of_mesh(engine, world, training, model)


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
    experts = f"{training.names.engine}.expert_parallel_size"
    sizes: dict[By, tuple[str, int]] = {
        "sequence": (key, split),
        "expert": (f"{experts}={engine.expert}", engine.expert),
    }
    if engine.family == "veomni":
        yield from _of_no_experts(model, experts, engine.expert, f"{role}: ")
    yield from _of_model(model, engine.family, None, sizes, f"{role}: ")


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


def _of_no_experts(model: Model, key: str, experts: int, whose: str = "") -> Iterator[str]:
    """Engines refuse to divide the experts of a model that has none."""
    if experts > 1 and model.experts is None and model.confidence != "low":
        yield f"{whose}{model.name} has no experts to divide by {key}={experts}"


def _of_model(
    model: Model, engine: str | None, rollout: str | None, sizes: Mapping[By, tuple[str, int]], whose: str = ""
) -> Iterator[str]:
    """Each device holds an equal part of the model. Nothing is said of sizes taken by the name of a model alone.

    `sizes`: the parallel sizes by what they split, each as it is written.
    """
    if model.confidence == "low":
        return
    said: set[By] = set()
    for demand in divisions(engine, rollout):
        written, parallel = sizes.get(demand.by, ("", 1))
        amount = demand.amount(model)
        if not amount or demand.by in said or demand.allows(amount, parallel):
            continue
        said.add(demand.by)
        how = f"do not divide by {written}"
        if demand.relation == "either":
            how = f"neither divide by {written} nor divide it"
        yield f"{whose}the {amount} {demand.size} of {model.name} {how}"
