"""Whole scripts through the pipeline: what a rule finds in a text, and what its fix makes of the text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from os.path import relpath

from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.settings import ScriptSettings
from lint.text import Source

PATH = "run.sh"


@dataclass(frozen=True)
class Beside:
    """A reader of a few files that are given as texts, by their paths from the folder where the script is started."""

    texts: Mapping[str, str] = field(default_factory=dict)

    def read(self, path: str) -> Source | None:
        text = self.texts.get(relpath(path))
        return None if text is None else Source(relpath(path), text)

    def exists(self, path: str) -> bool | None:
        return True if relpath(path) in self.texts else None

    def names(self, directory: str) -> Collection[str] | None:
        inside = relpath(directory)
        if inside.startswith(".."):
            return None
        below = {
            path.removeprefix(f"{inside}/") for path in self.texts if inside == "." or path.startswith(f"{inside}/")
        }
        return {path.partition("/")[0] for path in below}


def found(rule: str, script: str, path: str = PATH, beside: Mapping[str, str] | None = None) -> list[Finding]:
    """The findings of one rule in a script that can read no other files than those given."""
    request = Request(ScriptSettings(select=(rule,)), ScriptSettings())
    examination = examine(Source(path, script), request, Files(Beside(beside or {}), "."))
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
