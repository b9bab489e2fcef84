"""How sure a finding is in a launch of a program that is not verl's own, or of a verl that was not read."""

from __future__ import annotations

from dataclasses import replace

from lint.findings import Finding, Severity
from lint.rules.rule import Rule
from lint.schema.load import shipped
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject
from lint.versions import version

# groups that speak of bash, Hydra and the environment; the others speak of what verl's trainer does with a value
OF_EVERY_PROGRAM = frozenset(("copies", "environment", "hydra", "naming", "shell", "tool"))
OF_EVERY_VERL = OF_EVERY_PROGRAM - {"hydra"}  # what Hydra refuses stands in the configs of one verl, save its grammar
OF_GRAMMAR = frozenset(("override-syntax", "unrecognized-argument", "sweep-without-multirun"))
NOTE = "the program is not verl's own: it may read this key in another way"
NOTE_ON_AGE = "this verl is older than {}, the first that the rules were read in: it may read this key in another way"
NOTE_ON_WORDS = "words of this launch that only a run could tell may set its keys otherwise"
NOTE_ON_ABSENCE = "{} is not at hand: the launch was read with verl {}, which may differ"


def as_it_holds(finding: Finding, rule: Rule, subject: Subject) -> Finding:
    """The finding of `rule` as far as it holds for the program of `subject`: at most a warning for another's, for code
    from before the first release that the tool knows, for a verl that another release stands for, and where words of
    the launch are not known."""
    if finding.rule == "internal-error":
        return finding
    severity: Severity = "info" if finding.severity == "info" else "warning"
    schema = subject.composition.schema if subject.composition is not None else None
    if schema is not None and schema.stands_for is not None and not _of_every_verl(rule):
        note = NOTE_ON_ABSENCE.format(schema.stands_for, schema.release)
        severity = "info" if rule.group == "hydra" else severity  # which keys there are is what differs first
    elif rule.group in OF_EVERY_PROGRAM:
        return finding
    elif is_older(subject):
        note = NOTE_ON_AGE.format(shipped()[0])
    elif not follows_verl(subject):
        note = NOTE
    elif subject.composition is not None and subject.composition.partly_known:
        note = NOTE_ON_WORDS
    else:
        return finding
    confidence = "medium" if finding.confidence == "high" else finding.confidence
    return replace(finding, severity=severity, confidence=confidence, note=finding.note or note)


def _of_every_verl(rule: Rule) -> bool:
    return rule.group in OF_EVERY_VERL or rule.name in OF_GRAMMAR


def is_older(subject: Subject) -> bool:
    """True for a launch of a checkout that is older than every release whose schema comes with the tool."""
    composition = subject.composition
    return composition is not None and version(composition.schema.release) < version(shipped()[0])
