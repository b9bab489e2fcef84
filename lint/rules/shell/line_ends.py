"""Lines end as on Windows: bash takes the carriage return as part of the last word.

## What it finds
A script with lines that end in CR LF.

## Why it hurts
`set -x` becomes an unknown option, a backslash no longer continues its line, and every value at the end of a line
carries an invisible character into Hydra.

## When it fails
before start: "command not found", or overrides with a stray character

## Example that fails
```bash
echo start  # the line ends with a carriage return\r
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
echo start
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Save the file with LF line ends, and add `*.sh text eol=lf` to .gitattributes.

## Sources
- bash reference manual, 3.1.1 Shell Operation
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """One finding for the whole script, at the first carriage return."""
    source = subject.script.source
    returns = [found.start() for found in re.finditer(r"\r(?=\n|\Z)", source.text)]
    if not returns:
        return
    ends = "1 line ends" if len(returns) == 1 else f"{len(returns)} lines end"
    edits = tuple(Edit(Span(source.path, at, at + 1), "") for at in returns)
    yield subject.finding(
        check,
        edits[0].span,
        f"{ends} with a carriage return, which bash takes as text",
        help="save the file with LF line ends",
        fix=Fix("remove the carriage returns", True, edits),
    )
