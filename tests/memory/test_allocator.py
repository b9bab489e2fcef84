"""What an allocator loses: the model's closed form against an allocator that is simulated block by block."""

from __future__ import annotations

from functools import cache

import pytest

from lint.memory.allocator import slack_term
from lint.memory.terms import Moment, trained
from tests.memory.simulated_allocator import GIB, FixedSegments, GrowingSegments, Shape, lost

SMALL = Shape(layers=28, hidden=1536, key_value=256, intermediate=8960, vocabulary=151936, parameters=1.54e9)
MIDDLE = Shape(layers=28, hidden=3584, key_value=512, intermediate=18944, vocabulary=152064, parameters=7.62e9)
SAMPLES, TOKENS = 40, 40 * 355


@cache
def simulated(kind: type[FixedSegments] | type[GrowingSegments], shape: Shape) -> float:
    return lost(kind, shape, world=8, samples=SAMPLES) / GIB


def closed_form(shape: Shape, *, expandable: bool) -> tuple[float, float]:
    """GiB and deviation."""
    block = 2 * TOKENS * shape.vocabulary
    logits = trained("logits", 3 * block, block=block)
    checkpoints = trained("checkpoints", 2 * TOKENS * shape.hidden * shape.layers)
    term = slack_term(Moment("update_actor", "logits", (logits, checkpoints)), expandable=expandable)
    return term.size / GIB, term.deviation / GIB


@pytest.mark.parametrize("shape", [SMALL, MIDDLE])
def test_segments_of_fixed_size_lose_up_to_two_blocks_of_logits(shape: Shape) -> None:
    expected, deviation = closed_form(shape, expandable=False)
    assert simulated(FixedSegments, shape) == pytest.approx(expected, abs=2 * deviation)


def test_more_is_lost_where_checkpoints_are_large_beside_the_logits() -> None:
    assert simulated(FixedSegments, MIDDLE) > 1.4 * simulated(FixedSegments, SMALL)


def test_growing_segments_lose_next_to_nothing() -> None:
    expected, deviation = closed_form(MIDDLE, expandable=True)
    assert simulated(GrowingSegments, MIDDLE) == pytest.approx(expected, abs=2 * deviation)


def test_an_allocator_gives_back_what_is_free_before_it_fails() -> None:
    allocator = FixedSegments(3 * GIB)
    allocator.drop(allocator.take(2 * GIB))
    allocator.take(2.5 * GIB)
    assert (allocator.reserved, allocator.peak) == (int(2.5 * GIB), int(2.5 * GIB))
