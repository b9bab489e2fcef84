"""A launch passes arguments that Hydra does not know, or overrides that stand after a flag.

## What it finds
Flags that are not Hydra's, and overrides that follow a flag (`--config-name`, `--multirun`) which itself follows an
override.

## Why it hurts
Hydra reads its command line with argparse, which takes all overrides in one run: `a=1 --config-name=x b=2` ends with
"unrecognized arguments: b=2".

## When it fails
before start: usage message of argparse, exit status 2

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    --config-name=ppo_megatron_trainer \\
    trainer.nnodes=2  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    --config-name=ppo_megatron_trainer \\
    actor_rollout_ref.rollout.name=vllm \\
    trainer.nnodes=2
```

## Fix
Write flags before the first override or after the last one; options of other programs do not belong here.

## Sources
- hydra-core 1.3.2 hydra/_internal/utils.py :: get_args_parser, main.py :: parse_args; tried with Python 3.11 and 3.12
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.hydra._keys import problems
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The first word that argparse does not take; it names all, but one is enough."""
    for problem in problems(subject, "unrecognized-argument"):
        if problem.index is None:
            continue
        word = str(problem.key)
        flag = word.startswith("-")
        message = (
            f"Hydra does not know the flag {word}" if flag else f"{word} stands after a flag that follows an override"
        )
        yield subject.finding(
            check,
            f"{message}: unrecognized argument",
            span=subject.launch.command.word_spans[problem.index],
            help=_advice(word) if flag else "write flags before the first override",
        )
        return


def _advice(flag: str) -> str:
    """`--trainer.nnodes=2` was meant as an override; anything else belongs to another program."""
    word = flag.lstrip("-")
    key, equals, _ = word.partition("=")
    return f"write {word}" if equals and "." in key else f"leave {flag} out"
