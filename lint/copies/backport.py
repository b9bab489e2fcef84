"""Carries a script over to another release of verl: keys are renamed, `+` is set as needed there, nothing else changes.

Works in both directions. Every override that the release cannot express is listed; in the text it becomes a comment
(in an array) or is cut out (in a continued command), so that what is left starts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.copies.sides import Side
from lint.facts.renamed_keys import KeyChange, key_changes
from lint.facts.software import Software, software_of
from lint.files.sources import Files
from lint.findings import Edit, Finding
from lint.fixes.fix import edited
from lint.launch.compose import Composition, compose
from lint.launch.config import ABSENT, Special
from lint.launch.launch import Launch, Override
from lint.rules.hydra._keys import node_at, takes
from lint.schema.load import load, version_key
from lint.settings import ScriptSettings
from lint.suppression import directives
from lint.text import Source, Span

SOFTWARE = {"cann": "CANN", "torch_npu": "torch_npu", "vllm": "vLLM", "vllm_ascend": "vllm-ascend"}
QUIET = re.compile(r"(^|\.)_target_$|^hydra\.|profiler\.|^(critic|actor_rollout_ref\.\w+)\.qat\.")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was changed, or that could not be: the line in the original script, and what it is about."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class OtherDefault:
    """A key that the script leaves at its default, and the two releases have different ones."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
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
    source = side.source
    translated = _Edits(source)
    for override, composition in _overrides(side, release):
        _translate(translated, override, composition, before, release)
    _facts(translated, before, release)
    middle = replace(side, source=Source(source.path, translated.text()), release=release)
    cut = _Edits(middle.source)
    for launch, composition in _launches(middle, release):
        for problem in composition.problems:
            if problem.override is not None:
                _cut(cut, problem.override, release)
            else:
                cut.lost.append(Change(middle.source.line(launch.entry_span.start), problem.message))
    launches = list(_launches(side, release))
    return Backported(
        source=source,
        before=before,
        after=release,
        text=cut.text(),
        changes=tuple(dict.fromkeys(translated.changes)),
        lost=tuple(dict.fromkeys([*translated.lost, *cut.lost])),
        only_there=tuple(dict.fromkeys(_only_there(launches, before, release))),
        defaults=tuple(dict.fromkeys(_other_defaults(side, launches))),
        objections=_objections(source, cut.text(), before, release),
    )


@dataclass(frozen=True, slots=True)
class Checked:
    """What a release says of a text: how many launches and overrides it was asked about, and what it refuses."""

    launches: int
    overrides: int
    refused: tuple[Change, ...]


def check(side: Side, text: str, release: str) -> Checked:
    """Compose every launch of a text that stands where `side` does, with the configs of a release."""
    there = replace(side, source=Source(side.source.path, text), release=release)
    found = list(_launches(there, release))
    refused: dict[Change, None] = {}
    for launch, composition in found:
        for problem in composition.problems:
            span = launch.entry_span if problem.override is None else problem.override.span
            line = there.source.line(span.start) if span.path == there.source.path else 0
            refused[Change(line, problem.message)] = None
    commands = {launch.command.span: len(launch.overrides) for launch, _ in found}
    return Checked(len(commands), sum(commands.values()), tuple(refused))


def _launches(side: Side, release: str) -> Iterator[tuple[Launch, Composition]]:
    """Every launch under every scenario, composed with the configs of a release."""
    for launches in side.launches.values():
        for started in launches:
            yield started.launch, compose(started.launch, load(release))


def _overrides(side: Side, release: str) -> Iterator[tuple[Override, Composition]]:
    for launch, composition in _launches(side, release):
        for override in launch.overrides:
            yield override, composition


class _Edits:
    """Edits of one text, each place once, with what they do."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.changes: list[Change] = []
        self.lost: list[Change] = []
        self._edits: dict[Span, Edit] = {}

    def change(self, span: Span, text: str, what: str) -> None:
        if not self._overlaps(span):
            self._edits[span] = Edit(span, text)
            self.changes.append(Change(self.source.line(span.start), what))

    def lose(self, line: int, span: Span, text: str, what: str) -> None:
        if not self._overlaps(span):
            self._edits[span] = Edit(span, text)
            self.lost.append(Change(line, what))

    def text(self) -> str:
        return edited(self.source.text, self._edits.values())

    def _overlaps(self, span: Span) -> bool:
        return any((span.start < other.end and other.start < span.end) or span == other for other in self._edits)


# ----------------------------------------------------------------------------------------------------- translating


def _translate(edits: _Edits, override: Override, composition: Composition, before: str, after: str) -> None:
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
        line = edits.source.line(override.span.start) if override.span.path == edits.source.path else 0
        edits.lost.append(Change(line, f"{said}, but the key is not written in this script as it is"))
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
        name = _step(name, change if forward else _reversed(change))
    return name if name == key or node_at(composition.base, name) is not ABSENT else key


def _step(name: str, change: KeyChange | None) -> str:
    if change is None or change.kind == "removed" or not change.matches(name):
        return name
    return change.translate(name) or name


def _reversed(change: KeyChange) -> KeyChange | None:
    """A renaming, backwards; what only stopped being read keeps its name."""
    if change.kind != "renamed" or change.new is None or change.old.startswith("*."):
        return None
    return replace(change, old=change.new, new=change.old)


def _prefix_in(key: str, override: Override, composition: Composition) -> str:
    present = node_at(composition.base, key)
    if present is ABSENT:
        return "+" if override.prefix == "" and takes(composition, key) else override.prefix
    appends = override.prefix == "+" and present is not None and not isinstance(present, (dict, list))
    return "" if appends else override.prefix


def _facts(edits: _Edits, before: str, after: str) -> None:
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


def _cut(edits: _Edits, override: Override, release: str) -> None:
    """Take an override that the release refuses out of the command, leaving its text as a comment where bash allows."""
    text, span = edits.source.text, override.span
    said = f"verl {release} has no {override.prefix}{override.key}"
    if span.path != edits.source.path:
        edits.lost.append(Change(0, f"{said}, which {span.path} sets"))
        return
    line = edits.source.line(span.start)
    start = edits.source.line_starts[line - 1]
    end = start + len(edits.source.line_text(line))
    rest = text[span.end : end].removesuffix("\\").strip()
    alone = not text[start : span.start].strip() and (not rest or rest.startswith("#"))
    continued = text[start:end].endswith("\\") or text[:start].endswith("\\\n")
    if not alone:
        edits.lose(line, span, "", f"{said}: {text[span.start : span.end]}")
    elif continued:
        last = not text[start:end].endswith("\\")
        edits.lose(line, _line_of(text, span.path, start, end, last), "", f"{said}: {text[span.start : span.end]}")
    else:
        edits.lose(
            line, Span(span.path, span.start, span.start), f"# not in verl {release}: ", f"{said}: it is a comment now"
        )


def _line_of(text: str, path: str, start: int, end: int, last: bool) -> Span:
    """A whole line; of the last line of a continued command, the backslash before it goes too."""
    if not last:
        return Span(path, start, min(end + 1, len(text)))
    before = text[: start - 1].removesuffix("\\").rstrip(" \t")
    return Span(path, len(before), end)


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
    for one, (_, other) in zip(ours, launches, strict=True):
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
