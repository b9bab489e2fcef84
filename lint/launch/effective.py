"""The settings of a composed tree, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from functools import cached_property
from typing import Any

from lint.launch.config import ABSENT, MISSING, UNKNOWN, Config, Setting
from lint.launch.interpolation import Resolver, Unresolvable, followed_key
from lint.launch.launch import Override
from lint.schema.tree import MISSING_TEXT, Tree, leaves

OF_LAUNCH = Setting("", UNKNOWN, None, UNKNOWN)
"""Stands for a setting that follows others: its value may be another one in each launch."""


class Defaults:
    """The settings of a tree without overrides, so far as they do not depend on a launch."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.made: dict[str, Setting | None] = {}  # what was asked for already, and is the same in each launch
        self._following: set[str] = set()  # keys that follow others
        self._values: dict[str, object] = {}  # of these

    def plain(self, key: str) -> Setting | None:
        """The setting of a key at its default; None if there is no such leaf, `OF_LAUNCH` if only a launch can tell."""
        if key in self._following:
            return OF_LAUNCH
        if key not in self.made:
            raw = _leaf(self.tree, key)
            if _follows(raw):
                self._following.add(key)
                return OF_LAUNCH
            self.made[key] = None if raw is ABSENT else Setting(key, raw, None, raw)
        return self.made[key]

    def value(self, key: str, environment: Mapping[str, Any]) -> object:
        """The default of a key, interpolations followed: the same in each launch, unless it asks its environment."""
        if key in self._values:
            return self._values[key]
        asked = _Asked(environment)
        value = _resolved(Resolver(self.tree, asked), node_at(self.tree, key), key)
        if not asked.names:
            self._values[key] = value
        return value

    def is_node(self, key: str) -> bool:
        """Whether the tree has a node at a key."""
        return isinstance(node_at(self.tree, key), dict)


class _Asked(Mapping[str, Any]):
    """An environment that knows which of its variables somebody asked for."""

    def __init__(self, environment: Mapping[str, Any]) -> None:
        self.names: set[str] = set()
        self._environment = environment

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return self._environment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment)

    def __len__(self) -> int:
        return len(self._environment)


class Settings(Mapping[str, Setting]):
    """Every leaf of `tree`. `defaults` are those without overrides, `keys` those that overrides speak of, `nodes` those
    among them that are given whole nodes, `owners` say which override set a key. `partly_known`: other overrides that
    are not known may set any key, so that a default is no value."""

    def __init__(
        self,
        tree: Tree,
        defaults: Defaults,
        keys: Collection[str],
        nodes: Collection[str],
        owners: Mapping[str, Override],
        environment: Mapping[str, Any],
        partly_known: bool = False,
    ) -> None:
        self._tree = tree
        self._defaults = defaults
        self._partly_known = partly_known
        self._owners = owners
        self._resolver = Resolver(tree, environment)
        self._environment = environment
        self.touched: set[str] = set()  # the keys, and all above them
        self.replaced = frozenset(key for key in keys if defaults.plain(key) is None and defaults.is_node(key))
        self.below_nodes = tuple(f"{key}." for key in (*nodes, *self.replaced))  # what begins so is touched, too
        for key in keys:
            while key and key not in self.touched:
                self.touched.add(key)
                key = key.rpartition(".")[0]
        # What was asked for already, None where nothing is there. Launches of one release have most settings in common.
        self.made = dict(defaults.made) if not self.below_nodes and not partly_known else {}
        for key in self.touched:
            self.made.pop(key, None)

    @cached_property
    def _leaves(self) -> dict[str, Any]:
        return dict(leaves(self._tree))

    def __getitem__(self, key: str) -> Setting:
        found: Setting | None = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """As of any mapping; rules ask the same keys again and again, also such as are not there."""
        if key not in self.made:
            self.made[key] = self._make(key)
        found = self.made[key]
        return default if found is None else found

    def _make(self, key: str) -> Setting | None:
        """The setting of a key, None if there is no such leaf."""
        if self._partly_known and self._owner(key) is None:
            raw = _leaf(self._tree, key)
            return None if raw is ABSENT else Setting(key, UNKNOWN, None, UNKNOWN)
        if key not in self.touched and not key.startswith(self.below_nodes):
            plain = self._defaults.plain(key)
            if plain is not OF_LAUNCH:
                return plain
        raw = _leaf(self._tree, key)
        if raw is ABSENT:
            return None
        if _follows(raw):
            value, via = _resolved(self._resolver, raw, key), followed_key(raw, key)
        else:
            value, via = raw, None
        return Setting(key, value, self._owner(key), self._defaults.value(key, self._environment), via)

    def below(self, node: str) -> Iterator[Setting]:
        """The settings under a node, found without looking at all the others."""
        tree = node_at(self._tree, node)
        if isinstance(tree, dict):
            yield from (self[key] for key, _ in leaves(tree, f"{node}."))

    def __iter__(self) -> Iterator[str]:
        return iter(self._leaves)

    def __len__(self) -> int:
        return len(self._leaves)

    def _owner(self, key: str) -> Override | None:
        """The last override of the key or of a node above it (a dict value merges, but is the later word)."""
        last = self._owners.get(key)
        while key.startswith(self.below_nodes):
            key = key.rpartition(".")[0]
            found = self._owners.get(key)
            if found is not None and (last is None or found.index > last.index):
                last = found
        return last


