"""What several subcommands share: options with the same meaning, and errors with the same look."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from lint import settings
from lint.checking.examination import Request
from lint.cli import completing
from lint.files.checkout import is_checkout
from lint.settings import ScriptSettings, overlay

CLEAN, FINDINGS, USAGE, NO_INPUT = 0, 1, 2, 3
"""Exit status."""

Release = Annotated[
    str | None, typer.Option(help="The release of verl, for example 0.9.1.", autocompletion=completing.releases)
]
Verl = Annotated[
    Path | None,
    typer.Option(metavar="DIR|FILE", exists=True, help="A checkout of verl, a wheel, or what `schema build` wrote."),
]
DeviceName = Annotated[
    str | None, typer.Option(help="The accelerator, for example ascend-a3.", autocompletion=completing.devices)
]
ModelName = Annotated[
    str | None,
    typer.Option(
        help="The model, for example Qwen3-8B, or a folder with a config.json.", autocompletion=completing.models
    ),
]
Nodes = Annotated[int | None, typer.Option("--nnodes", metavar="N", min=1, help="The number of nodes.")]
Environment = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="Read scripts with this environment variable set; repeatable."),
]


def fail(message: str, status: int = USAGE) -> NoReturn:
    """Say what is wrong with the call, and end."""
    print(f"recipe-lint: {message}", file=sys.stderr)
    raise typer.Exit(status)


def save(path: str | Path, data: bytes | Iterable[bytes], mode: int | None = None) -> None:
    """Write a file, whole or not at all, with the folders above it; ends the command where that cannot be done."""
    from lint.files.writing import write_whole

    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_whole(path, data)
        if mode is not None and os.path.isfile(path):  # not `/dev/null`
            os.chmod(path, mode)
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")


def parse_environment(assignments: Iterable[str]) -> dict[str, str]:
    """NAME=VALUE pairs as a mapping; ends the command at one that is none."""
    found = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not name.isidentifier() or not name.isascii():
            fail(f"--env wants NAME=VALUE, not {assignment!r}")
        found[name] = value
    return found


def parse_names(values: Sequence[str]) -> tuple[str, ...]:
    """Names of rules and groups, separated by commas or given one by one; ends the command at an unknown one."""
    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    for name in names:
        problem = settings.unknown_rule(name)
        if problem:
            fail(problem)
    return names


def stated(
    *,
    release: str | None = None,
    verl: Path | None = None,
    device: str | None = None,
    model: str | None = None,
    nodes: int | None = None,
    environment: Iterable[str] = (),
) -> ScriptSettings:
    """What the command line says about a launch; ends the command at a name that is not known."""
    for name, value in (("release", release), ("device", device), ("model", model), ("verl", verl)):
        problem = None if value is None else unknown_name(name, str(value))
        if problem is not None:
            fail(problem)
    return ScriptSettings(
        release=release,
        verl=None if verl is None else str(verl),
        device=device,
        model=model,
        nodes=nodes,
        environment=parse_environment(environment),
    )


def request_for(
    path: str, given: ScriptSettings, values: dict[str, object] | None = None, schemas: Path | None = None
) -> Request:
    """How one script is to be checked; ends the command at settings that cannot be used.

    `values` are settings that the command line replaces; `schemas` is where schemas of checkouts are kept.
    """
    try:
        chosen = settings.settings_for(path).for_script(path)
    except settings.BadSettings as error:
        fail(str(error))
    for name in ("release", "device", "model", "verl"):
        value = getattr(chosen, name)
        problem = None if value is None else unknown_name(name, value)
        if problem is not None:
            fail(f"{chosen.origins[name]}: {name}: {problem}")
    if values:
        chosen = overlay(chosen, values, "command line")
    return Request(chosen, given, schemas)


def verl_problem(verl: str) -> str | None:
    """Why scripts cannot be checked against what is no checkout of verl, if they cannot."""
    if os.path.isdir(verl):
        return f"{verl} is no checkout of verl: it has no verl/trainer/config"
    from lint.schema.checkout import unusable  # reads YAML and Python: not loaded where a shipped schema does

    return unusable(Path(verl))


@lru_cache(maxsize=256)
def unknown_name(name: str, value: str) -> str | None:
    """What is wrong with a stated release, device, model or checkout, if anything."""
    if name == "verl":
        return None if is_checkout(value) else verl_problem(value)
    from lint.checking.target import unknown_fact

    wrong = unknown_fact(name, value)
    return None if wrong is None else f"{wrong.message} ({wrong.help})"
