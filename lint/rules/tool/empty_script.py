"""The script holds no command.

## What it finds
A script that is empty, or holds nothing but blanks and comments.

## Why it hurts
bash runs it with success and nothing is trained. It is usually a file that was cut off when it was written or copied.

## When it fails
silently: bash ends with status 0

## Example that fails
```bash
# Trains Qwen3-8B.  # <- here
```

## Example that passes
```bash
# Trains Qwen3-8B.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"
```

## Fix
Write the script, or delete the file.

## Sources
- GNU Bash Reference Manual, "Shell Scripts"
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    if subject.script.body or subject.script.errors:
        return
    source = subject.script.source
    end = len(source.line_text(1))
    yield subject.finding(
        check,
        Span(source.path, 0, end),
        "the script holds no command: running it does nothing",
        help="write the launch, or delete the file",
    )
