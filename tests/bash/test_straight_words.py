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


@pytest.mark.parametrize("seed", range(560, 600))
def test_a_program_that_was_read_before_reads_the_same(seed: int) -> None:
    script = parse(Source("script.sh", program(Random(seed))))
    evaluator.read(script, environment={"a": "1", "b": "x y", "v": "*", "x": "2"}, files=NoFiles())
    evaluator.read(script, files=NoFiles())
    assert evaluator.read(script, files=NoFiles()) == evaluator.read(parse(script.source), files=NoFiles())


@pytest.mark.parametrize(
    "change",
    ["x=2", "unset x", "y=2; declare -n x=y", "x=(2 3)", "IFS=1", "declare -i x=1+1", "local x", "readonly x", "x=' '"],
)
@pytest.mark.parametrize("word", ["a=$x", 'a="$x"', "a=${x:-3}", "a=${x-$y}", "$x"])
def test_a_word_follows_its_variables(word: str, change: str) -> None:
    text = f'f() {{ run {word}; v={word}; run "$v"; }}\nx=1\nf\ng() {{ {change}; f; }}\ng\nf\n'
    once = text.replace("f;", f'run {word}; v={word}; run "$v";').replace(
        "\nf\n", f'\nrun {word}; v={word}; run "$v"\n'
    )
    shown = [[[word.shown for word in command.words] for command in reading(one).commands] for one in (text, once)]
    assert shown[0] == shown[1] != []


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
