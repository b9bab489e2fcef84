"""Fits a copy of a recipe to another model, cluster or device: the rules and the memory model decide what is legal.

Each change is an edit of the one literal that decides a value. Sizes are changed one at a time, the nearest value that
helps first, until no rule about sizes objects or nothing helps any more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2
from pathlib import PurePosixPath

from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.bash.reading import Known
from lint.checking.examination import Request
from lint.checking.linter import examine, understand
from lint.files.sources import Files
from lint.findings import Edit, Finding
from lint.fixes.fix import edited, value_edit
from lint.memory.inputs import MemoryInputs
from lint.memory.reading import read_inputs
from lint.memory.verdict import predict
from lint.settings import ScriptSettings
from lint.subject.derived import ACTOR, MODEL, ROLLOUT
from lint.subject.subject import Subject, deciding
from lint.suppression import directives
from lint.text import Source, Span

GROUPS = ("batch", "length", "memory", "parallel", "rollout", "weights")
"""The groups of rules about sizes."""

PARALLEL = (
    f"{ROLLOUT}.tensor_model_parallel_size",
    f"{ROLLOUT}.data_parallel_size",
    f"{ROLLOUT}.expert_parallel_size",
    f"{ACTOR}.fsdp_config.ulysses_sequence_parallel_size",
    f"{ACTOR}.ulysses_sequence_parallel_size",
    *(f"{ACTOR}.megatron.{size}_parallel_size" for size in ("tensor_model", "pipeline_model", "context")),
    *(f"{ACTOR}.megatron.{size}_parallel_size" for size in ("expert_model", "expert_tensor")),
)
BATCH = (f"{ACTOR}.ppo_mini_batch_size", "data.train_batch_size", f"{ACTOR}.ppo_micro_batch_size_per_gpu")
OFFLOAD = tuple(
    f"{ACTOR}.{engine}.{what}_offload" for engine in ("fsdp_config", "megatron") for what in ("optimizer", "param")
)
MODEL_PATH = f"{MODEL}.path"
UTILIZATION = f"{ROLLOUT}.gpu_memory_utilization"
LEAST_UTILIZATION = 0.3
ACCEPTED_RISK = 0.05
ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Wish:
    """What the copy is for; None keeps what the recipe has. `name` becomes the name of the experiment."""

    name: str
    model: str | None = None
    nodes: int | None = None
    devices_per_node: int | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One change: a key, its values before and after, and why."""

    key: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Adapted:
    """The new text, what was changed, and what no change could help."""

    source: Source
    steps: tuple[Step, ...]
    left: tuple[Finding, ...]


class NotAdaptable(Exception):
    """The recipe cannot be adapted; the message says why."""


def adapt(source: Source, wish: Wish) -> Adapted:
    """The recipe for what is wished. Raises `NotAdaptable`."""
    state = _State(source)
    steps = []
    for key, value, reason in _wishes(wish):
        changed = state.with_value(key, value)
        if changed is None:
            raise NotAdaptable(f"{key} is not decided by one value of the script; set it by hand to {value}")
        if changed.source.text != state.source.text:
            steps.append(Step(key, state.shown(key), value, reason))
            state = changed
    if wish.model is not None:
        path = state.shown(MODEL_PATH)
        state = state.with_model(wish.model)
        steps.append(Step(MODEL_PATH, path, state.shown(MODEL_PATH), "as asked for"))
    if wish.device is not None:
        before = "" if state.subject.device is None else state.subject.device.name
        state = state.with_device(wish.device)
        steps.append(Step("device", before, wish.device, "as asked for"))
    for _ in range(ROUNDS):
        better = _better(state)
        if better is None:
            break
        step, state = better
        steps.append(step)
    return Adapted(state.source, tuple(steps), state.findings)


def _wishes(wish: Wish) -> Iterator[tuple[str, str, str]]:
    yield "trainer.experiment_name", wish.name, "the name of the copy"
    if wish.nodes is not None:
        yield "trainer.nnodes", str(wish.nodes), "as asked for"
    if wish.devices_per_node is not None:
        yield "trainer.n_gpus_per_node", str(wish.devices_per_node), "as asked for"


def _better(state: _State) -> tuple[Step, _State] | None:
    """The first change of one size that leaves fewer objections, or as many and a smaller risk of running out."""
    if state.score == (0, 0, 0.0):
        return None
    for key in (*PARALLEL, *BATCH, *OFFLOAD, UTILIZATION):
        for value in _candidates(state.subject, key):
            changed = state.with_value(key, value)
            if changed is not None and changed.score < state.score:
                return Step(key, state.shown(key), value, _gone(state, changed)), changed
    return None


