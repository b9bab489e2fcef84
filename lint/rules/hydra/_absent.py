"""Keys that a launch sets and its release lacks: what is the matter with each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from lint.facts.renamed_keys import KeyChange, change_of
from lint.frozen import frozen
from lint.launch.compose import Composition, Problem, base_of
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.groups import trees_of_engines
from lint.launch.launch import Override
from lint.rules.hydra._keys import parent
from lint.schema.load import load, shipped
from lint.schema.schema import ENGINE_GROUPS
from lint.schema.tree import Tree
from lint.subject.once import once
from lint.subject.subject import Subject

Kind = Literal["engine", "moved", "open", "unknown"]


@frozen
class Absent:
    """A key that a launch sets and its release lacks, and what is the matter with it.

    engine: another engine of the release has it; moved: the release renamed or dropped it, or another release has it;
    open: its node takes any key, or the dataclass of its node has the field, so only the `+` is missing; unknown: none
    of these.
    """

    override: Override
    key: str
    kind: Kind
    change: KeyChange | None = None
    releases: tuple[str, ...] = ()  # that know the key
    engines: tuple[str, ...] = ()  # overrides that choose an engine with the key


def absent_keys(subject: Subject, kind: Kind) -> Iterator[Absent]:
    """The absent keys of a launch that are of this kind."""
    return (absent for absent in _classified(subject) if absent.kind == kind)


@once
def _classified(subject: Subject) -> tuple[Absent, ...]:
    composition = subject.composition
    if composition is None:
        return ()
    return tuple(
        _classify(subject, composition, problem, problem.override)
        for problem in composition.problems
        if problem.cause == "unknown-key" and problem.override is not None
    )


def _classify(subject: Subject, composition: Composition, problem: Problem, override: Override) -> Absent:
    inside = problem.key is not None and problem.key.startswith(override.key + ".")
    key = problem.key if inside and problem.key is not None else override.key
    engines = tuple(_engines_that_know(composition, key))
    if engines:
        return Absent(override, key, "engine", engines=engines)
    change = change_of(key, subject.release, ("renamed", "removed"))
    if change is not None:
        return Absent(override, key, "moved", change)
    releases = tuple(name for name, tree in _elsewhere(subject).items() if node_at(tree, key) is not ABSENT)
    if releases:
        return Absent(override, key, "moved", releases=releases)
    return Absent(override, key, "open" if takes(composition, key) else "unknown")


def _engines_that_know(composition: Composition, key: str) -> Iterator[str]:
    """The engines that have a key: other configs of the folder are none of them where a group chooses the engine."""
    if composition.primary is None:
        return
    by_group = any(group in composition.choices for group in ENGINE_GROUPS)
    for name, composed in trees_of_engines(composition.primary):
        of_program = by_group and name.startswith("--config-name=")
        if not of_program and node_at(composed.tree, key) is not ABSENT:
            yield name


@once
def _elsewhere(subject: Subject) -> Mapping[str, Tree]:
    """The config of a launch in the other releases, without its overrides of keys."""
    composition = subject.composition
    if composition is None:
        return {}
    others = (name for name in shipped() if name != composition.schema.release)
    composed = {name: base_of(subject.launch, load(name), composition.parsed) for name in others}
    return {name: {} if found is None else found.tree for name, found in composed.items()}


def takes(composition: Composition, key: str) -> bool:
    """True if the nearest node above a key takes it: it is handed on as it is, or its dataclass has the field (for a
    key further down: has a field that holds a dict, as `mixed_precision` of `mixed_precision.reduce_dtype`)."""
    above = parent(key)
    while above and not isinstance(node_at(composition.base, above), Mapping):
        above = parent(above)
    node = node_at(composition.base, above) if above else {}
    if "_target_" in node:
        name, *further = key.removeprefix(f"{above}.").split(".")
        field = (composition.schema.fields(str(node["_target_"])) or {}).get(name)
        return field is not None and (not further or "dict" in field.types)
    return is_open(composition, above)


def is_open(composition: Composition, node: str) -> bool:
    """True for a node whose keys are handed on to other software: empty by default, or named as such."""
    while node:
        name = node.rpartition(".")[2]
        if node_at(composition.base, node) == {} or name.startswith("override_") or name.endswith("kwargs"):
            return True
        node = parent(node)
    return False
