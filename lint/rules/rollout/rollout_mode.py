r"""`actor_rollout_ref.rollout.mode` asks for a mode that was removed.

## What it finds
`rollout.mode=sync`, which raises; any other value than `async` draws a deprecation warning and has no effect.

## Why it hurts
Since 0.7.0 rollouts are servers only. `RolloutConfig.__post_init__` raises ValueError for `sync` when the workers are
built, after Ray has placed them.

## When it fails
at init: when the rollout config is made

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.mode=sync  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the key, or write `async`.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/workers/config/rollout.py :: RolloutConfig.__post_init__
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

MODE = f"{ROLLOUT}.mode"


@rule(severity="error", since="0.7.0")
def check(subject: Subject) -> Iterator[Finding]:
    """A mode other than async."""
    mode = subject.string(MODE)
    if mode is None or mode == "async":
        return
    yield subject.finding(
        check,
        f"rollout.mode is {mode}: "
        + ("sync rollouts were removed in 0.7.0" if mode == "sync" else "only async exists"),
        key=MODE,
        severity="error" if mode == "sync" else "warning",
        help=f"remove {MODE}, or write async",
        fix=subject.change(MODE, "async", safe=True),
    )
