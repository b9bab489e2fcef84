"""The two examples of every rule, through the whole pipeline: one yields the rule where it says, the other does not.

Neither may yield an error of another rule, so an example never teaches a second mistake. Only what a launch lacks may
be left out, to keep examples short.
"""

import os
from collections.abc import Iterable

import pytest

from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.findings import Finding
from lint.rules.documentation import Example, parse
from lint.rules.registry import all_rules
from lint.rules.rule import Rule
from lint.settings import ScriptSettings
from lint.text import Source
from tests.rules.pipeline import Beside

EVERYTHING = Request(ScriptSettings(confidence="low", shellcheck=False), ScriptSettings())
LACKING = {"micro-batch-missing", "rollout-name", "mandatory-value-missing"}
SEEN_TWICE = {  # one mistake that two rules name, each from its side
    "array-undefined": "overrides-not-passed",
    "delete-absent-key": "unknown-key",
    "host-memory": "device-memory",
    "lookalike-character": "override-syntax",
    "words-glued": "override-syntax",
}
RULES = [rule for rule in all_rules() if rule.group != "tool"]


def examined(example: Example) -> tuple[Source, tuple[Finding, ...]]:
    source = Source(example.path, example.script)
    return source, examine(
        source, EVERYTHING, Files(Beside({**example.beside, example.path: example.script}), os.curdir)
    ).findings


def errors_of_others(findings: Iterable[Finding], rule: Rule) -> list[str]:
    errors = [one for one in findings if one.severity == "error" and one.rule not in LACKING]
    return [f"{one.rule}: {one.message}" for one in errors if one.rule not in (rule.name, SEEN_TWICE.get(rule.name))]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_first_example_fails(rule: Rule) -> None:
    example = parse(rule.documentation).failing
    source, findings = examined(example)
    found = [finding.span for finding in findings if finding.rule == rule.name]
    assert found, f"not found; findings are {[(one.rule, one.message) for one in findings]}"
    lines = {source.line(span.start) for span in found if span.path == source.path}
    assert set(example.lines) <= lines
    assert errors_of_others(findings, rule) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_second_example_passes(rule: Rule) -> None:
    _, findings = examined(parse(rule.documentation).passing)
    assert [finding.message for finding in findings if finding.rule == rule.name] == []
    assert errors_of_others(findings, rule) == []
