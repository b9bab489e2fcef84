"""A teacher of on-policy distillation is configured beside others and silently left out.

## What it finds
`distillation.teacher_models.teacher_model` with a model path of its own while other teachers are added.

## Why it hurts
`teacher_model` is the entry for a single teacher. It is taken out as soon as there are others, so its examples have no
teacher.

## When it fails
silently: or at start, where the devices of the teachers no longer add up to their pool

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    distillation.enabled=True
    distillation.nnodes=1
    distillation.teacher_models.teacher_model.model_path=Qwen/Qwen3-32B  # <- here
    +distillation.teacher_models.second.key=math
    +distillation.teacher_models.second.model_path=Qwen/Qwen3-14B
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
    distillation.teacher_models.teacher_model.model_path=Qwen/Qwen3-32B
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Give the first teacher another name, with `+`, such as `+distillation.teacher_models.first.model_path`.

## Sources
- verl/workers/config/distillation.py :: DistillationConfig._resolve_teacher_models (0.8.0 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

TEACHERS = "distillation.teacher_models"
SINGLE = f"{TEACHERS}.teacher_model.model_path"


@rule(severity="warning", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """The single teacher beside added ones."""
    if subject.boolean("distillation.enabled") is not True or not subject.is_set(SINGLE):
        return
    names = {setting.key.removeprefix(f"{TEACHERS}.").split(".")[0] for setting in subject.config.below(TEACHERS)}
    others = sorted(names - {"teacher_model"})
    if others:
        yield subject.finding(
            check,
            f"teacher_model ({subject.value(SINGLE) or 'unknown'}) is left out, because there are other teachers: "
            f"{', '.join(others)}",
            key=SINGLE,
            help=f"write +{TEACHERS}.first.model_path, and a key for it",
        )
