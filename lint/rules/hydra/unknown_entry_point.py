"""A launch starts a module that the release of verl does not have.

## What it finds
`python -m verl....` where the release has no such module with `@hydra.main`, though another release may have it. One of
`verl.experimental` that no release has is looked up in checkouts only; one that the repository holds is not verl's.

## Why it hurts
Python ends at once: No module named ... Trainers come and go between releases: `main_ppo_sync` was in 0.8.0 only, its
work is done by `main_ppo` with `trainer.use_v1=True` from 0.9.0 on.

## When it fails
before start: ModuleNotFoundError

## Example that fails
```bash
python3 -m verl.trainer.main_ppo_sync \\  # <- here
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.nnodes=1
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.nnodes=1
```

## Fix
Start a module of this release, or use a release that has it.

## Sources
- verl/trainer, verl/experimental of each release :: functions with @hydra.main
- verl 45632b5fa, #6710 (main_ppo_sync folded into main_ppo)
- verl 4c8101dd2, #5382 (fsdp_sft_trainer, main_generation)
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.facts.entry_points import successor_of
from lint.findings import Finding
from lint.launch.compose import Composition
from lint.rules.hydra._keys import release
from lint.rules.rule import rule
from lint.schema.load import load, shipped
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The module is missing in the schema of the release."""
    composition = subject.composition
    module = subject.launch.entry_point
    if composition is None or not _is_missing(composition):
        return
    having = [name for name in shipped() if module in load(name).entry_points]
    successor = successor_of(module)
    known = composition.schema.entry_points
    if successor not in known:
        near = get_close_matches(module, list(known), 1, 0.8)
        successor = near[0] if near else None
    yield subject.finding(
        check,
        f"{release(composition)} has no program {module}" + (f" ({', '.join(having)} has)" if having else ""),
        span=subject.launch.entry_span,
        help=f"start {successor}" if successor else f"start one of {', '.join(sorted(known))}",
    )


def _is_missing(composition: Composition) -> bool:
    primary = composition.primary
    named = any(problem.cause == "no-entry-point" for problem in composition.problems)
    return named or (primary is not None and primary.missing_module is not None)
