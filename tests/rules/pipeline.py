"""Whole scripts through the pipeline: what a rule finds in a text, and what its fix makes of the text."""

from __future__ import annotations

from lint.bash.files import NoFiles
from lint.checking.linter import Request, examine
from lint.files.sources import Files
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.settings import ScriptSettings
from lint.text import Source

PATH = "run.sh"


def found(rule: str, script: str) -> list[Finding]:
    """The findings of one rule in a script that can read no other file."""
    request = Request(ScriptSettings(select=(rule,)), ScriptSettings())
    examination = examine(Source(PATH, script), request, Files(NoFiles(), "."))
    assert not [one for one in examination.findings if one.rule == "internal-error"], examination.findings
    return [one for one in examination.findings if one.rule == rule]


def lines(rule: str, script: str) -> list[int]:
    """The lines, counted from 1, on which a rule finds something."""
    source = Source(PATH, script)
    return [source.line(one.span.start) for one in found(rule, script)]


def repaired(rule: str, script: str) -> str:
    """The script after all safe fixes of one rule."""
    edits = [edit for one in found(rule, script) if one.fix is not None and one.fix.safe for edit in one.fix.edits]
    return edited(script, edits)
