"""Word splitting: the fragments that a word's expansions yield become fields, by the rules of IFS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lint.bash.reading import Known, Origin, Unknown
from lint.bash.words.fragments import Fragment, Part, is_null, is_visible, without_nulls
from lint.text import Span

DEFAULT_IFS = " \t\n"
_SPACES = " \t\n\r\v\f"


class Separators(NamedTuple):
    """IFS: its characters, and whether it is set at all."""

    text: str
    given: bool

    @property
    def first(self) -> str:
        """What joins the elements of `"$*"`."""
        return self.text[:1] if self.given else " "


def cut(fragments: Sequence[Fragment], separators: str, quoted: bool) -> list[Part]:
    """The parts between separators (`list_string` of bash).

    White space among the separators is dropped at the start and a run of it is one separator; any other separator,
    with the white space around it, is one by itself. `quoted`: the start is kept, and the parts are not cut again.
    """
    if _is_settled(fragments, separators):
        return [Part(list(fragments), quoted=quoted)]
    items = _items(fragments, separators)
    size = len(items)
    position = 0
    waiting: list[Fragment] = []  # empty pieces that join the next part, if there is one
    if not quoted and separators:
        while position < size and (item := items[position]) is not None:
            if isinstance(item, str):
                if item not in _SPACES:
                    break
            elif _has_content(item):
                break
            else:
                waiting.append(item)
            position += 1
    usual = separators == DEFAULT_IFS
    found: list[Part] = []
    while position < size:
        part = waiting
        waiting = []
        content = False
        while position < size and not isinstance(item := items[position], str):
            part.append(item)
            content = content or item is None or _has_content(item)
            position += 1
        if not content and position == size:
            break
        if not content:
            separator = items[position]
            if not usual and isinstance(separator, str) and separator not in _SPACES:
                found.append(Part([*part, None], quoted=True, null=True))
            else:
                waiting = part
        elif is_null(part):
            found.append(Part(part, quoted=True, null=True))
        else:
            kept = without_nulls(part)
            found.append(Part(kept, quoted=quoted, saw_null=not is_visible(kept)))
        position = _behind_separator(items, position, usual)
    return found


def _is_settled(fragments: Sequence[Fragment], separators: str) -> bool:
    """Whether there is text, and nothing to cut or to drop: most words by far."""
    visible = False
    for fragment in fragments:
        if fragment is None:
            return False
        piece, _, splits = fragment
        if type(piece) is not Known:
            if splits:
                return False
            visible = True
        elif piece.text:
            visible = True
            if splits:
                for character in separators:
                    if character in piece.text:
                        return False
    return visible


def _behind_separator(items: Sequence[Fragment | str], position: int, usual: bool) -> int:
    """Where the next part begins: white space around another separator belongs to it."""
    size = len(items)
    if position >= size:
        return position
    white = DEFAULT_IFS if usual else _SPACES
    first = items[position]
    space = isinstance(first, str) and first in white
    position += 1
    while position < size and isinstance(item := items[position], str) and item in white:
        position += 1
    if space and position < size and isinstance(items[position], str):
        position += 1
        while position < size and isinstance(item := items[position], str) and item in white:
            position += 1
    return position


def _has_content(fragment: Fragment) -> bool:
    return fragment is None or type(fragment[0]) is not Known or fragment[0].text != ""


def _items(fragments: Sequence[Fragment], separators: str) -> list[Fragment | str]:
    """The fragments with each separator as a string of its own."""
    items: list[Fragment | str] = []
    for fragment in fragments:
        if fragment is None or not fragment[2]:
            items.append(fragment)
            continue
        piece, quoted, _ = fragment
        if isinstance(piece, Unknown):
            whole = piece.characters and not any(character in piece.characters for character in separators)
            if not piece.splits and separators and not whole:
                fragment = (replace(piece, splits=True), quoted, True)
            items.append(fragment)
            continue
        text = piece.text
        for character in separators:
            if character in text:
                break
        else:
            items.append(fragment)
            continue
        for match in _runs(separators).finditer(text):
            if match[0] in separators:
                items.append(match[0])
            else:
                part = Known(match[0], _of_part(piece.origin, match.start(), match.end(), len(text)))
                items.append((part, quoted, True))
    if len(items) > len(fragments):  # what is empty does not part two separators
        items = [item for item in items if item is None or isinstance(item, str) or _has_content(item)]
    return items


@lru_cache(maxsize=64)
def _runs(separators: str) -> re.Pattern[str]:
    """Each separator, and each stretch of text between them."""
    return re.compile(f"[^{re.escape(separators)}]+|.", re.DOTALL)


def _of_part(origin: Origin, begin: int, end: int, size: int) -> Origin:
    """The origin of a part of a text of this size: exact where the text stands in the source as it is."""
    span = origin.span
    if origin.kind == "literal" and span.end - span.start == size:
        return replace(origin, span=Span(span.path, span.start + begin, span.start + end))
    if origin.kind == "expansion" and len(origin.sources) == 1:
        source = _of_part(origin.sources[0], begin, end, size)
        return origin if source is origin.sources[0] else replace(origin, sources=(source,))
    return origin


def split_text(text: str, ifs: str, most: int | None = None) -> list[str]:
    """The fields of a line as `read` cuts it; with `most`, the last one keeps the rest of the line."""
    spaces = "".join(character for character in ifs if character in DEFAULT_IFS)
    rest = text.strip(spaces) if spaces else text
    fields: list[str] = []
    while rest and (most is None or len(fields) < most - 1):
        end = next((i for i, character in enumerate(rest) if character in ifs), len(rest))
        fields.append(rest[:end])
        after = rest[end:].lstrip(spaces) if spaces else rest[end:]
        if after and after[0] in ifs and after[0] not in spaces and (end == len(rest) or rest[end] in spaces):
            after = after[1:].lstrip(spaces) if spaces else after[1:]
        elif end < len(rest) and rest[end] not in spaces:
            after = rest[end + 1 :].lstrip(spaces) if spaces else rest[end + 1 :]
        rest = after
    if rest:
        fields.append(_last_field(rest, ifs, spaces))
    return fields


def _last_field(rest: str, ifs: str, spaces: str) -> str:
    """The rest of a line for the last name of `read`: one separator at its end is dropped if it is the only one."""
    if rest[-1] in ifs and rest[-1] not in spaces and not any(character in ifs for character in rest[:-1]):
        return rest[:-1]
    return rest
