"""Buffers of the collective library on one device: which groups of ranks communicate, and what each takes. Bytes.

NCCL, measured: 544 MiB for a group of two and 688 MiB for a larger one after an all-reduce (4 x A100 with NVLink,
NVIDIA/nccl#964); an all-to-all adds 447 MiB for each peer (8 x H100, 3.28 GB more after the first one,
NVIDIA/nccl#1685: 32 channels of 12 MiB each way); peers on other nodes share buffers (NVIDIA/nccl#986). Devices that
only the bus connects have fewer channels, so less of each. HCCL: a send and a receive buffer of HCCL_BUFFSIZE for each
group.
A communicator comes into being with its first collective: groups that only exist on paper take nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.frozen import frozen
from lint.memory.constants import constants
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, Training


@frozen
class Group:
    """Ranks that communicate; `peers` of them are sent to one by one (all-to-all, pipeline, ring)."""

    ranks: int
    peers: int = 0


def group_bytes(inputs: MemoryInputs, groups: list[Group]) -> int:
    """Buffers of several groups on one of their devices."""
    numbers = constants()
    together = [group for group in groups if group.ranks > 1]
    if inputs.is_npu:
        return inputs.buffer_bytes * len(together)
    rings = sum(numbers.communicator_pair if group.ranks == 2 else numbers.communicator_cuda for group in together)
    near = inputs.devices_per_node - 1
    peers = numbers.communicator_peer * sum(min(group.peers, near) for group in together)
    return round((rings + peers) * (numbers.communicator_pcie if inputs.device.links == "pcie" else 1))


def trainer_groups(inputs: MemoryInputs) -> list[Group]:
    """Groups of one rank of the trainer. Those of a rollout in its process are in what that leaves when it sleeps."""
    roles = [role for role in (inputs.actor, inputs.critic, inputs.reference) if role is not None]
    groups = [Group(inputs.world)]
    if any(isinstance(role.engine, Megatron) for role in roles):
        groups += _megatron(inputs.actor)
    for role in roles:
        groups += _fsdp(inputs, role)
    return groups


def rollout_groups(tensor: int) -> list[Group]:
    """vLLM: torch's group (gathers) and its own communicator (reductions) over the tensor parallel ranks."""
    return [Group(tensor), Group(tensor)]


def _fsdp(inputs: MemoryInputs, role: Training) -> Iterator[Group]:
    """The mesh over all ranks is the world's group; smaller shards and split sequences need groups of their own."""
    engine = role.engine
    if not isinstance(engine, Fsdp):
        return
    if engine.tensor > 1:
        yield Group(engine.tensor)
    if engine.shard < inputs.world:
        yield Group(engine.shard)
        yield Group(inputs.world // engine.shard)
    if engine.sequence_parallel > 1 and engine.tensor == 1:
        yield Group(engine.sequence_parallel, engine.sequence_parallel - 1)
        yield Group(inputs.world // engine.sequence_parallel)


def _megatron(role: Training) -> Iterator[Group]:
    """megatron/core/parallel_state.py: the groups that a training step uses."""
    engine = role.engine
    if not isinstance(engine, Megatron):
        return
    yield Group(engine.tensor)
    yield Group(engine.tensor * engine.pipeline)  # norm of the gradients
    yield Group(engine.pipeline, min(2, engine.pipeline - 1))
    yield Group(engine.context, min(2, engine.context - 1))
    yield Group(engine.data * engine.context)
    if engine.expert > 1:
        yield Group(engine.expert * engine.expert_tensor, engine.expert - 1)
        world = engine.data * engine.context * engine.tensor * engine.pipeline
        yield Group(world // max(1, engine.pipeline * engine.expert * engine.expert_tensor))
