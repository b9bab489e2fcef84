"""`xargs` and `parallel`: one command for each part of a known input; `find -exec`: one for all that it finds."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.commands import processes
from lint.bash.numbers import whole
from lint.bash.programs.handing import replaced_by
from lint.bash.programs.joining import joined_by_blanks, narrowed, part
from lint.bash.programs.launcher_table import Variables, options_with_value, variables_of
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state import written
from lint.bash.state.outside import Outside
from lint.bash.state.state import Value
from lint.bash.unknown import DIGITS, ExitStatus
from lint.bash.words.quoting import backslash_quote
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.commands.simple import Call
    from lint.bash.state.state import State

MOST = 200  # commands of one call
PROGRAMS = frozenset(("xargs", "parallel", "find"))


@frozen
class _Options:
    values: dict[str, Text]
    flags: frozenset[str]
    command: tuple[Text, ...]

    def first(self, *names: str) -> Text | None:
        return next((self.values[name] for name in names if name in self.values), None)

    def number(self, *names: str) -> int | None:
        text = self.first(*names)
        value = text.value if text is not None else None
        return whole(value) if value is not None and value.isdecimal() else None


def _options(words: Sequence[Text], with_value: frozenset[str]) -> _Options:
    values: dict[str, Text] = {}
    flags: set[str] = set()
    position = 0
    while position < len(words):
        word = words[position].value
        if word is None or not word.startswith("-") or word == "-":
            break
        position += 1
        if word == "--":
            break
        name, equals, _ = word.partition("=")
        if word in with_value and position < len(words):
            values[word] = words[position]
            position += 1
        elif word.startswith("--") and equals:
            values[name] = words[position - 1].slice(len(name) + 1)
        elif word[:2] in with_value and not word.startswith("--"):
            values[word[:2]] = words[position - 1].slice(2)
        else:
            flags.update(f"-{letter}" for letter in word[1:]) if not word.startswith("--") else flags.add(word)
    return _Options(values, frozenset(flags), tuple(words[position:]))


def run(call: Call) -> list[State] | None:
    """The commands of an `xargs`, `parallel` or `find`; None if there is none."""
    if call.name == "parallel":
        return _run_parallel(call)
    if call.name == "find":
        commands = list(_executed(call))
        return _each(call, commands, counted=False) if commands else None
    options = _options(call.words[1:], options_with_value(call.name))
    command = options.command
    if not command:
        return None
    items = _items(call, options)
    commands = list(itertools.islice(_batches(call, options, command, items), MOST + 1))
    slot = options.first("--process-slot-var")
    return _each(call, commands, items is not None, slot.value if slot is not None else None)


def _each(call: Call, commands: Sequence[Sequence[Text]], counted: bool, slot: str | None = None) -> list[State]:
    """Run commands one after the other. `counted`: it is known how often each runs, and so what all of them write.

    `slot`: the variable that says to each of those that run at a time which one it is.
    """
    from lint.bash.commands.simple import external, write_unknown

    evaluator, state = call.evaluator, call.state
    starter = state.log.command if state.log else None
    if len(commands) > MOST:
        evaluator.budget.report(call.span, f"only the first {MOST} commands of this {call.name} were read")
    sets = tuple((group, call.name) for group in variables_of(call.name))
    for words in commands[:MOST]:
        if evaluator.budget.exhausted:
            break
        child = processes.start_child(evaluator, state)
        child.starter = starter
        child.descriptors.pop(0, None)
        if sets or slot is not None:
            _set_variables(call, child, sets, slot)
        if not counted:
            child.descriptors.pop(1, None)
        name = words[0].value or ""
        spans = (call.span,) * len(words)
        inner = replace(
            call, state=child, name=name, words=tuple(words), word_spans=spans, arguments=tuple(words[1:]), outputs=()
        )
        processes.settle_into(evaluator, state, external(inner, {}))
    if not counted:
        write_unknown(call)
    state.status = ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)
    return [state]


def _set_variables(call: Call, child: State, sets: Sequence[tuple[Variables, str]], slot: str | None) -> None:
    """Give a process what its starter sets."""
    for name, value in list(child.variables.items()):
        text = value.scalar()
        if value.exported and not value.inherited and text is not None:
            replaced = replaced_by(sets, name, text)
            child.variables[name] = value if replaced is None else Value(replaced, exported=True)
    given = (*child.outside.given, *((group.gives, name) for group, name in sets))
    child.outside = Outside(given, child.outside.place, child.outside.ran)
    if slot is not None:
        number = Unknown(
            f"value of ${slot}, which {call.name} sets", Origin(call.span, "environment", slot), characters=DIGITS
        )
        child.variables[slot] = Value(Text((number,)), exported=True)


# --------------------------------------------------------------------------------------------------------- xargs


def _items(call: Call, options: _Options) -> list[list[Text]] | None:
    """The arguments in the input, grouped as they stay together (`-L`: by line); None if it is not known."""
    file = options.first("-a", "--arg-file")
    stream = call.state.descriptors.get(0)
    if file is not None:
        given = written.content(call.evaluator, call.state, file)
    else:
        given = call.state.inputs.get(stream) if stream else None
    known = given.value if given is not None else None
    if given is None or known is None:
        return None
    separator = _separator(options)
    if separator is not None:
        parts = re.finditer(f"([^{re.escape(separator)}]*)(?:{re.escape(separator)}|\\Z)", known)
        return [[part(given, *found.span(1))] for found in parts if found.start() < len(known)]
    shape = _WHOLE_LINE if "-I" in options.values else _ITEM
    by_line = options.first("-L", "--max-lines") is not None
    closed = _CLOSED.match(known)
    end = closed.end() if closed is not None else 0  # xargs stops at a quote that nothing closes
    groups: list[list[Text]] = []
    last = 0
    ends = [found.end() for found in _LINE_END.finditer(known)] if by_line else []
    for found in shape.finditer(known):
        if found.end() >= end < len(known):
            break
        item = _item(call, given, known, found)
        same_line = by_line and groups and not any(last < end <= found.start() for end in ends)
        last = found.end()
        if item is not None and same_line:
            groups[-1].append(item)
        elif item is not None:
            groups.append([item])
    return groups


def _separator(options: _Options) -> str | None:
    """The character between arguments, in which quotes mean nothing then."""
    delimiter = options.first("-d", "--delimiter")
    if "-0" in options.flags or "--null" in options.flags:
        return "\0"
    if delimiter is None:
        return None
    return {"\\n": "\n", "\\t": "\t", "\\0": "\0"}.get(delimiter.shown, delimiter.shown[:1])


_QUOTED = r"""'[^'\n]*'|"[^"\n]*"|\\(?:.|\Z)"""
_ITEM = regular(rf"""(?:[^\s'"\\]|{_QUOTED})+""", re.DOTALL)
_WHOLE_LINE = regular(rf"""(?:[^\s'"\\]|{_QUOTED})(?:[^\n'"\\]|{_QUOTED})*""", re.DOTALL)
_CLOSED = regular(rf"""(?:[^'"\\]|{_QUOTED})*""", re.DOTALL)
_LINE_END = regular(r"(?<![ \t])\n")  # a blank before it: the next line goes on


