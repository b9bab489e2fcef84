"""A text that is tried: what the tool understands of it, what it objects to, and how far it is from fitting."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import PurePosixPath
from typing import NamedTuple

from lint.bash.files import NoFiles
from lint.bash.reading import Known
from lint.checking.examination import Request
from lint.checking.linter import Understood, objections, understand
from lint.checking.selection import is_selected
from lint.files.sources import Files
from lint.findings import Edit, Finding
from lint.fixes.fix import edited, value_edit
from lint.memory.inputs import MemoryInputs
from lint.memory.reading import read_inputs
from lint.memory.verdict import Prediction, predict
from lint.regular import regular
from lint.rules import catalogue
from lint.settings import ScriptSettings
from lint.subject.derived import MODEL, engine
from lint.subject.subject import Subject, deciding
from lint.suppression import directives, suppress
from lint.text import Source, Span

MODEL_PATH = f"{MODEL}.path"
ACCEPTED_RISK = 0.05
OF_MEMORY = ("device-memory", "host-memory", "memory-utilization-ceiling", "kv-cache-too-small")
VARIABLE = regular(r"['\"]?\+*ray_kwargs\.\S*\.env_vars\.(\w+)=\S*")
SOMEBODY = {"HOME": "/home/user", "DRY_RUN": "0"}  # scripts are read as if somebody had started them in earnest


class NotAdaptable(Exception):
    """The recipe cannot be adapted; the message says why."""


class Score(NamedTuple):
    """How bad a text is: layouts that do not work (which hide other errors), other errors, what cannot fit, what may
    fail, and the bytes beyond the device."""

    layout: int
    errors: int
    of_memory: int
    warnings: int
    excess: int


@dataclass(frozen=True)
class Trial:
    """A script with one launch. `rules` are the rules and groups that are asked; empty: all."""

    source: Source
    rules: tuple[str, ...] = ()

    @cached_property
    def settings(self) -> ScriptSettings:
        return ScriptSettings(select=self.rules, environment=SOMEBODY, shellcheck=False)

    @cached_property
    def understood(self) -> Understood:
        return understand(self.source, Request(self.settings, ScriptSettings()), _no_files())

    @cached_property
    def subject(self) -> Subject:
        """The launch as the script starts it by default."""
        found = self.understood.subjects
        places = {subject.launch.command.span for subject in found}
        if len(places) != 1:
            raise NotAdaptable(f"{self.source.path} has {len(places)} launches; only a script with one can be adapted")
        return min(found, key=lambda subject: len(subject.launch.command.scenario))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Errors and warnings that no comment of the script silences, and comments that silence nothing any more."""
        found = objections(self.understood, self.settings, _no_files())
        script = self.understood.script
        commented = {self.source.path: suppress.Commented(script, directives.parse(script))}
        names = suppress.Names(catalogue.unknown, catalogue.is_suppressible, self._ran, catalogue.nearest)
        left = suppress.apply(found, commented, {self.source.path}, names).findings
        return tuple(finding for finding in left if finding.severity != "info")

    def _ran(self, path: str, rule: str) -> bool:
        return is_selected(rule, self.settings) and not rule.startswith("SC")

    @cached_property
    def prediction(self) -> Prediction | None:
        """What the memory model says, None where it cannot say anything."""
        inputs = read_inputs(self.subject, self.subject.expected_tokens)
        return predict(inputs) if isinstance(inputs, MemoryInputs) else None

    @cached_property
    def refusals(self) -> frozenset[str]:
        """The rules by which the launch cannot start, those of memory aside."""
        return frozenset(finding.rule for finding in self.findings if _tier(finding) < 2)

    @cached_property
    def score(self) -> Score:
        """Less is better."""
        counted = [finding for finding in self.findings if finding.rule != suppress.UNUSED]
        if self.hopeless:
            counted = [finding for finding in counted if finding.rule not in OF_MEMORY]
        tiers = [_tier(finding) for finding in counted]
        return Score(tiers.count(0), tiers.count(1), tiers.count(2), tiers.count(3), self._excess())

    @property
    def hopeless(self) -> bool:
        """True if parameters, gradients and optimizer do not fit these devices, however FSDP is set."""
        return self.least_nodes is not None

    @cached_property
    def least_nodes(self) -> int | None:
        """The number of nodes from which on they would fit; None if they do, or if it is not FSDP that trains."""
        static = (
            [] if self.prediction is None else [one for one in self.prediction.failures if one.name == "static state"]
        )
        if not static or engine(self.subject) != "fsdp" or self.subject.cluster is None:
            return None
        return max(ceil(self.subject.cluster.nodes * one.needed / one.available) for one in static)

    def _excess(self) -> int:
        if self.prediction is None or self.hopeless:
            return 0
        capacity = self.prediction.inputs.device.memory_bytes
        over = [one.high - capacity for one in self.prediction.moments if one.exceeds(capacity) > ACCEPTED_RISK]
        return sum(over) + sum(failure.needed - failure.available for failure in self.prediction.failures)

    def shown(self, key: str) -> str:
        """The value of a key as text, empty if there is none."""
        setting = self.subject.setting(key)
        if setting is None or setting.override is None or setting.override.value is None:
            return "" if setting is None else str(setting.value)
        return setting.override.value.shown

    # --------------------------------------------------------------------------------------------------- edits

    def with_values(self, values: Mapping[str, str]) -> Trial | None:
        """The text in which keys have other values; None if no literal of its own decides one of them."""
        edits = []
        for key, value in values.items():
            setting = self.subject.setting(key)
            if setting is None or setting.override is None or setting.override.value is None:
                return None
            sources = {self.source.path: self.source}
            edit = value_edit(setting.override.value_span, setting.override.value, value, sources)
            if edit is None:
                return None
            edits.append(edit)
        return self.edited(dict.fromkeys(edits))

    def with_written(self, key: str, value: str) -> Trial | None:
        """The text in which an override itself holds a value, whatever decided it before."""
        setting = self.subject.setting(key)
        if setting is None or setting.override is None or setting.override.value_span.path != self.source.path:
            return None
        return self.edited([Edit(setting.override.value_span, value)])

    def with_added(self, key: str, value: str, beside: str) -> Trial | None:
        """The text with one more override below another one that has a line of its own."""
        setting = self.subject.setting(beside)
        if setting is None or setting.override is None or setting.override.span.path != self.source.path:
            return None
        line = self.source.line(setting.override.span.start)
        text = self.source.line_text(line).rstrip("\n")
        alone = re.fullmatch(rf"(\s*)['\"]?\+*{re.escape(beside)}=\S*[^\s\\](\s*\\?)(?:\s+#.*)?", text)
        if alone is None:
            return None
        at = self.source.line_starts[line - 1]
        return self.edited([Edit(Span(self.source.path, at, at), f"{alone[1]}{key}={value}{alone[2]}\n")])

    def with_model(self, model: str) -> Trial:
        """The text in which the last part of the model's path, and what its head states, is another model."""
        stated = directives.parse(self.understood.script).facts.get("model")
        edits = [] if stated is None else [Edit(stated.span, model)]
        setting = self.subject.setting(MODEL_PATH)
        override = None if setting is None else setting.override
        for piece in reversed(override.value.pieces if override is not None and override.value is not None else ()):
            old = PurePosixPath(piece.text).name if isinstance(piece, Known) else ""
            for origin, _ in deciding(piece.origin) if old else ():
                text = self.source.text[origin.span.start : origin.span.end]
                if origin.span.path == self.source.path and old in text:
                    start = origin.span.start + text.rindex(old)
                    return self.edited([*edits, Edit(Span(self.source.path, start, start + len(old)), model)])
        raise NotAdaptable("the path of the model is not written in the script; set MODEL_PATH by hand")

    def with_device(self, device: str) -> Trial:
        """The text whose head states another device."""
        stated = directives.parse(self.understood.script).facts.get("device")
        if stated is not None:
            return self.edited([Edit(stated.span, device)])
        first = re.match(r"#!.*\n", self.source.text)
        at = first.end() if first else 0
        return self.edited([Edit(Span(self.source.path, at, at), f"# recipe-lint: device={device}\n")])

    def without_variable(self, span: Span) -> tuple[str, Trial] | None:
        """An environment variable that is handed to the workers on a line of its own, and the text without it."""
        line = self.source.line(span.start)
        found = VARIABLE.fullmatch(self.source.line_text(line).strip())
        if found is None:
            return None
        begin = self.source.line_starts[line - 1]
        following = self.source.line_starts[line] if line < len(self.source.line_starts) else len(self.source.text)
        return found[1], self.edited([Edit(Span(self.source.path, begin, following), "")])

    def edited(self, edits: Iterable[Edit]) -> Trial:
        """The text after edits; remarks beside a value that tell the old one go with it."""
        chosen = list(edits)
        remarks = [remark for edit in chosen for remark in self._stale_remark(edit)]
        return replace(self, source=replace(self.source, text=edited(self.source.text, [*chosen, *remarks])))

    def _stale_remark(self, edit: Edit) -> Iterable[Edit]:
        """Takes away the comment at the end of an edited line if it mentions the number that is edited."""
        old = self.source.text[edit.span.start : edit.span.end]
        line = self.source.line_text(self.source.line(edit.span.end))
        found = re.search(r"[ \t]+#[ \t].*$", line)
        if not old.isdecimal() or edit.text == old or found is None or not re.search(rf"\b{old}\b", found[0]):
            return
        begin = self.source.line_starts[self.source.line(edit.span.end) - 1]
        if begin + found.start() >= edit.span.end:
            yield Edit(Span(self.source.path, begin + found.start(), begin + found.end()), "")


def _tier(finding: Finding) -> int:
    """Where a finding counts in a score."""
    if finding.severity != "error":
        return 3
    return 2 if finding.rule in OF_MEMORY else 0 if catalogue.group_of(finding.rule) == "parallel" else 1


def _no_files() -> Files:
    return Files(NoFiles(), os.curdir)
