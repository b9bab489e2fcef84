"""Keys of a launch: where they are known, which known one is meant, and edits of their text in the script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Literal

from lint.facts.renamed_keys import KeyChange, change_of
from lint.findings import Confidence, Edit, Finding, Fix, Related, Severity
from lint.launch.compose import Cause, Composition, Problem, base_of
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.groups import trees_of_engines
from lint.launch.launch import Launch, Override
from lint.rules.rule import Rule
from lint.schema.load import load, shipped
from lint.schema.tree import Tree, leaves
from lint.subject.subject import Subject
from lint.text import Span


def problems(subject: Subject, *causes: Cause) -> Iterator[Problem]:
    """What Hydra refuses for one of these causes."""
    if subject.composition is not None:
        for problem in subject.composition.problems:
            if problem.cause in causes:
                yield problem


def release(composition: Composition) -> str:
    """The release that a launch was composed with, for messages."""
    return composition.schema.title


def having(releases: Sequence[str]) -> str:
    """`0.8.0 has it`, `0.8.0 and 0.9.0 have it`."""
    if len(releases) == 1:
        return f"{releases[0]} has it"
    return f"{', '.join(releases[:-1])} and {releases[-1]} have it"


def parent(key: str) -> str:
    """The key of the node that holds a key; empty for the root."""
    return key.rpartition(".")[0]


# -------------------------------------------------------------------------------------------------- unknown keys


Kind = Literal["engine", "moved", "open", "unknown"]


@dataclass(frozen=True, slots=True)
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
    composed = base_of(asked.launch, load(release))
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


def nearest_key(composition: Composition, key: str) -> str | None:
    """The key of the release that is most likely meant, None if none is like it.

    First one of the same name further down (`policy_loss.loss_mode` for `loss_mode`), then one that is written much
    alike, then one of the same name elsewhere in the same part of the config.
    """
    above, _, name = key.rpartition(".")
    parts = key.split(".")
    part = f"{parts[0]}." if parts[0] in composition.base else ""
    same = [leaf for leaf, _ in leaves(composition.base) if leaf.rpartition(".")[2] == name and leaf.startswith(part)]
    below = [leaf for leaf in same if above and leaf.startswith(f"{above}.")]
    if below:
        return min(below, key=len)
    by_walk = _nearest_by_walk(composition.base, key)
    if by_walk is not None:
        return by_walk
    if name in composition.choices:
        return name
    likely = [leaf for leaf in same if len(set(leaf.split(".")) & set(parts)) >= max(2, len(parts) - 1)]
    if likely:
        return min(likely, key=len)
    return same[0] if len(same) == 1 and len(name) > 5 else None


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


# --------------------------------------------------------------------------------------------- findings and fixes


def report(
    subject: Subject,
    rule: Rule,
    override: Override | None,
    message: str,
    *,
    key: str | None = None,
    help: str | None = None,
    note: str | None = None,
    fix: Fix | None = None,
    severity: Severity | None = None,
    confidence: Confidence | None = None,
    also: Iterable[Override] = (),
) -> Finding:
    """A finding at an override (at the launch itself if there is none)."""
    found = subject.finding(
        rule,
        message,
        span=override.span if override is not None else subject.launch.entry_span,
        help=help,
        note=note,
        fix=fix,
        severity=severity,
        confidence=confidence,
        related=[Related(other.span, f"{other.key} is set here, too") for other in also],
    )
    value = None if override is None or override.value is None else override.value.value
    return replace(found, key=key or (None if override is None else override.key), value=value)


def expands(subject: Subject, override: Override) -> bool:
    """True if an override is written with a variable."""
    source = subject.sources.get(override.span.path)
    return source is not None and "$" in source.text[override.span.start : override.span.end]


def rename(subject: Subject, override: Override, new: str, *, safe: bool) -> Fix | None:
    """A fix that writes another key; None if the key does not stand in the script as it is."""
    if not _is_written(subject, override, override.key_span.start, override.key):
        return None
    return Fix(f"write {new}", safe, (Edit(override.key_span, new),))


def set_prefix(subject: Subject, override: Override, prefix: str, *, safe: bool) -> Fix | None:
    """A fix that writes another prefix; None if prefix and key do not stand in the script as they are."""
    start = override.key_span.start - len(override.prefix)
    if not _is_written(subject, override, start, override.prefix + override.key):
        return None
    span = Span(override.key_span.path, start, override.key_span.start)
    title = f"write {prefix}{override.key}" if prefix else f"drop the {override.prefix}"
    return Fix(title, safe, (Edit(span, prefix),))


def _is_written(subject: Subject, override: Override, start: int, text: str) -> bool:
    source = subject.sources.get(override.key_span.path)
    return source is not None and source.text[start : override.key_span.end] == text
