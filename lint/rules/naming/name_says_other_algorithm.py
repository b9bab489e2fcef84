r"""The script stands in the folder of one algorithm, or is named after it, and runs another.

## What it finds
A folder `<algorithm>_trainer` or an algorithm in the name of the script, where `algorithm.adv_estimator`,
`policy_loss.loss_mode` or what else makes the algorithm has another value. Where folder and name speak of two
algorithms, one of them is enough. Only what the script does by default counts.

## Why it hurts
Whoever starts `gspo_trainer/run_qwen3_8b_fsdp.sh` means to train with GSPO. Without the loss of GSPO the run goes
through, and its results are compared as if they were.

## When it fails
silently: another algorithm than the name says

## Example that fails
```bash
# file: gspo_trainer/run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo
```

## Example that passes
```bash
# file: gspo_trainer/run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo
```

## Fix
Set what makes the algorithm, or move the script to the folder of the one that it runs.

## Sources
- lint/rules/naming/name_says_other_algorithm.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.naming._words import says_what_it_does, script, words
from lint.rules.rule import rule
from lint.rules.tables import rows_beside
from lint.subject.derived import trains
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The algorithms that folder and name speak of, none of which runs."""
    path = script(subject)
    named = words(path.stem)
    said = [row for row in rows_beside(__file__) if speaks_of(row, path.parent.name, named)]
    if not said or not says_what_it_does(subject) or not trains(subject):
        return
    settings = {key: subject.setting(key) for row in said for key in row["any"]}
    keys = [key for key, setting in settings.items() if setting is not None]
    unknown = any(setting is not None and isinstance(setting.value, Special) for setting in settings.values())
    if not keys or unknown or any(runs(subject, row) for row in said):
        return
    wanted = " or ".join(f"{key}={value}" for key, (value, *_) in said[0]["any"].items() if key in keys)
    yield subject.finding(
        check,
        f"{path.parent.name}/{path.name} is named after {' and '.join(row['name'] for row in said)}, and runs with "
        + ", ".join(map(subject.describe, keys)),
        key=next(filter(subject.is_set, keys), None),
        help=f"set {wanted}, or name the script after what it runs",
    )


def speaks_of(row: Mapping[str, Any], folder: str, name: Set[str]) -> bool:
    """True if the folder is that of the algorithm, or the script is named after it."""
    return folder == f"{row['name']}_trainer" or (not row.get("folder") and row["name"] in name)


def runs(subject: Subject, row: Mapping[str, Any]) -> bool:
    """True if one of the keys that make the algorithm has one of its values."""
    return any(subject.value(key) in values for key, values in row["any"].items())
