"""A word of a launch is not an override that Hydra can read.

## What it finds
Words without `=`, blanks in a key or around `=`, a `~` or `#` or other letter that must be quoted, brackets and quotes
that do not close. Read by Hydra's own grammar.

## Why it hurts
Hydra refuses the launch. A blank around `=` makes three words of one; a blank after a backslash at the end of a line
passes a blank as a word.

## When it fails
before start: OverrideParseException

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.total_epochs = 3  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.total_epochs=3
```

## Fix
Write `key=value` without blanks; quote twice where the value needs it: `'key="a, b"'`.

## Sources
- hydra-core 1.3.2 hydra/grammar/OverrideLexer.g4, OverrideParser.g4
- https://hydra.cc/docs/1.3/advanced/override_grammar/basic/
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lint.findings import Finding
from lint.launch.problem import Problem
from lint.launch.written import as_written, part_span, written_span
from lint.rules.hydra._keys import problems
from lint.rules.hydra._overrides import report
from lint.rules.hydra._words import around, close_up, is_torn_list, mend, torn_key
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.text import Span

BLANKS = (" ", "\t")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every word that the grammar refuses, neighbours that belong together once."""
    for override in subject.launch.overrides:
        if subject.launch.command.words[override.index].value is None and is_torn_list(subject, override):
            said = f"a blank ends the list of {override.key}"
            yield report(subject, check, override, said, help=_whole(override.key))
    last = None
    for problem in sorted(problems(subject, "syntax"), key=lambda problem: problem.index or 0):
        index = problem.index
        if index is not None and last is not None and index == last + 1 and problem.override is None:
            last = index
            continue
        last = index
        torn = torn_key(subject, index) if index is not None and problem.override is None else None
        if torn is not None:
            yield subject.finding(
                check,
                f"there is a blank inside the key {torn.key}: Hydra gets two words and refuses the first",
                span=subject.launch.command.word_spans[torn.index],
                help=f"write {torn.key}",
                fix=mend(subject, torn),
            )
        else:
            yield _refused(subject, problem)


def _whole(key: str) -> str:
    return f"quote the whole list, or leave out the blanks in it: '{key}=[...]'"


def _refused(subject: Subject, problem: Problem) -> Finding:
    """One word, marked at the letter that is wrong."""
    index, refusal = problem.index, problem.refusal
    word = subject.launch.command.words[index].shown if index is not None else str(problem.key)
    at = "" if refusal is None else f" (character {refusal.start + 1})"
    found = report(
        subject,
        check,
        problem.override,
        f"`{around(word, 0 if refusal is None else refusal.start)}` is not an override: {problem.message}{at}",
        help=_without_equals(word) if refusal is None else refusal.help,
    )
    if problem.override is not None and is_torn_list(subject, problem.override):
        found = replace(found, help=_whole(problem.override.key))
    if index is None:
        return found
    if refusal is None:
        return replace(found, span=written_span(subject.launch.command, index), fix=close_up(subject, index))
    text = as_written(subject.launch.command.words[index])
    place: Span | None = part_span(text, refusal.start, refusal.end, subject.sources)
    return found if place is None else replace(found, span=place)


def _without_equals(word: str) -> str:
    if word.startswith(BLANKS):
        return "remove it; a backslash must be the last letter of its line"
    return "write key=value without blanks around ="
