"""Which commands are launches: from argv to entry point, Hydra's flags, and overrides with their source."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from lint.bash.origins import PassedOn
from lint.bash.programs.handing import handed_on
from lint.bash.programs.launchers import steps, texts
from lint.bash.reading import Known, RunCommand, Text, Unknown
from lint.bash.unknown import HOME_OF
from lint.frozen import frozen
from lint.launch.launch import Launch, Override, Prefix
from lint.launch.started import Started, started_program
from lint.launch.written import as_written, part_span, word_span, written_span
from lint.regular import regular
from lint.schema.load import load, shipped
from lint.text import Span

_DOTTED = regular(r"(?:\+\+|\+|~)?[A-Za-z_][\w-]*(?:[./@][\w-]+)+=")
_PREFIXES: Mapping[str, Prefix] = {"": "", "+": "+", "++": "++", "~": "~"}
_SPLIT = regular(r"(\+\+|\+|~)?([^=@]*)(?:@([^=]*))?(=)?")

_FLAGS_WITH_VALUE = ("--config-path", "--config-name", "--config-dir", "--cfg", "--package", "--experimental-rerun")
_FLAGS = ("--help", "--hydra-help", "--version", "--resolve", "--run", "--multirun", "--shell-completion", "--info")
_PRINTING = frozenset({"--cfg", "--help", "--hydra-help", "--version", "--info"})
"""Flags under which Hydra prints something and ends."""
_MODULE = ("-m", "--module")
_SHORT = {
    "-cp": "--config-path",
    "-cn": "--config-name",
    "-cd": "--config-dir",
    "-c": "--cfg",
    "-p": "--package",
    "-h": "--help",
    "-r": "--run",
    "-m": "--multirun",
    "-sc": "--shell-completion",
    "-i": "--info",
}


def find(command: RunCommand, started: Started | None = None, overrides: Overrides | None = None) -> Launch | None:
    """The launch that a command is, or None: it starts no Python program, or one that is not driven by Hydra.

    `started` is that program, if somebody has looked for it already; `overrides` are those of other launches.
    """
    started = started or started_program(texts(command.words))
    if started is None:
        return None
    words = [word.value for word in command.words]
    name = words[started.index]
    if name is None:
        return None
    name = name[started.offset :]
    entry_point = name if started.is_module else _module_of_file(name)
    entry = started.index
    inner = None if entry_point in known_entry_points() else _started_by_module(words, entry)
    if inner is not None:
        entry, entry_point = inner, str(words[inner])
    rest = range(entry + 1, len(words))
    if entry_point not in known_entry_points() and not any(_DOTTED.match(words[i] or "") for i in rest):
        return None
    arguments = _read_arguments(command, words, entry + 1, overrides or Overrides())
    if arguments.flags.keys() & _PRINTING:
        return None
    return Launch(
        command=command,
        entry_point=entry_point,
        entry_span=_entry_span(command, entry, started),
        launcher=" ".join((*_outer_launchers(command), *started.launchers)),
        overrides=arguments.overrides,
        config_name=arguments.flags.get("--config-name"),
        config_path=arguments.flags.get("--config-path"),
        config_dir=arguments.flags.get("--config-dir"),
        multirun=_is_multirun(arguments),
        other=arguments.other,
        environment=handed_on(started.steps, command.words, command.contents).variables(command.environment),
        launcher_options=_launcher_options(command, started),
    )


def _entry_span(command: RunCommand, entry: int, started: Started) -> Span:
    """Where the name of the entry point is written: without the `-m` that it may stand behind in one word."""
    if entry != started.index or not started.offset:
        return written_span(command, entry)
    written = as_written(command.words[entry])
    return part_span(written, started.offset, len(written.shown)) or word_span(command, entry, written)


def _started_by_module(words: Sequence[str | None], entry: int) -> int | None:
    """The word of a trainer that another module starts: `-m wrapper.launch verl.trainer.sft_trainer`, or behind a
    second `-m`."""
    for position in range(entry + 1, len(words)):
        if words[position] in known_entry_points() and (position == entry + 1 or words[position - 1] in _MODULE):
            return position
    return None


@lru_cache(maxsize=1)
def known_entry_points() -> frozenset[str]:
    """The entry points of every release that comes with the tool."""
    return frozenset(name for release in shipped() for name in load(release).entry_points)


def _module_of_file(path: str) -> str:
    """The module that a Python file is: a known entry point if the path ends like one, else by its path."""
    path = posixpath.normpath(path)
    for name in known_entry_points():
        tail = name.replace(".", "/") + ".py"
        if path == tail or path.endswith("/" + tail):
            return name
    return path.removesuffix(".py").lstrip("/").replace("/", ".")


@frozen
class _Arguments:
    overrides: tuple[Override, ...]
    flags: Mapping[str, Text]
    other: tuple[int, ...]


def _read_arguments(
    command: RunCommand, words: Sequence[str | None], start: int, known_overrides: Overrides
) -> _Arguments:
    """Hydra's command line: flags and overrides. Python's argparse takes overrides in one run only: those after a flag
    that follows an override are not recognized, and neither is an unknown flag."""
    overrides: list[Override] = []
    flags: dict[str, Text] = {}
    other: list[int] = []
    run = 0  # 0: no override yet, 1: in the run, 2: past it
    only_overrides = False
    position = start
    while position < len(words):
        word = words[position]
        known = word if word is not None else _known_beginning(command.words[position])
        if word == "--" and not only_overrides:
            only_overrides = True
        elif _is_flag(known) and not only_overrides:
            name, equals, _ = known.partition("=")
            flag = _flag(name)
            run = 2 if run else 0
            if flag is None:
                other.append(position)
            elif flag in _FLAGS_WITH_VALUE and not equals:
                position += 1
                if position < len(words):
                    flags[flag] = command.words[position]
            else:
                flags[flag] = command.words[position].slice(len(name) + 1)
        elif run == 2:
            other.append(position)
        else:
            override = known_overrides.at(command, position)
            if override is None:
                other.append(position)
            else:
                overrides.append(override)
            if override is not None or word is not None:  # what is not known may be a flag, or nothing
                run = 1
        position += 1
    return _Arguments(tuple(overrides), flags, tuple(other))


def _is_multirun(arguments: _Arguments) -> bool:
    """Whether Hydra starts several launches: by its flag, or by its mode."""
    modes = [
        override.value.value for override in arguments.overrides if override.key == "hydra.mode" and override.value
    ]
    return "--multirun" in arguments.flags or modes[-1:] == ["MULTIRUN"]


def _known_beginning(text: Text) -> str:
    """The known text before the first unknown piece."""
    known = []
    for piece in text.pieces:
        if not isinstance(piece, Known):
            break
        known.append(piece.text)
    return "".join(known)


def _is_flag(word: str) -> bool:
    return word.startswith("-") and len(word) > 1 and not re.fullmatch(r"-\d+|-\d*\.\d+", word) and " " not in word


def _flag(name: str) -> str | None:
    """The flag of a name; argparse accepts any unambiguous beginning of a long one."""
    if name in _SHORT:
        return _SHORT[name]
    if not name.startswith("--"):
        return None
    known = (*_FLAGS_WITH_VALUE, *_FLAGS)
    if name in known:
        return name
    begun = [flag for flag in known if flag.startswith(name)]
    return begun[0] if len(begun) == 1 else None


# ----------------------------------------------------------------------------------------------------- overrides


class Overrides:
    """The overrides in words of commands. One that several commands are given by an expansion is read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, Span], tuple[Text, Override | None]] = {}  # by text (kept, as its id is), and place

    def at(self, command: RunCommand, index: int) -> Override | None:
        """The override in a word of argv; None if it has no key, an unknown one, or no `=` (and is no `~key`)."""
        word = text = command.words[index]
        while isinstance(text, PassedOn):
            text = text.text
        if text is word:
            return _override(command, index)
        place = (id(text), command.word_spans[index])
        if place not in self._read:
            self._read[place] = text, _override(command, index)
        found = self._read[place][1]
        if found is None or found.index == index:
            return found
        return Override(found.prefix, found.key, found.package, found.value, found.span, index, found.text)


