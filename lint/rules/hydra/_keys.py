"""Keys of a launch: where they are known, which known one is meant, and edits of their text in the script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Literal

from lint.facts.renamed_keys import KeyChange, change_of
from lint.findings import Confidence, Edit, Finding, Fix, Related, Severity
from lint.launch.compose import Cause, Composition, Problem, compose
from lint.launch.config import ABSENT
from lint.launch.launch import Launch, Override
from lint.rules.rule import Rule
from lint.rules.subject import Subject
from lint.schema.load import load, shipped
from lint.schema.tree import Tree, leaves


def problems(subject: Subject, *causes: Cause) -> Iterator[Problem]:
    """What Hydra refuses for one of these causes."""
    if subject.composition is not None:
        for problem in subject.composition.problems:
            if problem.cause in causes:
                yield problem


def release(composition: Composition) -> str:
    """The release that a launch was composed with, for messages."""
    schema = composition.schema
    return f"verl {schema.release}" if schema.date is not None else f"this checkout (verl {schema.release})"


def node_at(tree: Mapping[str, Any], key: str) -> Any:
    """The node or value at a dotted key, `ABSENT` if there is none."""
    node: Any = tree
    for part in key.split("."):
        if not isinstance(node, Mapping) or part not in node:
            return ABSENT
        node = node[part]
    return node


def parent(key: str) -> str:
    """The key of the node that holds a key; empty for the root."""
    return key.rpartition(".")[0]


# -------------------------------------------------------------------------------------------------- unknown keys


@dataclass(frozen=True, slots=True)
class Absent:
    """A key that a launch sets and its release lacks, and what is the matter with it.

    moved: the release renamed or dropped it, or another release has it; `open`: a node that takes any key, or whose
    dataclass has the field, so only the `+` is missing; unknown: neither.
    """

    problem: Problem
    override: Override
    key: str
    kind: Literal["moved", "open", "unknown"]
    change: KeyChange | None = None
    releases: tuple[str, ...] = ()  # that know the key


def absent_keys(subject: Subject, kind: str) -> Iterator[Absent]:
    """The absent keys of a launch that are of this kind."""
    composition = subject.composition
    if composition is None:
        return
    for problem in problems(subject, "unknown-key"):
        override = problem.override
        if override is not None:
            found = _classify(subject, composition, problem, override)
            if found.kind == kind:
                yield found


def _classify(subject: Subject, composition: Composition, problem: Problem, override: Override) -> Absent:
    inside = problem.key is not None and problem.key.startswith(override.key + ".")
    key = problem.key if inside and problem.key is not None else override.key
    change = change_of(key, subject.release, ("renamed", "removed"))
    if change is not None:
        return Absent(problem, override, key, "moved", change)
    releases = _releases_that_know(_Same(subject.launch), composition.schema.release, key)
    if releases:
        return Absent(problem, override, key, "moved", None, releases)
    return Absent(problem, override, key, "open" if takes(composition, key) else "unknown")


@dataclass(frozen=True, eq=False)
class _Same:
    """A launch, equal to itself alone: several rules ask the same of it."""

    launch: Launch

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.launch is other.launch

    def __hash__(self) -> int:
        return id(self.launch)


@lru_cache(maxsize=128)
def _releases_that_know(same: _Same, release: str, key: str) -> tuple[str, ...]:
    others = [name for name in shipped() if name != release]
    return tuple(name for name in others if node_at(_base(same, name), key) is not ABSENT)


@lru_cache(maxsize=16)
def _base(same: _Same, release: str) -> Tree:
    """The config of a launch in another release, without its overrides of keys."""
    return compose(same.launch, load(release)).base


def takes(composition: Composition, key: str) -> bool:
    """True if the node above a key takes it: it is handed on as it is, or its dataclass has the field."""
    above = parent(key)
    node = node_at(composition.tree, above) if above else ABSENT
    if not isinstance(node, Mapping):
        return False
    if "_target_" in node:
        fields = composition.schema.fields(str(node["_target_"]))
        return fields is not None and key.rpartition(".")[2] in fields
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
    """The key of the release that is most likely meant, None if none is like it."""
    by_walk = _nearest_by_walk(composition.base, key)
    if by_walk is not None:
        return by_walk
    name = key.rpartition(".")[2]
    if name in composition.choices:
        return name
    known = [leaf for leaf, _ in leaves(composition.base)]
    same_name = [leaf for leaf in known if leaf.rpartition(".")[2] == name]
    if not same_name:
        near = get_close_matches(name, sorted({leaf.rpartition(".")[2] for leaf in known}), 1, 0.85)
        same_name = [leaf for leaf in known if near and leaf.rpartition(".")[2] == near[0]]
    return max(same_name, key=lambda leaf: _shared(leaf, key), default=None)


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


def _shared(leaf: str, key: str) -> tuple[int, int]:
    """How many parts two keys share, and how long the shared beginning is."""
    ours, theirs = leaf.split("."), key.split(".")
    begun = 0
    while begun < min(len(ours), len(theirs)) and ours[begun] == theirs[begun]:
        begun += 1
    return len(set(ours) & set(theirs)), begun


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
    span = replace(override.key_span, start=start, end=override.key_span.start)
    title = f"write {prefix}{override.key}" if prefix else f"drop the {override.prefix}"
    return Fix(title, safe, (Edit(span, prefix),))


def _is_written(subject: Subject, override: Override, start: int, text: str) -> bool:
    source = subject.sources.get(override.key_span.path)
    return source is not None and source.text[start : override.key_span.end] == text
