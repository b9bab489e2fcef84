"""A scalar is written where the config has a node with keys of its own, or a key below a scalar.

## What it finds
An override that gives a text, number, boolean or list to a node, such as `reward.reward_manager`, which has a `name`
below it in this release. `null` and a dict are left alone, and so are nodes without keys and groups that are chosen.
And an override of a key below a text, number or boolean: `+trainer.nnodes.x=1`.

## Why it hurts
Hydra takes it and drops all that was below. What was one value in an older release and is a node now looks right and
fails. A key that is added below a scalar makes a node of that one, and its value is lost.

## When it fails
at start: AttributeError or TypeError where the first key of the node is read

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    reward.reward_manager=dapo  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    reward.reward_manager.name=dapo
```

## Fix
Write the key of the node that is meant.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config (OmegaConf.update with a scalar)
- verl commit 3df21a68e, which repaired `reward_model.reward_manager=dapo` in 35 scripts
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.effective import node_at
from lint.rules.hydra._fields import added, applied
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.schema.tree import MISSING_TEXT
from lint.subject.subject import Subject

LIKELY = ("name", "type", "path", "enable")
"""Keys of a node that a single value may stand for, best first."""


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Nodes that become scalars, and scalars that become nodes."""
    yield from _lost_nodes(subject)
    yield from _lost_scalars(subject)


def _lost_nodes(subject: Subject) -> Iterator[Finding]:
    """Nodes that have keys before the overrides of keys, and are no node after them; choices of groups come first."""
    composition, nodes = subject.composition, subject.config.replaced
    if composition is None or not nodes:
        return
    for override in (one for one in applied(subject) if one.key in nodes):
        node, value = node_at(composition.base, override.key), node_at(composition.tree, override.key)
        if not isinstance(value, (str, int, float, list)):
            continue
        keys = [name for name in node if name != "_target_"]
        if not keys or (isinstance(value, str) and "${" in value):
            continue
        likely = [name for name in LIKELY if name in keys]
        yield report(
            subject,
            check,
            override,
            f"{override.key} is a node with {', '.join(keys[:4])}{', ...' if len(keys) > 4 else ''} in {subject.verl}, "
            f"and {value} replaces all of it",
            help=f"write {override.key}.{likely[0]}={value}" if likely else f"set a key below {override.key}",
        )


def _lost_scalars(subject: Subject) -> Iterator[Finding]:
    """Scalars of the config with a key below them after the overrides of keys."""
    composition = subject.composition
    if composition is None:
        return
    for override in added(subject):
        above = override.key
        while above := above.rpartition(".")[0]:
            scalar = node_at(composition.base, above)
            if not isinstance(scalar, (str, int, float)) or not isinstance(node_at(composition.tree, above), dict):
                continue
            if isinstance(scalar, str) and ("${" in scalar or scalar == MISSING_TEXT):
                continue  # a node may be meant
            message = f"{above} is {scalar} in {subject.verl}, no node: {override.key} below it replaces the value"
            yield report(subject, check, override, message, help=f"write {above}=VALUE, or another key")
