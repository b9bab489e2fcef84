"""Applies parsed overrides to a config tree, as Hydra 1.3 and OmegaConf 2.3 do to a tree in struct mode.

Sources: hydra `_internal/config_loader_impl.py` (`_apply_overrides_to_config`), omegaconf `omegaconf.py` (`update`),
`basecontainer.py` (`_map_merge`, `_list_merge`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lint.launch.config import UNKNOWN
from lint.launch.interpolation import Resolver, Unresolvable, is_interpolation, is_valid, split_key
from lint.launch.override import ParsedOverride
from lint.schema.tree import Tree, copy_tree

Refusal = Literal["unknown-key", "already-there", "not-there", "other-value", "not-a-node", "bad-interpolation"]


@dataclass(frozen=True)
class Refused(Exception):
    """Hydra refuses the override. `key` is the key it stumbles over: the override's, or one inside its value."""

    reason: Refusal
    key: str
    present: Any = None  # the value that is already there


def apply(tree: Tree, override: ParsedOverride, value: Any, environment: Mapping[str, Any]) -> None:
    """Change `tree` in place. `value` stands in for the parsed value (`UNKNOWN` where only a run could tell).

    Raises `Refused`.
    """
    key = override.key
    try:
        if override.prefix == "~":
            _delete(tree, override, value, environment)
        elif override.prefix == "+":
            present = Resolver(tree, environment).select(key)
            if present is not None and not isinstance(value, (dict, list)):
                raise Refused("already-there", key, present)
            _update(tree, key, value, force=True)
        else:
            _update(tree, key, value, force=override.prefix == "++")
    except Unresolvable as error:
        raise Refused("bad-interpolation", key, str(error)) from None


def _delete(tree: Tree, override: ParsedOverride, value: Any, environment: Mapping[str, Any]) -> None:
    resolver = Resolver(tree, environment)
    present = resolver.select(override.key)
    if present is None:
        raise Refused("not-there", override.key)
    if not override.deletes_any and value is not None and UNKNOWN not in (value, present) and value != present:
        raise Refused("other-value", override.key, present)
    *above, last = split_key(override.key)
    parent = resolver.select(".".join(above)) if above else tree
    if isinstance(parent, dict) and last in parent:
        del parent[last]
    elif isinstance(parent, list) and last.isdigit() and int(last) < len(parent):
        del parent[int(last)]
    else:
        raise Refused("not-there", override.key)


def _update(tree: Tree, key: str, value: Any, force: bool) -> None:
    """`OmegaConf.update(cfg, key, value, merge=True, force_add=force)`."""
    if is_interpolation(value) and not is_valid(value):
        raise Refused("bad-interpolation", key, value)
    *above, last = split_key(key) or [key]
    node: Any = tree
    for place, part in enumerate(above):
        path = ".".join(above[: place + 1])
        if isinstance(node, list):
            if not part.isdigit() or int(part) >= len(node):
                raise Refused("not-a-node", path)
            if not isinstance(node[int(part)], (dict, list)):
                node[int(part)] = {}
            node = node[int(part)]
            continue
        child = node.get(part)
        if not isinstance(child, (dict, list)):
            # a scalar in the way is replaced by an empty node; an absent one only by `+` and `++`
            if part not in node and not force:
                raise Refused("unknown-key", path)
            child = node[part] = {}
        node = child
    if isinstance(node, list):
        if not last.isdigit() or int(last) >= len(node):
            raise Refused("not-a-node", key)
        index = int(last)
        present = node[index]
        node[index] = _merged(present, value, key, force) if isinstance(value, (dict, list)) else value
        return
    if last not in node and not force:
        raise Refused("unknown-key", key)
    present = node.get(last)
    if isinstance(value, (dict, list)) and isinstance(present, (dict, list)):
        node[last] = _merged(present, value, key, force)
    elif value is UNKNOWN and isinstance(present, dict):
        node[last] = _all_unknown(present)
    else:
        node[last] = copy_tree(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value


def _merged(present: Any, value: Any, key: str, force: bool) -> Any:
    """Dicts merge (new keys only with `force`), lists replace, a dict and a list do not go together."""
    if isinstance(value, dict) and isinstance(present, dict):
        merged = dict(present)
        for name, inner in value.items():
            path = f"{key}.{name}"
            if name not in merged and not force:
                raise Refused("unknown-key", path)
            old = merged.get(name)
            if isinstance(inner, dict):
                merged[name] = _merged(old, inner, path, force) if isinstance(old, dict) else copy_tree(inner)
            elif isinstance(inner, list) and isinstance(old, dict):
                raise Refused("not-a-node", path)
            else:
                merged[name] = inner
        return merged
    if isinstance(value, list) and isinstance(present, list):
        return list(value)
    if isinstance(present, (dict, list)):
        raise Refused("not-a-node", key)
    return value


def _all_unknown(node: Tree) -> Tree:
    return {key: _all_unknown(value) if isinstance(value, dict) else UNKNOWN for key, value in node.items()}
