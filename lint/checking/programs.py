"""How sure a finding is in a launch of a program that is not verl's own."""

from __future__ import annotations

from dataclasses import replace

from lint.findings import Finding
from lint.rules.rule import Rule
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject

# groups that speak of bash, Hydra and the environment; the others speak of what verl's trainer does with a value
OF_EVERY_PROGRAM = frozenset(("copies", "environment", "hydra", "naming", "shell", "tool"))
NOTE = "the program is not verl's own: it may read this key in another way"


def as_it_holds(finding: Finding, rule: Rule, subject: Subject) -> Finding:
    """The finding of `rule` as far as it holds for the program of `subject`: at most a warning for another's."""
    if follows_verl(subject) or rule.group in OF_EVERY_PROGRAM:
        return finding
    if finding.severity == "info" or finding.rule == "internal-error":
        return finding
    confidence = "medium" if finding.confidence == "high" else finding.confidence
    return replace(finding, severity="warning", confidence=confidence, note=finding.note or NOTE)
