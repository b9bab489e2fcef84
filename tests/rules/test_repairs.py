"""Fixes, on the failing example of every rule: they repair what they speak of, once, and touch nothing else."""

import os

import pytest

from lint.bash.files import NoFiles
from lint.bash.parser import parse as parse_bash
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.rules.documentation import parse
from lint.rules.registry import all_rules
from lint.rules.rule import Rule
from lint.settings import ScriptSettings
from lint.text import Source


def found(rule: Rule, script: str) -> list[Finding]:
    request = Request(ScriptSettings(select=(rule.name,), confidence="low", shellcheck=False), ScriptSettings())
    examination = examine(Source("run.sh", script), request, Files(NoFiles(), os.curdir))
    return [finding for finding in examination.findings if finding.rule == rule.name]


def repairable() -> list[tuple[Rule, str]]:
    examples = [(rule, parse(rule.documentation).failing.script) for rule in all_rules() if rule.group != "tool"]
    return [(rule, script) for rule, script in examples if any(finding.fix for finding in found(rule, script))]


REPAIRABLE = repairable()


def test_many_rules_can_repair() -> None:
    assert len(REPAIRABLE) > 20


@pytest.mark.parametrize(("rule", "script"), REPAIRABLE, ids=[rule.name for rule, _ in REPAIRABLE])
def test_a_fix_repairs_its_finding_and_has_nothing_left_to_do(rule: Rule, script: str) -> None:
    before = found(rule, script)
    finding = next(one for one in before if one.fix is not None)
    assert finding.fix is not None
    repaired = edited(script, finding.fix.edits)
    assert repaired != script
    after = found(rule, repaired)
    assert len(after) < len(before)
    assert (finding.message, finding.key) not in {(one.message, one.key) for one in after if one.span == finding.span}


@pytest.mark.parametrize(("rule", "script"), REPAIRABLE, ids=[rule.name for rule, _ in REPAIRABLE])
def test_a_repaired_script_is_still_bash(rule: Rule, script: str) -> None:
    for finding in found(rule, script):
        repaired = edited(script, finding.fix.edits if finding.fix is not None else ())
        assert parse_bash(Source("run.sh", repaired)).errors == ()
