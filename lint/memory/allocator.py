"""What torch's allocator holds and cannot hand out when a device is full. Bytes.

Segments that grow (`expandable_segments:True`) give every unused page back: next to nothing is lost. Segments of fixed
size are cut up: a micro-batch is a little longer than the one before, so its tensors fit no block of their own kind and
are carved out of the large freed blocks of the logits, which then can neither serve the next logits nor go back to the
driver. Which of the two a trainer runs with: `lint.memory.reading`.

Source of the numbers: a simulation of the allocator (best fit, splitting, release and retry as in
c10/cuda/CUDACachingAllocator.cpp) under FSDP training steps with samples of varying length, least memory that does not
fail: tests/memory/simulated_allocator.py. In blocks of bfloat16 logits, fixed segments lose 0.7 where the checkpoints
of the layers are small beside a block (1.5B), 1.7 at 7B, 1.9 from 14B on; growing ones 0.08 to 0.16 GiB. verl turned
growing segments on because of this (PR 3020, 2025-08-13).
"""

from __future__ import annotations

from lint.memory.constants import constants
from lint.memory.terms import Moment, Term


def slack_term(moment: Moment, *, expandable: bool) -> Term:
    """Blocks that are held and cannot be used at a moment."""
    numbers = constants()
    if expandable:
        size, deviation = numbers.slack_expandable, numbers.slack_expandable_deviation
    else:
        block = max((term.block for term in moment.terms if term.allocated), default=0)
        carved = numbers.slack_fixed_base * block + numbers.slack_fixed_carved * moment.components.get("checkpoints", 0)
        size, deviation = min(carved, numbers.slack_fixed_most * block), numbers.slack_fixed_deviation * block
    note = "pages" if expandable else "fragments of the largest freed blocks"
    return Term("allocator_slack", round(size), round(deviation), note=note)
