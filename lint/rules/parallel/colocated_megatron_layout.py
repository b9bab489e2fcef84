"""Reference or critic ask for another Megatron layout than the actor in the same processes.

## What it finds
A tensor, pipeline, virtual pipeline, context, expert or expert tensor parallel size of `ref.megatron` (where a
reference is built) or `critic.megatron` (where a critic is built) that differs from `actor.megatron`. The reference
follows the actor unless it is set; the critic does not.

## Why it hurts
All roles share one process per device, and Megatron's groups are made once, by the role that is built first (critic,
then reference). The actor then silently gets that layout: wrong batch arithmetic, or an error of shapes.

## When it fails
at init: an error of shapes or of batch sizes; at worst silently

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2
    actor_rollout_ref.ref.megatron.tensor_model_parallel_size=4  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the sizes of the reference; give the critic those of the actor.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: _init_device_mesh, `mpu.is_initialized()` (0.8.0, 0.9.0, 0.9.1)
- verl/trainer/ppo/v1/trainer_base.py :: _setup (order: critic, then reference, then actor)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, PREFIXES, Role, builds_reference, engine, legacy_workers, needs_critic
from lint.subject.subject import Subject

SIZES = ("tensor_model", "pipeline_model", "virtual_pipeline_model", "context", "expert_model", "expert_tensor")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Sizes that differ between roles of one process."""
    if engine(subject) != "megatron" or legacy_workers(subject):  # the actor of those is built first
        return
    roles: list[Role] = []
    if builds_reference(subject):
        roles.append("ref")
    if needs_critic(subject) and engine(subject, "critic") == "megatron":
        roles.append("critic")
    for role in roles:
        for size in SIZES:
            key, own = f"{PREFIXES[role]}.megatron.{size}_parallel_size", f"{ACTOR}.megatron.{size}_parallel_size"
            theirs, ours = subject.setting(key), subject.setting(own)
            if theirs is None or ours is None or theirs.value == ours.value:
                continue
            if isinstance(theirs.value, Special) or isinstance(ours.value, Special):
                continue
            yield subject.finding(
                check,
                f"{role} {subject.describe(key)}, but actor {subject.describe(own)}: both share processes, and the "
                f"layout of the {role}, which is built first, stays",
                key=key if subject.is_set(key) else own,
                also=(own,),
                help=f"drop {key}" if role == "ref" else f"set {key}={ours.value}",
            )
