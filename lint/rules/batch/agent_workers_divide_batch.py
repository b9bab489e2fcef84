"""The responses of a step do not divide over the agent loop workers.

## What it finds
Under the V0 trainer, `data.train_batch_size` x `rollout.n` is not a multiple of `rollout.agent.num_workers`
(default 8). Small smoke tests meet it every time.

## Why it hurts
The batch is cut into equal parts, one per worker, and the cut asserts. The V1 trainer cuts unequal parts, and
validation batches are padded: both are fine.

## When it fails
first step: AssertionError "only support equal chunk" when the first rollout starts

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_mini_batch_size=4
    data.train_batch_size=4  # <- here
    trainer.n_gpus_per_node=4
    trainer.use_v1=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_mini_batch_size=4
    actor_rollout_ref.rollout.agent.num_workers=4
    data.train_batch_size=4
    trainer.n_gpus_per_node=4
    trainer.use_v1=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Lower `rollout.agent.num_workers` to a divisor of the responses of a step.

## Sources
- verl/experimental/agent_loop/agent_loop.py :: AgentLoopManager.generate_sequences (0.7.1, 0.8.0, 0.9.0, main)
- verl/protocol.py :: DataProto.chunk
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, divisors, generation, samples
from lint.subject.subject import Subject

WORKERS = f"{ROLLOUT}.agent.num_workers"


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """(train batch x n) modulo agent loop workers, under V0."""
    rows, workers = samples(subject), subject.integer(WORKERS)
    if generation(subject) != "v0" or not rows or not workers or rows % workers == 0:
        return
    yield subject.finding(
        check,
        f"{subject.describe('data.train_batch_size')} x n {subject.value(f'{ROLLOUT}.n')} = {rows} responses do not "
        f"divide over agent.{subject.describe(WORKERS)}",
        key=WORKERS if subject.is_set(WORKERS) else "data.train_batch_size",
        also=(WORKERS, "data.train_batch_size", f"{ROLLOUT}.n"),
        phase="generate",
        help=f"add {WORKERS}={divisors(rows, workers)[-1]}",
    )
