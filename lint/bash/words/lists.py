"""The elements of a list side by side, as `$@`, `$*`, `${a[@]}` and their edited forms yield them.

What stands between two elements is a separator that a later step may split at; in quotes the elements themselves are
not split. Each function says which one of bash's subst.c it follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from lint.bash.reading import Known, Origin, Text
from lint.bash.words.fragments import Fragment, is_visible, quoted_again
from lint.bash.words.manner import Manner
from lint.bash.words.splitting import Separators
from lint.text import Span


def plain(text: Text) -> list[Fragment]:
    """A text that nothing protects."""
    return [(piece, False, True) for piece in text.pieces]


def guarded(text: Text, ifs: Separators) -> list[Fragment]:
    """An unquoted value (`quote_escapes`): split by IFS; while IFS is empty, its spaces are no separators either."""
    splits = not ifs.given or ifs.text != ""
    return [(piece, False, splits) for piece in text.pieces]


def value(text: Text, manner: Manner, ifs: Separators) -> list[Fragment]:
    """The value of a scalar."""
    if manner.quoted:
        return [(piece, True, False) for piece in text.pieces]
    return guarded(text, ifs)


def changed(text: Text, manner: Manner, ifs: Separators) -> list[Fragment]:
    """The value of a scalar after an edit: in quotes, an empty one still makes a field."""
    return quoted_again(plain(text)) if manner.quoted else guarded(text, ifs)


def starred(texts: Sequence[Text], ifs: Separators, span: Span) -> list[Fragment]:
    """`string_list_dollar_star`: the first character of IFS between texts that nothing protects."""
    return side_by_side([plain(text) for text in texts], ifs.first, span)


def separated(texts: Sequence[Text], quoted: bool, ifs: Separators, span: Span, spaced: bool = False) -> list[Fragment]:
    """`string_list_dollar_at`. `spaced`: a space between the elements, as where nothing is split."""
    parts = [quoted_again(plain(text)) if quoted else guarded(text, ifs) for text in texts]
    return side_by_side(parts, " " if spaced or not ifs.text else ifs.first, span)


def placed(
    star: bool,
    texts: Sequence[Text],
    manner: Manner,
    quoted: bool,
    ifs: Separators,
    span: Span,
    spaced: bool,
    document: bool,
) -> list[Fragment]:
    """`string_list_pos_params`: the elements of a list that was edited or cut; `star`: written with `*`."""
    empty = ifs.given and not ifs.text
    if star and quoted:
        parts: list[list[Fragment]] = [[(piece, True, False) for piece in text.pieces] for text in texts]
        return side_by_side(parts, " " if document else ifs.first, span)
    bare = manner.bare
    if star and bare and (empty or spaced):
        return starred(texts, ifs, span) if manner.starred else separated(texts, False, ifs, span)
    if not star and (quoted or (bare and (empty or spaced))):
        return separated(texts, quoted, ifs, span, spaced and not quoted)
    return starred(texts, ifs, span)


def spaced(texts: Sequence[Text], quoted: bool, span: Span) -> list[Fragment]:
    """`string_list`: a space between the elements whatever IFS is, as where a name that stands for `$@` is edited."""
    return side_by_side([quoted_again(plain(text)) if quoted else plain(text) for text in texts], " ", span)


def side_by_side(parts: Sequence[list[Fragment]], separator: str, span: Span) -> list[Fragment]:
    """The parts with a separator between them that may split."""
    found: list[Fragment] = []
    for index, part in enumerate(parts):
        if index and separator:
            found.append((Known(separator, Origin(span, "expansion", "IFS")), False, True))
        found.extend(part)
    return found


def of_parameters(
    star: bool, texts: Sequence[Text], manner: Manner, ifs: Separators, span: Span
) -> tuple[list[Fragment], bool, bool]:
    """`$*` and `$@` (`param_expand`); whether the result is one pair of quotes, and whether it splits at spaces."""
    empty = ifs.given and not ifs.text
    if not star:
        if manner.assigned:
            null = any(not is_visible(plain(text)) for text in texts)
            return separated(texts, True, ifs, span, spaced=True), null, False
        marked = ifs.given and not empty and ifs.first != " "
        quoted = not manner.bare or (manner.single and marked)
        return separated(texts, quoted, ifs, span), False, False
    if not manner.bare:
        if manner.document:
            joined = side_by_side([plain(text) for text in texts], " ", span)
        else:
            joined = starred(texts, ifs, span)
        null = not is_visible(joined)
        return quoted_again(joined) if manner.quoted and not manner.document else joined, null, False
    if manner.starred and manner.assigned:
        joined = starred(texts, ifs, span)
        if empty:
            return joined, False, False
        return quoted_again(joined), not is_visible(joined), False
    if manner.starred and empty:
        return starred(texts, ifs, span), False, False
    joined = separated(texts, False, ifs, span)
    if not empty and ifs.given and manner.assigned:
        joined = quoted_again(joined)
    return joined, False, empty


def of_array(
    star: bool, texts: Sequence[Text], is_array: bool, manner: Manner, ifs: Separators, span: Span
) -> list[Fragment]:
    """`${name[*]}` and `${name[@]}` (`parameter_brace_expand_word`). `is_array`: the name is no scalar."""
    empty = ifs.given and not ifs.text
    quoted, spaced = manner.quoted, False
    if manner.assigned:
        quoted, spaced = (True, True) if is_array else (quoted, False)
    elif manner.single and not star and manner.bare and ifs.given and not empty and ifs.first != " ":
        quoted = spaced = True
    elif star and manner.starred and empty:
        quoted = True
    if star and quoted:
        return quoted_again(starred(texts, ifs, span))
    return separated(texts, quoted or manner.pattern, ifs, span, spaced)
