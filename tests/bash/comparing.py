"""What real bash and our reading make of one program."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.parser import parse
from lint.bash.reading import Known, Reading, RunCommand, Text, Unknown
from lint.text import Source
from tests.real_bash import recorded

ENVIRONMENT = {"HOME": "/home/me", "PATH": "/nonexistent", "LC_ALL": "C.UTF-8"}
PLACE = "../program"
LONGEST = 5  # seconds that a program may take
MARKS = re.compile("[\x01\x7f]")
"""The characters that bash uses inside: where they come out, bash has a bug that no one should copy."""


class Endless(Exception):
    """A program that bash does not finish."""


@dataclass(frozen=True)
class Run:
    """What real bash started, in order, and its exit status."""

    commands: list[list[str]]
    status: int

    @property
    def marked(self) -> bool:
        """Whether bash let one of its inner marks out."""
        return any(MARKS.search(word) for words in self.commands for word in words)


def run(program: str, folder: str, hurried: bool = False) -> Run:
    """What real bash would start, in an empty folder of `folder`, which is emptied too. Raises Endless.

    `hurried`: each process may compute for a second only, so that one that is ended may change what others do.
    """
    for left in Path(folder).iterdir():  # by the program before
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    Path(folder, "work").mkdir()
    Path(folder, "program").write_text(program, encoding="utf-8", errors="surrogateescape")
    try:
        commands, status = recorded(PLACE, Path(folder), LONGEST, ENVIRONMENT, first="ulimit -t 1\n" if hurried else "")
    except subprocess.TimeoutExpired:
        raise Endless from None
    if status == -signal.SIGXCPU:
        raise Endless
    return Run(commands, status)


@dataclass(frozen=True)
class EmptyMachine:
    """No file exists anywhere, but what the root of every machine and the folders around the program hold."""

    place: str

    def read(self, path: str) -> Source | None:
        return None

    def exists(self, path: str) -> bool | None:
        return False

    def names(self, directory: str) -> Collection[str] | None:
        return None if f"{self.place}/".startswith(directory.rstrip("/") + "/") else []


def ours(program: str, folder: str) -> Reading:
    """Our reading of the same program in the same place."""
    environment = {"HOME": ENVIRONMENT["HOME"], "PWD": f"{folder}/work"}
    return read(parse(Source(PLACE, program)), environment=environment, files=EmptyMachine(folder))


def started(reading: Reading) -> list[RunCommand]:
    """The commands of a reading that bash records: those that it looks for on PATH.

    A name with a slash is a file: `/bin/bash`, of which bash records what it runs, or none that is there.
    """
    return [command for command in reading.commands if "/" not in (command.words[0].value or "")]


def is_open(reading: Reading) -> bool:
    """Whether what is started depends on something unknown."""
    return reading.forks > 0 or any(command.scenario or command.guards for command in reading.commands)


def runs_unknown_text(reading: Reading) -> bool:
    """Whether a text is run that only a run can tell, and our reading says so."""
    return any(one.reason.startswith("text that is not known is run as a script") for one in reading.unchecked)


def is_begun(reading: Reading, expected: Run) -> bool:
    """Whether a program takes so many steps that our reading stops, and says where, and is right as far as it goes."""
    if not any(one.reason.startswith("reading stopped here") for one in reading.unchecked):
        return False
    commands = expected.commands[: len(started(reading))]
    return same(replace(reading, exit_status=None), Run(commands, expected.status))


def same(reading: Reading, expected: Run) -> bool:
    """Whether the commands are equal; what is unknown (a process id, another user's home) may be anything.

    Those in the background run whenever the machine lets them.
    """
    found = started(reading)
    in_turn = [command.words for command in found if not command.background]
    waiting = [command.words for command in found if command.background]
    if len(found) != len(expected.commands) or reading.exit_status not in (None, expected.status):
        return False
    matched: set[tuple[int, frozenset[int]]] = {(0, frozenset())}  # how many in turn, and which of those that wait
    for texts in expected.commands:
        alike: dict[tuple[Text, ...], list[int]] = {}
        for index, words in enumerate(waiting):
            if _fits(words, texts):
                alike.setdefault(tuple(words), []).append(index)
        matched = {
            *((count + 1, done) for count, done in matched if count < len(in_turn) and _fits(in_turn[count], texts)),
            *(
                (count, done | {left[0]})
                for count, done in matched
                for indexes in alike.values()
                if (left := [index for index in indexes if index not in done])
            ),
        }
    return bool(matched)


def lost(reading: Reading, expected: Run) -> list[str] | None:
    """A command of bash that no way of ours starts; None if there is none."""
    for texts in expected.commands:
        if not any(_fits(command.words, texts) for command in reading.commands):
            return texts
    return None


def first_difference(reading: Reading, expected: Run) -> str:
    """The first command that differs, ours and bash's, or the exit statuses."""
    found = [command.words for command in started(reading)]
    for index in range(max(len(found), len(expected.commands))):
        words = found[index] if index < len(found) else None
        texts = expected.commands[index] if index < len(expected.commands) else None
        if words is None or texts is None or not _fits(words, texts):
            return f"ours: {None if words is None else [word.shown for word in words]}\nbash: {texts}"
    return f"ours: exit status {reading.exit_status}\nbash: exit status {expected.status}"


def _fits(words: Sequence[Text], texts: Sequence[str]) -> bool:
    if all(word.value is not None for word in words):
        return [word.value for word in words] == list(texts)
    return re.fullmatch("".join(map(_shape, words)), "".join(text + "\0" for text in texts), re.DOTALL) is not None


def _shape(word: Text) -> str:
    """A pattern for the words, each with a NUL behind it, that a word of ours stands for."""
    pieces = [piece for piece in word.pieces if not isinstance(piece, Known) or piece.text]
    shape = "".join(map(_shape_of, pieces)) + "\0"
    is_list = all(isinstance(piece, Unknown) and piece.splits for piece in pieces) and pieces
    return f"(?:{shape})?" if is_list else shape


def _shape_of(piece: Known | Unknown) -> str:
    if isinstance(piece, Known):
        return re.escape(piece.text)
    return ".*" if piece.splits else "[^\0]*"


def is_rejected(program: str) -> bool:
    """Whether bash finds a syntax error in a program: of some, like `[[ ! ]]`, it says nothing, and stops there."""
    extended = [True] if program.startswith("shopt -s extglob\n") else [False]
    if "shopt -u extglob" in program or ("shopt -s extglob" in program and not extended[0]):
        extended = [True, False]  # of different parts of it
    return not all(_parses(program, on) for on in extended)


def _parses(program: str, extended: bool) -> bool:
    done = subprocess.run(
        ["/bin/bash", *(["-O", "extglob"] if extended else []), "/dev/stdin"],
        input=f"whole() {{\n{program}\n}}\necho read".encode(errors="surrogateescape"),
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    return done.stdout == b"read\n"


def has_errors(program: str) -> bool:
    """Whether our parser finds one."""
    return bool(parse(Source("program", program)).errors)
