"""An override sets a key that this release of verl has moved, dropped, or does not have yet.

## What it finds
Keys of the table of changes (`lint/facts/data/renamed_keys.json`), and keys that another release knows but this one
does not.

## Why it hurts
Hydra refuses the launch. This is what happens to most scripts that are carried from one release to another: of the 148
launches of verl's main branch 73 do not compose on 0.9.0 and 75 not on 0.8.0.

## When it fails
before start: ConfigCompositionException, "Could not override ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.update_weights_bucket_megabytes=1024  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=1024
```

## Fix
Write the new key, drop what was dropped, or use the release that has the key.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config
- verl/trainer/config/** of 0.6.1, 0.7.1, 0.8.0, 0.9.0 and 0.9.1, composed and compared
- verl's history: each row of the table names its commit and pull request
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.renamed_keys import former_name, present_name
from lint.findings import Finding
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.rules.hydra._absent import Absent, absent_keys
from lint.rules.hydra._keys import having, release
from lint.rules.hydra._overrides import rename, report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Absent keys that the table of changes or another release knows."""
    composition = subject.composition
    if composition is None:
        return
    for absent in absent_keys(subject, "moved"):
        name_in = former_name if absent.change is None else present_name
        new = name_in(absent.key, subject.release)
        fits = new is not None and node_at(composition.base, new) is not ABSENT
        whole = absent.key == absent.override.key
        safe = absent.change is not None and absent.change.note is None and absent.change.translate(absent.key) == new
        yield report(
            subject,
            check,
            absent.override,
            f"{release(composition)} has no key {absent.key}: {_story(absent)}",
            key=absent.key,
            help=f"write {new}" if new and fits else _advice(absent),
            note=absent.change.note if absent.change is not None else None,
            fix=rename(subject, absent.override, new, safe=safe) if new and fits and whole else None,
        )


def _story(absent: Absent) -> str:
    change = absent.change
    if change is not None:
        to = f"{change.kind} in {change.since}" if change.kind == "removed" else f"it moved in {change.since}"
        return f"{to} ({change.source})"
    return having(absent.releases)


def _advice(absent: Absent) -> str:
    if absent.change is not None:
        return "leave it out"
    return f"run it with verl {absent.releases[-1]}, or leave the key out"
