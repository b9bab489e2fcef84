"""What the workers of a launch see: the kind of accelerator and the environment, with where each value was decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from lint.bash.reading import Known, Text
from lint.findings import Edit, Fix
from lint.fixes.fix import deciding_edit
from lint.frozen import frozen
from lint.launch.config import Setting
from lint.launch.launch import Override
from lint.subject.once import once
from lint.subject.subject import Subject, deciding
from lint.text import Source, Span

Accelerator: TypeAlias = Literal["npu", "cuda"]

RUNTIME_ENVIRONMENT = "ray_kwargs.ray_init.runtime_env.env_vars"
QUOTE = r"(?:\\?[\"'])?"
"""What may stand around a name or a value: a quote of the shell, of YAML, or of JSON in double quotes of the shell."""


@frozen
class Variable:
    """An environment variable of the workers of a launch."""

    name: str
    text: Text
    value: str | None  # None: only a run could tell
    given: Override | None  # what gives it to Ray as `runtime_env`; None: the script exports it
    entry_span: Span  # of the launch
    sources: Mapping[str, Source]

    @property
    def exported(self) -> bool:
        """Whether the script exports it."""
        return self.given is None

    @property
    def span(self) -> Span:
        """Of the text that decides the value, with `NAME=` where that stands before it."""
        if self.given is not None:
            return self.given.value_span
        return assignment(self.name, self.text, self.entry_span, self.sources)


def accelerator(subject: Subject) -> Accelerator | None:
    """The kind of device, or None if neither a setting, the head comment, nor `trainer.device` says it."""
    if subject.device is not None:
        return subject.device.kind
    if subject.cluster is not None and subject.cluster.device is not None:
        return subject.cluster.device.kind
    # The default is "cuda" and verl corrects it on NPU hosts (auto_set_device), so only a set value says something.
    named = subject.string("trainer.device") if subject.is_set("trainer.device") else None
    return "npu" if named == "npu" else "cuda" if named == "cuda" else None


def on_npu(subject: Subject) -> bool:
    """True if the launch certainly runs on NPUs."""
    return accelerator(subject) == "npu"


def variables(subject: Subject) -> Iterable[Variable]:
    """Every variable that the script sets for the workers: what it exports, then what it hands to Ray (which wins)."""
    return _by_name(subject).values()


def variable(subject: Subject, name: str) -> Variable | None:
    """The variable of that name if the script sets it, to whatever value."""
    return _by_name(subject).get(name)


@once
def _by_name(subject: Subject) -> Mapping[str, Variable]:
    """The variables of a launch."""
    return {found.name: found for found in _listed(subject)}


def _listed(subject: Subject) -> Iterator[Variable]:
    entry, sources = subject.launch.entry_span, subject.sources
    given: dict[str, Setting] = {}
    if any(override.key.startswith("ray_kwargs") for override in subject.launch.overrides):
        given = {setting.key.rsplit(".", 1)[-1]: setting for setting in subject.config.below(RUNTIME_ENVIRONMENT)}
    for name, text in subject.launch.environment.items():
        if name not in given:
            yield Variable(name, text, text.value, None, entry, sources)
    for name, setting in given.items():
        if setting.override is not None and setting.override.value is not None:
            value = setting.value if isinstance(setting.value, str) else None
            yield Variable(name, setting.override.value, value, setting.override, entry, sources)


def known(subject: Subject, name: str) -> str | None:
    """The value of an environment variable if the script sets it and it is certain."""
    found = variable(subject, name)
    return None if found is None else found.value


def place(text: Text, otherwise: Span) -> Span:
    """The text that decides a value: the literal or the default at the end of its origin."""
    for piece in text.pieces:
        ends = [origin for origin, _ in deciding(piece.origin)]
        if isinstance(piece, Known) and ends:
            return ends[0].span
        return piece.origin.span
    return otherwise


def assignment(name: str, text: Text, otherwise: Span, sources: Mapping[str, Source]) -> Span:
    """The place of a value with `NAME=` or `NAME:` where that stands directly before it: most messages speak of it."""
    span = place(text, otherwise)
    source = sources.get(span.path)
    if source is None:
        return span
    named = rf"(?P<mark>{QUOTE})\b{re.escape(name)}(?:=|(?P=mark)\s*:\s*)(?P<quote>{QUOTE})"
    inside = re.compile(rf"{named}{re.escape(text.value)}(?P=quote)") if text.value else None
    found = [] if inside is None else list(inside.finditer(source.text, span.start, span.end))
    if len(found) == 1:  # a literal of the shell that holds the environment of a program as text
        return Span(span.path, *found[0].span())
    start = source.line_starts[source.line(span.start) - 1]
    before = re.search(rf"{named}\Z", source.text[start : span.start])
    if before is None or not source.text.startswith(before["quote"], span.end):
        return span
    return Span(span.path, start + before.start(), span.end + len(before["quote"]))


def replace(subject: Subject, found: Variable, value: str) -> Fix | None:
    """A safe fix that writes another value, where one literal of the script decides it."""
    edit = deciding_edit(found.text, value, subject.sources) if found.exported else None
    return None if edit is None else Fix(f"set {found.name} to {value}", True, (edit,))


def remove(subject: Subject, found: Variable, *, safe: bool = True) -> Fix | None:
    """A fix that deletes a top-level `export NAME=value` line, if nothing else in the file uses the name."""
    source = subject.sources.get(found.span.path)
    if source is None or not found.exported:
        return None
    line = source.line(found.span.start)
    start = source.line_starts[line - 1]
    end = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
    alone = re.fullmatch(rf"export {found.name}=[^\s;&|\\]*[ \t]*(#.*)?\r?\n?", source.text[start:end])
    continued = line > 1 and source.line_text(line - 1).endswith("\\")
    if alone is None or continued or re.search(rf"\$\{{?!?{found.name}\b", source.text):
        return None
    return Fix(f"remove the export of {found.name}", safe, (Edit(Span(found.span.path, start, end), ""),))
