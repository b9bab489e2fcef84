r"""The README of the recipes lists a script that is not there.

## What it finds
A link to a `*.sh` file between `<!-- recipes -->` and `<!-- end -->` of a `README.md`, and no such file. The README is
read when a script below its folder is checked.

## Why it hurts
Whoever follows the list finds nothing: the recipe was renamed or removed, and its entry was forgotten.

## When it fails
silently: a link that leads nowhere

## Example that fails
```bash
# file: README.md
<!-- recipes -->
[run_qwen3_8b_fsdp.sh](run_qwen3_8b_fsdp.sh), [run_qwen3_4b_fsdp.sh](run_qwen3_4b_fsdp.sh)
<!-- end -->
# file: run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo
```

## Example that passes
```bash
# file: README.md
<!-- recipes -->
[run_qwen3_8b_fsdp.sh](run_qwen3_8b_fsdp.sh)
<!-- end -->
# file: run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo
```

## Fix
Take the entry out of the list, or correct its path.

## Sources
- the two marks in the README itself, by which it says that its list is whole
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.naming._lists import list_above
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Entries of the list without a file. Each script below the list sees them; a report gives each once."""
    known = list_above(subject) if subject.launches else None
    for entry in known.entries if known is not None else ():
        path = os.path.join(known.folder, entry.path) if known is not None else ""
        if not subject.files.exists(path):
            yield subject.finding(
                check,
                entry.span,
                f"the list of recipes links {entry.path}, and there is no such file",
                help="take the entry out of the list, or correct its path",
            )
