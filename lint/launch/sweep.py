"""The launches of a multirun: Hydra starts one for each combination of the values of its sweeps.

Source: hydra-core 1.3, `_internal/core_plugins/basic_sweeper.py` (`split_arguments`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod

from lint.bash.reading import Known, Origin, Text
from lint.launch.hydra_node import is_hydra_key
from lint.launch.launch import Launch, Override
from lint.launch.override import BadOverride, parse
from lint.launch.written import part_span

MOST_OF_A_SWEEP = 32
"""Launches of one multirun that are read; a sweep lists more values than that (`MOST_VALUES`)."""


def each_of_sweep(launch: Launch) -> tuple[Launch, ...]:
    """The launches that Hydra starts for a multirun; for every other launch, itself.

    Of more than are read, the first take the first value of every sweep, the second values, and so on, so that few
    launches have each value. A sweep whose values are not known stays as it is.
    """
    if not launch.multirun:
        return (launch,)
    values = {place: found for place, override in enumerate(launch.overrides) if (found := tuple(_values_of(override)))}
    many = prod(map(len, values.values())) > MOST_OF_A_SWEEP
    combinations = _side_by_side(list(values.values())) if many else product(*values.values())
    return tuple(
        _with_values(launch, dict(zip(values, chosen, strict=True)), many)
        for chosen in islice(combinations, MOST_OF_A_SWEEP)
    )


def _side_by_side(values: Sequence[Sequence[Override]]) -> Iterator[tuple[Override, ...]]:
    for turn in range(max(map(len, values))):
        yield tuple(found[turn % len(found)] for found in values)


def _with_values(launch: Launch, chosen: Mapping[int, Override], many: bool) -> Launch:
    overrides = tuple(chosen.get(place, override) for place, override in enumerate(launch.overrides))
    words = {one.key: one.value.shown for one in chosen.values() if one.value is not None}
    return replace(launch, overrides=overrides, chosen=words, is_of_many=many)


def _values_of(override: Override) -> Iterator[Override]:
    """An override with each of its values in turn; nothing for one that sweeps over nothing, or nothing known."""
    word = override.text.value
    if word is None or override.value is None or is_hydra_key(override.key):
        return
    try:
        values = parse(word).values
    except BadOverride:
        return
    begin = word.index("=") + 1
    position = begin
    for value in values:
        at = word.find(value, position)
        end = at + len(value)
        if at >= 0 and word[end : end + 1].strip() in ("", ",", ")"):
            written, position = _part(override.text, at, end), end
        else:  # Hydra makes it (`range(1,4)`), or puts it elsewhere (`sort(2,1)`)
            written = Text((Known(value, override.text.pieces[-1].origin),))
        yield replace(override, value=written, text=Text((*_part(override.text, 0, begin).pieces, *written.pieces)))


def _part(text: Text, start: int, end: int) -> Text:
    """A part of a text with the place where it stands, if it is written there as it is."""
    part = text.slice(start, end)
    span = part_span(text, start, end)
    if span is None or span.end - span.start != end - start or _is_made(part):
        return part
    return Text((Known(part.shown, Origin(span, "literal")),))


def _is_made(text: Text) -> bool:
    return any(piece.origin.kind != "literal" for piece in text.pieces)
