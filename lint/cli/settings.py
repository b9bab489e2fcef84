"""`recipe-lint settings`: the settings that hold for a script, and where each comes from."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from lint import settings
from lint.checking.examination import Request
from lint.cli.arguments import fail
from lint.cli.choices import AsTextOrJson, TextOrJson
from lint.output.plain import dumps
from lint.output.terminal import visible

LAID_OVER = ("release", "verl", "device", "model", "nodes", "environment")
"""What the command line says of launches, beside the settings that it replaces."""


def command(
    paths: Annotated[list[str] | None, typer.Argument(help="Scripts or folders.")] = None,
    format: AsTextOrJson = TextOrJson.text,
) -> None:
    """Print the effective settings of scripts, each with the file that sets it."""
    if format is TextOrJson.json:
        sys.stdout.write(dumps({"version": 1, "paths": [_plain(path) for path in paths or ["."]]}))
        return
    for path in paths or ["."]:
        print_settings(path, sys.stdout)


def print_settings(path: str, stream: TextIO, request: Request | None = None) -> None:
    """Print what holds for one path; for a `request`, with what the command line lays over it."""
    file, rows = effective(path, request)
    stream.write(f"{visible(path)}: settings of {file or 'no file: the built-in ones'}\n")
    widest = max(len(name) for name, _, _ in rows)
    for name, value, where in rows:
        stream.write(f"  {name:<{widest}} = {visible(_toml(value))}  ({visible(where)})\n")


def _plain(path: str) -> dict[str, Any]:
    file, rows = effective(path)
    values = {name: {"value": value, "origin": where} for name, value, where in rows}
    return {"path": path, "file": None if file is None else str(file), "settings": values}


def effective(path: str, request: Request | None = None) -> tuple[Path | None, list[tuple[str, Any, str]]]:
    """The settings file of a path, and name, value and origin of each setting; ends the command at a bad file."""
    try:
        found = settings.settings_for(path)
        chosen = found.for_script(path) if request is None else request.settings
    except settings.BadSettings as error:
        fail(str(error))
    if request is not None:
        stated = {name: getattr(request.given, name) for name in LAID_OVER if getattr(request.given, name)}
        chosen = settings.overlay(chosen, stated, "command line")
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
    return found.file, rows


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
