"""The responses of a step do not divide over the devices.

## What it finds
Static batches: `data.train_batch_size` x `rollout.n` is not a multiple of all devices (FSDP and others) or of data
parallel ranks x `ppo_micro_batch_size_per_gpu` (Megatron). Dynamic batches under the V0 trainer: it is not a multiple
of the data parallel ranks.

## Why it hurts
With static batches `validate_config` refuses. With dynamic ones nobody looks until the batch is dealt out in equal
parts, after the first rollout. V1 fills dynamic batches up by itself.

## When it fails
at start: AssertionError "real_train_batch_size must be divisible by minimal possible batch size" (dynamic: first step)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
    actor_rollout_ref.actor.ppo_mini_batch_size=48
    data.train_batch_size=72  # <- here
    trainer.nnodes=3
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
    actor_rollout_ref.actor.ppo_mini_batch_size=48
    data.train_batch_size=96
    trainer.nnodes=3
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use one of the two sizes that the message names.

## Sources
- verl/utils/config.py :: validate_config (0.7.1, 0.8.0, 0.9.0, main)
- verl/utils/seqlen_balancing.py :: get_seqlen_balanced_partitions(equal_size=True), verl/protocol.py :: DataProto.chunk
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from lint.findings import Finding
from lint.rules.batch._padding import demanded
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, nearest_multiples, samples
from lint.subject.subject import Subject

TRAIN = "data.train_batch_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """(train batch x n) modulo what the engine and the batching demand."""
    rows, responses = samples(subject), subject.integer(f"{ROLLOUT}.n")
    demand = demanded(subject)
    if not rows or not responses or demand is None:
        return
    step, reason = demand
    if not step or rows % step == 0:
        return
    prompts = step // gcd(step, responses)
    yield subject.finding(
        check,
        f"{subject.describe(TRAIN)} x n {responses} = {rows} responses is not a multiple of {reason}",
        key=TRAIN,
        also=(f"{ROLLOUT}.n", "trainer.nnodes", "trainer.n_gpus_per_node"),
        help=f"set {TRAIN} to a multiple of {prompts}: {nearest_multiples(rows // responses, prompts)}",
    )
