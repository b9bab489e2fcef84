"""Keys that a launch sets and its release lacks: what is the matter with each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from lint.facts.renamed_keys import KeyChange, change_of
from lint.frozen import frozen
from lint.launch.compose import Composition, Problem, base_of
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.groups import trees_of_engines
from lint.launch.launch import Launch, Override
from lint.rules.hydra._keys import parent
from lint.schema.load import load, shipped
from lint.schema.tree import Tree
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
    if subject.composition is not None:
        asked = _Asked(subject.launch, subject.composition, subject.release)
        yield from (absent for absent in _classified(asked) if absent.kind == kind)


@dataclass(frozen=True, eq=False)
class _Asked:
    """A launch with its composition, equal to itself alone: several rules ask the same of it."""

    launch: Launch
    composition: Composition
    release: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.composition is other.composition

    def __hash__(self) -> int:
        return id(self.composition)


@lru_cache(maxsize=16)
def _classified(asked: _Asked) -> tuple[Absent, ...]:
    return tuple(
        _classify(asked, problem, problem.override)
        for problem in asked.composition.problems
        if problem.cause == "unknown-key" and problem.override is not None
    )


def _classify(asked: _Asked, problem: Problem, override: Override) -> Absent:
    composition = asked.composition
    inside = problem.key is not None and problem.key.startswith(override.key + ".")
    key = problem.key if inside and problem.key is not None else override.key
    engines = tuple(_engines_that_know(composition, key))
    if engines:
        return Absent(override, key, "engine", engines=engines)
    change = change_of(key, asked.release, ("renamed", "removed"))
    if change is not None:
        return Absent(override, key, "moved", change)
    others = [name for name in shipped() if name != composition.schema.release]
    releases = tuple(name for name in others if node_at(_base(asked, name), key) is not ABSENT)
    if releases:
        return Absent(override, key, "moved", releases=releases)
    return Absent(override, key, "open" if takes(composition, key) else "unknown")


def _engines_that_know(composition: Composition, key: str) -> Iterator[str]:
    if composition.primary is not None:
        for name, composed in trees_of_engines(composition.primary):
            if node_at(composed.tree, key) is not ABSENT:
                yield name


@lru_cache(maxsize=16)
def _base(asked: _Asked, release: str) -> Tree:
    """The config of a launch in another release, without its overrides of keys."""
    composed = base_of(asked.launch, load(release), asked.composition.parsed)
    return {} if composed is None else composed.tree


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
