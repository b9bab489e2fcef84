r"""A launch expands an array that is defined nowhere.

## What it finds
`"${NAME[@]}"` among the arguments of a launch when no assignment of the script, nor of a file that it sources, sets
`NAME`.

## Why it hurts
It expands to nothing, even under `set -u`: the overrides that were meant are missing. Usually the name is misspelled.

## When it fails
silently: the settings stay at their defaults

## Example that fails
```bash
ROLLOUT_ARGS=(actor_rollout_ref.rollout.name=vllm)
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "${ROLLOUT_ARG[@]}" "$@"  # <- here
```

## Example that passes
```bash
ROLLOUT_ARGS=(actor_rollout_ref.rollout.name=vllm)
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "${ROLLOUT_ARGS[@]}" "$@"
```

## Fix
Write the name of the array that is defined.

## Sources
- bash reference manual, 6.7 Arrays
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.bash.syntax import DoubleQuoted, Parameter, Word
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.rules.shell._names import assigned
from lint.subject.subject import ScriptSubject


def expansions(subject: ScriptSubject) -> Iterator[Parameter]:
    """The parameters that are arguments of a launch, or part of one."""
    for place in places(subject):
        for word in place.command.words:
            for part in word.parts if isinstance(word, Word) else ():
                inside = part.parts if isinstance(part, DoubleQuoted) else (part,)
                yield from (one for one in inside if isinstance(one, Parameter))


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """An array without an assignment, in a script that reads no other file."""
    path = subject.script.source.path
    if any(file != path for reading in subject.readings for file in reading.files):
        return
    arrays = [
        one for one in expansions(subject) if one.subscript in ("@", "*") and not one.operator and not one.indirect
    ]
    names = assigned(subject) if arrays else set()
    reported: set[str] = set()
    for part in arrays:
        if part.name in names or part.name in reported:
            continue
        reported.add(part.name)
        near = get_close_matches(part.name, names, 1)
        yield subject.finding(
            check,
            subject.span(part),
            f"the array {part.name} is defined nowhere in this script and passes nothing",
            help=f'write "${{{near[0]}[@]}}"' if near else "define it, or remove it",
        )
