"""An override sets a new key below a node that takes new keys, without the `+` that this needs.

## What it finds
A key that is absent from the config, where the node above is handed on to other software (empty by default,
`override_*`, `*_kwargs`), or where the dataclass of that node has a field of this name.

## Why it hurts
Hydra's configs are closed: a key that is not there yet must be added with `+`, else the launch is refused.

## When it fails
before start: ConfigCompositionException, "Could not override ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
```

## Fix
Write `+` in front of the key (`++` if it may be there already).

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- https://hydra.cc/docs/1.3/advanced/override_grammar/basic/
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.hydra._absent import absent_keys
from lint.rules.hydra._keys import release
from lint.rules.hydra._overrides import report, set_prefix
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Absent keys that their node takes."""
    composition = subject.composition
    if composition is None:
        return
    for absent in absent_keys(subject, "open"):
        whole = absent.key == absent.override.key
        yield report(
            subject,
            check,
            absent.override,
            f"{absent.key} is not in the config of {release(composition)} yet: Hydra refuses to set it without +",
            key=absent.key,
            help=f"write +{absent.key}",
            fix=set_prefix(subject, absent.override, "+", safe=True) if whole else None,
        )
