r"""The README of the recipes keeps a list, and this script is not in it.

## What it finds
A script that starts a trainer, below a folder whose `README.md` links recipes between `<!-- recipes -->` and
`<!-- end -->`, without a link to the script. A README without these marks is not read as a list.

## Why it hurts
Nobody finds the script, and a table that is generated or read by others is wrong.

## When it fails
silently: the recipe is there, and nobody knows

## Example that fails
```bash
# file: README.md
<!-- recipes -->
| recipe | model |
| --- | --- |
| [run_qwen3_8b_fsdp.sh](run_qwen3_8b_fsdp.sh) | Qwen3-8B |
<!-- end -->
# file: run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo
# file: run_qwen3_4b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo  # <- here
```

## Example that passes
```bash
# file: README.md
<!-- recipes -->
| recipe | model |
| --- | --- |
| [run_qwen3_8b_fsdp.sh](run_qwen3_8b_fsdp.sh) | Qwen3-8B |
| [run_qwen3_4b_fsdp.sh](run_qwen3_4b_fsdp.sh) | Qwen3-4B |
<!-- end -->
# file: run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo
# file: run_qwen3_4b_fsdp.sh
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo
```

## Fix
Link the script in the list, or move it out of the folder.

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
    """A script that starts a trainer, and that no entry of the list links."""
    script = subject.script.source.path
    started = [launch for launch in subject.launches if launch.entry_span.path == script]
    known = list_above(subject) if started else None
    if known is None:
        return
    path = os.path.relpath(script, known.folder)
    if path not in {entry.path for entry in known.entries}:
        yield subject.finding(
            check,
            started[0].entry_span,
            f"{known.source.path} lists {len(known.entries)} recipes, and {path} is not among them",
            help=f"add [{os.path.basename(script)}]({path}) between its marks `<!-- recipes -->` and `<!-- end -->`, "
            "or keep the script elsewhere",
        )
