"""shfmt finds the same commands, with the same words in the same places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lint.text import Source
from tests.bash.shfmt_witness import by_shfmt, differences, scripts

TESTS = Path(__file__).parent
ROOT = TESTS.parents[1]
SNIPPETS = (TESTS / "grammar_snippets.txt").read_text().removesuffix("\n").split("\n----\n")
LENGTH = (25, 4000)  # of a text in a test that is taken for a script
MISREAD_BY_SHFMT = ("time -p -- a", "echo a \\", "echo \\", "echo ${a:-<(b)}")
"""`--` of `time`, a backslash at the very end, a process substitution in an operand: bash reads these as we do."""


def scripts_of_tests() -> Iterator[str]:
    """The texts in the tests of this room that look like scripts."""
    for file in sorted({*TESTS.glob("test_*.py")} - {Path(__file__)}):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and LENGTH[0] < len(node.value) < LENGTH[1]
            ):
                yield node.value


@pytest.mark.parametrize("path", scripts(ROOT / "examples"), ids=str)
def test_every_recipe(path: Path) -> None:
    assert differences(Source.decode(str(path), path.read_bytes()).text) == []


@pytest.mark.parametrize("snippet", [snippet for snippet in SNIPPETS if snippet not in MISREAD_BY_SHFMT])
def test_every_form_of_the_grammar(snippet: str) -> None:
    assert not differences(snippet)


def test_the_scripts_of_the_tests() -> None:
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(differences, scripts_of_tests())
    assert [told for told in results if told] == []


def test_shfmt_is_a_witness_of_many_snippets() -> None:
    assert sum(by_shfmt(snippet) is not None for snippet in SNIPPETS) > 200
