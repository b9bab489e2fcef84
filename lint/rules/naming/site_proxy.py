r"""A proxy of one site is written into the script.

## What it finds
`http_proxy`, `https_proxy` or `all_proxy` (in either case) assigned a literal address other than this host.

## Why it hurts
Elsewhere downloads wait for a host that does not exist, and with `wandb` in the logger the run waits for it after all
models were loaded.

## When it fails
at init: on every other site

## Example that fails
```bash
export https_proxy=http://proxy.example.com:3128  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Set it in the profile of the machine, not in the recipe.

## Sources
- curl(1) and Python's urllib.request document the variables
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

NAME = regular(r"(http|https|all)_proxy\Z", re.IGNORECASE)
HERE = regular(r"(\w+://)?(localhost|127\.|\[::1\])")


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A literal proxy."""
    for assignment in subject.nodes.of(Assignment):
        value = constant(assignment.value) if NAME.match(assignment.name) else None
        if value and not HERE.match(value):
            yield subject.finding(
                check,
                subject.span(assignment),
                f"{assignment.name} is {value}, which this site has and others have not",
                help="set it in the profile of the machine",
            )
