"""The teachers of on-policy distillation do not fit their devices or their context.

## What it finds
`distillation.enabled=True` and: the pool (`distillation.nnodes` x `distillation.n_gpus_per_node`) is empty; a single
teacher's tensor x data x pipeline parallel size does not divide it; several teachers do not use it up exactly; or a
teacher's `max_model_len` is below prompt + response + 1.

## Why it hurts
The teacher reads the student's prompt and whole response and generates one token; its servers must cover the pool.

## When it fails
at start: ValueError when the distillation config is built

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    distillation.enabled=True
    distillation.nnodes=1
    distillation.n_gpus_per_node=8
    distillation.teacher_models.teacher_model.model_path=Qwen/Qwen3-32B
    distillation.teacher_models.teacher_model.inference.tensor_model_parallel_size=3  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    distillation.enabled=True
    distillation.nnodes=1
    distillation.n_gpus_per_node=8
    distillation.teacher_models.teacher_model.model_path=Qwen/Qwen3-32B
    distillation.teacher_models.teacher_model.inference.tensor_model_parallel_size=4
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Give the pool its own `nnodes`, and teachers whose replicas x parallel sizes add up to it.

## Sources
- verl/workers/config/distillation.py :: DistillationConfig.__post_init__, _resolve_teacher_models,
  DistillationTeacherModelConfig.validate_and_prepare_for_distillation (0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.parallel._teachers import replica_size, size
from lint.rules.rule import rule
from lint.subject.derived import longest_sequence
from lint.subject.subject import Subject

TEACHERS = "distillation.teacher_models"
NODES, PER_NODE = "distillation.nnodes", "distillation.n_gpus_per_node"


@rule(severity="error", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Pool, shares and context of the teachers."""
    nodes, per_node = subject.integer(NODES), subject.integer(PER_NODE)
    if subject.boolean("distillation.enabled") is not True or nodes is None or per_node is None:
        return
    pool = nodes * per_node
    if pool <= 0:
        yield subject.finding(
            check,
            f"distillation is on, but its pool is empty: {nodes} nodes x {per_node} devices",
            key=NODES,
            also=(PER_NODE, "distillation.enabled"),
            help=f"set {NODES}=1 or more, beside the devices of trainer.nnodes",
        )
        return
    names = {setting.key.removeprefix(f"{TEACHERS}.").split(".")[0] for setting in subject.config.below(TEACHERS)}
    several = sorted(names - {"teacher_model"})
    longest = longest_sequence(subject)
    used: int | None = 0
    for name in several or ["teacher_model"]:
        inference = f"{TEACHERS}.{name}.inference"
        context, needed = subject.integer(f"{inference}.max_model_len"), (longest or 0) + 1
        if context is not None and longest is not None and context < needed:
            yield subject.finding(
                check,
                f"teacher {subject.describe(f'{inference}.max_model_len')} is below prompt + response + 1 = {needed}",
                key=f"{inference}.max_model_len",
                help=f"set it to at least {needed}",
            )
        replica, copies = replica_size(subject, inference), size(subject, f"{TEACHERS}.{name}.num_replicas", 0)
        used = None if used is None or replica is None or copies is None else used + replica * copies
        if not several and replica and pool % replica:
            yield subject.finding(
                check,
                f"the teacher's {replica} devices per replica do not divide the {pool} devices of its pool",
                key=f"{inference}.tensor_model_parallel_size",
                also=(NODES, PER_NODE),
                help=f"use a tensor parallel size that divides {pool}",
            )
    if several and used and used != pool:
        yield subject.finding(
            check,
            f"the teachers use {used} devices, but their pool has {pool}",
            key=NODES,
            also=(PER_NODE, *(f"{TEACHERS}.{name}.num_replicas" for name in several)),
            help="make num_replicas x parallel sizes add up to the pool",
        )
