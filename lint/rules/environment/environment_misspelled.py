r"""An environment variable differs by a letter or two from one that is read.

## What it finds
A variable whose name is not in the table of known ones but nearly equal to one that is: `HCCL_CONECT_TIMEOUT`,
`VLLM_ASCEND_ENABLE_FLASHCOM1`, `TASK_QUEUE_ENABLED`.

## Why it hurts
No program complains about a variable that it does not know. The setting is simply missing: a time-out stays at 120 s,
an optimisation stays off.

## When it fails
silently: the default stays

## Example that fails
```bash
export HCCL_CONECT_TIMEOUT=1500  # <- here
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Example that passes
```bash
export HCCL_CONNECT_TIMEOUT=1500
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Fix
Write the name that the message suggests.

## Sources
- lint/facts/data/environment.toml
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.likeness import is_one_slip, may_be_like
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import variables

SHORTEST = 10  # characters of a name that is one slip away from another: shorter ones are too by chance
LONG = 12  # characters: shorter names resemble each other by chance
ALIKE = 0.94  # one or two letters in twenty


@cache
def meant(name: str) -> str | None:
    """The known variable that a long, unknown name is nearly equal to; digits must agree, for they tell names apart."""
    if name in environment_variables() or len(name) < SHORTEST:
        return None
    for known in environment_variables():
        if is_one_slip(name, known) or (len(name) >= LONG and _are_alike(name, known)):
            return known if re.findall(r"\d", known) == re.findall(r"\d", name) else None
    return None


def _are_alike(name: str, known: str) -> bool:
    return may_be_like(name, known, ALIKE) and SequenceMatcher(None, name, known, autojunk=False).ratio() >= ALIKE


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """A name that nothing reads, next to one that something does."""
    for found in variables(subject):
        name = meant(found.name)
        if name is not None:
            yield subject.finding(
                check,
                f"no program reads {found.name}; {name} is read by {environment_variables()[name].reader}",
                span=found.span,
                help=f"write {name}",
            )
