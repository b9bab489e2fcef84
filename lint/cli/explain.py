"""`recipe-lint explain`: the documentation of a rule."""

from __future__ import annotations

from typing import Annotated

import typer

from lint.cli.arguments import fail
from lint.cli.completing import rules
from lint.rules import catalogue
from lint.shellcheck import EXCLUDED


def command(
    rule: Annotated[
        list[str], typer.Argument(help="Names of rules, as `recipe-lint rules` lists them.", autocompletion=rules)
    ],
) -> None:
    """Explain rules: what they find, why it hurts, when it fails, a script that fails and one that passes."""
    for name in rule:
        problem = catalogue.unknown(name)
        if problem:
            fail(problem)
    typer.echo("\n".join(page(name) for name in rule), nl=False)


def page(name: str) -> str:
    """The documentation of one rule as Markdown."""
    description = catalogue.describe(name)
    lines = [f"# {name}", "", *_facts(name), "", description.text]
    if name in EXCLUDED:
        lines += ["", f"This code is left out: {EXCLUDED[name]}."]
    return "\n".join(lines).rstrip() + "\n"


def _facts(name: str) -> list[str]:
    """Group, severity, confidence, releases and options of one of our own rules."""
    if name in catalogue.BUILT_IN or catalogue.SHELLCHECK_CODE.match(name):
        return [f"Group {catalogue.group_of(name)}."]
    from lint.rules.registry import load

    rule = load(name)
    said = [f"Group {rule.group}; severity {rule.severity}; confidence {rule.confidence}."]
    if rule.since or rule.until:
        releases = [f"from {rule.since} on"] if rule.since else []
        releases += [f"before {rule.until}"] if rule.until else []
        said.append(f"Speaks of verl {' and '.join(releases)}.")
    if not rule.suppressible:
        said.append("Cannot be suppressed.")
    for option, default in rule.options.items():
        said.append(f"Option `{option}` in `[tool.recipe-lint.rules.{rule.name}]`; default `{default}`.")
    return said
