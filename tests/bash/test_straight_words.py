"""Words that are put together straight become what the steps of bash's own expansion make of them, origins included."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from lint.bash import evaluator
from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.bash.reading import Reading
from lint.bash.words import straight
from lint.text import Source
from tests.bash.programs import program


def reading(text: str) -> Reading:
    return replace(evaluator.read(parse(Source("script.sh", text)), files=NoFiles()), steps=0)


def step_by_step(text: str, monkeypatch: pytest.MonkeyPatch) -> Reading:
    """The reading of a text in which no word is put together straight."""
    with monkeypatch.context() as patch:
        patch.setattr(straight, "field", lambda *_: None)
        patch.setattr(straight, "line", lambda *_: None)
        return reading(text)


@pytest.mark.parametrize("seed", range(500, 560))
def test_a_program_reads_the_same_both_ways(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program(Random(seed))
    assert reading(text) == step_by_step(text, monkeypatch)


@pytest.mark.parametrize("value", ["", "x", "a b", "*", "[x]", "@(x)", "a\\b", "~", "{a,b}", "$HOME", "${h}", "a:~=<'"])
@pytest.mark.parametrize(
    "word",
    [
        "$v",
        '"$v"',
        "a$v-",
        'k="$v"/$v',
        "${n:-$v}",
        '"${n-$v}"',
        "${n:-VALUE}",
        '"${n-VALUE}"',
        "${n:-'VALUE'}",
        '"${v:-VALUE}"',
        "${v:-x}$v",
        "VALUE$v",
        '""$v',
        "''VALUE",
    ],
)
def test_a_word_reads_the_same_both_ways(word: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    word = word.replace("VALUE", value)
    text = f'shopt -s extglob\nv="{value}"\np {word} a={word}\nw={word}\ne=({word})\np "$w" "${{e[@]}}" $v\n'
    assert reading(text) == step_by_step(text, monkeypatch)


def test_words_of_every_plain_kind_are_put_together_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'v=1\np a \'b c\' "$v d" e=$v ${n:-f} "${n:-g h}" ${v-i}\n'
    expected = reading(text)
    monkeypatch.setattr(
        "lint.bash.words.expansion.Expander.expand", lambda *_: pytest.fail("not put together straight")
    )
    assert reading(text) == expected
