"""What a script finds when it begins: variables of its environment, arguments, options, the folder it runs in."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence

from lint.bash.reading import SET, Known, Origin, Text, Unknown
from lint.bash.state.guards import arguments_in
from lint.bash.state.options import INITIAL, INITIAL_SHELL_OPTIONS
from lint.bash.state.state import State, Unit, Value
from lint.bash.syntax import Script
from lint.bash.unknown import PRINTABLE
from lint.bash.words.special import called_as
from lint.text import Span


def first_state(
    script: Script,
    scenario: Mapping[str, str],
    environment: Mapping[str, str | Text],
    arguments: Sequence[str | Text | None],
    required: Collection[str],
) -> State:
    """The state before the first command, with what `lint.bash.evaluator.read` is given; `required` are unknown."""
    path = script.source.path
    span = Span(path, 0, 0)
    variables: dict[str, Value] = {}
    for name in required:
        if name.isdecimal():
            continue
        unknown = Unknown(f"{name} must be set by the caller", Origin(span, "environment", name), characters=PRINTABLE)
        variables[name] = Value(Text((unknown,)), exported=True, inherited=True)
    for name, written in environment.items():
        text = Text((Known(written, Origin(span, "environment", name)),)) if isinstance(written, str) else written
        variables[name] = Value(text, exported=True, inherited=True)
    for name, value in scenario.items():
        origin = Origin(span, "scenario", name)
        given = Unknown(f"value of ${name}, which the caller sets", origin, characters=PRINTABLE)
        known = Text((given if value == SET else Known(value, origin),))
        variables[name] = Value(known, exported=True, inherited=True)
    variables.pop("PWD", None)
    start = {**environment, **scenario}.get("PWD", "")
    taken = [*arguments, *[None] * (arguments_in(required) - len(arguments))]
    return State(
        Unit(script.source, extended=script.extended),
        called_as(path, span),
        variables,
        positional=tuple(_argument(text, number, span) for number, text in enumerate(taken, 1)),
        options=INITIAL,
        directory=posixpath.normpath(start) if isinstance(start, str) and start.startswith("/") else ".",
        shell_options=INITIAL_SHELL_OPTIONS,
    )


def _argument(text: str | Text | None, number: int, span: Span) -> Text:
    """An argument of the script; None: there is one, and only its caller knows what it says."""
    if isinstance(text, Text):
        return text
    origin = Origin(span, "positional", str(number))
    return Text((Unknown(f"argument {number} of the script", origin) if text is None else Known(text, origin),))