def _override(command: RunCommand, index: int) -> Override | None:
    text = _deletion(as_written(command.words[index]))
    match = _SPLIT.match(text.shown)
    assert match is not None
    if not (match[2] or match[3]) or (not match[4] and match[1] != "~"):
        return None
    key_end = match.end() - 1 if match[4] else match.end()
    if not _is_known(text, key_end):
        return None
    return Override(
        prefix=_PREFIXES[match[1] or ""],
        key=match[2],
        package=match[3],
        value=text.slice(match.end()) if match[4] else None,
        span=word_span(command, index, text),
        index=index,
        text=text,
    )


def _deletion(text: Text) -> Text:
    """`~data.val_files` without quotes: bash leaves the tilde where there is no such user, as no key names one."""
    first = text.pieces[0] if text.pieces else None
    if not isinstance(first, Unknown) or not first.reason.startswith(f"{HOME_OF} "):
        return text
    name = first.reason.removeprefix(f"{HOME_OF} ")
    if "." not in name:
        return text
    return Text((Known(f"~{name}", first.origin), *text.pieces[1:]))


def _is_known(text: Text, end: int) -> bool:
    """Whether a text is certain up to an offset."""
    offset = 0
    for piece in text.pieces:
        if offset >= end:
            break
        if not isinstance(piece, Known):
            return False
        offset += len(piece.text)
    return True


# ------------------------------------------------------------------------------------------------------- launchers


def _outer_launchers(command: RunCommand) -> tuple[str, ...]:
    """The launchers that started the shell of a command, outermost first."""
    if command.starter is None:
        return ()
    way = steps(texts(command.starter.words))
    return (*_outer_launchers(command.starter), *(step.name for step in way))


def _launcher_options(command: RunCommand, started: Started) -> Mapping[str, Text]:
    """The launchers' options that take a value, as `--name value` or `--name=value`."""
    options = [option for step in started.steps for option in step.options if option.index < len(command.words)]
    return {option.name: command.words[option.index].slice(option.offset) for option in options}
