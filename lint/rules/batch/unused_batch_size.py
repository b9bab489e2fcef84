"""A micro-batch size or token budget is set that the chosen batching does not read.

## What it finds
`..._micro_batch_size_per_gpu` given while dynamic batches are on, or `..._max_token_len_per_gpu` given while they are
off, for the actor's update, the log-probability pass and the reference.

## Why it hurts
Out of memory, people turn the knob that does nothing. Harmless otherwise.

## When it fails
silently: the number has no effect

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop it, or set the one that counts.

## Sources
- verl/workers/engine/utils.py :: prepare_micro_batches (0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.batch._micro_batches import ACTOR_UPDATE, LOG_PROB, REFERENCE
from lint.rules.rule import rule
from lint.subject.derived import trains
from lint.subject.subject import Subject


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """The sizes that are set for the batching that is not in force, in one finding."""
    if not trains(subject):
        return
    unused: dict[str, str] = {}
    for one in (ACTOR_UPDATE, LOG_PROB, REFERENCE):
        dynamic = subject.boolean(one.dynamic)
        tokens = one.per_device.replace("micro_batch_size", "max_token_len")
        keys, counted = ((one.per_device, one.overall), tokens) if dynamic else ((tokens,), one.per_device)
        unused.update({key: counted for key in keys if dynamic is not None and subject.is_set(key)})
    if not unused:
        return
    first = next(iter(unused))
    dynamic, read = "micro_batch_size" in first, dict.fromkeys(unused.values())
    yield subject.finding(
        check,
        f"{', '.join(_described(subject, key) for key in unused)}: not read, "
        f"batches are {'dynamic' if dynamic else 'static'}",
        key=first,
        also=(*unused, ACTOR_UPDATE.dynamic),
        help=f"{' and '.join(read)} {'counts' if len(read) == 1 else 'count'} instead",
    )


def _described(subject: Subject, key: str) -> str:
    """The value with the name of its role: `ref.log_prob_micro_batch_size_per_gpu 2`."""
    return f"{key.split('.')[-2]}.{subject.describe(key)}"
