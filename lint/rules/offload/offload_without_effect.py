"""An offload setting has no effect, because another one decides.

## What it finds
FSDP2 with `offload_policy=True` next to `param_offload=True` or `optimizer_offload=True` of the same role (the policy
offloads everything and the two are set to False); FSDP1 with `offload_policy=True`, which only FSDP2 has;
`ref.fsdp_config.param_offload=False` or `optimizer_offload` of the reference, whose engine is always offloaded and has
no optimizer.

## Why it hurts
Nothing fails. The script says something else than what happens: with FSDP1 the policy saves no memory.

## When it fails
silently: the key is not read

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.fsdp_config.offload_policy=True
    actor_rollout_ref.actor.fsdp_config.param_offload=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.fsdp_config.offload_policy=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Keep the one that decides.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: _build_fsdp_module (0.7.1, 0.8.0, 0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    PREFIXES,
    REF,
    builds_reference,
    engine,
    engine_node,
    legacy_workers,
    strategy,
    trained_roles,
)
from lint.subject.subject import Subject


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """Manual offload beside the policy; the policy without FSDP2; offload of the reference."""
    if legacy_workers(subject):
        return
    for role in trained_roles(subject):
        node = engine_node(subject, role)
        policy = f"{node}.offload_policy"
        if subject.boolean(policy) is not True:
            continue
        if strategy(subject, role) == "fsdp" and subject.is_set(policy):
            yield subject.finding(
                check,
                f"{role} {subject.describe(policy)} has no effect: FSDP1 has no offload policy",
                key=policy,
                help=f"set {PREFIXES[role]}.strategy=fsdp2, or param_offload and optimizer_offload in its place",
            )
        if strategy(subject, role) != "fsdp2":
            continue
        for name in ("param_offload", "optimizer_offload"):
            key = f"{node}.{name}"
            if subject.is_set(key) and subject.boolean(key) is True:
                yield subject.finding(
                    check,
                    f"{role} {subject.describe(key)} has no effect: {subject.describe(policy)} offloads everything",
                    key=key,
                    also=(policy,),
                    help=f"drop {key}",
                )
    if engine(subject, "ref") != "fsdp" or not builds_reference(subject):
        return
    for name, why in (
        ("param_offload", "the engine of the reference is always offloaded"),
        ("optimizer_offload", "the reference has no optimizer"),
    ):
        key = f"{REF}.fsdp_config.{name}"
        wanted = name == "optimizer_offload"
        if subject.is_set(key) and subject.boolean(key) is wanted:
            yield subject.finding(
                check, f"ref {subject.describe(key)} has no effect: {why}", key=key, help=f"drop {key}"
            )
