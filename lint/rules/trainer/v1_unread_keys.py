"""A key is set that only the V0 trainer reads.

## What it finds
V1 with a `rollout.trace.backend` (V1 records no traces) or `trainer.balance_batch=False` (V1 always balances). The
latter is worth a line only: samples go to other ranks and mini-batches, and training is the same otherwise.

## Why it hurts
The run does not do what the script says; without traces there is nothing to look at afterwards.

## When it fails
silently: the key is accepted

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.trace.backend=mlflow  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.trace.backend=mlflow
    trainer.use_v1=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the key, or use `trainer.use_v1=False`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _step_once; v1/agent_loop_tq.py, "add trace support" (0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding, Severity
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, generation
from lint.subject.subject import Subject

BALANCE, TRACE = "trainer.balance_batch", f"{ROLLOUT}.trace.backend"


@rule(severity="warning", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Keys of V0 under V1."""
    if generation(subject) != "v1":
        return
    unread_keys: tuple[tuple[str, bool, str, Severity | None], ...] = (
        (BALANCE, subject.boolean(BALANCE) is False, "batches are balanced all the same", "info"),
        (TRACE, subject.string(TRACE) is not None, "no traces are recorded", None),
    )
    for key, unread, instead, severity in unread_keys:
        if unread and subject.is_set(key):
            yield subject.finding(
                check,
                f"{key} {subject.value(key)} is not read by the V1 trainer: {instead}",
                key=key,
                severity=severity,
                also=("trainer.use_v1",),
                help=f"drop {key}, or add trainer.use_v1=False",
            )
