"""What is known of the override under the cursor: effective value, where it comes from, default, type, release."""

from __future__ import annotations

from collections.abc import Mapping

from lint.launch.config import ABSENT, Special
from lint.launch.launch import Override
from lint.server.document import Document, Position
from lint.server.keys import field_of
from lint.subject.subject import Subject, deciding


def hover(document: Document, position: Position) -> str | None:
    """Markdown about the override at a position, None where there is none."""
    found = document.override_at(document.offset(position))
    if found is None:
        return None
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
        finding for finding in document.report.findings if finding.key == override.key or finding.span == override.span
    ]
    lines += [f"\n{finding.severity}: {finding.message} (`{finding.rule}`)" for finding in findings]
    return "\n".join(lines)


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
    for piece in override.value.pieces if override.value is not None else ():
        for origin, name in deciding(piece.origin):
            span = origin.span
            if span.path == document.path and not override.span.start <= span.start < override.span.end:
                line = document.source.line(span.start)
                text = document.text[span.start : span.end][:80]
                found[f"`{name or 'value'}` is decided at line {line}: `{text}`"] = None
    return list(found)
