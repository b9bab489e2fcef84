"""What real bash and our reading make of one script, command by command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.files import Checkout
from lint.bash.parser import parse
from lint.bash.reading import Known, RunCommand, Text
from lint.launch.started import started_program
from lint.text import Source
from tests.corpus.jail import Recorded
from tests.recorder import ENVIRONMENT


@dataclass(frozen=True)
class Comparison:
    """One script: how many commands of real bash are ours too, and the commands that differ."""

    path: str
    equal: int  # with every word known
    unknown: int  # equal, as far as our words are known
    missing: list[list[str]]  # started by bash, not among ours
    extra: list[list[str]]  # certain in our reading, not started by bash
    other_way: int  # ours on the other way of an unknown condition
    launches: int  # Python programs that bash starts, through any launchers
    launches_missing: int
    note: str = ""

    @property
    def alike(self) -> bool:
        return not self.missing and not self.extra


def read_commands(root: Path, path: Path) -> list[RunCommand]:
    """The external commands of our reading that real bash comes to: the one program that a jail really runs."""
    script = parse(Source.decode(str(path.relative_to(root)), path.read_bytes()))
    commands = read(script, environment={**ENVIRONMENT, "PWD": str(root)}, files=Checkout(root, root)).commands
    return [command for command in commands if _by_bash_alone(command)]


def _by_bash_alone(command: RunCommand) -> bool:
    starter = command.starter
    if starter is None:
        return True
    name = starter.words[0].value or ""
    return (name in ("bash", "sh") or "/" in name) and _by_bash_alone(starter)


def compare(path: str, recorded: Recorded, found: Sequence[RunCommand]) -> Comparison:
    """Both sides; a command of a loop that bash does not end counts once."""
    expected = recorded.commands
    note = ""
    if not recorded.ended:
        note = "bash does not end"
        expected = [list(words) for words in dict.fromkeys(map(tuple, expected))]
        found = list({tuple(word.shown for word in command.words): command for command in reversed(found)}.values())
    exact: Counter[tuple[str, ...]] = Counter()
    certain: Counter[tuple[str, ...]] = Counter()
    vague: list[RunCommand] = []
    for command in found:
        values = [word.value for word in command.words]
        if None in values:
            vague.append(command)
            continue
        known = tuple(value or "" for value in values)
        exact[known] += 1
        certain[known] += not command.scenario
    vague.sort(key=lambda command: bool(command.scenario))
    equal = unknown = 0
    missing: list[list[str]] = []
    for words in expected:
        key = tuple(words)
        if exact[key]:
            equal += 1
            exact[key] -= 1
            certain[key] -= 1
            continue
        match = next((command for command in vague if matches(command, words)), None)
        if match is None:
            missing.append(words)
        else:
            unknown += 1
            vague.remove(match)
    extra = [list(words) for words, count in certain.items() for _ in range(min(count, exact[words]))]
    extra += [[word.shown for word in command.words] for command in vague if not command.scenario]
    other_way = sum(exact.values()) + len(vague) - len(extra)
    launches = sum(map(is_launch, expected))
    return Comparison(path, equal, unknown, missing, extra, other_way, launches, sum(map(is_launch, missing)), note)


def matches(command: RunCommand, words: list[str]) -> bool:
    """Whether an argv can be the unknown command's: unknown pieces are any text, split ones any number of words."""
    pattern = "\x1f".join(_pattern(word) for word in command.words)
    splits = any(not isinstance(piece, Known) and piece.splits for word in command.words for piece in word.pieces)
    text = "\x1f".join(words)
    if re.fullmatch(pattern, text, re.DOTALL):
        return True
    return splits and re.fullmatch(pattern.replace("\x1f", "\x1f?"), text, re.DOTALL) is not None


def _pattern(word: Text) -> str:
    return "".join(
        re.escape(piece.text) if isinstance(piece, Known) else ".*" if piece.splits else "[^\x1f]*"
        for piece in word.pieces
    )


def is_launch(words: Sequence[str]) -> bool:
    """Whether a command starts a Python module or file."""
    return started_program(words) is not None


def reasons(commands: Sequence[RunCommand]) -> Iterator[str]:
    """Why words are unknown, each reason once."""
    pieces = [piece for command in commands for word in command.words for piece in word.pieces]
    yield from {piece.reason for piece in pieces if not isinstance(piece, Known)}
