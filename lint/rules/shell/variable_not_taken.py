"""A variable is handed to another script, which reads one of another name.

## What it finds
`NAME=value bash other.sh`, or an export before it, where neither that script nor any file that it reads mentions the
name, while it reads a variable that is called nearly the same and that nobody gives a value. The caller may be a
script, or a step of a workflow in `.github/workflows` of the repository.

## Why it hurts
The other script runs with its default. The wrapper says two steps, the trainer takes what the recipe says.

## When it fails
silently: the default stays

## Example that fails
```bash
# file: train.sh
TOT_TRAIN_STEPS=${TOT_TRAIN_STEPS:-1000}
python3 -m verl.trainer.main_ppo trainer.total_training_steps=${TOT_TRAIN_STEPS} "$@"
# file: wrapper.sh
TOTAL_TRAIN_STEPS=2 bash train.sh  # <- here
```

## Example that passes
```bash
# file: train.sh
TOT_TRAIN_STEPS=${TOT_TRAIN_STEPS:-1000}
python3 -m verl.trainer.main_ppo trainer.total_training_steps=${TOT_TRAIN_STEPS} "$@"
# file: wrapper.sh
TOT_TRAIN_STEPS=2 bash train.sh
```

## Fix
Write the name that the other script reads.

## Sources
- verl commit cf731e84d, where a script read TOT_TRAIN_STEPS and its callers gave TOTAL_TRAIN_STEPS
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from lint.bash.syntax import Assignment, SimpleCommand
from lint.bash.walk import constant
from lint.facts.environment import environment_variables
from lint.findings import Finding, Related
from lint.likeness import may_be_like
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

ALIKE = 0.8
DEFAULTED = regular(r"\$\{(\w+):?-")


@rule(severity="warning", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Handed names that no other file mentions, and that resemble one which a called script reads with a default."""
    yield from _from_workflows(subject)
    own = subject.script.source.path
    others = "\n".join(source.text for path, source in subject.sources.items() if path != own)
    if not others:
        return
    exported = [one for command in subject.nodes.of(SimpleCommand) for one in _exported(command)]
    given = {one.name for one in subject.nodes.of(Assignment)}
    for command in subject.nodes.of(SimpleCommand):
        called = _called(subject, command)
        if called is None:
            continue
        read = {name for name in DEFAULTED.findall(called) if name not in given}
        for one in (*command.assignments, *(one for one in exported if one.end <= command.start)):
            if one.name in environment_variables() or re.search(rf"\b{one.name}\b", others):
                continue
            near = get_close_matches(one.name, read, 1, ALIKE)
            if near:
                yield subject.finding(
                    check,
                    subject.span(one),
                    f"nothing that this command runs reads {one.name}; the script reads {near[0]}, with a default",
                    help=f"write {near[0]}",
                )


def _from_workflows(subject: ScriptSubject) -> Iterator[Finding]:
    """What steps of workflows hand to this script, once for each place that gives it."""
    if not subject.calls:
        return
    words = {word for source in subject.sources.values() for word in re.findall(r"\w+", source.text)}
    read = set(DEFAULTED.findall(subject.script.source.text))
    reported: set[Span] = set()
    for call in subject.calls:
        for name in call.environment:
            place = call.places[name]
            if name in words or name in environment_variables() or place in reported:
                continue
            left = [one for one in read if one not in call.environment and may_be_like(name, one, ALIKE)]
            if near := get_close_matches(name, left, 1, ALIKE):
                reported.add(place)
                path = subject.script.source.path
                message = f"job {call.job} gives {name}, which {path} does not read; it reads {near[0]}, with a default"
                related = () if place == call.span else (Related(call.span, "the script is started here"),)
                yield subject.finding(check, place, message, help=f"write {near[0]}", related=related)


def _exported(command: SimpleCommand) -> Iterator[Assignment]:
    if command.words and constant(command.words[0]) == "export":
        yield from (word for word in command.words[1:] if isinstance(word, Assignment))


def _called(subject: ScriptSubject, command: SimpleCommand) -> str | None:
    """The text of the script that a command names, if it was read."""
    for name in filter(None, map(constant, command.words)):
        for path, source in subject.sources.items():
            is_named = name.endswith(".sh") and f"/{path}".endswith(f"/{name.lstrip('./')}")
            if is_named and path != subject.script.source.path:
                return source.text
    return None
