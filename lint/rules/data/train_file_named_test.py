r"""The file for training is named like one for tests, or the other way round.

## What it finds
A file name in `data.train_files` with `test` or `val` in it and no `train`. It is a warning if `data.val_files` names a
`train` file, else worth a line.

## Why it hurts
The two are swapped: the model trains on the few test samples, and is validated on the training set.

## When it fails
silently: scores that are too good

## Example that fails
```bash
OVERRIDES=(
    data.train_files=/data/gsm8k/test.parquet  # <- here
    data.val_files=/data/gsm8k/train.parquet
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    data.train_files=/data/gsm8k/train.parquet
    data.val_files=/data/gsm8k/test.parquet
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Swap them.

## Sources
- verl commit c62e7ac7b, which repaired a training file named test.parquet
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.data._files import TRAIN, TRAINING, VALIDATION, last, named_for_tests, paths
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Names that are swapped."""
    training = [last(path) for path in paths(subject.value(TRAINING))]
    validation = [last(path) for path in paths(subject.value(VALIDATION))]
    held_out = [name for name in training if named_for_tests(name)]
    if not subject.is_set(TRAINING) or not held_out:
        return
    swapped = any(TRAIN.search(name) for name in validation)
    yield subject.finding(
        check,
        f"train_files is {held_out[0]} and val_files is {validation[0]}: they look swapped"
        if swapped
        else f"train_files is {held_out[0]}, which is named like a file for tests",
        key=TRAINING,
        also=[VALIDATION] if swapped else [],
        severity="warning" if swapped else "info",
        help="swap the two" if swapped else "train on the training file",
    )
