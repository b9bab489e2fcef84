"""The values that options of several subcommands take."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from typer import Option

FORMAT = ("--format", "-f")
"""The names of the option that says how to show something."""


class Format(str, Enum):
    """Output formats of `check` and `copies`: those of `lint.output`, and `auto`."""

    auto = "auto"
    text = "text"
    concise = "concise"
    grouped = "grouped"
    json = "json"
    github = "github"
    gitlab = "gitlab"
    sarif = "sarif"
    checkstyle = "checkstyle"
    junit = "junit"
    markdown = "markdown"


class TableFormat(str, Enum):
    """How `compare` shows differences."""

    text = "text"
    json = "json"
    markdown = "markdown"


class Colour(str, Enum):
    auto = "auto"
    always = "always"
    never = "never"


class TextOrJson(str, Enum):
    text = "text"
    json = "json"


AsTextOrJson = Annotated[TextOrJson, Option(*FORMAT, help="How to show it.")]


class SeverityLevel(str, Enum):
    error = "error"
    warning = "warning"
    info = "info"


class ConfidenceLevel(str, Enum):
    high = "high"
    medium = "medium"
    low = "low"
