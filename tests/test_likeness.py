"""The word that is meant, unless it is a guess."""

import pytest

from lint.likeness import only_nearest


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
