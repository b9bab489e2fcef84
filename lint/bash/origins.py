"""Origins of derived text: one step for each place that passes a value on."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal as Choice

from lint.bash.reading import Known, Origin, Piece, Text
from lint.text import Span

OriginKind = Choice[
    "literal", "expansion", "default", "arithmetic", "environment", "unset", "substitution", "positional", "scenario"
]
LONGEST_CHAIN = 12  # steps of an origin that are looked at for a repetition
MOST_STEPS = 200  # of one origin, each as often as a walk would pass it; a script's own go to some ten


def derive(span: Span, kind: OriginKind, name: str | None, sources: tuple[Origin, ...]) -> Origin:
    """The origin of a text made from `sources`. A counter in a loop does not grow a chain: the first round stands.

    Where a value went through too many steps to tell, this place stands for all of them.
    """
    for source in sources:
        step: Origin | None = source
        for _ in range(LONGEST_CHAIN):
            if step is None or not step.sources:
                break
            if step.kind == kind and step.span == span:
                return step
            step = step.sources[0]
    steps = 1 + sum(source.steps for source in sources)
    return Origin(span, kind, name, sources, steps) if steps <= MOST_STEPS else Origin(span, kind, name)


def wrap(text: Text, span: Span, kind: OriginKind, name: str | None) -> Text:
    """`text` as seen at a place of use."""
    pieces: list[Piece] = []
    for piece in text.pieces:
        source = piece.origin
        if type(piece) is Known and not source.sources:
            pieces.append(Known(piece.text, Origin(span, kind, name, (source,), 2)))
            continue
        origin = derive(span, kind, name, (source,)) if source.sources else Origin(span, kind, name, (source,), 2)
        if isinstance(piece, Known):
            pieces.append(Known(piece.text, origin))
        else:
            pieces.append(replace(piece, origin=origin))
    return Text(tuple(pieces))
