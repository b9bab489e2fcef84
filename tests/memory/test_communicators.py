"""Groups of ranks that communicate, and the buffers that each takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lint.memory.communicators import Group, group_bytes, trainer_groups
from lint.memory.inputs import MemoryInputs
from lint.memory.terms import MIB
from tests.memory.launches import ACTOR, inputs, story
from tests.rules.factory import subject

H100 = inputs(subject({}, device="h100"))


def ranks(found: MemoryInputs) -> list[int]:
    return [group.ranks for group in trainer_groups(found) if group.ranks > 1]


def test_a_group_of_one_has_no_buffers() -> None:
    assert group_bytes(H100, [Group(1), Group(1, 0)]) == 0


def test_nccl_takes_more_for_a_ring_than_for_a_pair_and_most_for_each_peer() -> None:
    """nccl#964: 544 and 688 MiB a communicator; nccl#1685: 447 MiB more for each rank that is sent to on its own."""
    assert group_bytes(H100, [Group(2)]) == 544 * MIB
    assert group_bytes(H100, [Group(8)]) == 688 * MIB
    assert group_bytes(H100, [Group(8, 7)]) == (688 + 7 * 447) * MIB


def test_peers_on_other_nodes_need_no_buffers_between_devices() -> None:
    assert group_bytes(H100, [Group(32, 31)]) == group_bytes(H100, [Group(32, 7)])


def test_hccl_takes_its_buffer_twice_for_every_communicator() -> None:
    assert group_bytes(inputs(story()), [Group(2), Group(16, 15)]) == 2 * 2 * 200 * MIB


def test_the_buffer_of_hccl_is_what_the_environment_says() -> None:
    found = inputs(subject({}, device="ascend-a3", environment={"HCCL_BUFFSIZE": "100"}))
    assert found.buffer_bytes == 2 * 100 * MIB


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, [8]),
        ({f"{ACTOR}.fsdp_config.fsdp_size": 4}, [8, 4, 2]),
        ({f"{ACTOR}.ulysses_sequence_parallel_size": 2}, [8, 2, 4]),
    ],
)
def test_fsdp_needs_a_group_for_each_way_to_divide_the_ranks(values: dict[str, object], expected: list[int]) -> None:
    assert ranks(inputs(subject(values, device="h100"))) == expected


def test_what_a_rollout_in_the_process_of_the_trainer_leaves_there_holds_its_groups() -> None:
    rollout = H100.rollout
    assert rollout is not None
    shared = replace(H100, rollout=replace(rollout, tensor=4, shares_process=True))
    assert ranks(shared) == [8]


def test_devices_that_only_the_bus_connects_have_fewer_channels() -> None:
    """nccl#1358 against nccl#964: 2 to 4 channels where NVLink has 24."""
    l20 = inputs(subject({}, device="l20"))
    assert group_bytes(l20, [Group(8, 7)]) == pytest.approx(group_bytes(H100, [Group(8, 7)]) / 6, rel=0.03)
