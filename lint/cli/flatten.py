"""Options in groups: a command takes a dataclass, and each of its fields is an option of the command line.

    @dataclass(frozen=True, slots=True)
    class Output:
        \"\"\"Output\"\"\"                                     the heading in the help
        format: Annotated[Format, typer.Option("--format", help="...")] = Format.auto

    def command(paths: ..., output: Output) -> None: ...

`flattened(command)` is that function as typer wants it, with one parameter for each option.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_type_hints

Command = Callable[..., None]


def flattened(command: Command) -> Command:
    """The command with every parameter that is a dataclass replaced by the options that its fields declare."""
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    # not get_type_hints: before Python 3.11 it hides the Annotated of a parameter that may be None in an Optional
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if is_dataclass(parameter.annotation):
            groups[name] = parameter.annotation
            parameters += _options(parameter.annotation)
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    if not groups:
        return command

    @wraps(command)
    def call(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def _options(group: Any) -> Iterator[inspect.Parameter]:
    """The fields of a group as parameters, headed by the first line of its docstring in the help."""
    hints = get_type_hints(group, include_extras=True)
    heading = (group.__doc__ or "").strip().partition("\n")[0]
    for field in fields(group):
        kind, declared = get_args(hints[field.name])
        option = copy(declared)
        option.rich_help_panel = heading
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
        )
