"""The declaration of a rule.

A rule module holds a docstring with fixed headings (the documentation, the `explain` text and the test at once) and
one decorated function:

    @rule(severity="error", confidence="high")
    def check(subject: Subject) -> Iterator[Finding]: ...

Name and group come from the module: `lint.rules.parallel.model_divisible` is rule `model-divisible` of group
`parallel`. Scope "launch" checks each launch of a script, scope "script" each script once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from lint.findings import Confidence, Finding, Severity
from lint.frozen import frozen
from lint.versions import version

Scope = Literal["launch", "script"]
Check = Callable[[Any], Iterable[Finding]]
Objection = Callable[[str, Any], "str | None"]  # name and value of an option -> what is wrong with it


@frozen
class Rule:
    """One check. `since` and `until` bound the releases it speaks of (`until` is the first release without it).

    `options` are what a team can set in `[tool.recipe-lint.rules.<name>]`, each with its default; the subject's
    `options` hold the effective ones. `objection` says what is wrong with the value of one, where its kind (a number,
    a table) is right.
    """

    name: str
    group: str
    severity: Severity
    confidence: Confidence
    scope: Scope
    since: str | None
    until: str | None
    suppressible: bool
    documentation: str
    check: Check
    options: Mapping[str, object] = field(default_factory=dict)
    objection: Objection | None = None

    def applies_to(self, release: str) -> bool:
        """True if `since` <= release < `until`."""
        if self.since is None and self.until is None:
            return True
        number = version(release)
        after = self.since is None or number >= version(self.since)
        return after and (self.until is None or number < version(self.until))


def rule(
    *,
    severity: Severity,
    confidence: Confidence = "high",
    scope: Scope = "launch",
    since: str | None = None,
    until: str | None = None,
    suppressible: bool = True,
    options: Mapping[str, object] | None = None,
    objection: Objection | None = None,
) -> Callable[[Check], Rule]:
    """Declare the decorated function as the rule of its module."""

    def declare(check: Check) -> Rule:
        module = check.__module__
        group, name = module.split(".")[-2:]
        return Rule(
            name=name.replace("_", "-"),
            group=group,
            severity=severity,
            confidence=confidence,
            scope=scope,
            since=since,
            until=until,
            suppressible=suppressible,
            documentation=sys.modules[module].__doc__ or "",
            check=check,
            options=options or {},
            objection=objection,
        )

    return declare
