"""An override sets a key that no code of the release reads.

## What it finds
Keys that are in the config and that nothing reads: `nccl_timeout`, `freeze_vision_tower` and the critic's own batch
sizes since the engine workers of 0.8.0, `over_sample_rate`, `skip.rollout` under the V1 trainer, and settings of a
policy loss that is not chosen. Values that ask for what happens anyway are left alone.

## Why it hurts
The launch looks as if the setting were in force. The critic packs 32768 tokens where one response was asked for, a
slow collective ends at the default time limit, a tower that should be frozen is trained.

## When it fails
silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.nccl_timeout=7200  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the key, or use what the help names.

## Sources
- lint/rules/hydra/key_not_read.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lint.findings import Finding
from lint.rules.control._conditions import described, in_scope
from lint.rules.rule import rule
from lint.rules.tables import keys_beside, keys_of, rows_beside
from lint.subject.derived import MODEL, Role, needs_critic
from lint.subject.subject import Subject


@rule(severity="warning", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Each key of the table that the script sets to another value than its default."""
    if not subject.launch.entry_point.startswith("verl."):
        return
    given = subject.given(keys_beside(__file__))
    for row in rows_beside(__file__) if given else ():
        for key in keys_of(row):
            setting = subject.setting(key) if key in given else None
            if setting is None or not _unread(subject, row, key):
                continue
            if setting.value in (None, setting.default, *row.get("harmless", ())):
                continue
            blind = row.get("by", f"anything in {subject.verl}")
            yield subject.finding(
                check,
                f"{described(subject, key)} is not read by {blind}: {row['effect']}",
                key=key,
                severity=row.get("severity", "info"),
                help=row.get("help", f"drop it, or use {row['instead']}" if "instead" in row else "drop it"),
            )


def _unread(subject: Subject, row: Mapping[str, Any], key: str) -> bool:
    """True if this launch certainly runs code that does not read the key of a row, where that has a consequence."""
    role: Role = "critic" if key.startswith("critic.") else "actor"
    if role == "critic" and not needs_critic(subject):
        return False
    if subject.behaves(row.get("reader", "")) or subject.value(f"{MODEL}.external_lib") is not None:
        return False
    return in_scope(subject, row, role)
