"""The config tree that a defaults list composes to: plain nested dicts, interpolations left as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from lint.schema.defaults import Choices, DefaultsList, NotComposed, SearchPath, defaults_list

Tree: TypeAlias = dict[str, Any]

MISSING_TEXT = "???"  # OmegaConf's mark for a value that must be given


@dataclass(frozen=True)
class Composed:
    """A tree, the defaults list that it was made from, and where each leaf was last set."""

    tree: Tree
    defaults: DefaultsList


def compose_tree(search_path: SearchPath, config_name: str, choices: Choices) -> Composed:
    """Compose the primary config under group choices. Hydra's own node (`hydra`) is left out. Raises `NotComposed`."""
    found = defaults_list(search_path, config_name, choices)
    tree: Tree = {}
    for entry in found.entries:
        loaded = search_path.file(entry.path)
        assert loaded is not None
        node = tree
        for part in entry.package.split(".") if entry.package else ():
            below = node.get(part)
            if not isinstance(below, dict):
                below = node[part] = {}
            node = below
        if isinstance(loaded.body, dict):
            _merge(node, loaded.body, top=not entry.package)
        else:
            raise NotComposed("malformed", f"{entry.path} is not a mapping", entry.path)
    return Composed(tree, found)


def _merge(into: Tree, source: Mapping[str, Any], top: bool = False) -> None:
    """Merge as OmegaConf does: dicts into dicts, anything else replaces, `???` does not overwrite a value."""
    for key, value in source.items():
        if top and key == "hydra":
            continue
        present = into.get(key)
        if isinstance(value, dict):
            if isinstance(present, dict):
                _merge(present, value)
            else:
                into[key] = copy_tree(value)
        elif value == MISSING_TEXT and key in into:
            continue
        else:
            into[key] = list(value) if isinstance(value, list) else value


def copy_tree(tree: Mapping[str, Any]) -> Tree:
    """A deep copy of the dicts of a tree; lists are shared, as nothing changes them in place."""
    return {key: copy_tree(value) if isinstance(value, dict) else value for key, value in tree.items()}


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf with its dotted key. A leaf is a scalar, a list, or an empty dict."""
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
