"""The effective config of a launch: schema defaults plus overrides, as Hydra would compose them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from lint.bash.reading import Known
from lint.launch.launch import Override

LARGEST = 2**63 - 1
"""The largest whole number of 64 bits: no size, count or length is larger."""


class Special(Enum):
    """Values that are not values."""

    UNKNOWN = "unknown"  # only a run could tell
    MISSING = "???"  # the schema demands a value and nothing sets it
    ABSENT = "absent"  # the schema has no such key


UNKNOWN = Special.UNKNOWN
MISSING = Special.MISSING
ABSENT = Special.ABSENT


class Setting(NamedTuple):
    """The effective value of one key: a scalar, a list, a dict, None, `UNKNOWN` or `MISSING`.

    `default` is the schema's value, likewise, or `ABSENT` where an override adds the key.
    `override` is the last override that sets the key or a node above it; None: the schema's default stands.
    `via` is the key that this one follows by interpolation when the default is `${oc.select:...}` or `${...}`.
    """

    key: str
    value: object
    override: Override | None
    default: object
    via: str | None = None

    @property
    def path(self) -> str | None:
        """A value that is a path: whole, or what follows the last slash where only what stands before is unknown."""
        if isinstance(self.value, str):
            return self.value
        text = None if self.override is None else self.override.value
        last = text.pieces[-1] if text is not None and text.pieces else None
        return last.text.rpartition("/")[2] or None if isinstance(last, Known) and "/" in last.text else None


@dataclass(frozen=True)
class Config:
    """Every leaf key of a launch's composed config. Keys are dotted, without `@package`."""

    settings: Mapping[str, Setting]

    def get(self, key: str) -> Setting | None:
        """The setting, or None if the config has no such key."""
        return self.settings.get(key)

    def is_set(self, key: str) -> bool:
        """True if an override sets the key or a node above it."""
        setting = self.get(key)
        return setting is not None and setting.override is not None

    def given(self, keys: Set[str]) -> Set[str]:
        """Those of some keys that are set."""
        return {key for key in keys if self.is_set(key)}

    @property
    def replaced(self) -> Collection[str]:
        """The keys that overrides speak of and that are nodes with keys before the overrides."""
        return ()

    def below(self, prefix: str) -> Iterator[Setting]:
        """All settings under a node."""
        return (self.settings[key] for key in self.settings if key.startswith(f"{prefix}."))
