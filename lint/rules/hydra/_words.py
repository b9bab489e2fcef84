"""Words that are no overrides: a blank tore them apart, as in `actor rollout_ref.rollout.n=8`, `trainer.nnodes = 2`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from lint.findings import Edit, Fix
from lint.frozen import frozen
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.launch import Override
from lint.schema.defaults import Choices, SearchPath
from lint.schema.load import latest
from lint.schema.tree import compose_tree
from lint.subject.subject import Subject
from lint.text import Span

SHOWN = 80  # characters of a word


@frozen
class Torn:
    """The first half of a key at `index` in argv, the override that holds the second half, and the key meant."""

    index: int
    override: Override
    key: str
    joint: str  # what stood between the halves


def torn_key(subject: Subject, index: int) -> Torn | None:
    """The key that the word at `index` and the override after it make up, None if they make none."""
    word = subject.launch.command.words[index].value
    following = next((one for one in subject.launch.overrides if one.index == index + 1), None)
    if not word or following is None or following.prefix or word.startswith("-"):
        return None
    for joint in ("_", ".", ""):
        key = word.lstrip("+~") + joint + following.key
        if node_at(_base(subject), key) is not ABSENT:
            return Torn(index, following, key, joint)
    return None


def is_torn_list(subject: Subject, override: Override) -> bool:
    """True for `key=[a,` before a word `b]`, whatever is not known between the brackets."""
    words = subject.launch.command.words
    if override.value is None or override.index + 1 >= len(words):
        return False
    value = override.value.shown
    if not value.startswith("[") or "]" in value:
        return False
    following = words[override.index + 1].shown
    return "[" not in following and following.endswith("]")


def mend(subject: Subject, torn: Torn) -> Fix | None:
    """A fix that writes what is missing between the halves; None if anything but blanks stands there."""
    first, second = subject.launch.command.word_spans[torn.index], torn.override.key_span
    source = subject.sources.get(first.path)
    if source is None or first.path != second.path or first.end > second.start:
        return None
    if source.text[first.end : second.start].strip(" \t"):
        return None
    return Fix(f"write {torn.key}", True, (Edit(Span(first.path, first.end, second.start), torn.joint),))


def close_up(subject: Subject, index: int) -> Fix | None:
    """A fix that takes the blanks away around the `=` near the word at `index`; None if there are none to take."""
    words = [word.value for word in subject.launch.command.words]
    first = index - 1 if (words[index - 1] or "").endswith("=") else index  # `key= value` and `key = value`
    last = first
    while last + 1 < len(words) and ((words[last] or "").endswith("=") or (words[last + 1] or "").startswith("=")):
        last += 1
    spans = subject.launch.command.word_spans[first : last + 1]
    if last == first or any(span.path != spans[0].path for span in spans):
        return None
    text = subject.sources[spans[0].path].text
    edits = []
    for left, right in pairwise(spans):
        if not text[left.end : right.start] or text[left.end : right.start].strip(" \t"):
            return None
        edits.append(Edit(Span(left.path, left.end, right.start), ""))
    return Fix("take the blanks away around =", True, tuple(edits))


def around(word: str, at: int) -> str:
    """A word, or the part of a long one around what is wrong."""
    if len(word) <= SHOWN:
        return word
    start = max(0, min(at - SHOWN // 2, len(word) - SHOWN))
    end = start + SHOWN
    return ("..." if start else "") + word[start:end] + ("..." if end < len(word) else "")


def _base(subject: Subject) -> Mapping[str, Any]:
    """The config of the launch, else that of the newest trainer: most others are built on it."""
    if subject.composition is not None and subject.composition.base:
        return subject.composition.base
    schema = latest()
    point = schema.entry_points["verl.trainer.main_ppo"]
    return compose_tree(SearchPath((schema.folders[point.folder],)), str(point.config_name), Choices()).tree
