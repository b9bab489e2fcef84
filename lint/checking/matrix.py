"""One script against many releases: where it works, and what breaks where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lint.findings import Finding
from lint.output.json import finding_to_plain
from lint.output.report import Report
from lint.output.terminal import Style, visible, width


@dataclass(frozen=True)
class Matrix:
    """The report of each release on the same scripts."""

    paths: tuple[str, ...]
    reports: Mapping[str, Report]

    def errors(self, path: str, release: str) -> list[Finding]:
        """What fails in one script on one release."""
        findings = self.reports[release].findings
        return [finding for finding in findings if finding.severity == "error" and finding.span.path == path]

    @property
    def fails(self) -> bool:
        return any(self.errors(path, release) for path in self.paths for release in self.reports)


def text(matrix: Matrix, style: Style) -> str:
    """A table of scripts by releases, then every error with the releases that have it."""
    releases = list(matrix.reports)
    widest = max((width(visible(path)) for path in matrix.paths), default=0)
    lines = [" " * widest + "".join(f"  {release:>7}" for release in releases)]
    for path in matrix.paths:
        cells = []
        for release in releases:
            count = len(matrix.errors(path, release))
            cells.append("  " + style.paint("error" if count else "good", f"{count or 'ok':>7}"))
        lines.append(visible(path) + " " * (widest - width(visible(path))) + "".join(cells))
    details = _details(matrix)
    if details:
        lines += ["", "errors, and the releases that have them:"]
    for finding, where in details:
        place = matrix.reports[where[0]].place(finding.span)
        title = style.paint("error", f"error[{finding.rule}]")
        lines.append(f"{visible(place.path)}:{place.line}:{place.column}: {title}: {', '.join(where)}")
        lines.append(f"    {visible(finding.message)}")
        if finding.help:
            lines.append(f"    {style.paint('label', 'help')}: {visible(finding.help)}")
    return "\n".join(lines) + "\n"


def _details(matrix: Matrix) -> Sequence[tuple[Finding, list[str]]]:
    """Each error once, by place and rule (messages differ in the name of the release), with its releases."""
    found: dict[tuple[object, ...], tuple[Finding, list[str]]] = {}
    for path in matrix.paths:
        for release in matrix.reports:
            for finding in matrix.errors(path, release):
                where = found.setdefault((finding.span, finding.rule, finding.key), (finding, []))[1]
                if release not in where:
                    where.append(release)
    return sorted(found.values(), key=lambda row: (row[0].span, row[0].rule))


def document(matrix: Matrix) -> dict[str, Any]:
    """The matrix as plain data."""
    return {
        "version": 1,
        "releases": list(matrix.reports),
        "scripts": [
            {
                "path": path,
                "releases": {
                    release: {
                        "works": not matrix.errors(path, release),
                        "findings": [
                            finding_to_plain(report, finding)
                            for finding in report.findings
                            if finding.span.path == path
                        ],
                    }
                    for release, report in matrix.reports.items()
                },
            }
            for path in matrix.paths
        ],
    }
