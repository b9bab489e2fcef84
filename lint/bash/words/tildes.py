"""Tilde expansion: `~`, `~name`, `~+` and `~-`, at the start of a word and where something is assigned."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import State
from lint.bash.state.variables import scalar
from lint.bash.syntax import DoubleQuoted, Literal, Parameter, Part, Quoted
from lint.bash.unknown import HOME_OF
from lint.bash.words.special import place
from lint.regular import regular
from lint.text import Span

_ASSIGNMENT_PREFIX = regular(r"[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=", re.ASCII)
_LOGIN = regular(r"|[+-][0-9]*|[0-9]+|[A-Za-z_][A-Za-z0-9_.-]*")  # what can follow a tilde
_TILDE_AND_COLON = regular(r"~[+-]?:")
_RAW_NAME = regular(r"~[^/:'\"\\]*")
_SECOND = "=~"
"""Bash looks for it in what follows a tilde in an argument, until it has expanded one where it assigns: never there."""


def expand_tildes(
    state: State, parts: Sequence[Part], assignment: bool = False, names: bool = True, subscripted: bool = False
) -> Sequence[Part]:
    """The parts with each `~` that stands for a directory replaced by a part that expands to it.

    Behind `name=` and `:` it does so in assignments, and in arguments that look like one, but not in an array or in
    `${name-word}` (`names`), nor where braces were expanded. `subscripted`: it is the value of `[subscript]=value`.
    """
    for part in parts:
        if type(part) is Literal and "~" in part.text:
            break
    else:
        return parts
    parts = _neighbours_joined(parts)
    first = parts[0]
    after_colon = assignment
    begin = 0
    if not assignment and isinstance(first, Literal):
        prefix = _ASSIGNMENT_PREFIX.match(first.text)
        if prefix is not None and names:
            after_colon, begin = True, prefix.end()
        elif _TILDE_AND_COLON.match(first.text):
            return _before_colon(state, parts)
    second = subscripted or not assignment
    if after_colon and second and len(parts) > 1 and isinstance(first, Literal) and first.text.startswith("~", begin):
        start = first.end - len(first.text) + begin
        head = _RAW_NAME.match(state.unit.source.text, start, parts[-1].end)
        if head is not None and _SECOND in head.group():  # bash takes all of it for a name, expansions too
            before = [Literal(first.start, start, first.text[:begin])] if begin else []
            return [*before, Parameter(start, parts[-1].end, head.group())]
    found: list[Part] = []
    for index, part in enumerate(parts):
        if not isinstance(part, Literal):
            found.append(part)
            continue
        places = [begin] if index == 0 else []
        if after_colon:
            places += [i + 1 for i, c in enumerate(part.text) if c == ":" and i + 1 > begin]
        found.extend(_cut_tildes(part, places, index == len(parts) - 1, "/:" if after_colon else "/", second))
    return found


def _before_colon(state: State, parts: Sequence[Part]) -> Sequence[Part]:
    """`~:$x/y` where nothing is assigned: bash takes all before the slash for a name, and expands but its start."""
    found: list[Part] = []
    for index, part in enumerate(parts):
        if isinstance(part, (Quoted, DoubleQuoted)):
            return parts
        plain = part.text if isinstance(part, Literal) else ""
        text, slash, rest = plain.partition("/")
        if not slash:
            text = state.unit.source.text[part.start : part.end]
        start = part.start
        if index == 0:
            size = text.index(":")
            found.append(Parameter(start, start + size, text[:size]))
            text, start = text[size:], start + size
        found.append(Quoted(start, start + len(text), text))
        if slash:
            return [*found, Literal(part.end - len(rest) - 1, part.end, slash + rest), *parts[index + 1 :]]
    return found


def home(state: State, name: str, span: Span) -> Text:
    """What `~name` stands for."""
    if name == "+":
        return scalar(state, "PWD", span) or place(state.directory, span, "PWD")
    if name == "-":
        return scalar(state, "OLDPWD", span) or Text((Known("~-", Origin(span, "literal")),))
    if name.lstrip("+-").isdecimal():
        return _stacked(state, name, span)
    if _SECOND in name:
        reason = f"~{name}, which bash expands or not by what it expanded before"
        return Text((Unknown(reason, Origin(span, "expansion")),))
    if name:
        return Text((Unknown(f"{HOME_OF} {name}", Origin(span, "environment")),))
    return scalar(state, "HOME", span) or Text((Unknown("home directory", Origin(span, "environment", "HOME")),))


def _stacked(state: State, name: str, span: Span) -> Text:
    """`~2`, `~+2`, `~-2`: a directory of the stack that `pushd` keeps; beyond its end the text itself."""
    stack = (state.directory, *state.directory_stack)
    index = int(name.lstrip("+-")[:9])
    if index >= len(stack):
        return Text((Known(f"~{name}", Origin(span, "literal")),))
    if index == (len(stack) - 1 if name[0] == "-" else 0):
        return home(state, "+", span)
    return place(stack[-index - 1 if name[0] == "-" else index], span, "DIRSTACK")


def _neighbours_joined(parts: Sequence[Part]) -> Sequence[Part]:
    """The parts with plain text that a line continuation cuts in one piece."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Literal) and isinstance(last, Literal):
            found[-1] = Literal(last.start, part.end, last.text + part.text)
        else:
            found.append(part)
    return found


def _cut_tildes(part: Literal, places: Sequence[int], last: bool, ends: str, second: bool) -> list[Part]:
    """A literal with its tilde prefixes turned into `Parameter` parts named `~`."""
    found: list[Part] = []
    begin = 0
    text = part.text
    for position in places:
        if text[position : position + 1] != "~":
            continue
        end = position + 1
        while end < len(text) and text[end] not in ends:
            end += 1
        if end == len(text) and not last:
            continue  # a quoted or expanded part follows: no tilde prefix
        name = text[position + 1 : end]
        if not _LOGIN.fullmatch(name) and not (second and _SECOND in name):
            continue
        if begin < position:
            found.append(Literal(part.start + begin, part.start + position, text[begin:position]))
        found.append(Parameter(part.start + position, part.start + end, "~" + name))
        begin = end
    if begin < len(text):
        found.append(Literal(part.start + begin, part.end, text[begin:]) if begin else part)
    return found
