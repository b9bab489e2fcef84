"""Which of the known words somebody meant who wrote another one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import takewhile

LIKE = 0.6  # of two words, as difflib counts
WORDS_LIKE = 0.75  # of the words of two names that differ: `promt` and `prompt`, not `min` and `max`
SHORTEST = 4  # letters of a word in which a slip can be told from another word


def only_nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`; None if none is like it, or two are as near: then it is a guess.

    A word that is cut short (`0.9`, `a100`) is no misspelling: the first of those that go on is meant.
    """
    near = get_close_matches(word, tuple(dict.fromkeys(known)), 2, LIKE)
    is_guess = len(near) == 2 and _likeness(word, near[0]) == _likeness(word, near[1])
    return None if not near or (is_guess and not near[0].startswith(word)) else near[0]


def is_one_slip(name: str, meant: str) -> bool:
    """True if one letter too many, too few or wrong, or two that changed places, make one name of the other."""
    start = _shared(name, meant)
    end = _shared(name[start:][::-1], meant[start:][::-1])
    left, right = name[start : len(name) - end], meant[start : len(meant) - end]
    return name != meant and (max(len(left), len(right)) <= 1 or (len(left) == 2 and left == right[::-1]))


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def is_slip(name: str, known: str) -> bool:
    """True if one word of the name differs by a slip: `n_env_gpus`, `reward_fn_key2`, `min_length` are new names."""
    words = list(zip(known.split("_"), name.split("_"), strict=False))
    other = [(one, two) for one, two in words if one != two]
    if known.count("_") != name.count("_") or len(other) != 1:
        return False
    one, two = other[0]
    is_numbered = one.rstrip("0123456789") == two.rstrip("0123456789")
    return not is_numbered and len(two) >= SHORTEST and _likeness(two, one) >= WORDS_LIKE


@lru_cache(maxsize=8192)  # scripts of one tree have the same names
def may_be_like(word: str, other: str, likeness: float) -> bool:
    """False only if two words are less alike than that, as difflib counts: by their lengths and letters, which is told
    much faster."""
    letters, others = set(word), set(other)
    most = min(len(word) - len(letters - others), len(other) - len(others - letters))
    return 2.0 * most >= likeness * (len(word) + len(other)) - 1e-9  # as difflib divides


def _likeness(word: str, known: str) -> float:
    return SequenceMatcher(None, known, word).ratio()  # in this order, as get_close_matches: it is not symmetric
