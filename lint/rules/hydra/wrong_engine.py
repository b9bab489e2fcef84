"""Overrides set keys of another engine than the launch chooses.

## What it finds
Keys that are absent from the composed config, but that the same release has under another engine
(`model_engine=...`, `engine=...`, or the config name of releases before 0.8.0).

## Why it hurts
The engine decides most keys of actor, reference and critic. Without `model_engine=megatron` every `*.megatron.*` key is
refused; Hydra names only the first.

## When it fails
before start: ConfigCompositionException, "Could not override ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    model_engine=megatron \\
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4
```

## Fix
Choose the engine, or, where all other keys are of the engine that is chosen, write that engine's key of the same name:
`actor.fsdp_config.param_offload` for `actor.megatron.param_offload`.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- verl/trainer/config/model_engine/*.yaml, engine/*.yaml (each release)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.findings import Finding
from lint.launch.compose import Composition
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.groups import trees_of_engines
from lint.launch.launch import Override
from lint.rules.hydra._absent import absent_keys
from lint.rules.hydra._keys import parent
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.schema.schema import ENGINE_GROUPS
from lint.schema.tree import Tree
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """All keys of other engines at once: they have one cause."""
    composition = subject.composition
    if composition is None:
        return
    absent = list(absent_keys(subject, "engine"))
    if not absent:
        return
    first, *others = absent
    engine = max(first.engines, key=lambda name: sum(name in one.engines for one in absent))
    if any(_chooses(one.override, engine) for one in absent_keys(subject, "unknown")):
        return  # the engine is chosen at a key that does not exist: `unknown-key` says so
    current = [f"{group}={option}" for group, option in composition.choices.items() if group in ENGINE_GROUPS]
    named = subject.launch.config_name
    if named is not None and not current:
        current = [f"--config-name={named.shown}"]
    chosen = named is not None or any(one.key in ENGINE_GROUPS for one in subject.launch.overrides)
    count = f" and {len(others)} more" if others else ""
    help = f"leave {'them' if others else 'it'} out, or start with {engine}" if chosen else f"add {engine}"
    twins = [_twin(composition.base, one.key) for one in absent]
    kept = _keys_of_this_engine_only(subject, composition, engine)
    if len(kept) > len(absent):
        mends = [f"write {twin}" if twin else f"leave {one.key} out" for one, twin in zip(absent, twins, strict=True)]
        help = f"{', '.join(mends)}: {kept[0]} and the like are of the engine that this launch has"
    yield report(
        subject,
        check,
        first.override,
        f"{first.key}{count} {'are keys' if others else 'is a key'} of {engine}; "
        f"this launch has {', '.join(current) or 'another engine'}",
        key=first.key,
        help=help,
        also=[one.override for one in others],
    )


def _keys_of_this_engine_only(subject: Subject, composition: Composition, other: str) -> list[str]:
    """The keys that the launch sets, and that its engine has and another lacks: that other is not what is meant."""
    there = dict(trees_of_engines(composition.primary)).get(other) if composition.primary is not None else None
    if there is None:
        return []
    keys = dict.fromkeys(override.key for override in subject.launch.overrides)
    return [key for key in keys if node_at(composition.base, key) is not ABSENT and node_at(there.tree, key) is ABSENT]


def _twin(tree: Tree, key: str) -> str | None:
    """The key of the same name in the node beside, where one alone has it: `actor.fsdp_config.param_offload`."""
    node, name = parent(key), key.rpartition(".")[2]
    above = node_at(tree, parent(node))
    beside = [f"{parent(node)}.{other}.{name}" for other in above] if isinstance(above, Mapping) else []
    found = [one for one in beside if node_at(tree, one) is not ABSENT]
    return found[0] if len(found) == 1 else None


def _chooses(override: Override, engine: str) -> bool:
    """True for `actor_rollout_ref.actor.model_engine=megatron`, where `model_engine=megatron` is meant."""
    value = override.value.value if override.value is not None else None
    return value is not None and f"{override.key.rpartition('.')[2]}={value}" == engine
