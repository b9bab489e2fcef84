"""Text that is written piece by piece: each state keeps its last piece, and shares all before with those it left."""

from __future__ import annotations

from typing import TypeAlias

from lint.bash.reading import Piece, Text

Rope: TypeAlias = "tuple[Rope, Piece, int] | None"  # what was written so far, last piece outermost; number of pieces


def written_after(rope: Rope, piece: Piece) -> Rope:
    """What was written, and one piece more."""
    return rope, piece, rope[2] + 1 if rope is not None else 1


def rope_pieces(rope: Rope, until: Rope = None) -> tuple[Piece, ...]:
    """What was written, in order; only what was written after `until`."""
    pieces: list[Piece] = []
    while rope is not None and rope is not until:
        rope, piece, _ = rope
        pieces.append(piece)
    pieces.reverse()
    return tuple(pieces)


COMPARED = 256  # pieces that were written apart; more are taken as different


def same_rope(first: Rope, second: Rope) -> bool:
    """Whether the same was written; what both have in common is not looked at."""
    one, other = first, second
    for _ in range(2 * COMPARED):
        if one is other:
            break
        if other is None or (one is not None and one[2] >= other[2]):
            one = one[0]  # type: ignore[index]
        else:
            other = other[0]
    else:
        return False
    return Text(rope_pieces(first, one)).shown == Text(rope_pieces(second, one)).shown
