"""What a change is said to save is what it saves when it is written into the launch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lint.memory.calibration.rows import Row, inputs_of, rows
from lint.memory.knobs import Knob, knobs
from lint.memory.phases import fullest, moments
from lint.memory.terms import MIB

LAUNCHES = rows("labelled")[::8]
"""One in eight: every engine and release is among them."""


def advised(row: Row) -> Iterator[tuple[Knob, int]]:
    """Each change, with the bytes of its phase before."""
    inputs = inputs_of(row)
    found = moments(inputs, "expected")
    for phase in dict.fromkeys(moment.phase for moment in found):
        before = fullest(found, phase)
        yield from ((knob, before.expected) for knob in knobs(inputs, before))


def written(row: Row, knob: Knob) -> Row:
    """The launch with the change in it."""
    keys = {key.lstrip("+") for key, _ in knob.writes}
    kept = [one for one in row["overrides"] if one.split("=")[0].lstrip("+") not in keys]
    return {**row, "overrides": [*kept, *(f"{key}={value}" for key, value in knob.writes)]}


@pytest.mark.parametrize("row", LAUNCHES, ids=[row["id"] for row in LAUNCHES])
def test_a_change_saves_as_much_when_it_is_written(row: Row) -> None:
    for knob, before in advised(row):
        if not any(key.startswith("--") for key, _ in knob.writes):  # an option of torchrun
            after = fullest(moments(inputs_of(written(row, knob)), "expected", knob.phase), knob.phase).expected
            assert before - after == pytest.approx(knob.saved, abs=20 * MIB), knob.title
