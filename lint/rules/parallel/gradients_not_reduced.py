"""FSDP is told not to shard (`fsdp_size=1`) on several devices, and then no gradient is reduced either.

## What it finds
`fsdp_size=1` of an engine that is trained with FSDP1 (`strategy=fsdp`) on more than one device.

## Why it hurts
verl lays out a mesh of devices x 1 with HYBRID_SHARD. FSDP1 turns that into NO_SHARD, but goes on reducing gradients
over the group of one device: each device trains a copy of the model of its own, with plausible metrics.

## When it fails
silently: the copies drift apart, and that of the first device is saved and sent to the rollout

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.n_gpus_per_node=8 \\
    actor_rollout_ref.actor.fsdp_config.fsdp_size=1  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.n_gpus_per_node=8 \\
    actor_rollout_ref.actor.fsdp_config.fsdp_size=-1
```

## Fix
Shard over all devices (`fsdp_size=-1`), or train with FSDP2, which reduces over the other dimension of the mesh.

## Sources
- verl/workers/engine/fsdp/utils.py :: create_device_mesh, get_sharding_strategy (0.8.0 to 0.9.1, main 1dda039b9);
  verl/workers/fsdp_workers.py (0.6.1, 0.7.1)
- pytorch/pytorch#154888; the verl pull request with commit a130edecb. Tried with torch 2.13 on two processes:
  gradients differ with size 1 and agree with size 2
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, engine_node, trained_roles, trains, world_size
from lint.subject.processes import started
from lint.subject.subject import Subject

OF_SUPERVISED = ("engine.fsdp_size", "engine.strategy")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each role that is trained, and the engine of supervised training."""
    pool = started(subject)
    places = [(*OF_SUPERVISED, None if pool is None else pool[0] * pool[1])]
    if trains(subject):
        for role in trained_roles(subject):
            places.append(
                (f"{engine_node(subject, role)}.fsdp_size", f"{PREFIXES[role]}.strategy", world_size(subject))
            )
    for size, kind, devices in places:
        if subject.integer(size) == 1 and subject.string(kind) == "fsdp" and devices is not None and devices > 1:
            yield subject.finding(
                check,
                f"{subject.describe(size)} with {subject.describe(kind)}: FSDP1 reduces no gradient between the "
                f"{devices} devices, so each trains a model of its own",
                key=size,
                also=(kind, "trainer.nnodes", "trainer.n_gpus_per_node"),
                help=f"set {size}=-1, or {kind}=fsdp2",
                fix=subject.change(size, "-1", safe=False),
            )
