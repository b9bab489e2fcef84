"""Independent witnesses of the parser: bash itself, and bashlex wherever it can parse."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bashlex
import pytest
from bashlex import ast, errors

from lint.bash.parser import parse
from lint.bash.syntax import SimpleCommand, Statement
from lint.text import Source

SNIPPETS = (Path(__file__).parent / "grammar_snippets.txt").read_text().removesuffix("\n").split("\n----\n")
SILENT = ("[[ ]]", "[[ a && ]]", "[[ ! ]]")
"""Bash 5.2 stops reading at these too, without a message and with status 0."""
MISREAD_BY_BASHLEX = (
    "a[1 + 2]=3",
    "m[a b]=1",
    "m[x y]",
    "echo {a}>b",
    "cat 3<x 4>&- 2>&1 >|y <>z >>w &>q &>>r {fd}<x",
)
"""Blanks in a subscript, and descriptors in braces, are beyond bashlex 0.18."""


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_bash_accepts_and_rejects_the_same(snippet: str) -> None:
    done = subprocess.run(
        ["bash", "--norc", "-n", "-c", snippet], capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    message = [line for line in done.stderr.decode().splitlines() if "warning: here-document" not in line]
    accepted = done.returncode == 0 and not message
    if snippet in SILENT:
        accepted = False
    assert (not parse(Source("snippet", snippet)).errors) == accepted


def simple_commands(statements: tuple[Statement, ...], text: str) -> list[list[str]]:
    return [
        [text[word.start : word.end] for word in (*command.assignments, *command.words)]
        for statement in statements
        for pipeline in statement.pipelines
        for command in pipeline.commands
        if isinstance(command, SimpleCommand)
    ]


def witnessed(nodes: list[Any], text: str) -> Iterator[list[str]]:
    """The words of each command at the top level, as bashlex finds them."""
    for node in nodes:
        if node.kind == "command":
            yield [text[part.pos[0] : part.pos[1]] for part in node.parts if part.kind in ("word", "assignment")]
        elif node.kind in ("list", "pipeline"):
            yield from witnessed(node.parts, text)


def parsed_by_bashlex(snippet: str) -> list[ast.node] | None:
    try:
        return list(bashlex.parse(snippet))
    except (errors.ParsingError, NotImplementedError, AttributeError, TypeError, IndexError, AssertionError):
        return None


@pytest.mark.parametrize("snippet", [snippet for snippet in SNIPPETS if snippet not in MISREAD_BY_BASHLEX])
def test_bashlex_finds_the_same_words_in_what_it_can_parse(snippet: str) -> None:
    script = parse(Source("snippet", snippet))
    nodes = parsed_by_bashlex(snippet)
    if nodes is not None and not script.errors:
        assert simple_commands(script.body, snippet) == list(witnessed(nodes, snippet))


def test_bashlex_is_a_witness_of_many_snippets() -> None:
    assert sum(parsed_by_bashlex(snippet) is not None for snippet in SNIPPETS) > 200
