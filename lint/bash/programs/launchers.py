"""Programs that start other programs: how to step from `srun -N 2 uv run torchrun --nnodes 2 -m verl...` to `verl...`.

Their options, and what they hand on, are facts of each program and live in `launchers.json`.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from lint.bash.reading import Known, Text
from lint.frozen import frozen
from lint.packaged import packaged
from lint.regular import regular

Kind = Literal["python", "program", "command", "text", "option", "script", "each"]
What = Literal["module", "file", "command", "text", "script"]
HandsOn = Literal["all", "nothing", "perhaps"]


@frozen
class Launcher:
    """What is known of one program; `launchers.json` says what each field stands for."""

    kind: Kind
    subcommands: tuple[tuple[str, ...], ...]
    options_before_subcommand: bool
    value: frozenset[str]
    value2: frozenset[str]
    module: frozenset[str]
    command: frozenset[str]
    text: frozenset[str]
    flags: frozenset[str] | None  # None: not listed, so no option is known to be refused
    arguments: int
    assignments: bool
    alike: bool
    clusters: bool
    several: bool
    join: str
    goes_on: bool
    hands_on: HandsOn
    all_with: frozenset[str]
    nothing_with: frozenset[str]
    sets: Mapping[str, str]
    unsets: frozenset[str]
    gives: Mapping[str, str]
    directory: frozenset[str]
    elsewhere: bool
    copies_directory: bool
    status: bool
    input: bool

    def option(self, word: str) -> str:
        """The name of an option as the table has it."""
        return f"--{word[2:].replace('-', '_')}" if self.alike and word.startswith("--") else word


@frozen
class Option:
    """An option with its value: the text of word `index` from `offset` on."""

    name: str
    index: int
    offset: int = 0


@frozen
class Step:
    """One launcher of a command: its own words, and what it starts.

    `what` it starts: a Python module or file, another command, a script of the shell, or a text that it gives to a
    shell. `after` is the word of it; a text goes on to the last word unless it is the value of an option (`alone`).
    """

    launcher: Launcher
    name: str
    what: What
    after: int
    offset: int  # in the word `after`: `--wrap=text` begins behind the equals sign, the module of `-mname` behind `-m`
    alone: bool
    options: tuple[Option, ...]
    flags: frozenset[str]
    assignments: tuple[int, ...]  # words NAME=value that set the environment


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[Launcher, ...]]:
    document = json.loads(packaged("bash/programs/launchers.json").read_text("utf-8"))
    table: dict[str, tuple[Launcher, ...]] = {}
    for entry in document["launchers"]:
        like = table.get(entry.get("like", ""), (None,))[0]
        launcher = Launcher(
            kind=entry["kind"],
            subcommands=tuple(tuple(words.split()) for words in entry.get("subcommand", ("",))),
            options_before_subcommand=entry.get("before_subcommand", False),
            value=frozenset(entry["value"]) | (like.value if like else frozenset()),
            value2=frozenset(entry.get("value2", ())),
            module=frozenset(entry.get("module", ())),
            command=frozenset(entry.get("command", ())),
            text=frozenset(entry.get("text", ())),
            flags=frozenset(entry["flags"]) if "flags" in entry else None,
            arguments=entry.get("arguments", 0),
            assignments=entry.get("assignments", False),
            alike=entry.get("alike", False),
            clusters=entry.get("clusters", False),
            several=entry.get("several", False),
            join=entry.get("join", "blanks"),
            goes_on=entry.get("goes_on", False),
            hands_on=entry.get("hands_on", "all"),
            all_with=frozenset(entry.get("all_with", ())),
            nothing_with=frozenset(entry.get("nothing_with", ())),
            sets=entry.get("sets", {}),
            unsets=frozenset(entry.get("unsets", ())),
            gives=entry.get("gives") or (like.gives if like else {}),
            directory=frozenset(entry.get("directory", ())),
            elsewhere=entry.get("elsewhere", False),
            copies_directory=entry.get("copies_directory", False),
            status=entry.get("status", True),
            input=entry.get("input", False),
        )
        for name in entry["names"]:
            table[name] = (*table.get(name, ()), launcher)
    return table


_VERSIONED = regular(r"(python|pypy|ipython)[0-9.]*t?")
_ASSIGNMENT = regular(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_NAMED_OPTION = regular(r"--[A-Za-z][\w.-]*=")
_MODULE = regular(r"-[bBdEhiIOPqRsStuvVx]*m")  # of Python: `-um`, `-mverl.trainer`, and the name may follow at once

_DOTTED = regular(r"[A-Za-z_]\w*(?:\.\w+)+", re.ASCII)


def is_launcher(word: str | None) -> bool:
    """Whether a command of this name may start another program."""
    return _name(word) in _table()


def options_with_value(name: str) -> frozenset[str]:
    """The options of a launcher that take the next word."""
    return frozenset(option for launcher in _table().get(name, ()) for option in launcher.value)


MOST_REMEMBERED = 1000  # words of a command whose launchers are remembered


def texts(words: Sequence[Text]) -> tuple[str | None, ...]:
    """Words as `steps` takes them: of an option whose value is not known, `--name=` is."""
    return tuple([value if (value := word.value) is not None else _option_name(word) for word in words])


def _option_name(word: Text) -> str | None:
    found = _NAMED_OPTION.match(word.pieces[0].text) if isinstance(word.pieces[0], Known) else None
    return found[0] if found is not None else None


def steps(words: Sequence[str | None]) -> tuple[Step, ...]:
    """The launchers of a command from the outermost on, as far as words are commands.

    An unknown word (None) among a launcher's options is taken for options; where a program's name must stand, it ends
    the search.
    """
    return _steps(tuple(words)) if len(words) <= MOST_REMEMBERED else tuple(_each_step(words))


@lru_cache(maxsize=256)
def _steps(words: tuple[str | None, ...]) -> tuple[Step, ...]:
    """They are asked for several times: when a command is read, and by all who look at what it starts."""
    return tuple(_each_step(words))


def _each_step(words: Sequence[str | None]) -> Iterator[Step]:
    position = 0
    while position < len(words):
        name = _name(words[position])
        if words[position] is None and _runs_a_module(words[position + 1 :]):
            name = "python"
        step = _step_of(name, words, position)
        if step is None:
            return
        if step.what == "module":
            launching = _step_of(f"python -m {str(words[step.after])[step.offset :]}", words, step.after)
            if launching is not None:
                yield step
                step = launching
        yield step
        if step.what != "command":
            return
        position = step.after


def _step_of(name: str | None, words: Sequence[str | None], position: int) -> Step | None:
    """The step of the launcher at a position; None if it is none, or starts nothing."""
    for launcher in _table().get(name, ()) if name else ():
        for subcommand in launcher.subcommands:
            step = _Walk(launcher, str(name), words, position + 1).step(subcommand)
            if step is not None:
                return step
    return None


def _runs_a_module(words: Sequence[str | None]) -> bool:
    """Whether flags and then `-m NAME` follow: a program whose name is not known (`$PYTHON`) is a Python then.

    So it is with `-mNAME` in one word, if that is the name of a module in a package: `grep -m1` is none.
    """
    for word, following in pairwise((*words, None)):
        if word is None or not word.startswith("-"):
            return False
        if (flags := _MODULE.match(word)) is not None:
            joined = flags.end() < len(word)
            return _DOTTED.fullmatch(word, flags.end()) is not None if joined else following is not None
    return False


@lru_cache(maxsize=256)
def _name(word: str | None) -> str | None:
    """The name of a program without its folder and its version."""
    if word is None:
        return None
    name = posixpath.basename(word)
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


class _Walk:
    """Past a launcher's own words to what it starts."""

    def __init__(self, launcher: Launcher, name: str, words: Sequence[str | None], position: int) -> None:
        self.launcher = launcher
        self.name = name
        self.words = words
        self.position = position
        self.options: list[Option] = []
        self.flags: set[str] = set()
        self.assignments: list[int] = []
        self.command = launcher.kind == "command"

    def step(self, subcommand: tuple[str, ...]) -> Step | None:
        launcher, words = self.launcher, self.words
        wanted = list(subcommand)
        name = " ".join((self.name.removeprefix("python -m "), *subcommand))
        arguments = launcher.arguments
        while self.position < len(words):
            word = words[self.position]
            if word is None and not (arguments and not wanted and self._no_option_follows()):
                self.position += 1
            elif wanted and word == wanted[0]:
                wanted.pop(0)
                self.position += 1
            elif wanted and not (launcher.options_before_subcommand and str(word).startswith("-")):
                return None
            elif word in launcher.module:
                return self._end(name, "module", self.position + 1)
            elif word == "--":
                self.command = self.command or word in launcher.command
                self.position += 1
                break
            elif launcher.kind == "python" and word == "-c":
                return None
            elif word is not None and word.startswith("-") and (len(word) > 1 or word in launcher.nothing_with):
                found = self._option(word)
                if found is not None:
                    return self._end(name, *found, alone=not launcher.goes_on)
            elif launcher.assignments and _ASSIGNMENT.match(str(word)):
                self.assignments.append(self.position)
                self.position += 1
            elif arguments:
                arguments -= 1
                self.flags.add(str(word))
                self.position += 1
            else:
                break
        if wanted:
            return None
        return self._started(name)

    def _no_option_follows(self) -> bool:
        following = self.words[self.position + 1] if self.position + 1 < len(self.words) else None
        return following is not None and not following.startswith("-")

    def _option(self, word: str) -> tuple[What, int, int] | None:
        """Past one option; if its value is what is started: what that is, and where it begins."""
        launcher = self.launcher
        known = launcher.option(word)
        name, equals, _ = word.partition("=")
        if launcher.kind == "python" and (flags := _MODULE.match(word)) is not None:
            joined = flags.end() < len(word)
            return "module", self.position + (not joined), flags.end() if joined else 0
        if known in launcher.command:
            self.command = True
            self.position += 1
        elif known in launcher.text:
            return "text", self.position + 1, 0
        elif equals and name in launcher.text:
            return "text", self.position, len(name) + 1
        elif word in launcher.value2:
            self.position += 3
        elif known in launcher.value:
            self.options.append(Option(word, self.position + 1))
            self.position += 2
        elif equals and word.startswith("--"):
            self.options.append(Option(name, self.position, len(name) + 1))
            self.position += 1
        elif launcher.clusters and not word.startswith("--") and word != "-":
            return self._cluster(word)
        else:
            if equals:
                self.options.append(Option(name, self.position, len(name) + 1))
            self.flags.add(word)
            self.position += 1
        return None

    def _cluster(self, word: str) -> tuple[What, int, int] | None:
        """`-dmS name`, `-eNAME=value`: letters, the last of which may take a value."""
        for place, letter in enumerate(word[1:], 1):
            option = f"-{letter}"
            attached = place + 1 < len(word)
            index = self.position if attached else self.position + 1
            offset = place + 1 if attached else 0
            if option in self.launcher.text:
                return "text", index, offset
            if option in self.launcher.value:
                self.options.append(Option(option, index, offset))
                self.position = index + 1
                return None
            self.flags.add(option)
        self.position += 1
        return None

    def _started(self, name: str) -> Step | None:
        """What stands after the launcher's own words."""
        launcher, words, position = self.launcher, self.words, self.position
        if (launcher.kind == "script" and not self.command) or (launcher.input and position >= len(words)):
            return self._end(name, "script", position)
        if position >= len(words) or launcher.kind in ("option", "each") or words[position] == "-":
            return None
        if launcher.kind == "text":
            several = self.command or (launcher.several and position + 1 < len(words))
            return self._end(name, "command" if several else "text", position)
        word = words[position]
        if self.command and launcher.module and word is not None and word.endswith(".py"):
            return self._end(name, "file", position)
        return self._end(name, "command" if self.command or word is None else "file", position)

    def _end(self, name: str, what: What, after: int, offset: int = 0, alone: bool = False) -> Step | None:
        if after >= len(self.words) and what != "script":
            return None
        return Step(
            self.launcher,
            name,
            what,
            after,
            offset,
            alone,
            tuple(self.options),
            frozenset(self.flags),
            tuple(self.assignments),
        )
