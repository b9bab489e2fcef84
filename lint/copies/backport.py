"""Carries a script over to another release of verl: keys are renamed, `+` is set as needed there, nothing else changes.

Works in both directions. Every override that the release cannot express is listed; in the text it becomes a comment
(in an array) or is cut out (in a continued command), so that what is left starts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.copies.engines import engines
from lint.copies.rewriting import Change, Edits, Rewritten
from lint.copies.sides import Side
from lint.facts.entry_points import entry_point_in
from lint.facts.renamed_keys import KeyChange, change_of, key_changes
from lint.facts.software import Software, software_of
from lint.files.sources import Files
from lint.findings import Finding
from lint.frozen import frozen
from lint.launch.compose import Composition, Problem
from lint.launch.config import ABSENT, Special
from lint.launch.effective import node_at
from lint.launch.launch import Launch, Override
from lint.regular import regular
from lint.rules.hydra._absent import takes
from lint.schema.load import load, version_key
from lint.settings import ScriptSettings
from lint.suppression import directives
from lint.text import Source, Span

ROUNDS = 8  # what a change brings to light is changed in the next round; real scripts take two or three
SOFTWARE = {"cann": "CANN", "torch_npu": "torch_npu", "vllm": "vLLM", "vllm_ascend": "vllm-ascend"}
QUIET = regular(r"(^|\.)_target_$|^hydra\.|profiler\.|^(critic|actor_rollout_ref\.\w+)\.qat\.")


@frozen
class OtherDefault:
    """A key that the script leaves at its default, and the two releases have different ones."""

    key: str
    before: str
    after: str


@frozen
class Backported:
    """The new text, what was changed in it, what the release cannot express, and what to look at."""

    source: Source
    before: str
    after: str
    text: str
    changes: tuple[Change, ...]
    lost: tuple[Change, ...]
    only_there: tuple[str, ...]  # keys that later releases dropped, beside keys that the script sets
    defaults: tuple[OtherDefault, ...]
    objections: tuple[str, ...]  # what rules say of the copy for its release and did not say of the script for its own


def backport(side: Side, release: str) -> Backported:
    """The script of `side`, for another release. Raises `UnknownRelease`."""
    load(release)
    before = side.schema.release
    text = Rewritten(side.source)
    already = {problem.key for launch, own in _launches(side, None) for problem in own.problems}
    engines(text, side, release)
    for number in range(ROUNDS):
        edits = Edits(text.source)
        there = replace(side, source=text.source, release=release)
        found = list(_launches(there, release))
        if number == 0:
            _facts(edits, before, release)
        for launch, composition in found:
            _start(edits, launch, release)
            for override in launch.overrides:
                _translate(edits, override, composition, before, release)
        if not edits:  # nothing is left to translate: what is still refused cannot be expressed
            _cut_all(edits, found, release, already)
        text.apply(edits)
        if not edits:
            break
    launches = list(_launches(replace(side, source=text.source, release=release), release))
    return Backported(
        source=side.source,
        before=before,
        after=release,
        text=text.source.text,
        changes=tuple(dict.fromkeys(text.changes)),
        lost=tuple(dict.fromkeys(text.lost)),
        only_there=tuple(dict.fromkeys(_only_there(launches, before, release))),
        defaults=tuple(dict.fromkeys(_other_defaults(side, launches))),
        objections=_objections(side.source, text.source.text, before, release),
    )


@frozen
class Checked:
    """What a release says of a text: how many launches and overrides it was asked about, what it refuses, and which
    launches nobody could ask it about."""

    launches: int
    overrides: int
    refused: tuple[Change, ...]
    unchecked: tuple[Change, ...] = ()


def check(side: Side, text: str, release: str) -> Checked:
    """Compose every launch of a text that stands where `side` does, with the configs of a release."""
    there = replace(side, source=Source(side.source.path, text), release=release)
    found = list(_launches(there, release))
    refused: dict[Change, None] = {}
    before = {error.message for error in parse(side.source).errors}
    for error in parse(there.source).errors:
        if error.message not in before:
            refused[Change(there.source.line(error.start), f"bash cannot read it: {error.message}")] = None
    if not found and any(side.launches.values()):
        refused[Change(0, "it starts no trainer any more")] = None
    unchecked: dict[Change, None] = {}
    for launch, composition in found:
        if composition.unchecked is not None:
            unchecked[Change(_line(there.source, launch.entry_span), composition.unchecked)] = None
        for problem in composition.problems:
            span = launch.entry_span if problem.override is None else problem.override.span
            refused[Change(_line(there.source, span), problem.message)] = None
    commands = {launch.command.span: len(launch.overrides) for launch, _ in found}
    return Checked(len(commands), sum(commands.values()), tuple(refused), tuple(unchecked))


def _line(source: Source, span: Span) -> int:
    return source.line(span.start) if span.path == source.path else 0


def _launches(side: Side, release: str | None) -> Iterator[tuple[Launch, Composition]]:
    """Every launch under every scenario, composed with the configs of a release, or of its own."""
    for launches in side.launches.values():
        for started in launches:
            yield started.launch, started.composition if release is None else started.composed(load(release))


# ----------------------------------------------------------------------------------------------------- translating


def _start(edits: Edits, launch: Launch, release: str) -> None:
    """Start the program under the name that it has in the release."""
    name, span = entry_point_in(release, launch.entry_point), launch.entry_span
    if name == launch.entry_point:
        return
    said = f"{launch.entry_point} is {name} there"
    if span.path == edits.source.path and edits.source.text[span.start : span.end] == launch.entry_point:
        edits.change(span, name, said)
    else:
        edits.note_loss(span, f"{said}, but the name is not written in this script as it is")


def _translate(edits: Edits, override: Override, composition: Composition, before: str, after: str) -> None:
    """Write the key as the release names it, with the `+` that it needs there."""
    if composition.unchecked is not None or override.package is not None or override.key in composition.choices:
        return
    key = _name_in(override.key, composition, before, after)
    prefix = _prefix_in(key, override, composition)
    if (prefix, key) == (override.prefix, override.key):
        return
    said = f"{override.prefix}{override.key} is {prefix}{key} there"
    span = _where_written(edits.source, override)
    if span is None:
        edits.note_loss(override.span, f"{said}, but the key is not written in this script as it is")
        return
    edits.change(span, prefix + key, said)


def _where_written(source: Source, override: Override) -> Span | None:
    """Where prefix and key of an override stand in the script, if they stand there once and as they are."""
    if override.span.path != source.path:
        return None
    written = override.prefix + override.key
    element = source.text[override.span.start : override.span.end]
    if element.count(written) != 1:
        return None
    start = override.span.start + element.index(written)
    return Span(source.path, start, start + len(written))


def _name_in(key: str, composition: Composition, before: str, after: str) -> str:
    """The name of a key in the other release; the same if that has it, or if no table says what became of it."""
    forward = version_key(before) <= version_key(after)
    if not forward and node_at(composition.base, key) is not ABSENT:
        return key
    low, high = sorted((before, after), key=version_key)
    between = [change for change in key_changes() if version_key(low) < version_key(change.since) <= version_key(high)]
    name = key
    for change in between if forward else reversed(between):
        name = _step(name, change if forward else change.backwards)
    return name if name == key or node_at(composition.base, name) is not ABSENT else key


def _step(name: str, change: KeyChange | None) -> str:
    if change is None or change.kind == "removed" or not change.matches(name):
        return name
    return change.translate(name) or name


def _prefix_in(key: str, override: Override, composition: Composition) -> str:
    present = node_at(composition.base, key)
    if present is ABSENT:
        return "+" if override.prefix == "" and takes(composition, key) else override.prefix
    appends = override.prefix == "+" and present is not None and not isinstance(present, (dict, list))
    return "" if appends else override.prefix


def _facts(edits: Edits, before: str, after: str) -> None:
    """What the head comment and messages say of the release and of the software that its image holds."""
    stated = directives.parse(parse(edits.source)).facts.get("release")
    if stated is not None and stated.value.removeprefix("v") == before:
        edits.change(stated.span, after, f"release={after} in the head")
    pairs = {"verl": (before, after), **_software(before, after)}
    for name, (old, new) in pairs.items():
        for found in re.finditer(rf"(?<![\w.-]){re.escape(name)} ({re.escape(old)})(?![\w.])", edits.source.text):
            span = Span(edits.source.path, found.start(1), found.end(1))
            if old != new:
                edits.change(span, new, f"{name} {new}")


def _software(before: str, after: str) -> Mapping[str, tuple[str, str]]:
    old, new = (software_of(release, "npu") for release in (before, after))
    if old is None or new is None:
        return {}
    versions = {title: (_version(old, name), _version(new, name)) for name, title in SOFTWARE.items()}
    return {title: (one, other) for title, (one, other) in versions.items() if one and other}


def _version(software: Software, name: str) -> str:
    return str(getattr(software, name) or "")


# --------------------------------------------------------------------------------------------------------- cutting


def _cut_all(
    edits: Edits, launches: Iterable[tuple[Launch, Composition]], release: str, already: Collection[str | None]
) -> None:
    """Cut whatever the release refuses. `already`: keys that the script's own release refuses, too."""
    for launch, composition in launches:
        for problem in composition.problems:
            if problem.override is None:
                edits.note_loss(launch.entry_span, problem.message)
            else:
                known = "; it was refused before, too" if problem.key and problem.key in already else ""
                _cut(edits, problem, problem.override, release, known)


