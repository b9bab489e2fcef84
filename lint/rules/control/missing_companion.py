"""A setting is on without the one that it needs.

## What it finds
Pairs of settings of which the second must have a certain value while the first is on: losses and their coefficients,
router replay, distillation, resuming, validation only, dynamic context parallelism, asynchronous modes. The table
beside this module lists them with their sources and releases.

## Why it hurts
Most are asserted somewhere between start and first step; a few do something else than was asked, without a message.

## When it fails
at init: most of them; the message says when and how

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.val_only=True
    trainer.val_before_train=False  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.val_only=True
    trainer.val_before_train=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set the second as the help says, or switch the first off.

## Sources
- lint/rules/control/missing_companion.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.control._companions import companions
from lint.rules.control._conditions import described, in_scope, satisfied, wanted
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each row whose conditions hold and whose companion is not as it must be."""
    for row in companions():
        key, must = row["key"], row["must"]
        if not in_scope(subject, row):
            continue
        setting = subject.setting(key)
        if setting is None and not row.get("absent", False):
            continue
        value = None if setting is None else setting.value
        if isinstance(value, Special) or satisfied(value, must):
            continue
        switch = next(reversed(row["when"]))
        yield subject.finding(
            check,
            f"{described(subject, switch)} needs {wanted(key, must)}, but {described(subject, key)}: {row['because']}",
            key=key if subject.is_set(key) else switch,
            also=(key, switch),
            severity=row.get("severity"),
            confidence=row.get("confidence"),
            help=row.get("help", f"set {'+' if setting is None else ''}{wanted(key, must).removesuffix(' to be set')}"),
        )
