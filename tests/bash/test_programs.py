"""Generated programs are read as bash runs them."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from lint.bash.evaluator import read
from lint.bash.parser import parse
from lint.bash.reading import Known, Text
from lint.text import Source
from tests.bash.programs import HEAD, program

# Words separated by NUL, each command preceded by the number of its words.
RECORDER = 'command_not_found_handle() { printf \'%s\\0\' "$#" "$@" >>"$RECORD"; }\n'
ENVIRONMENT = {"HOME": "/home/me", "PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}


def run(program: str, folder: str) -> list[list[str]]:
    """What real bash would start, in order."""
    with tempfile.NamedTemporaryFile() as record:
        subprocess.run(
            ["/bin/bash", "-c", RECORDER + program, "program"],
            cwd=folder,
            env={**ENVIRONMENT, "RECORD": record.name},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=10,
            check=False,
        )
        words = record.read().decode(errors="surrogateescape").split("\0")[:-1]
    commands: list[list[str]] = []
    while words:
        count = int(words[0])
        commands.append(words[1 : count + 1])
        words = words[count + 1 :]
    return commands


@dataclass(frozen=True)
class EmptyMachine:
    """No file exists anywhere."""

    def read(self, path: str) -> Source | None:
        return None

    def exists(self, path: str) -> bool | None:
        return False

    def names(self, directory: str) -> Collection[str] | None:
        return []


def ours(program: str) -> list[tuple[Text, ...]] | None:
    """What our reading says bash would start; None if that depends on something unknown."""
    reading = read(parse(Source("program", program)), environment={"HOME": "/home/me"}, files=EmptyMachine())
    if any(command.scenario for command in reading.commands):
        return None
    return [command.words for command in reading.commands]


def same(found: list[tuple[Text, ...]] | None, expected: list[list[str]]) -> bool:
    """Whether the words are equal; what is unknown (a process id, another user's home) may be anything."""
    if found is None:
        return True
    if len(found) != len(expected):
        return False
    return all(
        len(words) == len(texts) and all(map(_fits, words, texts)) for words, texts in zip(found, expected, strict=True)
    )


def _fits(word: Text, text: str) -> bool:
    if word.value is not None:
        return word.value == text
    pattern = "".join(re.escape(piece.text) if isinstance(piece, Known) else ".*" for piece in word.pieces)
    return re.fullmatch(pattern, text, re.DOTALL) is not None


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.randoms(use_true_random=False))
def test_a_program_starts_the_same_commands(random: Random) -> None:
    text = program(random)
    note(text)
    with tempfile.TemporaryDirectory() as folder:
        found, expected = ours(text), run(text, folder)
    assert same(found, expected), ([[word.shown for word in words] for words in found or ()], expected)


@pytest.mark.parametrize(
    "text",
    [
        r'rec "${c+"\x"}" "${a+"x\}y\z"}"',
        'declare a=~/{x,y}\nrec "$a"',
        "printf -v a %q 'x:~=~'\nrec \"$a\"",
    ],
)
def test_a_program_that_once_differed(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found, expected = ours(HEAD + text), run(HEAD + text, folder)
    assert same(found, expected), ([[word.shown for word in words] for words in found or ()], expected)
