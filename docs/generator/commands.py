"""The command line: every subcommand with its arguments and options, as `--help` has them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any

import typer.main

from docs.generator import Pages, table
from lint.__main__ import application
from lint.cli import COMMANDS

HEAD = """# Commands

What `recipe-lint COMMAND --help` says. Exit statuses and examples are in the [README](../README.md#exit-status).
"""


def pages() -> Pages:
    """`commands.md`."""
    root: Any = typer.main.get_command(application([]))
    found = {name: root.commands[name] for name in COMMANDS if name in root.commands}
    sections = [_section(title, command) for name, one in found.items() for title, command in _all(name, one)]
    return {"commands.md": "\n".join([HEAD, *sections])}


def _all(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """A command and its subcommands, with the words that call them."""
    yield name, command
    for inner, subcommand in getattr(command, "commands", {}).items():
        yield from _all(f"{name} {inner}", subcommand)


def _section(title: str, command: Any) -> str:
    shown = [parameter for parameter in command.params if not parameter.hidden and parameter.name != "help"]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    usage = " ".join(["recipe-lint", title, *("[OPTION...]" if len(arguments) < len(shown) else "",)])
    usage = " ".join([usage.strip(), *(_usage(argument) for argument in arguments)])
    parts = [f"## {title}", f"    {usage}", inspect.cleandoc(command.help or "")]
    if shown:
        rows = [(_names(parameter), _default(parameter), parameter.help) for parameter in shown]
        parts.append(table(["argument or option", "default", "meaning"], rows).rstrip())
    return "\n\n".join(part for part in parts if part) + "\n"


def _usage(argument: Any) -> str:
    name = (argument.metavar or argument.name).upper()
    name = name.strip("[]") + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_usage(parameter)}`"
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if parameter.is_flag:
        return names
    choices = getattr(parameter.type, "choices", None)
    value = "|".join(map(_text, choices)) if choices and not parameter.metavar else None
    kind = "text" if parameter.type.name == "str" else parameter.type.name.removesuffix(" range")
    return f"{names} {value or parameter.metavar or kind.upper()}"


def _default(parameter: Any) -> str | None:
    value = parameter.default
    if value is None or value is False or value == () or value is ... or callable(value):
        return None
    return f"`{_text(value)}`"


def _text(value: object) -> str:
    return str(value.value if isinstance(value, Enum) else value)
