"""Programs that start other programs: how to step from `srun -N 2 uv run torchrun --nnodes 2 -m verl...` to `verl...`.

The options that take a value are facts of each program and live in `launchers.json`.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

Kind = Literal["python", "program", "command"]


@dataclass(frozen=True, slots=True)
class Launcher:
    """`kind` python and program: a Python file or a module follows; command: any command follows."""

    kind: Kind
    subcommand: tuple[str, ...]
    options_before_subcommand: bool
    value: frozenset[str]
    value2: frozenset[str]  # options that take the next two words
    module: frozenset[str]
    command: frozenset[str]
    arguments: int
    assignments: bool
    alike: bool  # `-` and `_` in the name of an option are the same

    def option(self, word: str) -> str:
        """The name of an option as the table has it."""
        return f"--{word[2:].replace('-', '_')}" if self.alike and word.startswith("--") else word


@dataclass(frozen=True, slots=True)
class Started:
    """The Python program that a command starts: `index` is the word of argv that names it."""

    index: int
    is_module: bool
    launchers: tuple[str, ...]  # outermost first
    assignments: tuple[int, ...]  # words NAME=value that set the environment on the way
    options: Mapping[str, int]  # options with a value, of every launcher on the way -> the word of the value


@lru_cache(maxsize=1)
def _launchers() -> Mapping[str, Launcher]:
    document = json.loads(files("lint.launch").joinpath("launchers.json").read_text("utf-8"))
    table: dict[str, Launcher] = {}
    for entry in document["launchers"]:
        like = table.get(entry.get("like", ""))
        launcher = Launcher(
            entry["kind"],
            tuple(entry.get("subcommand", ())),
            entry.get("before_subcommand", False),
            frozenset(entry["value"]) | (like.value if like else frozenset()),
            frozenset(entry.get("value2", ())),
            frozenset(entry.get("module", ())),
            frozenset(entry.get("command", ())),
            entry.get("arguments", 0),
            entry.get("assignments", False),
            entry.get("alike", False),
        )
        table.update(dict.fromkeys(entry["names"], launcher))
    return table


_VERSIONED = re.compile(r"(python|pypy|ipython)[0-9.]*t?")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def started_program(words: Sequence[str | None]) -> Started | None:
    """The Python program that a command starts, through any number of launchers; None if it starts none.

    An unknown word (None) among a launcher's options is taken for options; where a program's name must stand, it ends
    the search.
    """
    position = 0
    names: list[str] = []
    assignments: list[int] = []
    options: dict[str, int] = {}
    while position < len(words):
        name = _name(words[position])
        if words[position] is None and _runs_a_module(words[position + 1 :]):
            name = "python"
        launcher = _launchers().get(name) if name else None
        if launcher is None or name is None:
            return None
        names.append(" ".join((name, *launcher.subcommand)))
        step = _step(launcher, words, position + 1, assignments, options)
        if step is None:
            return None
        position, what = step
        if what == "module":
            as_launcher = _launchers().get(f"python -m {words[position]}")
            if as_launcher is None:
                return Started(position, True, tuple(names), tuple(assignments), options)
            names.append(str(words[position]))
            step = _step(as_launcher, words, position + 1, assignments, options)
            if step is None:
                return None
            position, what = step
        if what == "module" or what == "file":
            return Started(position, what == "module", tuple(names), tuple(assignments), options)
    return None


def _runs_a_module(words: Sequence[str | None]) -> bool:
    """Whether flags and then `-m NAME` follow: a program whose name is not known (`$PYTHON`) is a Python then."""
    for word, following in pairwise(words):
        if word is None or not word.startswith("-"):
            return False
        if word == "-m" or _bundled_module(word):
            return following is not None
    return False


def _name(word: str | None) -> str | None:
    if word is None:
        return None
    name = posixpath.basename(word)
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


def _step(
    launcher: Launcher,
    words: Sequence[str | None],
    position: int,
    assignments: list[int],
    options: dict[str, int],
) -> tuple[int, Literal["module", "file", "command"]] | None:
    """Past the launcher's own words: the position of what it starts, and what that is."""
    wanted = list(launcher.subcommand)
    arguments = launcher.arguments
    command = launcher.kind == "command"
    while position < len(words):
        word = words[position]
        if word is None:
            position += 1
        elif wanted and word == wanted[0]:
            wanted.pop(0)
            position += 1
        elif wanted and not (launcher.options_before_subcommand and word.startswith("-")):
            return None
        elif word in launcher.module:
            return (position + 1, "module") if position + 1 < len(words) else None
        elif launcher.option(word) in launcher.command:
            command = True
            position += 1
        elif word == "--":
            position += 1
            arguments = 0
            break
        elif word in launcher.value2:
            position += 3
        elif launcher.option(word) in launcher.value:
            options[word] = position + 1
            position += 2
        elif word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            if launcher.kind == "python" and word in ("-c", "-"):
                return None
            if launcher.kind == "python" and not word.startswith("--") and _bundled_module(word):
                return position + 1, "module"
            if equals:
                options[name] = position
            position += 1
        elif launcher.assignments and _ASSIGNMENT.match(word):
            assignments.append(position)
            position += 1
        elif arguments:
            arguments -= 1
            position += 1
        else:
            break
    if position >= len(words) or wanted:
        return None
    if words[position] == "-":
        return None
    if command and launcher.module and words[position] is not None and str(words[position]).endswith(".py"):
        return position, "file"
    return position, "command" if command or words[position] is None else "file"


def _bundled_module(word: str) -> bool:
    """`-um`: flags without value bundled before `-m`."""
    return re.fullmatch(r"-[bBdEhiIOPqsSuvVx]+m", word) is not None
