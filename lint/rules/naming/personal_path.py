r"""A path of one person's machine is written into the script.

## What it finds
A model, data or checkpoint path below `/home/NAME`, `/Users/NAME` or `/mnt/hdfs/NAME` that is a literal, so that no
variable of the environment can change it.

## Why it hurts
The script works for one person. For everybody else the run ends when the model or the data is opened, or writes
checkpoints where nobody looks.

## When it fails
at init: on every other machine

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.model.path=/home/alice/models/Qwen3-8B  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
MODEL_PATH=${MODEL_PATH:-Qwen/Qwen3-8B}
OVERRIDES=(
    actor_rollout_ref.model.path="${MODEL_PATH}"
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Take the path from a variable: `${MODEL_PATH:-$HOME/models/Qwen3-8B}`.

## Sources
- verl commit fcb1e191b, which repaired paths below /mnt/hdfs/<user> in shipped scripts
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.reading import Known, Origin
from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import Subject

KEYS = (
    "actor_rollout_ref.model.path",
    "critic.model.path",
    "data.train_files",
    "data.val_files",
    "trainer.default_local_dir",
    "actor_rollout_ref.actor.megatron.dist_checkpointing_path",
)
PERSONAL = regular(r"""[\s"'\[]*/(?:home|Users|mnt/hdfs)/([\w.-]+)/""")
SHARED = regular(
    r"users?|root|ubuntu|admin|ma-user|work\w*|share\w*|models?|data\w*|ckpts?|checkpoints?|projects?|test"
)


def adjustable(origin: Origin) -> bool:
    """True if a variable of the environment can change what this step gives."""
    return origin.kind in ("default", "environment", "unset") or any(adjustable(source) for source in origin.sources)


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Literal paths below somebody's home."""
    for key in KEYS:
        override = subject.deciding_override(key)
        if override is None or override.value is None or override.key != key:
            continue
        text = override.value.value
        found = PERSONAL.match(text) if text else None
        pieces = [piece for piece in override.value.pieces if isinstance(piece, Known)]
        if found is None or SHARED.fullmatch(found[1]) or any(adjustable(piece.origin) for piece in pieces):
            continue
        yield subject.finding(
            check,
            f"{'.'.join(key.split('.')[-2:])} is below {found[0].strip()}, a path of one person's machine",
            key=key,
            help="take it from a variable with a default",
        )
