"""`recipe-lint rules`: list the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from lint.cli import completing
from lint.cli.arguments import fail
from lint.cli.choices import AsTextOrJson, TextOrJson
from lint.output.plain import dumps
from lint.output.terminal import Style, wants_colour
from lint.rules import catalogue
from lint.rules.registry import all_rules, groups
from lint.rules.rule import Rule


def command(
    group: Annotated[
        list[str] | None, typer.Argument(help="Only these groups.", autocompletion=completing.groups)
    ] = None,
    format: AsTextOrJson = TextOrJson.text,
) -> None:
    """List the rules: name, severity, confidence, and what each finds."""
    wanted = frozenset(group or ())
    for name in wanted - catalogue.group_names():
        problem = catalogue.unknown(name, groups=True)
        fail(problem or f"{name!r} is a rule; `recipe-lint explain {name}` prints its documentation")
    chosen = [rule for rule in all_rules() if not wanted or rule.group in wanted]
    if format is TextOrJson.json:
        typer.echo(dumps({"version": 1, "rules": [_plain(rule) for rule in chosen]}), nl=False)
    else:
        typer.echo(_text(chosen, "shellcheck" in wanted or not wanted), nl=False)


def _plain(rule: Rule) -> dict[str, object]:
    return {
        "name": rule.name,
        "group": rule.group,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "summary": summary(rule),
        "since": rule.since,
        "until": rule.until,
        "suppressible": rule.suppressible,
        "options": dict(rule.options),
        "address": catalogue.describe(rule.name).address,
    }


def summary(rule: Rule) -> str:
    """The first sentence of a rule's documentation, on one line."""
    return " ".join(rule.documentation.strip().partition("\n\n")[0].split())


def _text(rules: list[Rule], with_shellcheck: bool) -> str:
    import sys

    style = Style(wants_colour(sys.stdout))
    titles = groups()
    widest = max((len(rule.name) for rule in rules), default=0)
    lines: list[str] = []
    for group in sorted({rule.group for rule in rules}):
        lines += ["", f"{style.paint('emphasis', group)}: {titles[group]}"]
        for rule in rules:
            if rule.group == group:
                severity = style.paint(rule.severity, f"{rule.severity:<7}")
                sure = "" if rule.confidence == "high" else f" ({rule.confidence} confidence)"
                lines.append(f"  {rule.name:<{widest}}  {severity}  {summary(rule)}{sure}")
    if with_shellcheck:
        lines += ["", f"{style.paint('emphasis', 'shellcheck')}: every code of shellcheck, by its name (SC2086)."]
    lines += ["", f"{len(rules)} rules; `recipe-lint explain RULE` prints the documentation of one"]
    return "\n".join(lines[1:]) + "\n"
