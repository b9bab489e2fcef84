"""The settings of activation recomputation contradict each other.

## What it finds
Megatron `override_transformer_config`: `recompute_granularity` other than full, selective or null; full without
`recompute_method` (block or uniform) or without `recompute_num_layers`; selective with `recompute_num_layers`; unknown
`recompute_modules`; and a method or a number of layers while the granularity is null, which then do nothing.

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
from lint.rules.parallel._recomputing import GRANULARITY, LAYERS, METHOD, MODULES
from lint.rules.rule import rule
from lint.subject.derived import engine
from lint.subject.subject import Subject

KNOWN_MODULES = {"core_attn", "moe_act", "layernorm", "mla_up_proj", "mlp", "moe", "shared_experts"}


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Granularity against method, layers and modules."""
    if engine(subject) != "megatron" or subject.setting(GRANULARITY) is None:
        return
    granularity, method = subject.string(GRANULARITY), subject.string(METHOD)
    modules = subject.value(MODULES)
    if subject.is_null(GRANULARITY):
        for key in (METHOD, LAYERS):
            if subject.is_set(key) and subject.value(key) is not None:
                yield subject.finding(
                    check,
                    f"{subject.describe(key)} has no effect: recompute_granularity is null, nothing is recomputed",
                    key=key,
                    also=(GRANULARITY,),
                    severity="warning",
                    help=f"set {GRANULARITY}=full",
                )
                return
    elif granularity is not None and granularity not in ("full", "selective"):
        yield subject.finding(
            check,
            f"{subject.describe(GRANULARITY)} is unknown",
            key=GRANULARITY,
            help=f"set {GRANULARITY} to full, selective or null",
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
    elif method is not None and method not in ("block", "uniform"):
        yield subject.finding(
            check, f"{subject.describe(METHOD)} is unknown", key=METHOD, help=f"set {METHOD} to block or uniform"
        )
    elif granularity == "selective" and subject.integer(LAYERS) is not None:
        yield subject.finding(
            check,
            f"{subject.describe(LAYERS)} must be null when recompute_granularity is selective",
            key=LAYERS,
            also=(GRANULARITY,),
            help=f"set {LAYERS}=null",
        )
    elif granularity == "selective" and isinstance(modules, list) and not set(map(str, modules)) <= KNOWN_MODULES:
        unknown = sorted(set(map(str, modules)) - KNOWN_MODULES)
        yield subject.finding(
            check,
            f"recompute_modules {unknown} are unknown",
            key=MODULES,
            help=f"choose from {', '.join(sorted(KNOWN_MODULES))}",
        )
