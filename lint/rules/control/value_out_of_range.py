r"""A number is outside of the range in which it means something.

## What it finds
Probabilities, temperatures and clip ratios of the table that the script sets outside of their range: `top_p=10`,
`top_k=-5`, a negative temperature, `clip_ratio_high=28` where 0.28 was meant.

## Why it hurts
Hydra takes any number. The rollout engine refuses it with the first prompt, after all models were loaded; a clip ratio
of 28 clips nothing, and training goes on without the bound that keeps it stable.

## When it fails
at init: at the first prompt; clip ratios: silently

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.top_p=10  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.rollout.top_p=1.0
```

## Fix
Set a number of the range in the help.

## Sources
- lint/rules/control/value_out_of_range.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lint.findings import Finding
from lint.rules.control._conditions import in_scope
from lint.rules.rule import rule
from lint.rules.tables import rows_beside
from lint.subject.derived import follows_verl, trains
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each key of the table that the script sets."""
    if not (follows_verl(subject) and trains(subject)):
        return
    for row in rows_beside(__file__):
        for key in row["keys"]:
            value = subject.number(key)
            if value is None or not subject.is_set(key) or _is_inside(value, row) or not in_scope(subject, row):
                continue
            yield subject.finding(
                check,
                f"{key} is {subject.value(key)}, it {'should' if 'severity' in row else 'must'} be {_range(row)}: "
                f"{row['because']}",
                key=key,
                severity=row.get("severity"),
                help=f"set {key} to a number {_range(row)}",
            )


def _is_inside(value: float, row: Mapping[str, Any]) -> bool:
    return row.get("least", value) <= value <= row.get("most", value) and ("above" not in row or value > row["above"])


def _range(row: Mapping[str, Any]) -> str:
    """The range in words: `above 0 and at most 1`."""
    bounds = [("above", "above"), ("least", "at least"), ("most", "at most")]
    return " and ".join(f"{said} {row[bound]}" for bound, said in bounds if bound in row)