def _item(call: Call, given: Text, known: str, found: re.Match[str]) -> Text | None:
    """One argument, without its quotes; an empty one at the very end is none."""
    if not re.search(r"['\"\\]", found[0]):
        return part(given, *found.span())
    plain = re.sub(rf"(?s){_QUOTED}", lambda part: part[0][1:] if part[0][0] == "\\" else part[0][1:-1], found[0])
    if not plain and found.end() == len(known):
        return None
    return Text((Known(plain, Origin(call.span, "substitution", "xargs")),))


def _batches(
    call: Call, options: _Options, command: Sequence[Text], groups: Sequence[Sequence[Text]] | None
) -> Iterator[Sequence[Text]]:
    replaced = options.values.get("-I")
    if groups is None:
        unknown = Text((Unknown("input of xargs", Origin(call.span, "substitution"), splits=replaced is None),))
        yield [_filled(word, replaced.shown, unknown) for word in command] if replaced else [*command, unknown]
    elif replaced is not None:
        for group in groups:
            yield [_filled(word, replaced.shown, item) for word in command for item in group]
    else:
        size = options.number("-n", "--max-args") or options.number("-L", "--max-lines") or len(groups) or 1
        none = {"-r", "--no-run-if-empty"} & options.flags
        for start in range(0, len(groups) or (0 if none else 1), size):
            yield [*command, *(item for group in groups[start : start + size] for item in group)]