def _cut(edits: Edits, problem: Problem, override: Override, release: str, known: str) -> None:
    """Take an override that the release refuses out of the command, leaving its text as a comment where bash allows."""
    said = f"verl {release} has no {override.prefix}{override.key}"
    if problem.cause in ("no-option", "no-group"):
        said = f"verl {release}: {problem.message}"
    change = change_of(override.key, release, ("removed",))
    if change is not None and change.note:
        said += f" ({change.note})"
    said += known
    if override.span.path != edits.source.path:
        edits.note_loss(override.span, f"{said}, which {override.span.path} sets")
        return
    edits.cut(override.span, said, f"# not in verl {release}: ")


# ---------------------------------------------------------------------------------------------------------- hints


def _only_there(launches: Iterable[tuple[Launch, Composition]], before: str, after: str) -> Iterator[str]:
    """Keys of an older release that were dropped on the way here, beside keys that the script sets."""
    for launch, composition in launches:
        beside = {override.key.rpartition(".")[0] for override in launch.overrides}
        for change in key_changes():
            between = version_key(after) < version_key(change.since) <= version_key(before)
            dropped = between and change.kind == "removed"
            if not dropped or not change.note or change.old.rpartition(".")[0] not in beside:
                continue
            present = node_at(composition.base, change.old)
            if present is not ABSENT:
                yield f"{change.old} (default {present}): {change.note} since verl {change.since}"


