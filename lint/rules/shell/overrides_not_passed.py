r"""An array of overrides is defined, and no launch gets all of it.

## What it finds
An array whose elements are overrides (`key.name=value`, quoted or not) or arrays of overrides, and that is never
expanded in the script, or only as `$NAME`, which is its first element.

## Why it hurts
The launch runs with defaults for everything that the array sets. Nothing is wrong for bash.

## When it fails
silently: the settings of the array stay at their defaults

## Example that fails
```bash
ROLLOUT=(  # <- here
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
)
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
ROLLOUT=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
)
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "${ROLLOUT[@]}" "$@"
```

## Fix
Pass `"${NAME[@]}"` to the launch, or delete the array.

## Sources
- bash reference manual, 6.7 Arrays: a name without a subscript is element 0
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import ArrayLiteral, Assignment, Literal, Parameter, SimpleCommand, Word
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._arrays import arrays, overrides
from lint.subject.subject import ScriptSubject


def is_word(subject: ScriptSubject, name: str) -> bool:
    """True if the name itself is a word somewhere: handed to a function that takes the array by name."""
    words = (part for word in subject.nodes.of(Word) for part in word.parts)
    return any(isinstance(part, Literal) and part.text == name for part in words)


def references(subject: ScriptSubject) -> set[str]:
    """Names that stand for another variable: `local -n name=$1`."""
    declared = (
        command.words
        for command in subject.nodes.of(SimpleCommand)
        if any(isinstance(word, Word) and _is_reference_option(word) for word in command.words[1:])
    )
    return {word.name for words in declared for word in words if isinstance(word, Assignment)}


def _is_reference_option(word: Word) -> bool:
    first = word.parts[0] if len(word.parts) == 1 else None
    return isinstance(first, Literal) and first.text.startswith("-") and "n" in first.text


@rule(severity="error", confidence="high", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Arrays of overrides that stay in the script; scripts that are sourced or hold no launch are left alone."""
    if not subject.launches or any(reading.path != subject.script.source.path for reading in subject.readings):
        return
    uses: dict[str, list[Parameter]] = {}
    for parameter in subject.nodes.of(Parameter):
        uses.setdefault(parameter.name, []).append(parameter)
        if parameter.indirect and not parameter.subscript:
            return
    left_out = references(subject)
    for assignment in subject.nodes.of(Assignment):
        name, array = assignment.name, assignment.value
        used = uses.get(name, [])
        if any(parameter.subscript is not None for parameter in used) or name in left_out:
            continue
        if not isinstance(array, ArrayLiteral):
            continue
        held = overrides(array, arrays(subject))
        if not held or is_word(subject, name):
            continue
        left_out.add(name)
        if not used:
            noun = "override" if held == 1 else "overrides"
            message = f"{name} holds {held} {noun} and is never passed to a launch"
        elif held > 1:
            message = f"${name} passes the first of {held} overrides only"
        else:
            continue
        yield subject.finding(
            check,
            subject.span(used[0] if used else assignment),
            message,
            help=f'pass "${{{name}[@]}}"',
        )
