"""Which key of a release is meant by one that it does not have."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from lint.launch.compose import Composition
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.rules.tables import rows_beside
from lint.schema.tree import leaves


def nearest_key(composition: Composition, key: str) -> str | None:
    """The key of the release that is most likely meant, None if none is like it.

    First the one that other trainers call so, then one of the same name further down (`policy_loss.loss_mode` for
    `loss_mode`), then one that is written much alike, then one that the key ends with, then one of the same name
    elsewhere in the same part of the config.
    """
    above, _, name = key.rpartition(".")
    theirs = called_elsewhere(composition, name)
    if theirs is not None:
        return theirs
    parts = key.split(".")
    part = f"{parts[0]}." if parts[0] in composition.base else ""
    same = [leaf for leaf, _ in leaves(composition.base) if leaf.rpartition(".")[2] == name and leaf.startswith(part)]
    below = [leaf for leaf in same if above and leaf.startswith(f"{above}.")]
    if below:
        return min(below, key=len)
    by_walk = _nearest_by_walk(composition.base, key)
    if by_walk is not None:
        return by_walk
    ends = [end for end in _ends_of(composition, key) if "." in end]
    if ends:
        return max(ends, key=len)
    if name in composition.choices:
        return name
    likely = [leaf for leaf in same if len(set(leaf.split(".")) & set(parts)) >= max(2, len(parts) - 1)]
    if likely:
        return min(likely, key=len)
    return same[0] if len(same) == 1 and len(name) > 5 else None


def _ends_of(composition: Composition, key: str) -> list[str]:
    """The keys of the release that a key ends with: `optim.lr` for `actor_rollout_ref.actor.optim.lr`."""
    parts = key.split(".")
    ends = (".".join(parts[first:]) for first in range(1, len(parts)))
    return [end for end in ends if node_at(composition.base, end) is not ABSENT]


def called_elsewhere(composition: Composition, name: str) -> str | None:
    """The key of the release that other trainers call by a name, None if they call none so."""
    for row in rows_beside(__file__):
        if name in row["names"]:
            return next((key for key in row["keys"] if node_at(composition.base, key) is not ABSENT), None)
    return None


def _nearest_by_walk(tree: Mapping[str, Any], key: str) -> str | None:
    """Follow a key part by part, each the same or much alike."""
    node: Any = tree
    found: list[str] = []
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        names = [str(name) for name in node]
        near = [part] if part in names else get_close_matches(part, names, 1, 0.75)
        if not near:
            return None
        found.append(near[0])
        node = node[near[0]]
    return ".".join(found)
