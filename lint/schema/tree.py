"""The config tree that a defaults list composes to: plain nested dicts, interpolations left as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from lint.schema.defaults import Choices, DefaultsList, NotComposed, SearchPath, defaults_list

Tree: TypeAlias = dict[str, Any]

MISSING_TEXT = "???"  # OmegaConf's mark for a value that must be given


@dataclass(frozen=True, eq=False)
class Composed:
    """A tree, and the defaults list that it was made from. It is shared, and never changed."""

    tree: Tree
    defaults: DefaultsList


def compose_tree(search_path: SearchPath, config_name: str, choices: Choices) -> Composed:
    """Compose the primary config under group choices. Hydra's own node (`hydra`) is left out. Raises `NotComposed`."""
    found = defaults_list(search_path, config_name, choices)
    tree: Tree = {}
    for entry in found.entries:
        loaded = search_path.file(entry.path)
        assert loaded is not None
        body: Mapping[str, Any] = {key: value for key, value in loaded.body.items() if key != "hydra" or entry.package}
        for part in reversed(entry.package.split(".") if entry.package else ()):
            body = {part: body}
        try:
            _merge(tree, body)
        except _NotMergeable as error:
            raise NotComposed("malformed", f"{entry.path} cannot be merged: {error}", entry.path) from None
    return Composed(tree, found)


class _NotMergeable(Exception):
    """A dict and a list at the same key."""


def _merge(into: Tree, source: Mapping[str, Any]) -> None:
    """Merge as OmegaConf does: dicts into dicts, anything else replaces, `???` does not overwrite a value."""
    for key, value in source.items():
        present = into.get(key)
        if isinstance(value, dict) and isinstance(present, dict):
            _merge(present, value)
        elif isinstance(value, (dict, list)) and isinstance(present, (dict, list)) and type(value) is not type(present):
            raise _NotMergeable(f"`{key}` is both a mapping and a list")
        elif isinstance(value, dict):
            into[key] = copy_tree(value)
        elif value != MISSING_TEXT or key not in into:
            into[key] = _copied(value)


def copy_tree(tree: Mapping[str, Any]) -> Tree:
    """A deep copy."""
    return {key: _copied(value) if isinstance(value, (dict, list)) else value for key, value in tree.items()}


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return copy_tree(value)
    return [_copied(item) for item in value] if isinstance(value, list) else value


def leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf with its dotted key. A leaf is a scalar, a list, or an empty dict."""
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
