"""Which rules run for a script, and how severe their findings are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from lint.findings import Finding, Severity
from lint.rules.catalogue import group_of
from lint.rules.registry import rules_under
from lint.rules.rule import Rule
from lint.settings import ScriptSettings

ALWAYS = frozenset({"syntax-error", "internal-error", "unreadable-script"})
"""Whatever is selected: what these report on was not checked at all."""


def selected(release: str | None, settings: ScriptSettings) -> Sequence[Rule]:
    """The rules that run for a script whose launches run under a release (None: it has none)."""
    rules = rules_under(release)
    every = not (settings.select or settings.ignore or settings.severity)
    return rules if every else [rule for rule in rules if is_selected(rule.name, settings)]


def is_selected(rule: str, settings: ScriptSettings) -> bool:
    """Whether a rule is asked for: by name or group in `select` (empty: all), not in `ignore`, not turned off."""
    if rule in ALWAYS or not (settings.select or settings.ignore or settings.severity):
        return True
    names = {rule, group_of(rule)}
    if settings.select and names.isdisjoint(settings.select):
        return False
    if rule in settings.ignore or (names & set(settings.ignore) and rule not in settings.select):
        return False
    return level(rule, settings) != "off"


def level(rule: str, settings: ScriptSettings) -> str | None:
    """The severity that the settings give a rule, by its name before its group; None: its own."""
    if rule in settings.severity:
        return settings.severity[rule]
    return settings.severity.get(group_of(rule)) if settings.severity else None


def with_level(finding: Finding, settings: ScriptSettings) -> Finding:
    """The finding with the severity that the settings give its rule."""
    if not settings.severity or finding.rule in ALWAYS:
        return finding
    severity = level(finding.rule, settings)
    return finding if severity is None or severity == "off" else replace(finding, severity=cast(Severity, severity))
