"""The training set is cut to fewer rows than one batch takes.

## What it finds
`data.train_max_samples` above 0 and below `data.train_batch_size`.

## Why it hurts
The loader drops a last batch that is not full, so there is no batch at all.

## When it fails
at start: "Train dataloader is empty!"; the V1 trainer ends at once

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=1024
    data.train_max_samples=1000  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=1024
    data.train_max_samples=4096
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Lower the batch, or allow at least as many samples.

## Sources
- verl/trainer/ppo/ray_trainer.py :: _create_dataloader: drop_last=True, assert len(train_dataloader) >= 1
  (0.7.1 to 0.9.1)
- verl/trainer/ppo/v1/trainer_base.py :: _init_dataloader: steps_per_epoch = len(train_dataset) // train_batch_size
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import generation, trains
from lint.subject.subject import Subject

SAMPLES, BATCH, GENERATED = "data.train_max_samples", "data.train_batch_size", "data.gen_batch_size"
STEPS = "trainer.total_training_steps"  # decides how long V1 runs, whatever the loader has


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Samples that are kept against the batch that the loader makes."""
    samples = subject.integer(SAMPLES)
    second = generation(subject) == "v1"
    batch_key = GENERATED if subject.integer(GENERATED) is not None and not second else BATCH
    batch = subject.integer(batch_key)
    if not trains(subject) or samples is None or batch is None or not 0 < samples < batch:
        return
    if second and subject.value(STEPS) is not None:
        return
    yield subject.finding(
        check,
        f"{subject.describe(SAMPLES)} is less than {subject.describe(batch_key)}: not one full batch",
        key=SAMPLES,
        also=(batch_key,),
        help=f"set {SAMPLES} to at least {batch}, or -1 for all",
    )
