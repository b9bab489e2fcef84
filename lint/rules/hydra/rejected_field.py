"""An added key is no field of the dataclass that verl makes of its node.

## What it finds
`+key=value` or `++key=value` where the node has a `_target_` whose dataclass (read from verl's source, bases included)
has no field of that name, in a part of the program that the launch certainly runs.

## Why it hurts
Hydra takes the key. verl then makes a dataclass of the node, whose constructor gets an argument that it does not know.

## When it fails
at start: TypeError, "... got an unexpected keyword argument"

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    +actor_rollout_ref.actor.policy_loss.tau_pos=1.0  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.tau_pos=1.0
```

## Fix
Set a field that the class has; the message names the class and the nearest field.

## Sources
- verl/utils/config.py :: omega_conf_to_dataclass (0.6.1 to 0.9.1)
- verl/workers/config/*.py, verl/trainer/config/config.py :: dataclasses (each release)
- hydra-core 1.3.2 hydra/_internal/instantiate/_instantiate2.py :: instantiate
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.findings import Finding
from lint.launch.compose import Composition
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.launch import Override
from lint.rules.hydra._fields import INSTANTIATION_KEYS, added, class_at, definition, is_made
from lint.rules.hydra._keys import parent, release
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every added key that its dataclass does not take."""
    composition = subject.composition
    if composition is None:
        return
    for override in added(subject):
        for key in _added(composition, override):
            node, name = parent(key), key.rpartition(".")[2]
            found = class_at(composition, node) if node else None
            if found is None or name in INSTANTIATION_KEYS or name in found[1]:
                continue
            if not is_made(subject, composition, node):
                continue
            target, fields = found
            described = definition(composition, target)
            near = get_close_matches(name, list(fields), 1, 0.7)
            yield report(
                subject,
                check,
                override,
                f"{target.rpartition('.')[2]} of {release(composition)} has no field {name}: "
                f"verl cannot build it from {node}",
                key=key,
                help=_advice(composition, node, name, near),
                note=f"the class is defined in {described.source}" if described is not None else None,
            )


def _added(composition: Composition, override: Override) -> Iterator[str]:
    """The keys that an override adds to nodes that were there before."""
    value = composition.parsed[override.index].value
    if node_at(composition.base, override.key) is ABSENT:
        yield override.key
    elif isinstance(value, dict):
        for name in value:
            key = f"{override.key}.{name}"
            if node_at(composition.base, key) is ABSENT:
                yield key


def _advice(composition: Composition, node: str, name: str, near: list[str]) -> str:
    above = class_at(composition, parent(node)) if "." in node else None
    if above is not None and name in above[1]:
        return f"write {parent(node)}.{name}"
    return f"did you mean {node}.{near[0]}?" if near else "leave it out"
