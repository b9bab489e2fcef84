"""Overrides of one launch that set the same key: which of them never count, and whether that may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lint.frozen import frozen
from lint.launch.config import UNKNOWN
from lint.launch.launch import Override
from lint.regular import regular
from lint.rules.hydra._fields import applied
from lint.subject.subject import ScriptSubject, Subject
from lint.text import Span

BETWEEN = regular(r"^[ \t]*\)|\+?=\(|^[ \t]*(?:if|elif|else|fi|case|esac|for|done)\b", re.MULTILINE)
"""What ends one list or begins another: a change across it may be meant."""


@frozen
class Pair:
    """Two overrides of one key in one launch, the later of which counts."""

    subject: Subject
    earlier: Override
    later: Override


def repeated(subject: ScriptSubject) -> Iterator[tuple[Sequence[Pair], bool]]:
    """For each override that is taken over in some launch: the pairs in which it is, and whether it is taken over in
    every launch that has it, by overrides of the same file."""
    pairs: dict[tuple[Span, str], list[Pair]] = {}
    counting: set[tuple[Span, str]] = set()
    for launched in subject.subjects:
        last: dict[str, Override] = {}
        for override in applied(launched) or _unchecked(launched):
            earlier = last.pop(override.key, None)
            if override.prefix == "~" or override.value is None:
                continue
            last[override.key] = override
            if earlier is not None:
                pairs.setdefault((earlier.span, earlier.key), []).append(Pair(launched, earlier, override))
        counting.update((override.span, override.key) for override in last.values())
    for place, found in pairs.items():
        yield found, place not in counting and all(_in_one_file(pair) for pair in found)


def in_one_list(subject: ScriptSubject, pair: Pair) -> bool:
    """True if nothing between the two ends one list or begins another."""
    source = subject.sources.get(pair.earlier.span.path)
    if source is None or not _in_one_file(pair) or pair.later.span.start <= pair.earlier.span.end:
        return False
    return BETWEEN.search(source.text[pair.earlier.span.end : pair.later.span.start]) is None


def values(pair: Pair) -> tuple[object, object]:
    """What Hydra reads of the two; the text where the config is not known."""
    return _value(pair.subject, pair.earlier), _value(pair.subject, pair.later)


def _value(subject: Subject, override: Override) -> object:
    parsed = None if subject.composition is None else subject.composition.parsed.get(override.index)
    text = None if override.value is None else override.value.value
    return parsed.value if parsed is not None else UNKNOWN if text is None else text


def _in_one_file(pair: Pair) -> bool:
    return pair.earlier.span.path == pair.later.span.path and pair.earlier.span != pair.later.span


def _unchecked(subject: Subject) -> Sequence[Override]:
    """The overrides of a program whose config is not known: Hydra takes the last one there, too."""
    composition = subject.composition
    return subject.launch.overrides if composition is not None and composition.unchecked is not None else ()
