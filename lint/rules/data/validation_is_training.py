r"""Validation runs on a training file.

## What it finds
A file that stands in both `data.train_files` and `data.val_files`.

## Why it hurts
The validation score rises with memorization. Nothing looks wrong until the model is evaluated elsewhere.

## When it fails
silently: scores that are too good

## Example that fails
```bash
OVERRIDES=(
    data.train_files=/data/gsm8k/train.parquet
    data.val_files=/data/gsm8k/train.parquet  # <- here
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
Name a held-out file.

## Sources
- verl commits 052b0a39b and 3edc45adf, which repaired it in shipped scripts
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from lint.bash.reading import Known
from lint.findings import Finding
from lint.rules.data._files import TRAINING, VALIDATION, paths
from lint.rules.rule import rule
from lint.subject.subject import Subject


def written(subject: Subject, key: str) -> list[str]:
    """The text of an override, variables whose value is not wholly known by name; empty if it holds anything else
    unknown."""
    override = subject.deciding_override(key)
    parts = []
    pieces = override.value.pieces if override is not None and override.value is not None else ()
    for (_, kind, name), group in groupby(pieces, lambda one: (one.origin.span, one.origin.kind, one.origin.name)):
        together = list(group)
        known = "".join(piece.text for piece in together if isinstance(piece, Known))
        if all(isinstance(piece, Known) for piece in together):
            parts.append(known)
        elif kind == "expansion":
            parts.append(f"${name}")
        else:
            return []
    return ["".join(parts).strip("[]'\"")] if parts else []


def named(subject: Subject, key: str) -> list[str]:
    """The files of a key, as far as they are known."""
    value = subject.value(key)
    return paths(written(subject, key) if value is None and not subject.is_null(key) else value)


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """A file in both lists; defaults do not count, and neither does a launch that only validates."""
    if not subject.is_set(TRAINING) or not subject.is_set(VALIDATION) or subject.boolean("trainer.val_only"):
        return
    training, validation = named(subject, TRAINING), named(subject, VALIDATION)
    both = [path for path in validation if path in training]
    if both:
        yield subject.finding(
            check,
            f"val_files holds {both[0]}, which is in train_files too",
            key=VALIDATION,
            also=[TRAINING],
            help=f"set {VALIDATION} to a file that is held out",
        )
