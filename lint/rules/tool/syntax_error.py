"""The script is not valid bash.

## What it finds
Text that bash's grammar does not allow: an unclosed quote, `if` without `fi`, a stray `)`. The text from there to where
reading could go on is not checked; the rest of the script is.

## Why it hurts
bash reads a script while it runs it. It stops at the error, after everything above it has already run.

## When it fails
before start: bash prints `syntax error` and ends with status 2

## Example that fails
```bash
if true; then  # <- here
    python3 -m verl.trainer.main_ppo
```

## Example that passes
```bash
if true; then
    python3 -m verl.trainer.main_ppo
fi
```

## Fix
Close what was opened, or quote the character that bash takes for syntax. `bash -n` must accept the script.

## Sources
- GNU Bash Reference Manual, "Shell Syntax"
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.tool._syntax import advice
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="error", scope="script", suppressible=False)
def check(subject: ScriptSubject) -> Iterator[Finding]:
    source = subject.script.source
    for problem in subject.script.errors:
        line = source.line(problem.start)
        begin = min(problem.start, len(source.text))
        end = min(problem.end, source.line_starts[line - 1] + len(source.line_text(line)))
        skipped = source.line(max(problem.end - 1, problem.start))
        note = None if skipped == line else f"lines {line} to {skipped} are not checked"
        help = advice(problem.message, source.text[source.line_starts[line - 1] : begin])
        yield subject.finding(check, Span(source.path, begin, max(begin, end)), problem.message, note=note, help=help)
