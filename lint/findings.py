"""What a check yields: findings, and the edits that repair them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, Protocol

from lint.frozen import frozen
from lint.text import Span

Severity = Literal["error", "warning", "info"]
Confidence = Literal["high", "medium", "low"]


class Declaration(Protocol):
    """What a finding takes over from the rule that makes it."""

    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> Severity: ...
    @property
    def confidence(self) -> Confidence: ...


@frozen
class Related:
    """A second place that a finding speaks of, for example where the value comes from."""

    span: Span
    message: str


@frozen
class Edit:
    """Replace the text at `span` with `text`; an empty span inserts."""

    span: Span
    text: str


@frozen
class Fix:
    """`title` says what the fix does, in the imperative. A safe fix cannot change what a working script means."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


@frozen
class Finding:
    """One result. `message` is one line, lower case, with the arithmetic; `help` says what to write instead.

    `phase` is what the devices do when it fails, in the words of `recipe-lint memory`.
    """

    rule: str
    severity: Severity
    confidence: Confidence
    span: Span
    message: str
    key: str | None = None
    value: str | None = None
    phase: str | None = None
    help: str | None = None
    note: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    scenario: Mapping[str, str] = field(default_factory=dict)
