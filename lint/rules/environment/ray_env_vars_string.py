r"""A variable for Ray's workers is not a string, and Ray refuses it.

## What it finds
`ray_kwargs.ray_init.runtime_env.env_vars.NAME` whose value is a number or a boolean after Hydra has read it.

## Why it hurts
Hydra reads `NAME=1` as an integer. `ray.init` accepts strings only and raises TypeError. (Before 0.9.1
`TRANSFER_QUEUE_ENABLE` survives where the transfer queue is on: verl overwrites it with a string.)

## When it fails
at start: in ray.init

## Example that fails
```bash
OVERRIDES=(
    trainer.n_gpus_per_node=8
    +ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE=1  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    trainer.n_gpus_per_node=8
    '+ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE="1"'
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Quote the value for Hydra, inside quotes for bash: `'+...NAME="1"'`.

## Sources
- ray 2.46: ray/_private/runtime_env/validation.py :: parse_and_validate_env_vars
- verl 0.8.0, 0.9.0, 0.9.1: verl/trainer/main_ppo.py :: run_ppo
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import RUNTIME_ENVIRONMENT

OWN = "transfer_queue_sets_own_environment"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A value below `env_vars` that is neither text nor null."""
    queue = subject.boolean("transfer_queue.enable") if subject.launch.entry_point == "verl.trainer.main_ppo" else None
    if not any(override.key.startswith("ray_kwargs") for override in subject.launch.overrides):
        return
    for setting in subject.config.below(RUNTIME_ENVIRONMENT):
        name = setting.key.rsplit(".", 1)[-1]
        if setting.value is None or isinstance(setting.value, (str, Special, dict)):
            continue
        if name == "TRANSFER_QUEUE_ENABLE" and queue is not False and not subject.behaves(OWN):
            continue
        kind = {bool: "a boolean", int: "an integer", float: "a number"}.get(type(setting.value), "not a string")
        shown = str(setting.value).lower() if isinstance(setting.value, bool) else str(setting.value)
        yield subject.finding(
            check,
            f"{name} is {kind} ({shown}) for Ray, which takes strings only",
            key=setting.key,
            help=f"write '+{setting.key}=\"{shown}\"'",
        )
