"""An override sets a key that verl does not have.

## What it finds
A key without `+` that is neither in the composed config of the entry point, nor in that of another engine or release,
nor a field of the node above it. The nearest known key is named.

## Why it hurts
Hydra composes the config before anything starts and refuses the launch. A typo with `+` in front would be worse: it is
taken and has no effect.

## When it fails
before start: ConfigCompositionException, "Could not override ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.tensor_model_paralel_size=2  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
```

## Fix
Write the key that is meant. `recipe-lint show` lists the keys of a launch.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- verl/trainer/config/** of each release, composed
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.hydra._absent import absent_keys
from lint.rules.hydra._keys import release
from lint.rules.hydra._nearest import nearest_key
from lint.rules.hydra._overrides import rename, report
from lint.rules.hydra._words import torn_key
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Absent keys that nothing explains but a mistake in writing."""
    composition = subject.composition
    if composition is None:
        return
    for absent in absent_keys(subject, "unknown"):
        if absent.override.index - 1 in subject.launch.other and torn_key(subject, absent.override.index - 1):
            continue  # the second half of a key with a blank: `override-syntax` says so
        near = nearest_key(composition, absent.key)
        yield report(
            subject,
            check,
            absent.override,
            f"{release(composition)} has no key {absent.key or '(empty)'}: Hydra refuses the launch",
            key=absent.key,
            help=f"did you mean {near}?"
            if near
            else f"add it with +{absent.key} if the code reads it, or leave it out",
            fix=rename(subject, absent.override, near, safe=False)
            if near and absent.key == absent.override.key
            else None,
        )
