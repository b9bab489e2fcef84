"""The rules: one page for each group, and a page that lists all."""

from __future__ import annotations

import re

from docs.generator import Pages, code, table
from lint.rules.catalogue import BUILT_IN
from lint.rules.documentation import MOMENTS, parse
from lint.rules.registry import all_rules, groups
from lint.rules.rule import Rule

HEAD = """# Rules

Severity says what happens: an error cannot work, a warning can fail or is silently wrong, info is worth a line.
`recipe-lint explain RULE` prints what is written here; `recipe-lint rules` lists all. Rules are chosen by name or by
group (`--select`, `--ignore`), and a comment in a script can [suppress](../../README.md#suppression) one with a reason.

| the run fails | meaning |
|---|---|
"""


def pages() -> Pages:
    """`rules/README.md` and `rules/<group>.md`."""
    by_group = {name: [rule for rule in all_rules() if rule.group == name] for name in groups()}
    found = {"rules/README.md": _overview(by_group)}
    for group, rules in by_group.items():
        found[f"rules/{group}.md"] = _page(group, rules)
    return found


def _overview(by_group: dict[str, list[Rule]]) -> str:
    parts = [HEAD + "".join(f"| {name} | {meaning} |\n" for name, meaning in MOMENTS.items())]
    for group, rules in by_group.items():
        parts.append(f"## {group}\n\n{groups()[group]}\n\n{_table(rules, f'{group}.md')}")
    parts.append(
        "## shellcheck\n\nEvery code of [shellcheck](https://www.shellcheck.net/wiki/) is a rule by its name, as "
        "`SC2034`.\n"
    )
    parts.append(
        "## Without a rule\n\n" + table(["name", "what it says"], [(f"`{n}`", t) for n, t in BUILT_IN.items()])
    )
    return "\n".join(parts)


def _page(group: str, rules: list[Rule]) -> str:
    head = f"# {group}\n\n{groups()[group]} [All rules](README.md).\n\n{_table(rules, '')}"
    return "\n".join([head, *map(_section, rules)])


def _table(rules: list[Rule], page: str) -> str:
    rows = []
    for rule in rules:
        text = parse(rule.documentation)
        rows.append((f"[{rule.name}]({page}#{rule.name})", rule.severity, text.moment, text.summary))
    return table(["rule", "severity", "fails", "what it finds"], rows)


def _section(rule: Rule) -> str:
    said = [rule.severity, f"{rule.confidence} confidence"]
    said += [f"since verl {rule.since}"] if rule.since else []
    said += [f"before verl {rule.until}"] if rule.until else []
    said += [] if rule.suppressible else ["cannot be suppressed"]
    options = "".join(
        f"Option {code([name])} of `[tool.recipe-lint.rules.{rule.name}]`, default `{default}`.\n\n"
        for name, default in rule.options.items()
    )
    body = re.sub(r"^## ", "### ", rule.documentation.strip().replace("\r", ""), flags=re.MULTILINE)
    return f"## {rule.name}\n\n*{', '.join(said)}*\n\n{options}{body}\n"
