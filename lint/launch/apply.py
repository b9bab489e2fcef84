"""Applies parsed overrides to a config tree, as Hydra 1.3 and OmegaConf 2.3 do to a tree in struct mode.

The tree of the defaults is shared by every launch that has it. A `Draft` copies of it what it changes and no more, so
what two trees have in common is the same object in both.

Sources: hydra `_internal/config_loader_impl.py` (`_apply_overrides_to_config`), omegaconf `omegaconf.py` (`update`),
`basecontainer.py` (`_map_merge`, `_list_merge`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lint.bash.numbers import whole
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


class Draft:
    """A tree to be changed: the nodes of the one it began as stay as they are."""

    def __init__(self, tree: Tree) -> None:
        self.tree = dict(tree)
        self._own: dict[int, Any] = {}  # nodes that were made for this draft, by identity

    def below(self, node: Any, name: Any) -> Any:
        """What is at a name (or index) of a node of this draft; a node may be changed from now on."""
        child = node[name]
        if isinstance(child, (dict, list)) and id(child) not in self._own:
            child = node[name] = child.copy()
            self._own[id(child)] = child
        return child


def apply(draft: Draft, override: ParsedOverride, value: Any, environment: Mapping[str, Any]) -> None:
    """Change a draft. `value` stands in for the parsed value (`UNKNOWN` where only a run could tell).

    Raises `Refused`.
    """
    key = override.key
    try:
        if override.prefix == "~":
            _delete(draft, override, value, environment)
        elif override.prefix == "+":
            present = Resolver(draft.tree, environment).select(key)
            if present is not None and not isinstance(value, (dict, list)):
                raise Refused("already-there", key, present)
            _update(draft, key, value, force=True)
        else:
            _update(draft, key, value, force=override.prefix == "++")
    except Unresolvable as error:
        raise Refused("bad-interpolation", key, str(error)) from None


def _delete(draft: Draft, override: ParsedOverride, value: Any, environment: Mapping[str, Any]) -> None:
    resolver = Resolver(draft.tree, environment)
    present = resolver.select(override.key)
    if present is None:
        raise Refused("not-there", override.key)
    if not override.deletes_any and value is not None and UNKNOWN not in (value, present) and value != present:
        raise Refused("other-value", override.key, present)
    *above, last = split_key(override.key)
    parent: Any = draft.tree
    for part in above:
        if not isinstance(parent, dict) or part not in parent:
            break
        parent = draft.below(parent, part)
    if above:
        parent = resolver.select(".".join(above))
    if isinstance(parent, dict) and last in parent:
        del parent[last]
    elif isinstance(parent, list) and last.isdecimal() and whole(last) < len(parent):
        del parent[whole(last)]
    else:
        raise Refused("not-there", override.key)


def _update(draft: Draft, key: str, value: Any, force: bool) -> None:
    """`OmegaConf.update(cfg, key, value, merge=True, force_add=force)`."""
    if is_interpolation(value) and not is_valid(value):
        raise Refused("bad-interpolation", key, value)
    *above, last = split_key(key) or (key,)
    node: Any = draft.tree
    for place, part in enumerate(above):
        if isinstance(node, list):
            if not part.isdecimal() or whole(part) >= len(node):
                raise Refused("not-a-node", ".".join(above[: place + 1]))
            if not isinstance(node[whole(part)], (dict, list)):
                node[whole(part)] = {}
            node = draft.below(node, whole(part))
            continue
        if not isinstance(node.get(part), (dict, list)):
            # a scalar in the way is replaced by an empty node; an absent one only by `+` and `++`
            if part not in node and not force:
                raise Refused("unknown-key", ".".join(above[: place + 1]))
            node[part] = {}
        node = draft.below(node, part)
    if isinstance(node, list):
        if not last.isdecimal() or whole(last) >= len(node):
            raise Refused("not-a-node", key)
        index = whole(last)
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
        node[last] = value


def _merged(present: Any, value: Any, key: str, force: bool) -> Any:
    """Dicts merge (new keys only with `force`), lists replace, a dict and a list do not go together.

    A merged dict has nothing in common with the one that was there: its override is the later word for all of it.
    """
    if isinstance(value, dict) and isinstance(present, dict):
        merged = copy_tree(present)
        for name, inner in value.items():
            path = f"{key}.{name}"
            if name not in merged and not force:
                raise Refused("unknown-key", path)
            old = merged.get(name)
            if isinstance(inner, dict):
                merged[name] = _merged(old, inner, path, force) if isinstance(old, dict) else inner
            elif isinstance(inner, list) and isinstance(old, dict):
                raise Refused("not-a-node", path)
            else:
                merged[name] = inner
        return merged
    if isinstance(present, (dict, list)) and not (isinstance(value, list) and isinstance(present, list)):
        raise Refused("not-a-node", key)
    return value


def _all_unknown(node: Tree) -> Tree:
    return {key: _all_unknown(value) if isinstance(value, dict) else UNKNOWN for key, value in node.items()}
