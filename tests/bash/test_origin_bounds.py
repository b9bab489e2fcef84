"""Origins stay small, however often a value is passed on or computed from itself."""

import ast
from pathlib import Path

import pytest

import lint.bash
from lint.bash.evaluator import read
from lint.bash.files import NoFiles
from lint.bash.origins import MOST_STEPS
from lint.bash.parser import parse
from lint.bash.reading import Origin
from lint.text import Source


def origin_of_last_word(text: str) -> Origin:
    """Where the last word of the last command comes from."""
    reading = read(parse(Source("run.sh", text)), files=NoFiles())
    return reading.commands[-1].words[-1].pieces[0].origin


@pytest.mark.parametrize(
    "line",
    ["n=$((n + n - n))\n", "x=$n\nn=$x\n", 'n="$(echo "$n$n" | cut -c1)"\n', "m=$((n + m))\nn=$((m + n))\n"],
    ids=["arithmetic", "copies", "substitution", "two in turn"],
)
def test_a_walk_over_an_origin_is_bounded(line: str) -> None:
    origin = origin_of_last_word("n=1\nm=1\n" + line * 300 + "python3 train.py $n\n")
    waiting, passed = [origin], 0
    while waiting:
        waiting.extend(waiting.pop().sources)
        passed += 1
    assert passed <= MOST_STEPS + 1


@pytest.mark.parametrize("turns", [1, 300])
def test_elements_that_are_passed_on_have_every_place_once(turns: int) -> None:
    again = 'B=("${A[@]}")\nA=("${B[@]}")\n'
    origin = origin_of_last_word(f'A=(a=1)\nfor i in {{1..{turns}}}; do\n{again}done\npython3 train.py "${{A[@]}}"\n')
    names = []
    while origin.sources:
        names.append(origin.name)
        (origin,) = origin.sources
    assert (names, origin.kind) == (["A", "B", "A"], "literal")


def test_every_step_of_a_usual_chain_is_kept() -> None:
    origin = origin_of_last_word("a=8\nb=${a}\nc=$((b * 2))\npython3 train.py $c\n")
    kinds = []
    while origin.sources:
        kinds.append(origin.kind)
        origin = origin.sources[-1]
    assert (kinds, origin.kind) == (["expansion", "arithmetic", "expansion", "expansion"], "literal")


def test_origins_with_sources_are_made_in_one_place() -> None:
    for file in Path(lint.bash.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Origin":
                assert len(node.args) <= 3 or file.name == "origins.py", f"{file.name}:{node.lineno}: use derive()"
