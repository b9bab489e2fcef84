"""An override does not fit the shape of the config.

## What it finds
A list where a node stands or a node where a list stands, an index beyond a list, an interpolation that leads nowhere,
overrides of Hydra's own settings that its types refuse, a config group that is chosen twice.

## Why it hurts
Hydra refuses the launch.

## When it fails
before start: ConfigCompositionException, "Error merging override ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    'actor_rollout_ref.rollout.val_kwargs=[1,2]'  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.val_kwargs.n=2
```

## Fix
Set the keys of a node one by one, or give a dict: `'key={a:1}'`.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- omegaconf 2.3 omegaconf.py :: update, basecontainer.py :: _map_merge
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.compose import Cause, Problem
from lint.rules.hydra._keys import problems
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.subject import Subject

CAUSES: tuple[Cause, ...] = ("not-a-node", "bad-interpolation", "hydra", "ambiguous", "malformed")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every override that Hydra refuses for its shape."""
    for problem in problems(subject, *CAUSES):
        override = problem.override
        word = subject.launch.command.words[override.index].shown if override is not None else str(problem.key)
        yield report(subject, check, override, f"Hydra refuses `{word}`: {problem.message}", help=_advice(problem))


def _advice(problem: Problem) -> str | None:
    if problem.cause == "not-a-node":
        return f"see what stands at {problem.key}: a list takes a list, a node takes keys below it"
    if problem.cause == "bad-interpolation":
        return "name a key that exists, from the root of the config"
    return None
