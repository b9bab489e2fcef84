r"""A key or password is written into the script.

## What it finds
A variable whose name ends in `API_KEY`, `TOKEN`, `SECRET`, `PASSWORD` (or holds `ACCESS_KEY`) and that is assigned a
literal of at least 16 letters and digits which is no placeholder; and a URL with a user and a password in it.

## Why it hurts
The key ends up in version control, and under `set -x` in every log.

## When it fails
silently: the key is known to whoever reads the script or a log

## Example that fails
```bash
export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
export WANDB_API_KEY=${WANDB_API_KEY:?export it before you start this script}
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Take it from the environment, and revoke the one that was written here.

## Sources
- wandb documentation, environment variables: WANDB_API_KEY
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.bash.syntax import Assignment
from lint.bash.walk import constant
from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

NAME = regular(r"(API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|ACCESS_KEY(_ID)?)\Z", re.IGNORECASE)
VALUE = regular(r"[A-Za-z0-9_.+/=-]{16,}\Z")
CREDENTIALS = regular(r"\w+://[^/\s:@]+:[^/\s@]+@")
PLACEHOLDER = regular(r"your|xxx|placeholder|change|example|dummy|<|\.\.\.|/", re.IGNORECASE)


def is_secret(value: str) -> bool:
    """True for what looks like a key, and not like the place of one."""
    digits = any(character.isdigit() for character in value)
    return VALUE.match(value) is not None and digits and not PLACEHOLDER.search(value)


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A literal that looks like a secret, under a name that says it is one."""
    for assignment in subject.nodes.of(Assignment):
        value = constant(assignment.value) or ""
        if (NAME.search(assignment.name) and is_secret(value)) or CREDENTIALS.match(value):
            yield subject.finding(
                check,
                subject.span(assignment),
                f"{assignment.name} is written into the script ({len(value)} characters)",
                help=f"write {assignment.name}=${{{assignment.name}:?}} and revoke this one",
            )
