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

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.subject import Subject
from lint.rules.workers import variables

LONG = 12  # characters: shorter names resemble each other by chance
ALIKE = 0.94  # one or two letters in twenty


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """An unknown, long name that is nearly a known one; digits must agree, for they tell variables apart."""
    known = environment_variables()
    for found in variables(subject):
        if found.name in known or len(found.name) < LONG:
            continue
        for name in known:
            if re.findall(r"\d", name) != re.findall(r"\d", found.name):
                continue
            pair = SequenceMatcher(None, found.name, name, autojunk=False)
            if pair.real_quick_ratio() >= ALIKE and pair.quick_ratio() >= ALIKE and pair.ratio() >= ALIKE:
                yield subject.finding(
                    check,
                    f"no program reads {found.name}; {name} is read by {known[name].reader}",
                    span=found.span,
                    help=f"write {name}",
                )
                break
