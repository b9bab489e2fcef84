"""What a run of `check` found: the one thing that every output format renders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import NamedTuple

from lint.bash.reading import Unchecked
from lint.findings import Finding, Severity
from lint.packed import Packed, sequence
from lint.text import Source, Span

NOT_CHECKED = "not-checked"  # the name of a place that was not read, in formats that know findings only
MOST_CONDITIONS = 4  # of a scenario that are said
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class Place(NamedTuple):
    """A span as lines and columns, counted from 1; the end column is the one after the last character."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Report:
    """Findings in the order of their places, and what was and was not checked.

    `sources` holds the text of every file that a finding speaks of. `suppressed` findings were silenced by comments,
    `baselined` ones by the baseline, `hidden` ones by the least confidence or severity that was asked for.
    """

    findings: Sequence[Finding]
    unchecked: tuple[Unchecked, ...] = ()
    scripts: int = 0
    launches: int = 0
    sources: Mapping[str, Source] = field(default_factory=dict)
    suppressed: int = 0
    baselined: int = 0
    hidden: int = 0

    def place(self, span: Span) -> Place:
        """Lines and columns of a span; the first character of a file whose text is not at hand."""
        source = self.sources.get(span.path)
        if source is None:
            return Place(span.path, 1, 1, 1, 1)
        return Place(span.path, *source.position(span.start), *source.position(span.end))

    def by_path(self) -> Iterator[tuple[str, list[Finding]]]:
        """The findings of each file, files in order of their names."""
        found: Packed[str, list[Finding]] = Packed()
        for path, group in groupby(self.findings, key=lambda finding: finding.span.path):
            found[path] = [*found.get(path, ()), *group]
        return ((path, found[path]) for path in sorted(found))

    def with_unchecked(self) -> Report:
        """The same report for formats that know findings only: what was not checked follows as remarks."""
        remarks = (
            Finding(NOT_CHECKED, "info", "high", unchecked.span, f"not checked: {unchecked.reason}")
            for unchecked in self.unchecked
        )
        return replace(self, findings=sequence(chain(self.findings, remarks)))

    def count(self) -> Counter[Severity]:
        """How many findings there are of each severity."""
        return Counter(finding.severity for finding in self.findings)


def when(finding: Finding) -> str:
    """The scenario that a finding needs, as people write it: `DEVICE=npu, MODE=x`; empty for none. Of many conditions,
    as workflows give them, those whose variables the finding names, else the first ones: the step that gives them
    is named beside."""
    names = sorted(finding.scenario)
    if len(names) > MOST_CONDITIONS:
        said = {word for text in _texts(finding) for word in re.findall(r"\w+", text)}
        names = [name for name in names if name.rpartition(".")[2] in said][:MOST_CONDITIONS] or names[
            : MOST_CONDITIONS - 1
        ]
    left = len(finding.scenario) - len(names)
    conditions = [f"{name}={finding.scenario[name]}" for name in names]
    return ", ".join([*conditions, f"and {left} more"] if left else conditions)


def _texts(finding: Finding) -> Iterator[str]:
    """What is said of a finding and the places that it speaks of."""
    yield finding.message
    yield from (related.message for related in finding.related)


def stated(finding: Finding) -> str:
    """The message and the scenario that it needs in one text, for formats that have no place for a scenario."""
    return f"{finding.message} (when {when(finding)})" if finding.scenario else finding.message
