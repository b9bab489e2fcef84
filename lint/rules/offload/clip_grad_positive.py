"""The norm at which gradients are clipped is not positive.

## What it finds
`optim.clip_grad` of the actor, or of a critic that is built, is 0 or below (`grad_clip` with the legacy workers up to
0.7), for another engine than Megatron (where 0 means off).

## Why it hurts
torch scales gradients by the norm divided by their length: 0 makes each gradient 0 and nothing is learned, a negative
number turns learning around.

## When it fails
silently: the loss stays or grows

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.optim.clip_grad=0  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.optim.clip_grad=1.0
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a positive norm; a very large one switches clipping off.

## Sources
- torch.nn.utils.clip_grad_norm_; verl/workers/engine/fsdp/transformer_impl.py :: optimizer_step (0.9.1); verl PR#7923
- verl/workers/actor/dp_actor.py, critic/dp_critic.py :: _optimizer_step (0.6.1, 0.7.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, engine, legacy_workers, trained_roles
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Norm <= 0 outside Megatron."""
    for role in trained_roles(subject):
        key = f"{PREFIXES[role]}.{'grad_clip' if legacy_workers(subject) else 'optim.clip_grad'}"
        norm = subject.number(key)
        if engine(subject, role) in (None, "megatron") or norm is None or norm > 0:
            continue
        yield subject.finding(
            check,
            f"{role} {subject.describe(key)} " + ("makes every gradient 0" if norm == 0 else "turns gradients around"),
            key=key,
            phase="update_actor" if role == "actor" else "update_critic",
            help=f"use {key}=1.0, or a very large norm to switch clipping off",
        )
