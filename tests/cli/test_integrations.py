"""What other programs take from this repository: pre-commit's hook, the action, the problem matcher."""

import json
import re
from dataclasses import replace
from pathlib import Path

import yaml

from lint.output import render
from lint.output.terminal import Style
from tests.output.report import REPORT

ROOT = Path(__file__).parents[2]


def test_the_problem_matcher_reads_the_concise_output() -> None:
    matcher = json.loads((ROOT / ".github" / "recipe-lint-matcher.json").read_text())["problemMatcher"][0]
    pattern = matcher["pattern"][0]
    lines = render("concise", replace(REPORT, unchecked=()), Style(False)).splitlines()
    found = [re.fullmatch(pattern["regexp"], line) for line in lines]
    assert all(found)
    first = found[0]
    assert first is not None
    assert [first[pattern[name]] for name in ("file", "line", "column", "severity", "code")] == [
        "run.sh",
        "3",
        "10",
        "warning",
        "SC2034",
    ]


def test_the_readme_gives_editors_the_same_pattern() -> None:
    matcher = json.loads((ROOT / ".github" / "recipe-lint-matcher.json").read_text())["problemMatcher"][0]
    assert json.dumps(matcher["pattern"][0]["regexp"]) in (ROOT / "README.md").read_text()


def test_the_action_and_the_hook_call_the_command() -> None:
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert hook["entry"] == "recipe-lint check --force-exclude"
    assert hook["types"] == ["shell"]
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert 'recipe-lint" check --format github' in action["runs"]["steps"][1]["run"]
    for step in action["runs"]["steps"]:  # inputs reach the shell as variables, never as text of the script
        assert "${{" not in step["run"]
