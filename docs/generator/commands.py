"""The command line: every subcommand with its arguments and options, as `--help` has them."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum
from typing import Any

import typer.main

from docs.generator import Pages, table
from lint.__main__ import application
from lint.cli import COMMANDS
from lint.cli.examples import EXAMPLES

HEAD = """# Commands

What `recipe-lint COMMAND --help` says. Exit statuses are in the [README](../README.md#exit-status); the same text as a
manual page is [recipe-lint.1](recipe-lint.1).
"""


def pages() -> Pages:
    """`commands.md`."""
    return {"commands.md": "\n".join([HEAD, *(_section(title, command) for title, command in commands())])}


def commands() -> Iterator[tuple[str, Any]]:
    """Every subcommand with the words that call it, in the order of the help."""
    root: Any = typer.main.get_command(application([]))
    for name in COMMANDS:
        yield from _all(name, root.commands[name])


def _all(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner, subcommand in getattr(command, "commands", {}).items():
        yield from _all(f"{name} {inner}", subcommand)


def _section(title: str, command: Any) -> str:
    parts = [f"## {title}", f"    {usage(title, command)}", _wrapped(command.help or "")]
    for heading, parameters in panels(command):
        rows = [(_names(parameter), _default(parameter), parameter.help) for parameter in parameters]
        parts.append(table([heading, "default", "meaning"], rows).rstrip())
    calls = "\n".join(f"    recipe-lint {call:<50} # {meaning}" for call, meaning in EXAMPLES.get(title, ()))
    return "\n\n".join(part for part in (*parts, calls) if part) + "\n"


def usage(title: str, command: Any) -> str:
    """How a subcommand is called, on one line."""
    parameters = [parameter for _, group in panels(command) for parameter in group]
    arguments = [argument(parameter) for parameter in parameters if parameter.param_type_name == "argument"]
    return " ".join(["recipe-lint", title, *(["[OPTION...]"] if len(arguments) < len(parameters) else []), *arguments])


def panels(command: Any) -> list[tuple[str, list[Any]]]:
    """Arguments and options under the headings that the help has."""
    found: dict[str, list[Any]] = {}
    for parameter in command.params:
        if not parameter.hidden and parameter.name != "help":
            is_argument = parameter.param_type_name == "argument"
            heading = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
            found.setdefault(heading, []).append(parameter)
    return list(found.items())


def argument(parameter: Any) -> str:
    """An argument as the usage line shows it."""
    name = (parameter.metavar or parameter.name).upper()
    name = name.strip("[]") + ("..." if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{argument(parameter)}`"
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    value = value_of(parameter)
    return f"{names} {value}" if value else names


def value_of(parameter: Any) -> str:
    """What stands for the value of an option: its choices, its own word, or its kind; nothing for a switch."""
    if parameter.is_flag:
        return ""
    choices = getattr(parameter.type, "choices", None)
    value = "|".join(map(_text, choices)) if choices and not parameter.metavar else None
    kind = "text" if parameter.type.name == "str" else parameter.type.name.removesuffix(" range")
    return str(value or parameter.metavar or kind.upper())


def _default(parameter: Any) -> str | None:
    value = parameter.default
    if value is None or value is False or value == () or value is ... or callable(value):
        return None
    return f"`{_text(value)}`"


def _text(value: object) -> str:
    return str(value.value if isinstance(value, Enum) else value)


def _wrapped(text: str) -> str:
    """The paragraphs of a text in lines of the length that all files of the project have."""
    return "\n\n".join(
        textwrap.fill(part, 120, break_on_hyphens=False) for part in inspect.cleandoc(text).split("\n\n")
    )
