"""Checkstyle's XML, which Jenkins, CodeArts and reviewdog read."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import lint
from lint.output.report import Report, stated
from lint.output.terminal import Style, visible


def render(report: Report, style: Style) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<checkstyle version="{lint.__version__}">']
    for path, findings in report.with_unchecked().by_path():
        lines.append(f"  <file name={attribute(path)}>")
        for finding in findings:
            place = report.place(finding.span)
            lines.append(
                f'    <error line="{place.line}" column="{place.column}" severity="{finding.severity}" '
                f"message={attribute(stated(finding))} source={attribute(f'recipe-lint.{finding.rule}')}/>"
            )
        lines.append("  </file>")
    lines.append("</checkstyle>")
    return "\n".join(lines) + "\n"


def attribute(text: str) -> str:
    """A quoted XML attribute; characters that XML cannot hold are shown as escapes."""
    return quoteattr(visible(text))
