r"""`actor_rollout_ref.rollout.name` names an engine that this release does not have.

## What it finds
A `rollout.name` other than `vllm`, `sglang` and `trtllm`; `hf` went with the synchronous rollouts in 0.7.0. (A launch
without any name is what `mandatory-value-missing` finds.)

## Why it hurts
The look-up of the rollout class fails, "Rollout hf with mode async not found", or "Unknown rollout mode".

## When it fails
at init: when the rollout class is looked up

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=hf  # <- here
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
Write `actor_rollout_ref.rollout.name=vllm` (or `sglang`, `trtllm`).

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/workers/rollout/base.py :: get_rollout_class
- verl main: verl/workers/rollout/replica.py :: RolloutReplicaRegistry; verl/trainer/config/rollout/rollout.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, ROLLOUT, follows_verl, loads_modules
from lint.subject.subject import Subject

NAME = f"{ROLLOUT}.name"
LIBRARY = f"{MODEL}.external_lib"
ENGINES = ("vllm", "sglang", "trtllm")
ROBOTS = "verl.experimental.vla."
"""Modules with a rollout of their own, which they call `hf`."""


@rule(severity="error", since="0.7.0")
def check(subject: Subject) -> Iterator[Finding]:
    """A name that is not registered."""
    name = subject.string(NAME)
    if name is None or name in ENGINES or not follows_verl(subject):
        return
    if subject.launch.entry_point.startswith(ROBOTS):
        return
    yield subject.finding(
        check,
        f"rollout.name is {name}; {subject.verl} has {', '.join(ENGINES)}",
        key=NAME,
        confidence="low" if subject.value(LIBRARY) is not None or loads_modules(subject) else None,  # may register it
        help=f"write {NAME}=vllm",
    )