def _other_defaults(side: Side, launches: Iterable[tuple[Launch, Composition]]) -> Iterator[OtherDefault]:
    """Keys that nobody sets and whose effective value changes with the release."""
    ours = [started.composition for group in side.launches.values() for started in group]
    for one, (_, other) in zip(ours, launches, strict=False):
        for key in other.config.settings:
            before, setting = one.config.get(key), other.config.get(key)
            if (
                before is None
                or setting is None
                or setting.override is not None
                or before.override is not None
                or QUIET.search(key)
            ):
                continue
            values = (before.value, setting.value)
            if values[0] != values[1] and not any(isinstance(value, Special) for value in values):
                yield OtherDefault(key, *(_plain(value) for value in values))


def _objections(source: Source, text: str, before: str, after: str) -> tuple[str, ...]:
    """Errors and warnings of rules that say nothing about the same key in the script."""
    known = {(finding.rule, finding.key) for finding in _found(source, before)}
    found = _found(replace(source, text=text), after)
    return tuple(f"{each.message} ({each.rule})" for each in found if (each.rule, each.key) not in known)


def _found(source: Source, release: str) -> list[Finding]:
    request = Request(ScriptSettings(), ScriptSettings(release=release))
    found = examine(source, request, Files(NoFiles(), os.curdir)).findings
    return [finding for finding in found if finding.severity != "info"]


def _plain(value: object) -> str:
    return "null" if value is None else str(value)
