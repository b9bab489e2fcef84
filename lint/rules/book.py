"""The documentation of all rules as one page: `python -m lint.rules.book` writes it next to this module."""

from __future__ import annotations

import re

from lint.rules.documentation import MOMENTS, parse
from lint.rules.registry import ROOM, all_rules, groups
from lint.rules.rule import Rule

PAGE = ROOM / "README.md"
HEAD = """# Rules

This page is written by `make docs` from the docstrings of the rules; `recipe-lint explain RULE` prints the same text.
Severity says what happens: an error cannot work, a warning can fail or is silently wrong, info is worth a line.
Confidence says how sure the rule is. `since` and `until` are releases of verl; where a rule behaves differently by
release, its text says so.
"""


def page() -> str:
    """The whole page as Markdown."""
    rules = all_rules()
    moments = [f"- {name}: {meaning}" for name, meaning in MOMENTS.items()]
    parts = [HEAD, "When a rule's subject fails:\n\n" + "\n".join(moments) + "\n"]
    for group, title in groups().items():
        parts.append(f"## {group}\n\n{title}\n\n{_table([rule for rule in rules if rule.group == group])}")
    for rule in rules:
        parts.append(_section(rule))
    return "\n".join(parts)


def _table(rules: list[Rule]) -> str:
    rows = ["| rule | severity | fails | what it finds |", "|---|---|---|---|"]
    for rule in rules:
        text = parse(rule.documentation)
        summary = text.summary.replace("|", "\\|")
        rows.append(f"| [{rule.name}](#{rule.name}) | {rule.severity} | {text.moment} | {summary} |")
    return "\n".join(rows) + "\n"


def _section(rule: Rule) -> str:
    facts = [f"group {rule.group}", rule.severity, f"{rule.confidence} confidence"]
    facts += [f"since verl {rule.since}"] if rule.since else []
    facts += [f"until before verl {rule.until}"] if rule.until else []
    options = "".join(f"- option `{name}`, default `{default}`\n" for name, default in rule.options.items())
    body = re.sub(r"^## ", "#### ", rule.documentation.strip().replace("\r", ""), flags=re.MULTILINE)
    return f"### {rule.name}\n\n*{', '.join(facts)}*\n\n{options and options + chr(10)}{body}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
