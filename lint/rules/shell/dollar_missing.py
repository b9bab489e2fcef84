"""An override holds the name of a variable instead of its value.

## What it finds
A value that is, letter for letter, the name of a variable which the script assigns and mentions nowhere else:
`actor_rollout_ref.model.path=model_path`. A default from outside, `model_path=${model_path:-...}`, is part of the
assignment, and comments do not count. Names in capitals with an underscore (`GEN_TP`) may be read elsewhere, too: no
value of verl's is written so.

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
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

SHOUTED = regular(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Names that the script assigns and that are the value of an override."""
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
            elsewhere = _mentions(subject, value) > 1
            if elsewhere and (SHOUTED.fullmatch(value) is None or ".env_vars." in override.key):
                continue
            yield subject.finding(
                check,
                override.span,
                f"{override.key} is the text {value}, not the value of the variable {value}"
                + ("" if elsewhere else ", which nothing reads"),
                help=f"write {override.key}=${{{value}}}",
                fix=Fix(f"write ${{{value}}}", False, (Edit(span, f'"${{{value}}}"'),)),
            )


def _mentions(subject: ScriptSubject, name: str) -> int:
    """How often a script mentions a name outside of comments and of what is assigned to that name."""
    own = [assignment for assignment in subject.nodes.of(Assignment) if assignment.name == name]
    apart = [(node.start, node.end) for node in own]
    apart += [(comment.start, comment.end) for comment in subject.script.comments]
    found = re.finditer(rf"(?<![\w.]){re.escape(name)}(?![\w.])", subject.script.source.text)
    return sum(not any(start <= match.start() < end for start, end in apart) for match in found)
