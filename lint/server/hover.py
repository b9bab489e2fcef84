"""What is known of the override under the cursor: effective value, where it comes from, default, type, release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.launch.config import ABSENT, Special
from lint.launch.launch import Override
from lint.output.report import stated
from lint.rules.catalogue import describe
from lint.server.comments import rule_at
from lint.server.document import Document, Position
from lint.server.keys import field_of
from lint.subject.subject import Subject, deciding
from lint.text import Span


def hover(document: Document, position: Position) -> str | None:
    """Markdown about the override at a position, or the value or the rule that is named there; None for all else."""
    offset = document.offset(position)
    rule = rule_at(document, offset)
    if rule is not None:
        described = describe(rule)
        return f"**`{rule}`**\n\n{described.summary}\n\n[documentation]({described.address})"
    found = document.override_at(offset)
    if found is None:
        return _decides(document, offset)
    subject, override = found
    setting = subject.config.get(override.key)
    lines = [f"**`{override.key}`**", ""]
    if setting is None:
        lines.append(f"not a key of verl {_release(subject)}")
        return "\n".join(lines)
    lines.append(f"effective value: `{shown(setting.value)}`")
    if setting.override is not None and setting.override is not override:
        lines.append(f"\nset again at line {_line(document, setting.override)}, which wins")
    lines += [f"\n{where}" for where in _origins(document, override)]
    default = "none: the script adds the key" if setting.default is ABSENT else f"`{shown(setting.default)}`"
    lines.append(f"\ndefault of verl {_release(subject)}: {default}")
    field = field_of(subject, override.key)
    if field is not None and field.types:
        lines.append(f"\ntype: `{' | '.join(name.rpartition('.')[2] for name in field.types)}`")
    if field is not None and field.allowed:
        lines.append(f"\nallowed: {', '.join(f'`{shown(value)}`' for value in field.allowed)}")
    findings = [
        finding
        for finding in document.own_report.findings
        if finding.key == override.key or finding.span == override.span
    ]
    lines += [f"\n{finding.severity}: {stated(finding)} (`{finding.rule}`)" for finding in findings]
    return "\n".join(lines)


def _decides(document: Document, offset: int) -> str | None:
    """What the value at an offset decides."""
    found: dict[str, None] = {}
    for subject in document.understood.subjects:
        for override in subject.launch.overrides:
            for span, _ in _deciding(override):
                if span.path == document.path and span.start <= offset <= span.end:
                    value = "" if override.value is None else f"={override.value.shown}"
                    found[f"- `{override.key}{value}` at line {_line(document, override)}"] = None
    return "\n".join(["decides", "", *found]) if found else None


def _deciding(override: Override) -> Iterator[tuple[Span, str | None]]:
    """The texts that decide a value, each with the variable that carries it."""
    for piece in override.value.pieces if override.value is not None else ():
        for origin, name in deciding(piece.origin):
            yield origin.span, name


def shown(value: object) -> str:
    """A value as an override would write it."""
    if isinstance(value, Special):
        return f"<{value.value}>"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {shown(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


def _release(subject: Subject) -> str:
    return subject.release if subject.composition is None else subject.composition.schema.release


def _line(document: Document, override: Override) -> str:
    if override.span.path != document.path:
        return override.span.path
    return str(document.source.line(override.span.start))


def _origins(document: Document, override: Override) -> list[str]:
    """Where the value was decided, one line for each text that takes part."""
    found: dict[str, None] = {}
    for span, name in _deciding(override):
        if span.path == document.path and not override.span.start <= span.start < override.span.end:
            line = document.source.line(span.start)
            text = document.text[span.start : span.end][:80]
            found[f"`{name or 'value'}` is decided at line {line}: `{text}`"] = None
    return list(found)
