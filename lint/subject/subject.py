"""What a rule looks at: one launch with its config, release, model, device and cluster, or one script.

Every look-up returns None when the value is unknown, so a rule reads: fetch what it needs, return if any is None,
compute, yield `subject.finding(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import field, replace
from typing import Any

from lint.bash.files import FileReader
from lint.bash.reading import Known, Origin, Reading, RunCommand, Text
from lint.bash.syntax import Script
from lint.bash.walk import Nodes
from lint.callers.calls import Call
from lint.facts.devices import Cluster, Device
from lint.facts.models import Model
from lint.findings import Confidence, Declaration, Finding, Fix, Related, Severity
from lint.fixes.fix import value_edit
from lint.frozen import frozen
from lint.launch.compose import Composition
from lint.launch.config import LARGEST, Config, Setting, Special
from lint.launch.launch import Launch, Override
from lint.text import Source, Span


@frozen
class ScriptSubject:
    """A script as a whole: its text, its tree, and what it does under each scenario that was read."""

    script: Script
    readings: tuple[Reading, ...]
    launches: tuple[Launch, ...]
    sources: Mapping[str, Source]  # every file that was read, by path
    options: Mapping[str, object]
    nodes: Nodes  # every node of the tree, by kind
    files: FileReader  # the only way to what stands beside the script
    calls: tuple[Call, ...] = ()  # how workflows of the repository start it
    subjects: tuple[Subject, ...] = ()  # its launches with all that is known of them
    computed: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)  # by `once`

    def span(self, node: Any) -> Span:
        """Where a node of the tree stands."""
        return Span(self.script.source.path, node.start, node.end)

    def split(self, launch: Launch) -> tuple[tuple[RunCommand, ...], tuple[RunCommand, ...]]:
        """The commands that run before a launch and those that run after it, in the reading that holds it."""
        for reading in self.readings:
            for index, command in enumerate(reading.commands):
                if command.words is launch.command.words:
                    return reading.commands[:index], reading.commands[index + 1 :]
        return (), ()

    def finding(
        self,
        rule: Declaration,
        span: Span,
        message: str,
        *,
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        help: str | None = None,
        note: str | None = None,
        related: Iterable[Related] = (),
        fix: Fix | None = None,
        scenario: Mapping[str, str] | None = None,
    ) -> Finding:
        """A finding of `rule` at `span`."""
        return Finding(
            rule.name,
            severity or rule.severity,
            confidence or rule.confidence,
            span,
            message,
            help=help,
            note=note,
            related=tuple(related),
            fix=fix,
            scenario=scenario or {},
        )


@frozen
class Subject:
    """One launch and everything that is known about it."""

    launch: Launch
    config: Config
    release: str  # "0.9.1"; for a checkout, the release it is nearest to
    model: Model | None
    device: Device | None
    cluster: Cluster | None
    options: Mapping[str, object]  # settings of the rule that runs
    sources: Mapping[str, Source]
    composition: Composition | None = None  # how the config came about, and what Hydra refuses
    expected_tokens: int | None = None  # of a usual sample, if the script or the settings say
    calls: tuple[Call, ...] = ()  # steps of workflows that start the script in this way
    kind: str | None = None  # of device, "npu" or "cuda", where the script has a choice and starts the launch for one
    computed: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)  # by `once`

    # ------------------------------------------------------------------------------------------------- look-ups

    def behaves(self, name: str) -> bool:
        """True if the code of the release or checkout shows a behaviour of `lint/schema/data/behaviours.json`."""
        return self.composition is not None and name in self.composition.schema.behaviours

    @property
    def verl(self) -> str:
        """What the launch is checked against, for messages: `verl 0.9.1`, or `this checkout (verl 0.10.0.dev)`."""
        return f"verl {self.release}" if self.composition is None else self.composition.schema.title

    def setting(self, key: str) -> Setting | None:
        """The effective setting of `key`, or None if this release has no such key and nothing adds it."""
        return self.config.get(key)

    def value(self, key: str) -> object | None:
        """The effective value, None if absent, null, unknown or missing."""
        setting = self.config.get(key)
        # Rules ask this most often; to ask whether something is an instance of an enumeration is slow.
        return None if setting is None or setting.value.__class__ is Special else setting.value

    def integer(self, key: str) -> int | None:
        """A whole number that torch and Ray can hold, too."""
        value = self.value(key)
        return value if type(value) is int and -LARGEST <= value <= LARGEST else None  # True and False are no numbers

    def number(self, key: str) -> float | None:
        value = self.value(key)
        if isinstance(value, float):
            return value
        whole = self.integer(key)
        return None if whole is None else float(whole)

    def boolean(self, key: str) -> bool | None:
        value = self.value(key)
        return value if isinstance(value, bool) else None

    def string(self, key: str) -> str | None:
        value = self.value(key)
        return value if isinstance(value, str) else None

    def is_null(self, key: str) -> bool:
        """True if the key exists and its value is certainly null."""
        setting = self.config.get(key)
        return setting is not None and setting.value is None

    def is_set(self, key: str) -> bool:
        """True if an override of the script sets the key (or a node above it)."""
        return self.config.is_set(key)

    def given(self, keys: Set[str]) -> Set[str]:
        """Those of many keys that are set, which is told of all at once."""
        return self.config.given(keys)

    def environment(self, name: str) -> Text | None:
        """An environment variable of the trainer process that the script sets, or None."""
        return self.launch.environment.get(name)

    # ------------------------------------------------------------------------------------------------- positions

    def deciding_override(self, key: str) -> Override | None:
        """The override that decides a key: its own, or that of the key which it follows by interpolation."""
        seen: set[str] = set()
        setting = self.config.get(key)
        while setting is not None and setting.override is None and setting.via is not None and setting.key not in seen:
            seen.add(setting.key)
            setting = self.config.get(setting.via)
        return None if setting is None else setting.override

    def span_of(self, key: str) -> Span:
        """Where a key is decided; the launch itself if it stands at its default."""
        override = self.deciding_override(key)
        return self.launch.entry_span if override is None else override.span

    def describe(self, key: str) -> str:
        """The key's last name with its value, for messages: `n 5`, `max_num_seqs 256 (default)`."""
        setting = self.config.get(key)
        name = key.rsplit(".", 1)[-1]
        if setting is None:
            return f"no {name}"
        override = self.deciding_override(key)
        value = "null" if setting.value is None else setting.value.value if isinstance(setting.value, Special) else None
        shown = f"{name} {(setting.value or repr(setting.value)) if value is None else value}"
        if override is None:
            return f"{shown} (default)"
        return shown if override.key == key else f"{shown} (follows {override.key})"

    def origins(self, key: str) -> tuple[Related, ...]:
        """Where the value of a key was decided, if that is not where it is written."""
        override = self.deciding_override(key)
        if override is None or override.value is None:
            return ()
        written = override.span
        found: dict[Span, str] = {}
        for piece in override.value.pieces:
            for origin, name in deciding(piece.origin):
                inside = origin.span.path == written.path and written.start <= origin.span.start < written.end
                if not inside and isinstance(piece, Known):
                    found.setdefault(origin.span, _decides(origin, name))
        return tuple(Related(span, message) for span, message in found.items())

    def change(self, key: str, value: str, *, safe: bool) -> Fix | None:
        """A fix that makes `key` be `value` at the literal that decides it; None if no single literal does."""
        override = self.deciding_override(key)
        if override is None or override.value is None:
            return None
        edit = value_edit(override.value_span, override.value, value, self.sources)
        return None if edit is None else Fix(f"set {key} to {value}", safe, (edit,))

    def finding(
        self,
        rule: Declaration,
        message: str,
        *,
        key: str | None = None,
        span: Span | None = None,
        also: Iterable[str] = (),
        severity: Severity | None = None,
        confidence: Confidence | None = None,
        phase: str | None = None,
        help: str | None = None,
        note: str | None = None,
        related: Iterable[Related] = (),
        fix: Fix | None = None,
    ) -> Finding:
        """A finding at `span`, else where `key` is decided, else at the first decided key of `also`.

        Related are the origins of these values and the places of the other keys.
        """
        places: list[Related] = []
        for one in (*([key] if key is not None else []), *also):
            override = self.deciding_override(one)
            if override is None:
                continue
            if span is None:
                span = override.span
            elif span != override.span:
                places.append(Related(override.span, f"{one.rsplit('.', 1)[-1]} is set here"))
            places.extend(self.origins(one))
        places.extend(related)
        setting = self.config.get(key) if key is not None else None
        shown = None
        if setting is not None and not isinstance(setting.value, Special):
            shown = "null" if setting.value is None else str(setting.value)
        return Finding(
            rule=rule.name,
            severity=severity or rule.severity,
            confidence=confidence or rule.confidence,
            span=span or self.launch.entry_span,
            message=message,
            key=key,
            value=shown,
            phase=phase,
            help=help,
            note=note,
            related=tuple(dict.fromkeys(places)),
            fix=fix,
            scenario={**self.launch.command.scenario, **self.launch.chosen},
        )


def _decides(origin: Origin, name: str | None) -> str:
    """What is said beside a place that decides a value."""
    if origin.kind in ("environment", "scenario"):
        return f"{name} is taken from the environment here"
    return f"value of {name} comes from here" if name else "value comes from here"


def deciding(origin: Origin, name: str | None = None) -> Iterable[tuple[Origin, str | None]]:
    """The ends of an origin's chain: the texts that decide a value, each with the variable that carries it.

    What comes from outside of the script stands where the script reads it.
    """
    if not origin.sources:
        yield origin, name
        return
    if len(origin.sources) == 1 and origin.sources[0].from_outside:
        yield replace(origin.sources[0], span=origin.span), origin.sources[0].name
        return
    for source in origin.sources:
        yield from deciding(source, origin.name or name)