def _filled(word: Text, mark: str, item: Text) -> Text:
    """A word with the item in place of each mark."""
    if not mark or mark not in word.shown:
        return word
    pieces: list[Piece] = []
    for piece in word.pieces:
        if not isinstance(piece, Known) or mark not in piece.text:
            pieces.append(piece)
            continue
        place = 0
        for found in re.finditer(re.escape(mark), piece.text):
            if found.start() > place:
                pieces.append(narrowed(piece, place, found.start()))
            pieces.extend(item.pieces)
            place = found.end()
        if place < len(piece.text):
            pieces.append(narrowed(piece, place, len(piece.text)))
    return Text(tuple(pieces))


# ---------------------------------------------------------------------------------------------------------- find

_EXECUTING = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


def _executed(call: Call) -> Iterator[Sequence[Text]]:
    """The commands after `-exec`, each up to `;`, or up to `{} +` with all files at once."""
    words = call.words
    for start, word in enumerate(words):
        if word.value not in _EXECUTING:
            continue
        ends = (end for end in range(start + 1, len(words)) if _ends_command(words, end))
        end = next(ends, start + 1)
        if end > start + 1:
            several = words[end].value == "+"
            file = Unknown("a file that find finds", Origin(call.span, "substitution"), splits=several)
            yield [_filled(each, "{}", Text((file,))) for each in words[start + 1 : end]]


def _ends_command(words: Sequence[Text], index: int) -> bool:
    return words[index].value == ";" or (words[index].value == "+" and words[index - 1].value == "{}")


# ------------------------------------------------------------------------------------------------------ parallel


def _run_parallel(call: Call) -> list[State] | None:
    """`parallel template ::: a b c`: each text goes to a shell, with the arguments quoted."""
    options = _options(call.words[1:], options_with_value(call.name))
    template, sources = _sources(call, options)
    if not template:
        return None
    mark = options.values.get("-I")
    rows = [[None]] if sources is None else itertools.islice(itertools.product(*sources), MOST + 1)
    texts = [
        _composed(call, joined_by_blanks(template), row, mark.shown if mark is not None else "{}", number)
        for number, row in enumerate(rows, 1)
    ]
    shell = Text((Known("bash", Origin(call.span, "substitution")),))
    option = Text((Known("-c", Origin(call.span, "substitution")),))
    return _each(call, [[shell, option, text] for text in texts], counted=sources is not None)


def _sources(call: Call, options: _Options) -> tuple[list[Text], list[list[Text]] | None]:
    """The words of the template, and the lists of arguments; None if they are not known."""
    template: list[Text] = []
    sources: list[list[Text]] = []
    for word in options.command:
        if word.value in (":::", ":::+"):
            sources.append([])
        elif word.value == "::::":
            return template, None
        elif sources:
            sources[-1].append(word)
        else:
            template.append(word)
    if sources:
        return template, sources
    lines = _items(call, replace(options, values={**options.values, "--delimiter": _made(call, "\n")}))
    return template, None if lines is None else [[line for group in lines for line in group]]


def _composed(call: Call, template: Text, row: Sequence[Text | None], mark: str, number: int) -> Text:
    unknown = Text((Unknown("argument of parallel", Origin(call.span, "substitution")),))
    items = [unknown if item is None else _shell_quoted(item) for item in row]
    marks = {mark: joined_by_blanks(items), "{#}": _made(call, number)}
    marks |= {f"{{{index}}}": item for index, item in enumerate(items, 1)}
    if not any(name in template.shown for name in marks if name != "{#}"):
        template = joined_by_blanks([template, *items])
    for name, item in marks.items():
        template = _filled(template, name, item)
    return template


def _made(call: Call, number: object) -> Text:
    return Text((Known(str(number), Origin(call.span, "substitution")),))


def _shell_quoted(item: Text) -> Text:
    value = item.value
    if value is None or re.fullmatch(r"[\w@%+=:,./-]+", value, re.ASCII):
        return item
    origin = item.pieces[0].origin if item.pieces else Origin(Span("", 0, 0), "literal")
    return Text((Known(backslash_quote(value) or "''", origin),))
