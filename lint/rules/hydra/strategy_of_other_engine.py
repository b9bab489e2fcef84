"""A role's `strategy` names an engine whose settings the chosen config does not have.

## What it finds
`actor.strategy=megatron` without `model_engine=megatron`, `strategy=fsdp2` beside it, and the like: Hydra takes the
text, but the node that the engine reads is missing.

## Why it hurts
The worker makes the engine that the strategy names from the settings of another one.

## When it fails
at start: or when the worker builds its model, at an attribute that the settings do not have

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.strategy=megatron  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    model_engine=megatron \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True
```

## Fix
Choose the engine by `model_engine` (before 0.8.0 by `--config-name=ppo_megatron_trainer`) and drop the strategy.

## Sources
- verl/trainer/config/ppo_trainer.yaml, defaults (0.6.1 to 0.9.1)
- verl/workers/engine/base.py :: EngineRegistry.new, called with engine_config.strategy (0.8.0 to 0.9.1)
- verl/trainer/main_ppo.py :: TaskRunner.add_actor_rollout_worker (0.6.1, 0.7.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.rules.rule import rule
from lint.subject.derived import (
    PREFIXES,
    at_least,
    engine,
    engine_node,
    follows_verl,
    needs_critic,
    strategy,
    trains,
    uses_reference,
)
from lint.subject.subject import Subject

GROUPS = {"fsdp": "dp", "megatron": "megatron", "veomni": "veomni", "torchtitan": "torchtitan"}
"""Engines whose node has their name, and the option of `model_engine` that brings it."""


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each role that is built and whose strategy the script sets."""
    composition = subject.composition
    if composition is None or composition.problems:
        return  # where Hydra refuses keys of that engine, wrong-engine says the same
    if not trains(subject) or not follows_verl(subject):
        return  # the config of another program may lay out engines in its own way
    built = {"actor": True, "ref": uses_reference(subject), "critic": needs_critic(subject)}
    for role, prefix in PREFIXES.items():
        key, family, node = f"{prefix}.strategy", engine(subject, role), engine_node(subject, role)
        if not built[role] or not subject.is_set(key) or family not in GROUPS or node is None:
            continue
        if node_at(composition.tree, node) is not ABSENT:
            continue
        by_group = at_least(subject, "0.8.0")
        yield subject.finding(
            check,
            f"{role} {subject.describe(key)} needs the settings {node}, which the chosen config does not have",
            key=key,
            help=f"write model_engine={GROUPS[family]} and drop {key}"
            if by_group
            else f"use --config-name=ppo_{strategy(subject, role)}_trainer and drop {key}",
        )
