"""Checkstyle's XML, which Jenkins, CodeArts and reviewdog read."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

import lint
from lint.output.report import Report, stated
from lint.output.terminal import Style, visible


def render(report: Report, style: Style) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="utf-8"?>\n<checkstyle version="{lint.__version__}">\n'
    for path, findings in report.with_unchecked().by_path():
        yield f"  <file name={attribute(path)}>\n"
        for finding in findings:
            place = report.place(finding.span)
            yield (
                f'    <error line="{place.line}" column="{place.column}" severity="{finding.severity}" '
                f"message={attribute(stated(finding))} source={attribute(f'recipe-lint.{finding.rule}')}/>\n"
            )
        yield "  </file>\n"
    yield "</checkstyle>\n"


def attribute(text: str) -> str:
    """A quoted XML attribute; characters that XML cannot hold are shown as escapes."""
    return quoteattr(visible(text))
