"""The same finding under several scenarios, told once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce

from lint.bash.state.log import common
from lint.findings import Finding
from lint.text import Span


def merge_scenarios(findings: Iterable[tuple[Finding, Mapping[str, str]]]) -> list[Finding]:
    """Each finding once: what several scenarios share is named only by the conditions that they share.

    With each finding come all the conditions under which it was made: also those that its scenario does not name, as
    they are those of the default reading.
    """
    groups: dict[tuple[str, Span, str], list[tuple[Finding, Mapping[str, str]]]] = {}
    for finding, conditions in findings:
        groups.setdefault((finding.rule, finding.span, finding.message), []).append((finding, conditions))
    return [_merged([one for one, _ in group], [under for _, under in group]) for group in groups.values()]


def _merged(group: list[Finding], conditions: list[Mapping[str, str]]) -> Finding:
    first = min(group, key=lambda finding: len(finding.scenario))
    shared = reduce(common, conditions)
    # Scenarios with nothing in common (DEVICE=npu, BACKEND=sglang): the first one is an example that is true.
    return replace(first, scenario=shared or (first.scenario if len(group) == 1 else _common_names(first, group)))


def _common_names(first: Finding, group: list[Finding]) -> Mapping[str, str]:
    """Nothing, if the scenarios differ only in how the same conditions turn out; else the first scenario."""
    same = all(set(finding.scenario) == set(first.scenario) for finding in group)
    return {} if same else first.scenario
