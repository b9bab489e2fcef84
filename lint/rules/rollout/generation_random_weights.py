r"""A generation run without a trainer loads random weights.

## What it finds
The entry point `verl.trainer.main_generation_server` with a `load_format` of `dummy`, the default of the rollout, from
verl 0.9.1 on. Earlier releases turn it into `auto` where no trainer is.

## Why it hurts
`dummy` fills the model with random numbers, because a trainer is expected to send the real ones. Nothing sends them
here: the generated text is noise, and no message says why.

## When it fails
silently: the output is noise

## Example that fails
```bash
OVERRIDES=(
    trainer.n_gpus_per_node=8
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.load_format=dummy  # <- here
)
python3 -m verl.trainer.main_generation_server "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    trainer.n_gpus_per_node=8
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.load_format=auto
)
python3 -m verl.trainer.main_generation_server "${OVERRIDES[@]}"
```

## Fix
Write `actor_rollout_ref.rollout.load_format=auto`.

## Sources
- verl commit 17663ce86 and its successor for vLLM: the guard "load_format is dummy, set to auto" is gone in 0.9.1
- verl 0.7.1, 0.8.0, 0.9.0: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: __init__ (the guard)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.load_format"


@rule(severity="error", since="0.9.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Random weights that nobody replaces."""
    if subject.launch.entry_point.startswith("verl.trainer.main_generation") and subject.string(KEY) == "dummy":
        yield subject.finding(
            check,
            f"{subject.describe(KEY)} fills the model with random weights, and no trainer replaces them",
            key=KEY,
            help=f"write {KEY}=auto",
            fix=subject.change(KEY, "auto", safe=True),
        )
