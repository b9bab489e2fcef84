"""The word that is meant, unless it is a guess."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lint.likeness import is_one_slip, is_slip, may_be_like, only_nearest


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


@pytest.mark.parametrize(
    ("name", "meant", "slip"),
    [
        ("NCCL_IB_DISBALE", "NCCL_IB_DISABLE", True),
        ("main_pp0", "main_ppo", True),
        ("main_po", "main_ppo", True),
        ("main_ppoo", "main_ppo", True),
        ("main_ppo", "main_ppo", False),
        ("main_dapo", "main_ppo", False),
    ],
)
def test_one_letter_or_two_that_changed_places(name: str, meant: str, slip: bool) -> None:
    assert is_one_slip(name, meant) is slip


@pytest.mark.parametrize(
    ("name", "known", "slip"),
    [
        ("max_promt_length", "max_prompt_length", True),
        ("min_length", "max_length", False),
        ("n_env_gpus", "n_gpus", False),
        ("reward_fn_key2", "reward_fn_key", False),
    ],
)
def test_one_word_of_a_name_is_misspelt(name: str, known: str, slip: bool) -> None:
    assert is_slip(name, known) is slip