class EffectiveConfig(Config):
    """A config over the settings of a composed tree."""

    settings: Settings

    def get(self, key: str) -> Setting | None:
        """The setting, or None if the config has no such key."""
        made = self.settings.made
        return made[key] if key in made else self.settings.get(key)

    def is_set(self, key: str) -> bool:
        """True if an override sets the key; most keys are told without their setting."""
        settings = self.settings
        return (key in settings.touched or key.startswith(settings.below_nodes)) and super().is_set(key)

    def given(self, keys: Set[str]) -> Set[str]:
        """Those of some keys that are set."""
        settings = self.settings
        return super().given(keys if settings.below_nodes else keys & settings.touched)

    @property
    def replaced(self) -> Collection[str]:
        return self.settings.replaced

    def below(self, prefix: str) -> Iterator[Setting]:
        """All settings under a node."""
        return self.settings.below(prefix)


def node_at(tree: Mapping[str, Any], key: str) -> Any:
    """The node or value at a dotted key, `ABSENT` if there is none."""
    node: Any = tree
    try:
        for part in key.split("."):
            node = node[part]
    except (KeyError, TypeError):  # it is not there, or below what is no node
        return ABSENT
    return node


def _leaf(tree: Tree, key: str) -> Any:
    """The leaf at a key; `ABSENT` where there is none, or a node that holds others."""
    raw = node_at(tree, key)
    if raw is ABSENT:
        raw = _at_dotted(tree, key)
    return ABSENT if isinstance(raw, dict) and raw else raw


def _follows(raw: Any) -> bool:
    """True if a value, or one inside of it, is not the same in each launch."""
    if isinstance(raw, str):
        return "${" in raw or raw == MISSING_TEXT
    if isinstance(raw, (dict, list)):
        return any(map(_follows, raw.values() if isinstance(raw, dict) else raw))
    return False


def _at_dotted(tree: Tree, key: str) -> Any:
    """As `node_at`, where names may have dots in them (`{model.layers: 3}`)."""
    if key in tree:
        return tree[key]
    end = key.find(".")
    while end >= 0:
        below = tree.get(key[:end])
        found = _at_dotted(below, key[end + 1 :]) if isinstance(below, dict) else ABSENT
        if found is not ABSENT:
            return found
        end = key.find(".", end + 1)
    return ABSENT


def _resolved(resolver: Resolver, raw: Any, key: str) -> object:
    """A leaf's value with interpolations followed; one that cannot be resolved is unknown."""
    try:
        value = resolver.resolve(raw, key)
    except Unresolvable:
        return UNKNOWN
    return MISSING if value == MISSING_TEXT else value
