"""The values that options of several subcommands take."""

from __future__ import annotations

from enum import Enum


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


class SeverityLevel(str, Enum):
    error = "error"
    warning = "warning"
    info = "info"


class ConfidenceLevel(str, Enum):
    high = "high"
    medium = "medium"
    low = "low"
