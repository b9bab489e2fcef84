"""What is known of one verl release: its config files, entry points and dataclasses, as plain data.

A schema holds config files as they are, one value each, instead of one flat table per entry point and engine: the
compositions of all entry points, engines and group choices follow from them by Hydra's own algorithm (`compose_tree`),
so the data stays small and any group override can be answered. `build` proves with real Hydra that they do follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from lint.frozen import frozen

ENGINE_GROUPS = ("model_engine", "engine")
"""Groups of the primary configs whose options are training engines: of the PPO trainers, and of the SFT trainer."""


@frozen
class Fault:
    """Why a config file cannot be read, with its path, line and column. `refused`: Hydra cannot read it either."""

    message: str
    refused: bool


@frozen
class ConfigFile:
    """One YAML file of a config folder.

    `package` is its `# @package` header. `defaults` are the items of its defaults list as YAML reads them (strings or
    one-key mappings), None if it has no such list. `body` is the rest: nested dicts, lists and scalars. A file that
    cannot be read has a `fault` instead: its place, and why.
    """

    package: str | None
    defaults: tuple[Any, ...] | None
    body: Mapping[str, Any]
    fault: Fault | None = None


@frozen
class EntryPoint:
    """A module with `@hydra.main`: the folder of its primary config (as in the tree) and the config's name."""

    module: str  # "verl.trainer.main_ppo"
    folder: str  # "verl/trainer/config"
    config_name: str | None  # "ppo_trainer"


@frozen
class Field:
    """A field of a dataclass. `types` are the names of what a value may be: `int`, `float`, `bool`, `str`, `none`,
    `list`, `dict`, or the qualified name of a dataclass; empty: anything. `allowed` are the values a check of the class
    or a `Literal` admits; empty: any. Nothing enforces a `Literal`: `checked` tells the two apart."""

    types: tuple[str, ...]
    allowed: tuple[Any, ...] = ()
    checked: bool = True


@frozen
class DataClass:
    """A dataclass behind `_target_`. Instantiating it rejects every field that neither it nor a base names.

    `inherited_allowed` are allowed values that this class demands of fields of its bases.
    """

    fields: Mapping[str, Field]
    bases: tuple[str, ...]  # qualified names
    inherited_allowed: Mapping[str, tuple[Any, ...]]
    source: str  # "verl/workers/config/actor.py:123"


@dataclass(frozen=True, eq=False)
class Schema:
    """One release, or one checkout. Compared by identity, so that compositions can be remembered for it."""

    release: str  # "0.9.1"; for a checkout, what its version file says
    origin: str  # "verl-0.9.1-py3-none-any.whl", or the folder of a checkout
    sha256: str  # of the wheel; for a checkout, of the files it was read from
    date: str | None  # of the wheel's newest file, ISO; None for a checkout
    entry_points: Mapping[str, EntryPoint]
    folders: Mapping[str, Mapping[str, ConfigFile]]  # folder -> path in the folder without ".yaml" -> file
    classes: Mapping[str, DataClass]
    aliases: Mapping[str, str]  # qualified name of a target -> qualified name of its definition
    instantiated: tuple[str, ...] = ()  # ends of the keys of nodes that the code turns into dataclasses: "rollout"
    behaviours: tuple[str, ...] = ()  # what its code does where releases differ: names in data/behaviours.json
    registered: tuple[str, ...] = ()  # names that its code registers: of losses, estimators, parsers, engines
    others: tuple[str, ...] = ()  # modules beside it that are there and that Hydra does not start
    stands_for: str | None = None  # another verl, which is asked for and not at hand: "verl==0.4.0 (setup.py)"

    @property
    def title(self) -> str:
        """What messages call it: `verl 0.9.1`, or `this checkout (verl 0.10.0.dev)`."""
        return f"verl {self.release}" if self.date is not None else f"this checkout (verl {self.release})"

    def fields(self, target: str) -> Mapping[str, Field] | None:
        """Every field that a target takes, bases included; None if the target is not a known dataclass."""
        if target not in self._fields:
            self._fields[target] = self._with_bases(target)
        return self._fields[target]

    @cached_property
    def _fields(self) -> dict[str, Mapping[str, Field] | None]:
        """What was asked for already."""
        return {}

    def _with_bases(self, target: str) -> Mapping[str, Field] | None:
        name = self.aliases.get(target, target)
        if name not in self.classes:
            return None
        found: dict[str, Field] = {}
        for base in reversed(self.classes[name].bases):
            found.update(self.fields(base) or {})
        found.update(self.classes[name].fields)
        for key, allowed in self.classes[name].inherited_allowed.items():
            if key in found:
                found[key] = replace(found[key], allowed=allowed, checked=True)
        return found

    def is_instantiated(self, node: str) -> bool:
        """True if the code turns this very node into the dataclass of its `_target_` (and what is below it)."""
        return any(node == end or node.endswith("." + end) for end in self.instantiated)
