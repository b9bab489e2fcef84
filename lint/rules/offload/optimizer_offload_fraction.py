"""A share of the optimizer is to be kept on the host, but the switches for it are missing.

## What it finds
Megatron: `optim.override_optimizer_config.optimizer_offload_fraction` above 0 without `optimizer_cpu_offload=True`
there.

## Why it hurts
Megatron reads the fraction only where the offload is on; the optimizer stays on the device.

## When it fails
silently: the memory is not saved

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1  # <- here
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
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.use_precision_aware_optimizer=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Add `optimizer_cpu_offload=True` and `use_precision_aware_optimizer=True` beside it.

## Sources
- Megatron-LM core_r0.16.0 megatron/core/optimizer/__init__.py :: _get_megatron_optimizer_based_on_param_groups
- verl/utils/megatron/optimizer.py :: init_megatron_optim_config (0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, engine, trained_roles
from lint.subject.subject import Subject


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Fraction without the switch."""
    for role in trained_roles(subject):
        node = f"{PREFIXES[role]}.optim.override_optimizer_config"
        fraction, switch = f"{node}.optimizer_offload_fraction", f"{node}.optimizer_cpu_offload"
        if engine(subject, role) != "megatron" or not subject.number(fraction):
            continue
        if subject.setting(switch) is None or subject.boolean(switch) is False:
            yield subject.finding(
                check,
                f"{subject.describe(fraction)} has no effect: {subject.describe(switch)}",
                key=fraction,
                also=(switch,),
                help=f"add {'' if subject.setting(switch) else '+'}{switch}=True",
            )
