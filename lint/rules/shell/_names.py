"""Names of variables: which ones a script gives a value, which ones the environment always has, and which are alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from difflib import get_close_matches

from lint.bash.syntax import (
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    DoubleQuoted,
    For,
    Parameter,
    Quoted,
    SimpleCommand,
    Word,
)
from lint.bash.walk import constant
from lint.regular import regular
from lint.subject.once import once
from lint.subject.subject import ScriptSubject
from lint.text import Span

READERS = regular("mapfile|readarray|read|declare|local|typeset|export|readonly|printf|eval|getopts|let")
ASSIGNED = regular(r"\b([A-Za-z_]\w*)\b\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))")
READ = regular(r"(?<![\w#$@])[A-Za-z_]\w*(?!\w*\[)")
SKIPPING = regular(r"\?|&&|\|\|")
"""Operators of arithmetic that leave an operand alone, whatever is in it."""
ALWAYS = regular(
    r"HOME|USER|LOGNAME|PATH|PWD|OLDPWD|SHELL|HOSTNAME|HOST|UID|EUID|PPID|RANDOM|SECONDS|LINENO|BASH_\w+|TMPDIR|LANG|TERM"
    r"|CONDA_PREFIX|VIRTUAL_ENV|PYTHONPATH|LD_LIBRARY_PATH|LD_PRELOAD|(SLURM|ARNOLD|OMPI|PET|MASTER|VC|MA)_\w+"
    r"|(NODE_|LOCAL_)?RANK|(LOCAL_)?WORLD_SIZE"
)

CONSTANTS = frozenset({"True", "False", "true", "false", "None", "null", "none"})
"""Values of settings that nobody names a variable after: `${True}` is meant as `True`."""


@once
def assigned(subject: ScriptSubject) -> Set[str]:
    """Every name that something in the script could give a value."""
    names = {one.name for one in subject.nodes.of(Assignment) if not _to_itself(one)}
    names |= {loop.name for loop in subject.nodes.of(For)}
    for command in subject.nodes.of(SimpleCommand):
        if command.words and READERS.fullmatch(constant(command.words[0]) or ""):
            names |= {text for text in map(constant, command.words[1:]) if text}
    return names | set(_in_arithmetic(subject))


def _to_itself(assignment: Assignment) -> bool:
    """True for `NAME=$NAME` and `NAME="${NAME}"`, which give no value."""
    parts = assignment.value.parts if isinstance(assignment.value, Word) else ()
    if len(parts) == 1 and isinstance(parts[0], DoubleQuoted):
        parts = parts[0].parts
    only = parts[0] if len(parts) == 1 else None
    return isinstance(only, Parameter) and only.name == assignment.name and not only.operator


def _in_arithmetic(subject: ScriptSubject) -> Iterator[str]:
    """Names that arithmetic assigns: `for ((i = 0; ...; i++))`, `((n += 1))`, `$((x = 2))`."""
    arithmetic: list[Arithmetic | ArithmeticCommand | ArithmeticFor] = [
        *subject.nodes.of(Arithmetic),
        *subject.nodes.of(ArithmeticCommand),
        *subject.nodes.of(ArithmeticFor),
    ]
    for node in arithmetic:
        yield from (found[1] for found in ASSIGNED.finditer(subject.script.source.text, node.start, node.end))


def read_in_arithmetic(subject: ScriptSubject) -> Iterator[tuple[str, Span]]:
    """Names without `$` in `$((...))`, but for expressions that may leave out a part of themselves."""
    source = subject.script.source
    for node in subject.nodes.of(Arithmetic):
        if SKIPPING.search(source.text, node.start, node.end):
            continue
        for part in node.expression.parts:
            if isinstance(part, Quoted) and source.text[part.start : part.end] == part.text:
                for found in filter(_is_name, READ.finditer(part.text)):
                    start = part.start + found.start()
                    yield found[0], Span(source.path, start, start + len(found[0]))


def _is_name(found: re.Match[str]) -> bool:
    """False for the `x` of `1024 x 32`, which is meant as `*`."""
    return found[0] not in "xX" or not found.string[: found.start()].rstrip()[-1:].isalnum()


def nearest(name: str, names: Set[str]) -> str | None:
    """An assigned name that differs in case only, or by a letter or two."""
    same = {one.lower(): one for one in names}.get(name.lower())
    return same or next(iter(get_close_matches(name, names, 1, 0.8 if name.islower() else 0.9)), None)


def given_on(subject: ScriptSubject) -> dict[str, str]:
    """Names whose default goes to a variable of another name: `last_layer=${LAST_LAYER:-6}`."""
    found = {}
    for assignment in subject.nodes.of(Assignment):
        part = assignment.value.parts[0] if isinstance(assignment.value, Word) and assignment.value.parts else None
        if isinstance(part, Parameter) and part.operator in (":-", "-") and part.name != assignment.name:
            found[part.name] = assignment.name
    return found
