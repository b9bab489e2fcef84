"""Descriptions of commands whose lines are as long as the terminal is wide: typer keeps the line ends of the source."""

from __future__ import annotations

import inspect

from typer import Typer


def let_flow(application: Typer) -> None:
    """Give every command of an application its docstring as help, each paragraph as one line."""
    for command in application.registered_commands:
        if command.callback is not None and command.help is None:
            command.help = flowing(command.callback.__doc__ or "")
    for group in application.registered_groups:
        if group.typer_instance is not None:
            let_flow(group.typer_instance)


def flowing(text: str) -> str:
    """A text without line ends inside of its paragraphs; those with indented lines stay as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(one if "\n " in f"\n{one}" else one.replace("\n", " ") for one in paragraphs)
