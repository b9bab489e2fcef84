"""Hydra's defaults list: which config files make up a composition, in which order, each placed in which package.

Follows hydra-core 1.3 (`_internal/defaults_list.py`, `core/default_element.py`), with `version_base` 1.2 or later, as
verl sets it. The words are Hydra's: a *group* is a folder of config files, an *option* one of them, a *package* the
node of the config that a file's content is placed in, an *override key* `group` or `group@package`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from lint.frozen import frozen
from lint.schema.schema import ConfigFile

Cause = Literal[
    "no-primary",
    "no-config",
    "unreadable",
    "not-read",
    "no-option",
    "no-group",
    "no-deletion",
    "group-value",
    "ambiguous",
    "malformed",
]


class NotComposed(Exception):
    """Hydra refuses the defaults list. `key` is the override key it stumbles over, `options` what it would take."""

    def __init__(self, cause: Cause, message: str, key: str | None = None, options: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.cause = cause
        self.message = message
        self.key = key
        self.options = tuple(options)


@dataclass(frozen=True)
class SearchPath:
    """Config folders in the order in which Hydra looks into them."""

    folders: tuple[Mapping[str, ConfigFile], ...]

    def file(self, path: str) -> ConfigFile | None:
        """The config file at a path such as `actor/dp_actor` or `actor/../optim/fsdp`."""
        path = posixpath.normpath(path.removesuffix(".yaml"))
        for folder in self.folders:
            if path in folder:
                return folder[path]
        return None

    def is_group(self, path: str) -> bool:
        """True if a folder of that name exists."""
        start = posixpath.normpath(path) + "/"
        return any(name.startswith(start) for folder in self.folders for name in folder)

    def options(self, group: str) -> list[str]:
        """The options of a group, sorted."""
        start = posixpath.normpath(group) + "/"
        return sorted(
            {
                name[len(start) :]
                for folder in self.folders
                for name in folder
                if name.startswith(start) and "/" not in name[len(start) :]
            }
        )


@dataclass(frozen=True)
class Choices:
    """Group overrides of a command line: `group=option`, `+group=option`, `~group` or `~group=option`.

    Keys are override keys. An appended group keeps its package apart.
    """

    chosen: Mapping[str, str | list[str]] = field(default_factory=dict)
    appended: tuple[tuple[str, str | None, str | list[str]], ...] = ()  # group, package, option
    deleted: Mapping[str, str | None] = field(default_factory=dict)


@frozen
class Entry:
    """One file of the final defaults list and the package it goes to ("": the root)."""

    path: str
    package: str


@frozen
class DefaultsList:
    """The result: entries in merge order, and the option chosen for each override key."""

    entries: tuple[Entry, ...]
    choices: Mapping[str, str | None]


@frozen
class _Item:
    """An item of a defaults list. `group` None: a plain config, `name` is its path. `_self_` is such a plain config."""

    group: str | None
    name: str | list[str] | None
    package: str | None
    optional: bool = False
    override: bool = False
    appended: bool = False


@frozen
class _Node:
    """An item at its place in the tree: below a config in the folder `base` that goes to package `parent_package`."""

    item: _Item
    base: str
    parent_package: str
    header: str | None = None
    primary: bool = False

    @property
    def path(self) -> str:
        """The path of the config file."""
        if self.item.group is None:
            return _join(self.base, str(self.item.name))
        return f"{self.group}/{self.item.name}"

    @property
    def group(self) -> str:
        """The folder of the config file."""
        if self.item.group is None:
            return posixpath.dirname(_join(self.base, str(self.item.name)))
        return _join(self.base, self.item.group)

    def package(self, with_header: bool = True) -> str:
        """The package that the content goes to."""
        own = self.item.package
        if own is not None and "_group_" in own:
            own = "_global_." + own.replace("_group_", self.group.replace("/", "."))
        if own is None and with_header:
            own = self.header
        if own is None:
            relative = posixpath.dirname(str(self.item.name)) if self.item.group is None else self.item.group
            own = relative.lstrip("/").replace("/", ".")
        whole = ".".join(part for part in (self.parent_package, own) if part)
        cut = whole.rfind("_global_")
        return whole if cut < 0 else whole[cut + len("_global_.") :]

    @property
    def key(self) -> str:
        """The override key of a group item."""
        package = self.package(with_header=False)
        return self.group if package == self.group.replace("/", ".") else f"{self.group}@{package or '_global_'}"

    @property
    def interpolated(self) -> bool:
        return isinstance(self.item.name, str) and "${" in self.item.name


def _join(base: str, path: str) -> str:
    if path.startswith("/"):
        return path[1:]
    return f"{base}/{path}" if base and path else base or path


def defaults_list(search_path: SearchPath, config_name: str, choices: Choices) -> DefaultsList:
    """The final defaults list of the primary config `config_name` under `choices`. Raises `NotComposed`."""
    walk = _Walk(search_path, choices)
    root = _Node(_Item(None, config_name, None), "", "", primary=True)
    if search_path.file(config_name) is None:
        options = sorted({name for folder in search_path.folders for name in folder if "/" not in name})
        raise NotComposed("no-primary", f"there is no config `{config_name}`", config_name, options)
    entries = tuple(walk.expand(root, inside_interpolation=False))
    _refuse_duplicates(walk.leaves)
    walk.ensure_used()
    return DefaultsList(entries, dict(walk.known))


def _refuse_duplicates(keys: Sequence[str]) -> None:
    seen = set()
    for key in keys:
        if key in seen:
            raise NotComposed("ambiguous", f"{key} appears more than once in the final defaults list", key)
        seen.add(key)


class _Walk:
    """The walk through the tree of defaults. Later items are visited first, as Hydra does, so that `override` items at
    the end of a list are known before the items they override."""

    def __init__(self, search_path: SearchPath, choices: Choices) -> None:
        self.search_path = search_path
        self.external = choices
        self.chosen: dict[str, Any] = dict(choices.chosen)
        self.chosen_in: dict[str, str] = {}  # override key -> config that holds the `override` item
        self.used: set[str] = set()
        self.deleted: set[str] = set()
        self.known: dict[str, str | None] = {}
        self.known_keys: dict[str, set[str]] = {}  # group -> override keys
        self.leaves: list[str] = []

    def expand(self, node: _Node, inside_interpolation: bool) -> Iterator[Entry]:
        """The entries of a node and everything below it, in merge order."""
        item = node.item
        missing = isinstance(item.name, str) and posixpath.basename(item.name) == "???"
        if not missing and item.name is not None:
            loaded = self.search_path.file(node.path)
            header = loaded.package if loaded is not None else None
            node = replace(node, header=None if header is None else _absolute(header))
        else:
            loaded = None
        if self._is_deleted(node):
            return
        self._note_choice(node)
        if item.name is None:
            return
        if loaded is not None and loaded.fault is not None:
            raise NotComposed("unreadable" if loaded.fault.refused else "not-read", loaded.fault.message, node.path)
        if missing:
            raise NotComposed(
                "no-option", f"an option must be chosen for {node.key}", node.key, self.search_path.options(node.group)
            )
        if loaded is None:
            if not item.optional:
                self._not_found(node)
            return

        items = [] if loaded.defaults is None else [_item(raw, node.path) for raw in loaded.defaults]
        if items or (node.primary and self.external.appended):
            _complete_self(items, node.path)
        if node.primary:
            items.extend(_Item(group, name, package, appended=True) for group, package, name in self.external.appended)
        if not items:
            yield Entry(node.path, node.package())
            if item.group is not None:
                self.leaves.append(node.key)
            return
        self._note_overrides(items, node, inside_interpolation)
        yield from self._expand_children(items, node, inside_interpolation)

    def _expand_children(self, items: Sequence[_Item], node: _Node, inside_interpolation: bool) -> Iterator[Entry]:
        groups: list[list[Entry] | _Node] = []
        keys: dict[str, Any] = {}
        for item in reversed(items):
            if _is_self(item):
                groups.append([Entry(node.path, node.package())])
                continue
            if item.override:
                continue
            child = _Node(item, node.group, node.package())
            if item.group is not None and child.key in self.chosen:
                self.used.add(child.key)
                child = replace(child, item=replace(item, name=self.chosen[child.key]))
            if isinstance(child.item.name, list):
                for name in reversed(child.item.name):
                    option = _Item(None, f"{item.group}/{name}", item.package, item.optional)
                    plain = _Node(option, node.group, node.package())
                    groups.append(list(self.expand(plain, inside_interpolation)))
            elif child.interpolated:
                groups.append(child)
            else:
                groups.append(list(self.expand(child, inside_interpolation)))
            keys[child.path if item.group is None else child.key] = child.item.name
        for place, group in enumerate(groups):
            if isinstance(group, _Node):
                name = self._interpolate(str(group.item.name))
                resolved = replace(group, item=replace(group.item, name=name))
                groups[place] = list(self.expand(resolved, inside_interpolation=True))
        for group in reversed(groups):
            assert isinstance(group, list)
            yield from group

    def _interpolate(self, name: str) -> str:
        def value(match: re.Match[str]) -> str:
            if match[1] not in self.known:
                raise NotComposed("malformed", f"cannot resolve `{name}` in a defaults list", match[1])
            return str(self.known[match[1]])

        return re.sub(r"\$\{([^{}]*)\}", value, name)

    def _note_overrides(self, items: Sequence[_Item], node: _Node, inside_interpolation: bool) -> None:
        seen = False
        for item in items:
            if _is_self(item):
                continue
            if seen and not item.override and not item.appended:
                raise NotComposed("malformed", f"in {node.path}: overrides must be at the end of the defaults list")
            if item.override:
                seen = True
                if inside_interpolation:
                    raise NotComposed("malformed", f"in {node.path}: an interpolated config may not override a group")
                key = _Node(item, node.group, node.package()).key
                if key not in self.chosen:
                    self.chosen[key] = item.name
                    self.chosen_in[key] = node.path

    def _note_choice(self, node: _Node) -> None:
        item = node.item
        if item.group is None:
            return
        key = node.key
        if key in self.known and self.known[key] != item.name:
            raise NotComposed("ambiguous", f"{key} is chosen twice: {self.known[key]} and {item.name}", key)
        assert not isinstance(item.name, list)
        self.known.setdefault(key, item.name)
        self.known_keys.setdefault(node.group, set()).add(key)

    def _is_deleted(self, node: _Node) -> bool:
        if node.item.group is None or node.key not in self.external.deleted:
            return False
        name = self.external.deleted[node.key]
        if name is None or name == node.item.name:
            self.deleted.add(node.key)
            return True
        return False

    def _not_found(self, node: _Node) -> None:
        if node.item.group is None:
            raise NotComposed("no-config", f"there is no config `{node.path}`", node.path)
        options = self.search_path.options(node.group)
        raise NotComposed("no-option", f"{node.key} has no option `{node.item.name}`", node.key, options)

    def ensure_used(self) -> None:
        """Every chosen and every deleted group must have met its item."""
        for key in self.chosen:
            if key not in self.used:
                known = sorted(self.known_keys.get(key.split("@")[0], ()))
                where = f"in {self.chosen_in[key]}: " if key in self.chosen_in else ""
                raise NotComposed("no-group", f"{where}no item of the defaults list is `{key}`", key, known)
        for key, name in self.external.deleted.items():
            if key not in self.deleted:
                raise NotComposed(
                    "no-deletion", f"no item of the defaults list is `{key}`", key, [name] if name else []
                )


def _absolute(header: str) -> str:
    if header == "_global_" or header.startswith("_global_."):
        return header
    return f"_global_.{header}" if header else "_global_"


def _is_self(item: _Item) -> bool:
    return item.name == "_self_"


def _complete_self(items: list[_Item], path: str) -> None:
    """Append `_self_` where a list leaves it out."""
    count = sum(_is_self(item) for item in items)
    if count > 1:
        raise NotComposed("malformed", f"in {path}: `_self_` appears twice in the defaults list")
    if not count and (not items or any(not item.override for item in items)):
        items.append(_Item(None, "_self_", None))


def _item(raw: Any, path: str) -> _Item:
    """An item as YAML reads it: `config`, `config@package`, `{[optional] [override] group[@package]: option}`."""
    if isinstance(raw, str):
        name, _, package = raw.partition("@")
        return _Item(None, name, _package(package if "@" in raw else None))
    if isinstance(raw, dict) and len(raw) == 1:
        (key, name) = next(iter(raw.items()))
        group, _, package = str(key).partition("@")
        *keywords, group = group.split(" ")
        strings = isinstance(name, list) and all(isinstance(option, str) for option in name)
        if group and (name is None or isinstance(name, str) or strings):
            return _Item(
                group,
                name,
                _package(package if "@" in str(key) else None),
                optional="optional" in keywords,
                override="override" in keywords,
            )
    raise NotComposed("malformed", f"in {path}: `{raw}` is not an item of a defaults list")


def _package(package: str | None) -> str | None:
    if package is None:
        return None
    package = package.split(":")[0]
    return "" if package == "_here_" else package
