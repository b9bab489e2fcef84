"""How sure a finding is in a launch of a program that is not verl's own, or of an older verl than any that was read."""

from __future__ import annotations

from dataclasses import replace

from lint.findings import Finding
from lint.rules.rule import Rule
from lint.schema.load import shipped
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject
from lint.versions import version

# groups that speak of bash, Hydra and the environment; the others speak of what verl's trainer does with a value
OF_EVERY_PROGRAM = frozenset(("copies", "environment", "hydra", "naming", "shell", "tool"))
NOTE = "the program is not verl's own: it may read this key in another way"
NOTE_ON_AGE = "this verl is older than {}, the first that the rules were read in: it may read this key in another way"


def as_it_holds(finding: Finding, rule: Rule, subject: Subject) -> Finding:
    """The finding of `rule` as far as it holds for the program of `subject`: at most a warning for another's, and for
    code from before the first release that the tool knows."""
    old = is_older(subject)
    if (follows_verl(subject) and not old) or rule.group in OF_EVERY_PROGRAM:
        return finding
    if finding.severity == "info" or finding.rule == "internal-error":
        return finding
    confidence = "medium" if finding.confidence == "high" else finding.confidence
    note = NOTE_ON_AGE.format(shipped()[0]) if old else NOTE
    return replace(finding, severity="warning", confidence=confidence, note=finding.note or note)


def is_older(subject: Subject) -> bool:
    """True for a launch of a checkout that is older than every release whose schema comes with the tool."""
    composition = subject.composition
    return composition is not None and version(composition.schema.release) < version(shipped()[0])
