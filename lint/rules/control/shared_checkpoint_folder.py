"""Checkpoints go to the folder of all runs without a name, and the next such run resumes from them.

## What it finds
Checkpoints are saved, `trainer.resume_mode` is `auto`, and project, experiment and folder all stand at their defaults.

## Why it hurts
The folder is `checkpoints/verl_examples/gsm8k` for every launch that names neither. Another run with other settings
finds the newest step there, takes its weights and goes on from its step, or ends at once because that step is the
last.

## When it fails
silently: at the next run

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.save_freq=20  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.save_freq=20
    trainer.experiment_name=qwen3-8b-grpo
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Name the experiment, or set `trainer.resume_mode=disable`.

## Sources
- verl/trainer/ppo/ray_trainer.py :: _load_checkpoint, find_latest_ckpt_path (0.7.1 to 0.9.1)
- verl/trainer/config/ppo_trainer.yaml: default_local_dir:
  checkpoints/${trainer.project_name}/${trainer.experiment_name}
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

FOLDER, EVERY, MODE = "trainer.default_local_dir", "trainer.save_freq", "trainer.resume_mode"
NAMES = ("trainer.project_name", "trainer.experiment_name")


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """Everything that would tell this run's folder from another's at its default."""
    every, folder = subject.integer(EVERY), subject.string(FOLDER)
    if every is None or every < 1 or folder is None or subject.string(MODE) != "auto":
        return
    if any(subject.is_set(key) for key in (FOLDER, *NAMES)):
        return
    yield subject.finding(
        check,
        f"checkpoints go to {folder}, as those of every run without a name, and {subject.describe(MODE)} starts from "
        "what lies there",
        key=EVERY,
        help="set trainer.experiment_name",
    )
