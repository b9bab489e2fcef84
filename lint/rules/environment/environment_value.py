r"""An environment variable has a value that its reader refuses or misreads.

## What it finds
A variable of the table `lint/facts/data/environment.toml` whose value is outside the accepted values or range, for
example `HCCL_CONNECT_TIMEOUT=60` (120 to 7200) or `TASK_QUEUE_ENABLE=3` (0, 1 or 2).

## Why it hurts
HCCL, torch_npu and vllm-ascend read their variables in every worker, after Ray has placed them: the run dies there, or
goes on with another value than the one that was asked for. Which of the two is in the message.

## When it fails
at init: when the first worker reads the variable; entries of severity warning fail silently

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export HCCL_CONNECT_TIMEOUT=60  # <- here
python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export HCCL_CONNECT_TIMEOUT=1500
python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.n_gpus_per_node=16
```

## Fix
Write one of the values that the message lists.

## Sources
- lint/facts/data/environment.toml names the source of each entry
- CANN environment variable reference (8.0 to 9.1); Ascend/pytorch v2.9.0; vllm-ascend v0.11 to main
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variables


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A known variable with a known value that its reader does not accept."""
    known = environment_variables()
    device = accelerator(subject)
    for found in variables(subject):
        fact = known.get(found.name)
        if fact is None or found.value is None or fact.accepts(found.value):
            continue
        if fact.device is not None and device is not None and device != fact.device:
            continue
        yield subject.finding(
            check,
            f"{found.name} is {found.value or 'empty'}: {fact.wrong}",
            span=found.span,
            severity=fact.severity,
            help=f"write {fact.allowed}" if fact.pattern is None else None,
        )
