r"""A launch expands an array that is defined nowhere.

## What it finds
`"${NAME[@]}"` among the arguments of a launch, or among the elements of an array that a launch is given, when no
assignment of the script, nor of a file that it sources, sets `NAME`. It is an error if another name is nearly the same,
holds overrides and is expanded nowhere: those are certainly missing.

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

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from lint.bash.syntax import ArrayLiteral, Assignment, Parameter
from lint.findings import Finding, Related
from lint.rules.rule import rule
from lint.rules.shell._arrays import WHOLE, arrays, expansions, overrides
from lint.rules.shell._names import assigned
from lint.subject.subject import ScriptSubject


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """An array without an assignment, in a script that reads no other file."""
    path = subject.script.source.path
    if any(file != path for reading in subject.readings for file in reading.files):
        return
    whole = [one for one in subject.nodes.of(Parameter) if _passes_all(one)]
    names = assigned(subject) if whole else set()
    if all(one.name in names for one in whole):
        return
    wanted = [one for one in expansions(subject) if _passes_all(one)]
    used = {one.name for one in subject.nodes.of(Parameter) if one.subscript is not None}
    reported: set[str] = set()
    for part in wanted:
        if part.name in names or part.name in reported:
            continue
        reported.add(part.name)
        near = next(iter(get_close_matches(part.name, names, 1)), None)
        meant = () if near is None or near in used else _of_overrides(subject, near)
        related = [Related(subject.span(one), f"{near} holds overrides, and nothing expands it") for one in meant]
        yield subject.finding(
            check,
            subject.span(part),
            f"the array {part.name} is defined nowhere in this script and passes nothing",
            severity="error" if related else None,
            help=f'write "${{{near}[@]}}"' if near else "define it, or remove it",
            related=related,
        )


def _passes_all(parameter: Parameter) -> bool:
    """True for all elements of an array, whatever they are."""
    return parameter.subscript in WHOLE and not parameter.operator and not parameter.indirect


def _of_overrides(subject: ScriptSubject, name: str) -> Sequence[Assignment]:
    """The first assignment that gives overrides to an array of this name."""
    known = arrays(subject)
    found = (one for one in subject.nodes.of(Assignment) if one.name == name)
    return tuple(one for one in found if isinstance(one.value, ArrayLiteral) and overrides(one.value, known))[:1]
