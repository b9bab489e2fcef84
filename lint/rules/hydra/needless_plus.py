"""An override adds a key with `+` that is there already.

## What it finds
`+key=value` where the composed config holds a value at the key that is not null. (Hydra takes `+` for a key that is
null, and for a dict or a list as value.)

## Why it hurts
Hydra refuses the launch. Typical after an upgrade: verl 0.9.0 made `algorithm.filter_groups` part of its config, so the
`+` that 0.8.0 needs became an error.

## When it fails
before start: ConfigCompositionException, "Could not append to config. An item is already at ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    +trainer.total_epochs=3  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.total_epochs=3
```

## Fix
Drop the `+`. Write `++` if the script must run on releases with and without the key.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.launch import Override
from lint.rules.hydra._keys import problems, release
from lint.rules.hydra._overrides import report, set_prefix
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every override that Hydra refuses to append."""
    composition = subject.composition
    if composition is None:
        return
    for problem in problems(subject, "already-there"):
        override = problem.override
        if override is not None:
            known = node_at(composition.base, override.key) is not ABSENT
            earlier = [] if known else [other for other in subject.launch.overrides if sets_before(other, override)]
            where = "set further up" if earlier else f"in the config of {release(composition)}"  # `logger.0`, too
            yield report(
                subject,
                check,
                override,
                f"{override.key} is {where} already: Hydra refuses to add it with +",
                help=f"write {override.key} without +",
                fix=set_prefix(subject, override, "", safe=True),
                also=earlier[:1],
            )


def sets_before(other: Override, override: Override) -> bool:
    """True if `other` sets the same key, or a node above it, earlier in the command."""
    return f"{override.key}.".startswith(f"{other.key}.") and other.index < override.index
