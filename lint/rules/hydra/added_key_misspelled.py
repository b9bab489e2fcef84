"""A key that is added with `+` is nearly one that is there, or called so by another trainer.

## What it finds
`+data.max_promt_length=1024` below a node whose keys no dataclass checks (`data`, `trainer`, `algorithm`, ...),
beside a key of nearly the same name; or a name by which another trainer calls a setting of verl (`+trainer.max_steps`).
Below the nodes of the table beside this module: `env_var` in `runtime_env`.

## Why it hurts
Hydra adds the new key, nothing reads it, and the key that was meant keeps its default.

## When it fails
silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    +data.max_promt_length=1024  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_prompt_length=1024
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Write the key that is there, without the `+`.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- verl/trainer/config/ppo_trainer.yaml: nodes without `_target_` (0.6.1 to 0.9.1)
- lint/rules/hydra/added_key_misspelled.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from lint.findings import Finding
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.likeness import is_slip, only_nearest
from lint.rules.hydra._absent import is_open
from lint.rules.hydra._fields import added, class_at
from lint.rules.hydra._keys import parent
from lint.rules.hydra._nearest import called_elsewhere
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.rules.tables import rows_beside
from lint.subject.subject import Subject

LIKENESS = 0.88  # of two names, as difflib counts: one letter in eight
PARTS = frozenset({"trainer", "data", "algorithm", "actor_rollout_ref.rollout", "actor_rollout_ref.actor"})
"""Nodes below which a name of another trainer stands for a setting of verl."""


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Each added key against its siblings in the config of the release."""
    composition = subject.composition
    if composition is None:
        return
    for override in added(subject):
        read = _meant_of_table(override.key)
        if read is not None:
            said = f"nothing reads {override.key}, nearly the name of {read}"
            yield report(subject, check, override, said, help=f"write {read} if that is meant")
        above, name = parent(override.key), override.key.rpartition(".")[2]
        siblings = node_at(composition.base, above) if above else ABSENT
        if not isinstance(siblings, Mapping) or name in siblings:
            continue
        if class_at(composition, above) is not None or is_open(composition, above):
            continue
        theirs = called_elsewhere(composition, name) if above in PARTS else None
        if theirs is not None and not subject.is_set(theirs):
            said = (
                f"{override.key} is new to {subject.verl}, and other trainers call {theirs} so, which keeps its default"
            )
            yield report(subject, check, override, said, help=f"write {theirs} if that is meant")
            continue
        near = get_close_matches(name, [str(sibling) for sibling in siblings], 1, LIKENESS)
        if near and is_slip(name, near[0]):
            meant = f"{above}.{near[0]}"
            yield report(
                subject,
                check,
                override,
                f"{override.key} is new to {subject.verl}, and nearly the name of {meant}, which keeps its default",
                help=f"write {meant} if that is meant",
            )


def _meant_of_table(key: str) -> str | None:
    """The key that is read of a node of the table, and nearly the one that is given."""
    for row in rows_beside(__file__):
        for node in (node for node in row["nodes"] if key.startswith(f"{node}.")):
            name = key.removeprefix(f"{node}.").partition(".")[0]
            near = only_nearest(name, row["names"])
            return None if near in (None, name) else key.replace(f"{node}.{name}", f"{node}.{near}", 1)
    return None
