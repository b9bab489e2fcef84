"""Options of `check` that do not go together: one that would have no effect is refused."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from lint.cli.arguments import fail

CHANGES = ("--fix", "--unsafe-fixes", "--diff", "--add-ignore")
LISTING = ("--watch", "--releases", *CHANGES, "--output-file", "--statistics", "--baseline", "--write-baseline")
APART: Mapping[str, tuple[str, ...]] = {
    "--show-files": ("--show-settings", "--format", *LISTING),
    "--show-settings": ("--format", *LISTING),
    "--watch": ("-", "--stdin-filename", "--releases", *CHANGES, "--write-baseline"),
    "--releases": ("--release", *CHANGES, "--statistics", "--baseline", "--write-baseline"),
    "--write-baseline": CHANGES,
    "--add-ignore": ("--fix", "--unsafe-fixes"),
    "--diff": ("--format", "--statistics"),
}
"""What one option leaves no room for."""


def chosen(*groups: Any) -> set[str]:
    """The names of the options in these groups that do not have their default."""
    return {
        f"--{field.name.replace('_', '-')}"
        for group in groups
        for field in fields(group)
        if getattr(group, field.name) != field.default
    }


def refuse_apart(given: Collection[str]) -> None:
    """End the command at two options of which one would be ignored."""
    for option, others in APART.items():
        for other in others:
            if option in given and other in given:
                fail(f"{option} and {other} do not go together: leave one of them out")
