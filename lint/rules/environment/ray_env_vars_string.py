r"""A variable for Ray's workers is not a string, and Ray refuses it.

## What it finds
`ray_kwargs.ray_init.runtime_env.env_vars.NAME` whose value is a number or a boolean after Hydra has read it, and the
same in the YAML or JSON that `ray job submit` is given (`--runtime-env`, `--runtime-env-json`).

## Why it hurts
Hydra reads `NAME=1` as an integer, YAML `NAME: 1` and `NAME: yes` as no strings. `ray.init` and `ray job submit` accept
strings only and raise TypeError. (Before 0.9.1 `TRANSFER_QUEUE_ENABLE` survives where the transfer queue is on: verl
overwrites it with a string.)

## When it fails
at start: in ray.init, or in ray job submit

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
Quote the value for Hydra, inside quotes for bash: `'+...NAME="1"'`. In YAML: `NAME: "1"`.

## Sources
- ray 2.46: ray/_private/runtime_env/validation.py :: parse_and_validate_env_vars; job/sdk.py :: submit_job
- verl 0.8.0, 0.9.0, 0.9.1: verl/trainer/main_ppo.py :: run_ppo
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.programs.handing import no_strings
from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import RUNTIME_ENVIRONMENT, assignment

KINDS = {"bool": "a boolean", "int": "an integer", "float": "a number", "null": "null"}
"""What types of Python and tags of YAML are called in messages."""
OWN = "transfer_queue_sets_own_environment"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A value that is neither text nor, for Hydra, null."""
    yield from _submitted(subject)
    if any(override.key.startswith("ray_kwargs") for override in subject.launch.overrides):
        yield from _overridden(subject)


def _submitted(subject: Subject) -> Iterator[Finding]:
    """In the runtime environment that `ray job submit` is given."""
    command, sources = subject.launch.command.outermost, subject.sources
    for found in no_strings(command.words, command.contents):
        shown = f" ({found.text.shown})" if found.text.shown else ""
        yield subject.finding(
            check,
            f"{found.name} is {KINDS.get(found.kind, 'not a string')}{shown} for Ray, which takes strings only",
            span=assignment(found.name, found.text, subject.launch.entry_span, sources),
            help=f'put the value in quotes: "{found.text.shown}"',
        )


def _overridden(subject: Subject) -> Iterator[Finding]:
    """Below `env_vars` of the config."""
    queue = subject.boolean("transfer_queue.enable") if subject.launch.entry_point == "verl.trainer.main_ppo" else None
    for setting in subject.config.below(RUNTIME_ENVIRONMENT):
        name = setting.key.rsplit(".", 1)[-1]
        if setting.value is None or isinstance(setting.value, (str, Special, dict)):
            continue
        if name == "TRANSFER_QUEUE_ENABLE" and queue is not False and not subject.behaves(OWN):
            continue
        kind = KINDS.get(type(setting.value).__name__, "not a string")
        shown = str(setting.value).lower() if isinstance(setting.value, bool) else str(setting.value)
        yield subject.finding(
            check,
            f"{name} is {kind} ({shown}) for Ray, which takes strings only",
            key=setting.key,
            help=f"write '+{setting.key}=\"{shown}\"'",
        )
