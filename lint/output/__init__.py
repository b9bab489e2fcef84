"""Output formats: one module each with `render(report, style)`, imported only when asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lint.output.report import Report
    from lint.output.terminal import Style

FORMATS = (
    "text",
    "concise",
    "grouped",
    "json",
    "github",
    "gitlab",
    "sarif",
    "checkstyle",
    "junit",
    "markdown",
)
FOR_PEOPLE = ("text", "concise", "grouped")
"""Those that are read on a terminal, beside what is said on standard error."""


def pieces(name: str, report: Report, style: Style) -> Iterator[str]:
    """The report in the named format, piece by piece: however long it is, it need not be in memory."""
    written: Iterator[str] = import_module(f"lint.output.{name}").render(report, style)
    return written


def render(name: str, report: Report, style: Style) -> str:
    """The report in the named format."""
    return "".join(pieces(name, report, style))


def automatic(environment: Mapping[str, str] = os.environ) -> str:
    """The format that `auto` stands for: annotations inside GitHub Actions, else text."""
    return "github" if environment.get("GITHUB_ACTIONS") == "true" else "text"
