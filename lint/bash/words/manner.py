"""The manner in which a word is expanded: what bash's `expand_word_internal` is told about the place of a word."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from lint.frozen import frozen
from lint.regular import regular

IS_EXPANDED = regular("[$`<>~]")
"""For the sake of these characters bash expands a value or a replacement, rather than remove its quotes."""


@frozen
class Manner:
    """How a word is expanded. Beside each field stands the name that subst.c of bash has for it."""

    quoted: bool = False  # between double quotes, in a here-document, in arithmetic (Q_DOUBLE_QUOTES, Q_HERE_DOCUMENT)
    document: bool = False  # in a here-document (Q_HERE_DOCUMENT alone)
    pattern: bool = False  # the pattern of an expansion that is quoted itself (Q_PATQUOTE)
    assigned: bool = False  # a value to assign (W_ASSIGNRHS)
    whole: bool = False  # stays one word, whatever is in it (W_NOSPLIT)
    single: bool = False  # one word, though a list in it is taken apart and joined again (W_NOSPLIT2)
    operand: bool = False  # the word of `${name-word}` (W_EXPANDRHS)
    nested: bool = False  # stands in an expansion: its plain text is split with the outer word (isexp)
    starred: bool = False  # `$*` is joined with the first character of IFS: what `State.joins` is there

    @property
    def bare(self) -> bool:
        """Whether nothing around the word quotes it."""
        return not self.quoted and not self.pattern


ARGUMENT = Manner()
VALUE = Manner(assigned=True)
DECLARED = Manner(assigned=True, whole=True)
"""The value in an argument of `declare name=value`."""
ELEMENT = Manner(whole=True)
"""The value in `[subscript]=value` between the parentheses of an indexed array."""
TESTED = Manner(single=True)
"""A word of `[[ ]]`; a key of an associative array; the subject and the patterns of `case`."""
UNSPLIT = Manner(single=True, whole=True)
"""The two last while IFS is empty."""
QUOTED = Manner(quoted=True)
DOCUMENT = Manner(quoted=True, document=True)
REPLACEMENT = Manner(single=True, nested=True)
"""The text that replaces a match: bash removes its quotes, even where the expansion is quoted."""
_QUOTED_PATTERN = Manner(pattern=True, single=True, nested=True)


@lru_cache(maxsize=64)
def inside_quotes(manner: Manner) -> Manner:
    """Of the text in `"..."`."""
    return Manner(quoted=True, assigned=manner.assigned)


@lru_cache(maxsize=256)
def of_operand(manner: Manner, assigns: bool) -> Manner:
    """Of the word of `${name-word}`. `assigns`: the operator is `=`."""
    return Manner(
        quoted=manner.quoted,
        document=manner.document,
        pattern=manner.pattern,
        assigned=manner.assigned or assigns,
        single=True,
        operand=True,
        nested=True,
    )


@lru_cache(maxsize=256)
def joining(manner: Manner) -> Manner:
    """Of an expansion where `$*` is joined."""
    return replace(manner, starred=True)


def of_pattern(manner: Manner) -> Manner:
    """Of the pattern of `${name#pattern}`."""
    return _QUOTED_PATTERN if manner.quoted else REPLACEMENT
