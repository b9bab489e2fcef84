"""The word that is meant, unless it is a guess."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lint.likeness import may_be_like, only_nearest


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("ascend-a33", ["ascend-a2", "ascend-a3", "ascend-a5"], "ascend-a3"),
        ("ascend-a4", ["ascend-a2", "ascend-a3", "ascend-a5"], None),  # each differs by one digit
        ("ascend-a4", ["ascend-a2", "ascend-a2"], "ascend-a2"),
        ("0.9", ["0.9.1", "0.9.0"], "0.9.1"),
        ("abacus", ["ascend-a2"], None),
        ("grop", ["grpo", "gdpo"], "grpo"),
    ],
)
def test_a_word_is_meant_if_no_other_is_as_near(word: str, known: list[str], meant: str | None) -> None:
    assert only_nearest(word, known) == meant


@given(some.text("abcAB_1", max_size=12), some.text("abcAB_1", max_size=12), some.floats(0, 1))
def test_words_that_are_alike_are_never_ruled_out(one: str, other: str, likeness: float) -> None:
    if SequenceMatcher(None, one, other).ratio() >= likeness:
        assert may_be_like(one, other, likeness)


def test_words_of_other_lengths_or_letters_are_ruled_out() -> None:
    assert not may_be_like("EPOCHS", "EPOCHS_OF_THE_CRITIC", 0.8)
    assert not may_be_like("EPOCHS", "VOLUME", 0.8)
