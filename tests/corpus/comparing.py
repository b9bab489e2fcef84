"""What real bash and our reading make of one script, command by command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from lint.bash.evaluator import Evaluator, read
from lint.bash.files import Checkout
from lint.bash.parser import parse
from lint.bash.programs.launchers import is_launcher, steps
from lint.bash.reading import Known, RunCommand, Text
from lint.bash.state.state import State
from lint.bash.syntax import Command, For, Pipeline, Script, Statement, While
from lint.bash.walk import Nodes
from lint.launch.started import started_program
from lint.text import Source, Span
from tests.corpus.deciding import Calls, Way
from tests.corpus.jail import Recorded
from tests.real_bash import ENVIRONMENT

_decide = Evaluator.decide
_NOT_SOURCED = re.compile(r"source (?!.*<unknown)(.+): not a file of the checkout")


@dataclass(frozen=True)
class Comparison:
    """One script: how many commands of real bash are ours too, and the commands that differ."""

    path: str
    way: Way
    equal: int  # with every word known
    unknown: int  # equal, as far as our words are known
    missing: list[list[str]]  # started by bash, not among ours
    extra: list[list[str]]  # on this way in our reading, not started by bash
    launches: int  # Python programs that bash starts, through any launchers
    launches_missing: int
    note: str = ""
    recorded: frozenset[tuple[str, ...]] = frozenset()  # what bash started, with words that are unknown to us as shown
    conditional: frozenset[tuple[str, ...]] = frozenset()  # ours on this way before which the script may have ended

    @property
    def alike(self) -> bool:
        return not self.missing and not self.extra


@dataclass(frozen=True)
class Ours:
    """Our reading of one script: the external commands that real bash comes to, and the files that were read.

    `likely`: how each unknown condition is decided on the first way. `known`: by which calls conditions are come to
    that are known there, and unknown behind other calls.
    """

    path: str
    commands: tuple[RunCommand, ...]
    files: tuple[Script, ...]  # the script first
    likely: Way
    known: Mapping[str, Collection[Calls]] = field(default_factory=dict)
    sourced: Collection[str] = ()  # files that are not in the tree

    @property
    def lacked(self) -> set[str]:
        """The files that are read or started by their paths, and may be missing without a word."""
        names = (command.words[0].value or "" for command in self.commands)
        return {*self.sourced, *(name for name in names if "/" in name)}


def our_reading(root: Path, path: Path) -> Ours:
    """Read a script of a tree, started at the top of it."""
    name = str(path.relative_to(root))
    files = Checkout(root, root)
    script = parse(Source.decode(name, path.read_bytes()))
    likely: dict[str, str] = {}
    met: dict[str, dict[tuple[Span, ...], bool]] = {}  # by which calls, and whether the condition was always known

    def observed(evaluator: Evaluator, state: State, node: Pipeline | Command | Statement) -> list[State]:
        label = evaluator.label(state, node.start, node.end)
        states = _decide(evaluator, state, node)
        if len(states) > 1:
            likely.setdefault(label, "true" if states[0].status == 0 else "false")
        calls = met.setdefault(label, {})
        calls[state.called_from] = len(states) == 1 and calls.get(state.called_from, True)
        return states

    with patch.object(Evaluator, "decide", observed):
        reading = read(script, environment={**ENVIRONMENT, "PWD": str(root)}, files=files)
    others = [source for other in reading.files[1:] if (source := files.read(other)) is not None]
    commands = tuple(command for command in reading.commands if _by_bash_alone(command))
    scripts = (script, *map(parse, others))
    found = (_NOT_SOURCED.fullmatch(place.reason) for place in reading.unchecked)
    return Ours(name, commands, scripts, likely, _known(met, scripts), [match[1] for match in found if match])


def _known(met: Mapping[str, Mapping[tuple[Span, ...], bool]], scripts: Sequence[Script]) -> dict[str, set[Calls]]:
    """The calls behind which a condition is known, by their lines, of conditions that are unknown behind others."""
    sources = {script.source.path: script.source for script in scripts}
    known: dict[str, set[Calls]] = {}
    for label, calls in met.items():
        lines: dict[bool, set[Calls]] = {True: set(), False: set()}
        for spans, always in calls.items():
            lines[always].add(tuple(sources[span.path].line(span.start) for span in spans if span.path in sources))
        if lines[False] and lines[True] - lines[False]:
            known[label] = lines[True] - lines[False]
    return known


def _by_bash_alone(command: RunCommand) -> bool:
    """Whether bash or a script starts it: a jail has no other program."""
    starter = command.starter
    if starter is None:
        return True
    name = starter.words[0].value or ""
    by_bash = name in ("bash", "sh", "/usr/bin/env") or ("/" in name and not is_launcher(name))
    return by_bash and _by_bash_alone(starter)


def compare(ours: Ours, recorded: Recorded, way: Way) -> Comparison:
    """Both sides on one way through the script."""
    expected, found = recorded.commands, _before_error(ours)
    note = ""
    if any(problem.message.startswith("carriage return") for problem in ours.files[0].errors):
        return Comparison(ours.path, way, 0, 0, [], [], 0, 0, "bash cannot read its carriage returns: not compared")
    if not recorded.ended:
        note = "bash does not come to an end: what it does not come to is not compared"
    any_number = bool(note or way)  # of a loop whose turns are unknown both may take any number
    inside = _inside_loops(ours)
    if any_number:
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
        certain[known] += command.scenario == way
    vague.sort(key=lambda command: (command.scenario != way, -_known_length(command)))  # the vaguest take what is left
    equal = unknown = 0
    matched: set[int] = set()
    missing: list[list[str]] = []
    for words in expected:
        key = tuple(words)
        fitting = [] if certain[key] > 0 else [index for index, each in enumerate(vague) if matches(each, words)]
        free = [index for index in fitting if index not in matched]
        if exact[key] and not any(vague[index].scenario == way for index in free):  # else it is of another way
            equal += 1
            exact[key] -= 1
            certain[key] -= 1
            continue
        again = [index for index in fitting if any_number or vague[index].span in inside]
        if not free + again:
            missing.append(words)
            continue
        unknown += 1
        matched.add((free + again)[0])
    if note:
        certain.clear()
        vague.clear()
    extra = [list(words) for words, count in certain.items() for _ in range(min(count, exact[words]))]
    left = (command for index, command in enumerate(vague) if index not in matched)
    extra += [[word.shown for word in command.words] for command in left if command.scenario == way]
    launches = sum(map(is_launch, expected))
    lost = sum(map(is_launch, missing))
    conditional = frozenset(
        tuple(w.shown for w in each.words) for each in found if each.guards and each.scenario == way
    )
    met = {tuple(word.shown for word in vague[index].words) for index in matched if index < len(vague)}
    recorded_words = frozenset(map(tuple, expected)) | met
    return Comparison(ours.path, way, equal, unknown, missing, extra, launches, lost, note, recorded_words, conditional)


def _inside_loops(ours: Ours) -> Container[Span]:
    """Where the commands of our reading are that stand in loops: over words that are not known, bash takes any number
    of turns, and our reading one."""
    loops: list[Span] = []
    for script in ours.files:
        nodes: list[For | While] = [*Nodes(script.body).of(For), *Nodes(script.body).of(While)]
        loops += [Span(script.source.path, node.start, node.end) for node in nodes]
    return {
        command.span
        for command in ours.commands
        for loop in loops
        if command.span.path == loop.path and loop.start <= command.span.start and command.span.end <= loop.end
    }


def together(runs: Sequence[Comparison]) -> Comparison:
    """Several runs on one way, the longest first: each command of ours has to be in one of them.

    Of those that a condition may have kept from running, our reading has each place or turn, and a run one of them.
    """
    extra = Counter(map(tuple, runs[0].extra))
    for other in runs[1:]:
        extra &= Counter(map(tuple, other.extra))
    recorded = runs[0].recorded.union(*(other.recorded for other in runs[1:]))
    if len(runs) > 1:
        extra -= Counter({words: count for words, count in extra.items() if words in recorded & runs[0].conditional})
    missing = list(dict.fromkeys(tuple(words) for each in runs for words in each.missing))
    return replace(
        runs[0],
        missing=[list(words) for words in missing],
        extra=[list(words) for words in extra.elements()],
        recorded=recorded,
    )


def _before_error(ours: Ours) -> list[RunCommand]:
    """The commands before the statement that has the first syntax error: there bash stops, and we read on."""
    script = ours.files[0]
    if not script.errors:
        return list(ours.commands)
    error = min(problem.start for problem in script.errors)
    line = script.source.text.rfind("\n", 0, error) + 1  # bash runs no part of the line that it cannot read
    last = max((statement.end for statement in script.body if statement.end <= line), default=0)
    return [command for command in ours.commands if _in_script(command, script) < last]


def _in_script(command: RunCommand, script: Script) -> int:
    """Where a command, or what leads to it, stands in the script itself."""
    spans = (*command.called_from, command.span)
    return next((span.start for span in spans if span.path == script.source.path), 0)


def matches(command: RunCommand, words: list[str]) -> bool:
    """Whether an argv can be the unknown command's: unknown pieces are any text, split ones any number of words."""
    pattern = "\x1f".join(_pattern(word) for word in command.words)
    splits = any(not isinstance(piece, Known) and piece.splits for word in command.words for piece in word.pieces)
    text = "\x1f".join(words)
    if re.fullmatch(pattern, text, re.DOTALL):
        return True
    return splits and re.fullmatch(pattern.replace("\x1f", "\x1f?"), text, re.DOTALL) is not None


def _known_length(command: RunCommand) -> int:
    return sum(len(piece.text) for word in command.words for piece in word.pieces if isinstance(piece, Known))


def _pattern(word: Text) -> str:
    return "".join(
        re.escape(piece.text) if isinstance(piece, Known) else ".*" if piece.splits else "[^\x1f]*"
        for piece in word.pieces
    )


def is_launch(words: Sequence[str]) -> bool:
    """Whether a command starts a Python module or file, itself or through a launcher that has a shell start it."""
    way = list(steps(words))
    if way and way[-1].what == "text":
        return started_program(words[way[-1].after :]) is not None
    return started_program(words) is not None


def reasons(commands: Sequence[RunCommand]) -> Iterator[str]:
    """Why words are unknown, each reason once."""
    pieces = [piece for command in commands for word in command.words for piece in word.pieces]
    yield from {piece.reason for piece in pieces if not isinstance(piece, Known)}
