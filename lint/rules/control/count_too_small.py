r"""A number of devices, samples or tokens is zero or negative.

## What it finds
Counts of the table that the script sets below the least value: `trainer.nnodes=0`, `rollout.n=0`,
`tensor_model_parallel_size=-1`, usually from a division in bash that gives 0.

## Why it hurts
Sizes are divided by each other: a zero ends in a division by zero or in groups without members, often after the
cluster was allocated.

## When it fails
at start: or when the first group of processes is made

## Example that fails
```bash
NODES=$((4 / 8))
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    trainer.nnodes=$NODES  # <- here
```

## Example that passes
```bash
NODES=$((8 / 8))
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    trainer.nnodes=$NODES
```

## Fix
Set at least the number in the help.

## Sources
- lint/rules/control/count_too_small.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.control._conditions import in_scope
from lint.rules.rule import rule
from lint.rules.tables import keys_beside, rows_beside
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each key of the table that the script sets."""
    if not follows_verl(subject):
        return
    given = subject.given(keys_beside(__file__))
    for row in rows_beside(__file__) if given else ():
        for key in row["keys"]:
            value = subject.number(key) if key in given else None
            if value is None or value >= 1 or not in_scope(subject, row):
                continue
            if value < 0 and "negative" in row:
                continue
            other = f", or -1 for {row['negative']}" if "negative" in row else ""
            yield subject.finding(
                check,
                f"{key} is {subject.value(key)}: {row['because']}",
                key=key,
                help=f"set {key} to 1 at least{other}",
            )
