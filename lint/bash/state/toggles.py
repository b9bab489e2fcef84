"""Toggles: environment variables that a script reads with a default and then compares with literals, and those that it
only asks for: `[ "$RANK" = 0 ]`, `[ -n "$DEBUG" ]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lint.bash.reading import SET, Origin, Text, Toggle
from lint.bash.state.guards import unset_name
from lint.bash.words.special import MACHINE
from lint.regular import regular
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

    def asked(self, name: str, span: Span, values: Sequence[str]) -> None:
        """Note a test of a variable that nothing sets: the caller may. `SET` stands for all values."""
        toggle = self.found.setdefault(name, _Found("", span, []))
        if SET in toggle.values or toggle.default:
            return
        others = [value for value in values if value]
        toggle.values[:] = [SET] if SET in others or not others else dict.fromkeys((*toggle.values, *others))

    def toggles(self) -> tuple[Toggle, ...]:
        """What was found, in order."""
        return tuple(Toggle(name, f.default, tuple(f.values), f.span) for name, f in self.found.items() if f.values)


def asked_name(text: Text) -> str | None:
    """The variable that a text is empty for, because nothing sets it."""
    names = {unset_name(piece.origin) for piece in text.pieces} if text.value == "" else set()
    return names.pop() if len(names) == 1 else None


_GIVEN = regular("[A-Z][A-Z0-9_]*")
_SETTING = "read|for|select|unset|declare|typeset|local|readonly|mapfile|readarray|getopts|printf"


def is_asked_of_caller(name: str, written: str, before: int) -> bool:
    """Whether a variable that a script tests before it sets it, is one of the environment by its name.

    `written`: the text of the script, in which the test stands behind `before`.
    """
    if name in MACHINE or not _GIVEN.fullmatch(name):
        return False
    sets = rf"(?<![\w$]){name}(?:\[[^]\n]*\])?\+?=|\b(?:{_SETTING})\b[^\n;|&]*\b{name}\b"
    return re.search(sets, written[: max(0, before)]) is None


def not_given_by(name: str, values: Sequence[str], written: str) -> list[str]:
    """The values that the script itself does not give to a variable: `DONE=1` is a note to itself."""
    return [value for value in values if not re.search(rf"(?<![\w$]){name}=[\"']?{re.escape(value)}(?!\w)", written)]


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
