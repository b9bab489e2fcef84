"""An override deletes a key or a config group that is not there.

## What it finds
`~key` where the composed config has no such key or holds null, `~key=value` where it holds another value, `~group`
where the defaults list has no such group.

## Why it hurts
Hydra refuses the launch.

## When it fails
before start: ConfigCompositionException, "Could not delete ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    '~actor_rollout_ref.rollout.seeds'  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    '~actor_rollout_ref.rollout.enforce_eager'
```

## Fix
Leave the override out, or name the key that is meant.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- hydra-core 1.3.2 hydra/_internal/defaults_list.py :: ensure_deletions_used
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.effective import node_at
from lint.rules.hydra._keys import problems, release
from lint.rules.hydra._nearest import nearest_key
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every deletion that Hydra refuses."""
    composition = subject.composition
    if composition is None:
        return
    for problem in problems(subject, "not-there", "other-value", "no-deletion"):
        override = problem.override
        key = override.key if override is not None else str(problem.key)
        if problem.cause == "other-value":
            message = f"{key} is {problem.present}, so Hydra does not delete it"
        elif problem.cause == "no-deletion":
            message = f"no config group {problem.key} to delete in {release(composition)}"
        elif node_at(composition.base, key) is None:
            message = f"{key} is null in {release(composition)}: Hydra refuses to delete it"
        else:
            message = f"{release(composition)} has no key {key}: Hydra refuses to delete it"
        near = nearest_key(composition, key) if problem.cause == "not-there" else None
        advice = f"did you mean ~{near}?" if near and near != key else "leave it out"
        yield report(subject, check, override, message, key=key, help=advice)
