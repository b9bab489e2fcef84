"""The settings of activation recomputation contradict each other.

## What it finds
Megatron `override_transformer_config`: `recompute_granularity` full without `recompute_method` or without
`recompute_num_layers`; selective with `recompute_num_layers`; and a method or a number of layers while the granularity
is null, which then do nothing. Of names that Megatron does not know, `unknown-choice` speaks.

## Why it hurts
Megatron refuses while the actor is built; without a granularity nothing is recomputed and the memory is not saved.

## When it fails
at init: ValueError of TransformerConfig; without granularity: silently

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Full: add `recompute_method=uniform` and `recompute_num_layers=1`. Selective: leave both null.

## Sources
- Megatron-LM core_r0.16.0 megatron/core/transformer/transformer_config.py :: __post_init__
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.parallel._recomputing import GRANULARITY, LAYERS, METHOD
from lint.rules.rule import rule
from lint.subject.derived import engine
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Granularity against method and layers."""
    if engine(subject) != "megatron" or subject.setting(GRANULARITY) is None:
        return
    granularity = subject.string(GRANULARITY)
    if subject.is_null(GRANULARITY):
        idle = [key for key in (METHOD, LAYERS) if subject.is_set(key) and subject.value(key) is not None]
        if idle:
            yield subject.finding(
                check,
                f"{subject.describe(idle[0])} has no effect: recompute_granularity is null, nothing is recomputed",
                key=idle[0],
                also=(GRANULARITY,),
                severity="warning",
                help=f"set {GRANULARITY}=full",
            )
    elif granularity == "full" and (subject.is_null(METHOD) or subject.is_null(LAYERS)):
        missing = " and ".join(key.rsplit(".", 1)[-1] for key in (METHOD, LAYERS) if subject.is_null(key))
        yield subject.finding(
            check,
            f"recompute_granularity full needs {missing}",
            key=GRANULARITY,
            also=(METHOD, LAYERS),
            help=f"add {METHOD}=uniform and {LAYERS}=1",
        )
    elif granularity == "selective" and subject.integer(LAYERS) is not None:
        yield subject.finding(
            check,
            f"{subject.describe(LAYERS)} must be null when recompute_granularity is selective",
            key=LAYERS,
            also=(GRANULARITY,),
            help=f"set {LAYERS}=null",
        )
