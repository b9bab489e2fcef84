"""The rollout generates at other lengths than the data is filtered for.

## What it finds
`rollout.prompt_length` or `rollout.response_length` is set and differs from `data.max_prompt_length` or
`data.max_response_length`. The rollout keys follow the data keys unless they are set themselves.

## Why it hurts
Prompts are filtered at one length and generated and padded at another: token budgets, context and memory are then
computed for the wrong one.

## When it fails
silently: until a sequence exceeds one of the two

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.response_length=4096  # <- here
    data.max_response_length=2048
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_response_length=2048
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the rollout key; it follows the data key.

## Sources
- verl/trainer/config/rollout/rollout.yaml: prompt_length, response_length (0.7.1, 0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, trains
from lint.subject.subject import Subject

PAIRS = (
    (f"{ROLLOUT}.prompt_length", "data.max_prompt_length"),
    (f"{ROLLOUT}.response_length", "data.max_response_length"),
)


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Rollout length and data length differ."""
    if not trains(subject):
        return
    for rollout, data in PAIRS:
        generated, filtered = subject.integer(rollout), subject.integer(data)
        if not subject.is_set(rollout) or generated is None or filtered is None or generated == filtered:
            continue
        yield subject.finding(
            check,
            f"rollout {subject.describe(rollout)} differs from data {subject.describe(data)}",
            key=rollout,
            also=(data,),
            help=f"drop {rollout} and set {data}={generated} if that length is meant",
        )
