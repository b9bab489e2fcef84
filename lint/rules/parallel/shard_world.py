"""The devices do not divide by the size of a sequence or shard group.

## What it finds
FSDP and VeOmni, per role that is built: devices modulo the Ulysses size; devices modulo `fsdp_size` where that is
positive and below all devices (VeOmni: data parallel ranks modulo it). `fsdp_size=-1`, or a size above all devices,
means one group over everything and is fine.

## Why it hurts
The device mesh needs whole groups; it is made while the engine is built.

## When it fails
at init: an error of `init_device_mesh`, "Mesh should not be bigger than default world size"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.fsdp_size=6  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.fsdp_size=32
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a divisor of the devices.

## Sources
- verl/workers/engine/fsdp/utils.py :: create_device_mesh (0.8.0, 0.9.0, 0.9.1)
- verl/workers/engine/fsdp/transformer_impl.py :: _init_device_mesh
- verl/workers/engine/veomni/transformer_impl.py :: __init__ (0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    Role,
    builds_reference,
    data_parallel,
    divisors,
    either,
    engine,
    engine_node,
    needs_critic,
    sequence_parallel,
    sequence_parallel_key,
    world_size,
)
from lint.subject.subject import Subject

CLUSTER = ("trainer.nnodes", "trainer.n_gpus_per_node")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """World modulo Ulysses size, then modulo shard size, once per deciding override."""
    world = world_size(subject)
    roles: list[Role] = ["actor"]
    if builds_reference(subject):
        roles.append("ref")
    if needs_critic(subject):
        roles.append("critic")
    reported = set()
    for role in roles:
        family = engine(subject, role)
        if not world or family not in ("fsdp", "veomni"):
            continue
        splits, split = sequence_parallel_key(subject, role), sequence_parallel(subject, role)
        shard_key = f"{engine_node(subject, role)}.fsdp_size"
        shard = subject.integer(shard_key)
        whole = data_parallel(subject, role) if family == "veomni" else world
        if split and splits and world % split:
            key, amount, size = splits, world, split
        elif shard and whole and 0 < shard < whole and whole % shard:
            key, amount, size = shard_key, whole, shard
        else:
            continue
        if subject.span_of(key) in reported:
            continue
        reported.add(subject.span_of(key))
        legal = divisors(amount, 2 * size)
        yield subject.finding(
            check,
            f"{role}: {amount} {'devices' if amount == world else 'data parallel ranks'} do not divide by "
            f"{subject.describe(key)}",
            key=key,
            also=CLUSTER,
            help=f"set {key} to {either(legal[-6:])}",
        )