def _gone(before: _State, after: _State) -> str:
    """The first objection that a change ends, or the risk that it lowers."""
    rest = [finding.rule for finding in after.findings]
    for finding in before.findings:
        if rest.count(finding.rule) < [each.rule for each in before.findings].count(finding.rule):
            return finding.message
    return f"lowers the risk of exceeding the device from {before.score[2]:.0%} to {after.score[2]:.0%}"


def _candidates(subject: Subject, key: str) -> Iterator[str]:
    """Other values of a size, the nearest first."""
    if key == UTILIZATION:
        share = subject.number(key) or 0.0
        lower = (share - 0.05 * step for step in range(1, 20))
        yield from (f"{other:.2f}".rstrip("0") for other in lower if other > LEAST_UTILIZATION)
    elif key in OFFLOAD:
        if subject.boolean(key) is False:
            yield "True"
    else:
        size = subject.integer(key)
        if size is None or size < 1 or not subject.is_set(key):
            return
        most = 4096 if key in BATCH else _devices(subject)
        sizes = {2**power for power in range(13)} | {size * factor // 4 for factor in (1, 2, 3, 6, 8, 12)}
        legal = sorted(
            (other for other in sizes if 1 <= other <= most and other != size), key=lambda n: abs(log2(n / size))
        )
        yield from map(str, legal)


def _devices(subject: Subject) -> int:
    return subject.cluster.devices if subject.cluster is not None else 1


@dataclass(frozen=True)
class _State:
    """A text, and what the tool says of it."""

    source: Source

    @cached_property
    def subject(self) -> Subject:
        found = understand(self.source, _request(), _no_files()).subjects
        if len(found) != 1:
            raise NotAdaptable(f"{self.source.path} has {len(found)} launches; only a script with one can be adapted")
        return found[0]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What rules about sizes object to."""
        found = examine(self.source, _request(), _no_files()).findings
        return tuple(finding for finding in found if finding.severity != "info")

    @cached_property
    def score(self) -> tuple[int, int, float]:
        """Errors, warnings, and the probability to exceed a device: less is better."""
        errors = sum(finding.severity == "error" for finding in self.findings)
        inputs = read_inputs(self.subject, self.subject.expected_tokens)
        risk = predict(inputs).probability if isinstance(inputs, MemoryInputs) else 0.0
        return errors, len(self.findings) - errors, round(risk, 2) if risk > ACCEPTED_RISK else 0.0

    def shown(self, key: str) -> str:
        setting = self.subject.setting(key)
        if setting is None or setting.override is None or setting.override.value is None:
            return "" if setting is None else str(setting.value)
        return setting.override.value.shown

    def with_value(self, key: str, value: str) -> _State | None:
        """The text in which `key` has another value; None if no single literal decides it."""
        setting = self.subject.setting(key)
        if setting is None or setting.override is None or setting.override.value is None:
            return None
        sources = {self.source.path: self.source}
        edit = value_edit(setting.override.value_span, setting.override.value, value, sources)
        return None if edit is None else self._edited(edit)

    def with_model(self, model: str) -> _State:
        """The text in which the last part of the model's path is another model."""
        setting = self.subject.setting(MODEL_PATH)
        override = None if setting is None else setting.override
        for piece in reversed(override.value.pieces if override is not None and override.value is not None else ()):
            old = PurePosixPath(piece.text).name if isinstance(piece, Known) else ""
            for origin, _ in deciding(piece.origin) if old else ():
                text = self.source.text[origin.span.start : origin.span.end]
                if origin.span.path == self.source.path and old in text:
                    start = origin.span.start + text.rindex(old)
                    return self._edited(Edit(Span(self.source.path, start, start + len(old)), model))
        raise NotAdaptable("the path of the model is not written in the script; set MODEL_PATH by hand")

    def with_device(self, device: str) -> _State:
        """The text whose head states another device."""
        stated = directives.parse(parse(self.source)).facts.get("device")
        if stated is not None:
            return self._edited(Edit(stated.span, device))
        first = re.match(r"#!.*\n", self.source.text)
        at = first.end() if first else 0
        return self._edited(Edit(Span(self.source.path, at, at), f"# recipe-lint: device={device}\n"))

    def _edited(self, edit: Edit) -> _State:
        return _State(replace(self.source, text=edited(self.source.text, [edit])))


def _request() -> Request:
    return Request(ScriptSettings(select=GROUPS, environment={"HOME": "/home/user"}), ScriptSettings())


def _no_files() -> Files:
    return Files(NoFiles(), os.curdir)
