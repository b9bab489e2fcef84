"""Makes bash take the way through a script that a command of our reading is on.

Where our reading cannot decide a condition it reads both ways, and says which decisions lead to a command. The same
decisions are written into the script that bash runs: the condition is still evaluated, but its result is the given one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from lint.bash.budget import LABEL
from lint.bash.reading import RunCommand
from lint.bash.syntax import ArithmeticFor, Case, For, Pipeline, Script, Statement, While
from lint.bash.walk import Nodes

MOST = 12  # ways of one script that are run
UNDECIDED = "by itself"
MOST_LATER = 100  # more runs of one way, for conditions that are met again

Way = Mapping[str, str]
"""Decisions, as `RunCommand.scenario` has them."""

Calls = tuple[int, ...]
"""How a place in a script is come to: the lines of the calls that lead there, outermost first."""


def ways(commands: Sequence[RunCommand]) -> list[Way]:
    """The way that is read first, then others that commands are on."""
    found: list[Way] = [{}]
    for command in commands:
        if command.scenario not in found and len(found) < MOST:
            found.append(command.scenario)
    return found


def runs(way: Way, commands: Sequence[RunCommand], likely: Way) -> list[Way]:
    """The decisions for each run of bash that takes a way: to its end first, then to each place where it may end.

    `likely`: what is decided on the first way, and on every other where nothing is said.
    """
    guards: dict[str, str] = {}
    for command in commands:
        if command.scenario == way:
            guards.update(command.guards)
    found: list[Way] = [{**likely, **guards, **way}]
    passed: dict[str, str] = {}
    for label, value in guards.items():
        if value in _OPPOSITES and len(found) < MOST:
            found.append({**likely, **passed, label: _OPPOSITES[value], **way})
        passed[label] = value
    return found


def other_runs(made: Way, way: Way) -> list[Way]:
    """The decisions of one run with one of them turned round, by which the way may have ended. A condition that is met
    again, in a loop or in a function, is left to bash, as it may be known at another time; then it is turned round once
    it was met some times, or until then."""
    both = {label: value for label, value in made.items() if value in _OPPOSITES}
    turned = [{label: _OPPOSITES[value]} for label, value in both.items() if label not in way]
    free = [{label: UNDECIDED} for label in both if label not in way]
    later = [
        {label: f"{first} until {turn}"}
        for turn in range(2, MOST)
        for label, value in both.items()
        for first in (value, _OPPOSITES[value])
    ]
    return [{**made, **each} for each in (*turned[:MOST], *free[:MOST], *later[:MOST_LATER])]


_OPPOSITES = {"true": "false", "false": "true"}
_LATER = re.compile("(true|false) until ([0-9]+)")


def variables(way: Way) -> dict[str, str]:
    """The decisions that are values of environment variables."""
    return {label: value for label, value in way.items() if label.isidentifier()}


def with_decisions(script: Script, way: Way, left: Mapping[str, Collection[Calls]] = {}) -> str:
    """The text of a script with all decisions made that are about its conditions.

    `left`: calls behind which a condition is left to bash.
    """
    edits: list[_Edit] = []
    wrapped: set[tuple[int, int]] = set()
    for start, end, looping in _conditions(script):
        label = _label(script, start, end)
        decided = _decided(way.get(label, ""), f"__turns_{start}", looping)
        if decided and (start, end) not in wrapped:
            wrapped.add((start, end))
            edits.append((start, -end, start, "{ "))
            edits.append((end, -start, end, _after(decided, left.get(label, ()))))
    for counting in Nodes(script.body).of(ArithmeticFor):
        turns = _turns(way.get(_label(script, counting.start, counting.end), ""), f"__turns_{counting.start}")
        if counting.condition is not None and turns:
            edits.append((counting.condition.end, 0, counting.condition.end, f", {turns}"))
    for loop in Nodes(script.body).of(For):
        if loop.words and way.get(_label(script, loop.start, loop.words[-1].end)) == "true":
            edits.append((loop.words[0].start, 0, loop.words[-1].end, "unknown"))
    for case in Nodes(script.body).of(Case):
        value = way.get(_label(script, case.start, case.subject.end))
        if value is not None and not set(value) & set("[$`("):
            edits.append((case.subject.start, 0, case.subject.end, _matching(value)))
    return _edited(script.source.text, edits)


def _decided(value: str, counter: str, looping: bool) -> str:
    """The command that has the result of a decision; nothing if there is none."""
    later = _LATER.fullmatch(value)
    if later is not None:
        before, turn = later.groups()
        return f"{counter}+=x; [[ ${{#{counter}}} {'-lt' if before == 'true' else '-ge'} {turn} ]]"
    if value not in _OPPOSITES:
        return ""
    return f"{counter}+=x; [[ ${counter} {'=' if value == 'true' else '!='} x ]]" if looping else value


def _after(decided: str, left: Collection[Calls]) -> str:
    """What follows a condition: of `set -e`, only the decision ends a script."""
    if not left:
        return f" || :; {decided}; }}"
    calls = " ".join(f"'{''.join(f'{line} ' for line in lines)}'" for lines in sorted(left))
    own = "&& __own=0 || __own=$?"
    return f" {own}; if __called_from {calls}; then __return $__own; else {decided}; fi; }}"


def _turns(value: str, counter: str) -> str:
    """The expression that has the result of a decision before each turn of `for ((`; nothing if there is none."""
    later = _LATER.fullmatch(value)
    count = f"({counter} = ${{{counter}:-0}} + 1)"
    if later is not None:
        before, turn = later.groups()
        return f"{count} {'<' if before == 'true' else '>='} {turn}"
    return {"true": f"{count} == 1", "false": "0"}.get(value, "")


def _conditions(script: Script) -> Iterator[tuple[int, int, bool]]:
    """What may be a condition: where it is, and whether a loop goes on by it."""
    loops = {id(node.condition[-1]) for node in Nodes(script.body).of(While) if node.condition}
    for statement in Nodes(script.body).of(Statement):
        yield statement.start, statement.end, id(statement) in loops
    for pipeline in Nodes(script.body).of(Pipeline):
        yield pipeline.start, pipeline.end, False


def _matching(patterns: str) -> str:
    """A word that matches the first of some patterns of `case`; after "not", none."""
    if patterns.startswith("not "):
        return "none-of-them"
    return patterns.split("|")[0].strip().replace("*", "").replace("?", "x") or '""'


def _label(script: Script, start: int, end: int) -> str:
    """As the evaluator names conditions."""
    text = " ".join(script.source.text[start:end].split())
    return f"line {script.source.line(start)}: {text if len(text) <= LABEL else text[: LABEL - 3] + '...'}"


_Edit = tuple[int, int, int, str]
"""The beginning of a part of a text, its place among others that begin there, its end, and what is put there."""


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    parts: list[str] = []
    position = 0
    for start, _, end, new in sorted(edits):
        if start >= position:
            parts += [text[position:start], new]
            position = end
    return "".join(parts) + text[position:]
