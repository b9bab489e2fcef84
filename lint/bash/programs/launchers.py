"""Programs that start other programs: how to step from `srun -N 2 uv run torchrun -m verl...` to `verl...`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from lint.bash.programs.launcher_table import Launcher, launchers
from lint.bash.reading import Known, Text
from lint.frozen import frozen
from lint.regular import regular

What = Literal["module", "file", "command", "text", "script"]


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


_VERSIONED = regular(r"(python|pypy|ipython)[0-9.]*t?")
_ASSIGNMENT = regular(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_NAMED_OPTION = regular(r"--[A-Za-z][\w.-]*=")
_MODULE = regular(r"-[bBdEhiIOPqRsStuvVx]*m")  # of Python: `-um`, `-mverl.trainer`, and the name may follow at once

_CODE = regular(r"-[bBdEhiIOPqRsStuvVx]*c")

_DOTTED = regular(r"[A-Za-z_]\w*(?:\.\w+)+", re.ASCII)


def is_launcher(word: str | None) -> bool:
    """Whether a command of this name may start another program."""
    return _name(word) in launchers()


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
    for launcher in launchers().get(name, ()) if name else ():
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
            elif launcher.kind == "python" and word is not None and _CODE.match(word):
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
            self._valued(Option(word, self.position + 1))
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

    def _valued(self, option: Option) -> None:
        """Past an option and its value."""
        self.options.append(option)
        self.position = option.index + 1
        form = self.launcher.command_if.get(option.name)
        value = self.words[option.index] if form is not None and option.index < len(self.words) else None
        if form is not None and value is not None:
            self.command = re.fullmatch(form, value[option.offset :]) is not None

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
                self._valued(Option(option, index, offset))
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
