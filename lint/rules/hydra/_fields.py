"""Dataclasses behind the nodes of a config: which field a key is, and whether the launch makes the class at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lint.launch.compose import Composition
from lint.launch.config import Setting
from lint.launch.launch import Override
from lint.rules.hydra._keys import parent
from lint.schema.schema import DataClass, Field
from lint.subject.once import once
from lint.subject.subject import Subject

INSTANTIATION_KEYS = frozenset({"_target_", "_convert_", "_recursive_", "_partial_", "_args_"})
"""Keys that `hydra.utils.instantiate` takes itself."""


@once
def applied(subject: Subject) -> Sequence[Override]:
    """The overrides of keys that Hydra takes, in order."""
    return tuple(_applied(subject))


@once
def added(subject: Subject) -> Sequence[Override]:
    """Those of them that may add a key: with `+` or `++`."""
    return tuple(override for override in applied(subject) if override.prefix.startswith("+"))


class InForce(NamedTuple):
    """The last override of a key that Hydra takes, the setting that it makes, and the field of the dataclass behind."""

    override: Override
    setting: Setting
    field: Field | None


@once
def in_force(subject: Subject) -> Sequence[InForce]:
    """The overrides that decide a value."""
    return tuple(_in_force(subject))


def _in_force(subject: Subject) -> Iterator[InForce]:
    composition = subject.composition
    if composition is None:
        return
    fields: dict[str, Mapping[str, Field]] = {}  # of the class at each node
    for override in applied(subject):
        setting = subject.setting(override.key)
        if setting is None or setting.override is not override:
            continue
        node, _, name = override.key.rpartition(".")
        if node not in fields:
            found = class_at(composition, node) if node else None
            fields[node] = {} if found is None else found[1]
        yield InForce(override, setting, fields[node].get(name))


def _applied(subject: Subject) -> Iterator[Override]:
    composition = subject.composition
    if composition is None or composition.unchecked is not None or not composition.tree:
        return
    refused = {problem.index for problem in composition.problems}
    for override in subject.launch.overrides:
        read = composition.parsed.get(override.index)
        if read is not None and read.package is None and override.index not in refused:
            yield override


def class_at(composition: Composition, node: str) -> tuple[str, Mapping[str, Field]] | None:
    """The target of a node and the fields it takes, None if the node has no known dataclass."""
    target = composition.target(node)
    fields = None if target is None else composition.schema.fields(target)
    return None if target is None or fields is None else (target, fields)


def definition(composition: Composition, target: str) -> DataClass | None:
    """The class that a target names."""
    return composition.schema.classes.get(composition.schema.aliases.get(target, target))


def is_made(subject: Subject, composition: Composition, node: str) -> bool:
    """True if this launch certainly makes the dataclass of a node: it is, or lies below, a node that the code turns
    into dataclasses, and that part of the program runs."""
    above = node
    while above:
        if composition.schema.is_instantiated(above) and _runs(subject, above):
            return True
        above = parent(above)
    return False


def _runs(subject: Subject, node: str) -> bool:
    """True if the part of the program that a node configures certainly runs."""
    first, _, rest = node.partition(".")
    if subject.launch.entry_point.endswith("main_generation_server"):
        return rest in ("rollout", "model")
    if first == "critic":
        enable = subject.value("critic.enable")
        return enable is True or (subject.is_null("critic.enable") and _estimator(subject) == "gae")
    if rest.partition(".")[0] == "ref":
        kl = ("actor_rollout_ref.actor.use_kl_loss", "algorithm.use_kl_in_reward")
        return any(subject.boolean(key) is True for key in kl)
    if first == "actor_rollout_ref":
        return rest in ("actor", "rollout", "model")
    return subject.launch.entry_point.startswith("verl.trainer.sft_trainer") and node == first


def _estimator(subject: Subject) -> str | None:
    return subject.string("algorithm.adv_estimator")
