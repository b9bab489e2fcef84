"""An override holds the name of a variable instead of its value.

## What it finds
A value that is, letter for letter, the name of a variable which the script assigns and never reads:
`actor_rollout_ref.model.path=model_path`.

## Why it hurts
The dollar sign was forgotten, so the trainer gets the name as text.

## When it fails
at start: no file or model has that name; for other keys silently

## Example that fails
```bash
model_path=Qwen/Qwen2.5-7B-Instruct
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=model_path "$@"  # <- here
```

## Example that passes
```bash
model_path=Qwen/Qwen2.5-7B-Instruct
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path="${model_path}" "$@"
```

## Fix
Write `${name}`.

## Sources
- verl commit c62e7ac7b, whose script qwen2-70b_grpo_32_h20_fsdp_vllm.sh starts with `model.path=model_path`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.bash.syntax import Assignment
from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Names that the script mentions twice: where it assigns them, and as the value of an override."""
    path, text = subject.script.source.path, subject.script.source.text
    names = {assignment.name for assignment in subject.nodes.of(Assignment)}
    for launch in subject.launches:
        for override in launch.overrides:
            value = None if override.value is None else override.value.value
            if value not in names:
                continue
            span = override.value_span
            if span.path != path or text[span.start : span.end] != value:
                continue
            if len(re.findall(rf"(?<![\w.]){re.escape(value)}(?![\w.])", text)) > 2:
                continue
            yield subject.finding(
                check,
                override.span,
                f"{override.key} is the text {value}, not the value of the variable {value}, which nothing reads",
                help=f"write {override.key}=${{{value}}}",
                fix=Fix(f"write ${{{value}}}", False, (Edit(span, f'"${{{value}}}"'),)),
            )
