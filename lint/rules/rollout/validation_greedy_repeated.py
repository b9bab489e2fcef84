r"""Validation samples several responses per prompt at temperature 0: all of them are the same.

## What it finds
`rollout.val_kwargs.n` above 1 with `rollout.val_kwargs.temperature` 0, its default.

## Why it hurts
The agent loop takes the temperature of `val_kwargs`, whatever `do_sample` says. At 0 every response to a prompt is the
same: validation takes `n` times as long, and "best of n" equals "mean of n".

## When it fails
silently: validation is `n` times slower than it must be

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.val_kwargs.n=8  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.val_kwargs.n=8
    actor_rollout_ref.rollout.val_kwargs.temperature=1.0
    actor_rollout_ref.rollout.val_kwargs.do_sample=True
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Set a temperature for validation, or `val_kwargs.n=1`.

## Sources
- verl 0.7.1 to main: verl/experimental/agent_loop/agent_loop.py (override sampling params for validation)
- verl 0.9.0, main: verl/trainer/ppo/v1/agent_loop_tq.py :: generate_sequences, _run_prompt
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

COUNT, TEMPERATURE = f"{ROLLOUT}.val_kwargs.n", f"{ROLLOUT}.val_kwargs.temperature"


@rule(severity="warning", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Several greedy responses."""
    count = subject.integer(COUNT)
    if count is None or count < 2 or subject.number(TEMPERATURE) != 0:
        return
    yield subject.finding(
        check,
        f"val_kwargs.n is {count} at {subject.describe(TEMPERATURE)}: {count} equal responses to each prompt",
        key=COUNT,
        also=[TEMPERATURE],
        phase="validation",
        help=f"set {TEMPERATURE}, or {COUNT}=1",
    )
