"""Overrides are read as Hydra's own parser reads them; the fast way is held to it."""

import pytest
from hypothesis import example, given, settings

from lint.launch import override
from lint.launch.override import BadOverride, ParsedOverride, parse
from tests.launch.override_words import OVERRIDES


def by_hydra(word: str) -> "ParsedOverride | None":
    try:
        return override._by_hydra(word)
    except BadOverride:
        return None


def by_us(word: str) -> "ParsedOverride | None":
    try:
        return parse(word)
    except BadOverride:
        return None


@given(OVERRIDES)
@example("a=[b: ]")
@example("a=[{target:['x.y'],options:{deep:[1,null]}}]")
@example("a={b:c:d}")
@example("a={1:x,true:y}")
@example("a=1_0e1_0")
@example("a='\n'")
@settings(max_examples=1200, deadline=None)
def test_the_fast_way_reads_what_hydra_reads(word: str) -> None:
    assert repr(by_us(word)) == repr(by_hydra(word))


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("k=1", 1),
        ("k=1.0", 1.0),
        ("k=1e-6", 1e-6),
        ("k=True", True),
        ("k=null", None),
        ("k=", ""),
        ("k='1'", "1"),
        ("k=/data/a.parquet", "/data/a.parquet"),
        ('k=["console","wandb"]', ["console", "wandb"]),
        ("k={a:{b:1}}", {"a": {"b": 1}}),
        ("k=a=b", None),
        ("k=uv run --frozen python", "uv run --frozen python"),
    ],
)
def test_values_have_hydras_types(word: str, value: object) -> None:
    if word == "k=a=b":
        with pytest.raises(BadOverride):
            parse(word)
    else:
        assert parse(word) == ParsedOverride("", "k", None, value)


def test_a_deletion_may_have_a_value() -> None:
    assert parse("~a.b") == ParsedOverride("~", "a.b", None, None, deletes_any=True)
    assert parse("~a.b=1") == ParsedOverride("~", "a.b", None, 1)


@pytest.mark.parametrize(
    ("word", "sweep", "values"),
    [
        ("a=1,2", "choice", ("1", "2")),
        ("a=range(3)", "range", ("0", "1", "2")),
        ("a=glob(*)", "glob", ()),
        ("a=interval(1,2)", "interval", ()),
    ],
)
def test_sweeps_are_told_apart_from_values(word: str, sweep: str, values: tuple[str, ...]) -> None:
    assert parse(word) == ParsedOverride("", "a", None, None, sweep=sweep, values=values)


@pytest.mark.parametrize("word", ["", "a", "a b=1", "a=[1", "a=~/x", "a=(", "a='", "a=1\n2#", "=" * 3])
def test_what_hydra_cannot_read_is_refused(word: str) -> None:
    with pytest.raises(BadOverride):
        parse(word)


@pytest.mark.parametrize("word", ["a=" + "x" * 200_000, "a=" + "[" * 5000, "a=" + "9" * 5000])
def test_long_words_end_soon_and_without_a_traceback(word: str) -> None:
    by_us(word)
