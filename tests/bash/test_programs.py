"""Generated programs are read as bash runs them."""

from __future__ import annotations

import tempfile
from random import Random

import pytest

from tests.bash.comparing import first_difference, ours, run, same
from tests.bash.fuzz_programs import judge
from tests.bash.programs import HEAD, program


@pytest.mark.parametrize("seed", range(120))
def test_a_program_starts_the_same_commands(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        verdict, shown = judge(program(Random(seed)), folder)
    assert verdict != "different", shown


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
        found, expected = ours(HEAD + text, folder), run(HEAD + text, folder)
    assert same(found, expected), first_difference(found, expected)
