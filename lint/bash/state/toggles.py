"""Toggles: environment variables that a script reads with a default and then compares with literals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lint.bash.reading import Origin, Text, Toggle
from lint.bash.words.special import MACHINE
from lint.text import Span

MOST_VALUES = 16


@dataclass(slots=True)
class _Found:
    default: str
    span: Span
    values: list[str]


@dataclass(slots=True)
class ToggleBook:
    """The toggles seen so far, and the defaults that were taken."""

    defaults: dict[str, str] = field(default_factory=dict)
    found: dict[str, _Found] = field(default_factory=dict)

    def compared(self, text: Text, values: Sequence[str]) -> None:
        """Note a comparison; nothing happens unless the text is the value of an environment variable with a default."""
        for piece in text.pieces:
            origin = _decider(piece.origin)
            if origin is None or origin.name is None:
                continue
            default = text.value
            if default is None or len(text.pieces) > 1:
                return
            toggle = self.found.setdefault(origin.name, _Found(default, origin.span, []))
            for value in values:
                if value not in toggle.values and value != toggle.default and len(toggle.values) < MOST_VALUES:
                    toggle.values.append(value)
            return

    def toggles(self) -> tuple[Toggle, ...]:
        """What was found, in order."""
        return tuple(Toggle(name, f.default, tuple(f.values), f.span) for name, f in self.found.items() if f.values)


def environment_name(origin: Origin) -> str | None:
    """The environment variable that decides a text with this origin, if the script reads it with a default."""
    found = _decider(origin)
    return found.name if found is not None else None


def _decider(origin: Origin) -> Origin | None:
    """The step of a chain at which a default was taken, or a variable of the scenario was read."""
    for _ in range(16):
        if origin.kind in ("default", "scenario") and origin.name is not None:
            name = origin.name
            return origin if name not in MACHINE and (name[0].isalpha() or name[0] == "_") else None
        if len(origin.sources) != 1:
            return None
        origin = origin.sources[0]
    return None
