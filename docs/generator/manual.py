"""The manual page, `recipe-lint.1`: the same texts as `--help`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import lint
from docs.generator import Pages
from docs.generator.commands import argument, commands, panels, usage, value_of
from lint.cli.examples import EXAMPLES

STATUSES = (
    ("0", "nothing found; findings of severity info do not count, unless with --strict"),
    ("1", "errors or warnings were found"),
    ("2", "the call or the settings are wrong"),
    ("3", "an input does not exist, or no script was found"),
    ("130", "interrupted"),
)
FILES = (
    ("recipe-lint.toml, pyproject.toml", "settings; the file nearest to a script, upwards, holds for it"),
    (".recipe-lint-cache/", "results of earlier runs, by content; it can be removed at any time"),
)
ENVIRONMENT = (
    ("NO_COLOR", "no colour, also on a terminal"),
    ("FORCE_COLOR", "colour, also into a file or pipe; wins over NO_COLOR"),
    ("RECIPE_LINT_TRACEBACK", "if it is set, a defect of the tool ends with Python's traceback"),
    ("GITHUB_ACTIONS", "if it is true, the format auto is github"),
)


def pages() -> Pages:
    """`recipe-lint.1`."""
    first = (lint.__doc__ or "").strip().partition("\n")[0].removeprefix("recipe-lint: ").rstrip(".")
    lines = [
        '.\\" Written by `make docs` from the texts of --help.',
        f'.TH RECIPE-LINT 1 "" "recipe-lint {lint.__version__}" "User Commands"',
        ".ad l",
        *(".SH NAME", f"recipe-lint \\- {roff(first)}"),
        *(".SH SYNOPSIS", ".B recipe-lint", "COMMAND [OPTION...] [ARGUMENT...]"),
        *(".SH DESCRIPTION", *_paragraphs(lint.__doc__ or "")),
        ".SH COMMANDS",
    ]
    for title, command in commands():
        lines += _command(title, command)
    for heading, entries in (("EXIT STATUS", STATUSES), ("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines += [f".SH {heading}", *_entries(entries)]
    lines += [".SH SEE ALSO", ".BR bash (1),", ".BR shellcheck (1)", ".PP", roff(lint.PROJECT)]
    return {"recipe-lint.1": "\n".join(lines) + "\n"}


def _command(title: str, command: Any) -> Iterator[str]:
    yield from (f'.SS "{roff(usage(title, command))}"', *_paragraphs(inspect.cleandoc(command.help or "")))
    for heading, parameters in panels(command):
        yield from (".PP", f".I {roff(heading)}")
        yield from _entries((_names(parameter), _meaning(parameter)) for parameter in parameters)
    if title in EXAMPLES:
        yield from (".PP", ".I Examples")
        yield from _entries((f"recipe-lint {call}", meaning) for call, meaning in EXAMPLES[title])


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return argument(parameter)
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    return f"{names} {value_of(parameter)}".rstrip()


def _meaning(parameter: Any) -> str:
    return parameter.help or ""


def _entries(entries: Any) -> Iterator[str]:
    for name, meaning in entries:
        yield from (".TP", f".B {roff(name)}", roff(meaning) or "\\&")


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        if number:
            yield ".PP"
        yield roff(" ".join(paragraph.split()))


def roff(text: str) -> str:
    """Text of one line in which nothing is taken for a request or an escape."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("`", "\\(ga")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
