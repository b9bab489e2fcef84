"""`recipe-lint settings`: the settings that hold for a script, and where each comes from."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, TextIO

import typer

from lint import settings
from lint.cli.arguments import fail
from lint.output.terminal import visible


def command(
    paths: Annotated[list[str] | None, typer.Argument(help="Scripts or folders.")] = None,
) -> None:
    """Print the effective settings of scripts, each with the file that sets it."""
    for path in paths or ["."]:
        print_settings(path, sys.stdout)


def print_settings(path: str, stream: TextIO) -> None:
    """Print what holds for one path."""
    try:
        found = settings.settings_for(path)
        chosen = found.for_script(path)
    except settings.BadSettings as error:
        fail(str(error))
    stream.write(f"{visible(path)}: settings of {found.file or 'no file: the built-in ones'}\n")
    rows = [
        (field.name, getattr(chosen, field.name), chosen.origins.get(field.name, "default"))
        for field in fields(chosen)
        if field.name != "origins"
    ]
    origin = str(found.file) if found.file else "default"
    rows += [
        (name, getattr(found, name), origin if getattr(found, name) else "default")
        for name in ("exclude", "baseline", "copies")
    ]
    widest = max(len(name) for name, _, _ in rows)
    for name, value, where in rows:
        stream.write(f"  {name:<{widest}} = {visible(_toml(value))}  ({visible(where)})\n")


def _toml(value: object) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_toml(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(inner) for inner in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
