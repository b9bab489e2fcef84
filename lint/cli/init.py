"""`recipe-lint init`: a first settings file, in which every setting is explained."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from lint import settings
from lint.cli.arguments import fail, save, stated
from lint.settings import FILE_KEYS, FILES, PATH_KEYS, SCRIPT_KEYS

EXAMPLES = {
    "release": '"0.9.1"',
    "verl": '"../verl"',
    "device": '"ascend-a3"',
    "model": '"Qwen3-8B"',
    "nodes": "2",
    "select": '["hydra", "memory"]',
    "ignore": '["SC2034"]',
    "severity": '{ shellcheck = "info", naming = "off" }',
    "rules": '{ memory-utilization-ceiling = { ceilings = { "80B" = 0.6 } } }',
    "environment": '{ NNODES = "2" }',
    "confidence": '"medium"',
    "shellcheck": "true",
    "exclude": '["third_party/"]',
    "baseline": '"recipe-lint-baseline.json"',
    "copies": '{ recipes = ["examples/**/run_*.sh"] }',
}
"""A value for each setting; the tables for paths come last and stand for themselves."""


def command(
    folder: Annotated[Path, Argument(exists=True, file_okay=False, help="Where to write it.")] = Path(),
    release: Annotated[str | None, Option(help="The release of verl that scripts are for.")] = None,
    device: Annotated[str | None, Option(help="The accelerator that they are for.")] = None,
) -> None:
    """Write a settings file, recipe-lint.toml, in which every setting is explained.

    Exit status: 0 written, 2 there are settings already.
    """
    stated(release=release, device=device)
    file = folder / FILES[0]
    try:
        present = settings.settings_for(str(folder)).file
    except settings.BadSettings as error:
        fail(str(error))
    if present is not None and present.parent.samefile(folder):
        fail(f"{present} holds settings already")
    given = {"release": release, "device": device}
    save(file, document({name: f'"{value}"' for name, value in given.items() if value}).encode())
    print(f"recipe-lint: wrote {file}; `recipe-lint settings` prints what holds", file=sys.stderr)


def document(given: dict[str, str]) -> str:
    """The text of a settings file: what is given is set, everything else is a comment with an example."""
    lines = ["# Settings of recipe-lint. What is commented out is an example, not the default."]
    for name, key in {**SCRIPT_KEYS, **FILE_KEYS}.items():
        if name == "paths":
            continue
        value = f"{name} = {given[name]}" if name in given else f"# {name} = {EXAMPLES[name]}"
        lines += ["", f"# {key.meaning}", value]
    lines += ["", f"# {FILE_KEYS['paths'].meaning}", "# [[paths]]", f"# {PATH_KEYS['match'].meaning}"]
    lines += ['# match = ["examples/release/0.8.0/**"]', '# release = "0.8.0"']
    return "\n".join(lines) + "\n"
