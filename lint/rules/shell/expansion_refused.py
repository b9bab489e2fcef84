r"""Bash gives up on an expansion: arithmetic that is none, a length below zero.

## What it finds
An expansion that bash cannot evaluate where the script comes to it. In `$((...))`, `((...))`, a subscript or an
integer variable: a decimal number, `x` for times, a missing operand, a division by zero, a value that is no number.
Elsewhere: a substring of negative length, a name that is none in `${!name}`.

## Why it hurts
Bash prints an error and gives up the command, together with the `case`, `if` or loop that it stands in. The variable
keeps what it had before, and the script often goes on: `set -e` does not end it at every such error.

## When it fails
before start: bash goes on without the command, or ends

## Example that fails
```bash
max_response_length=$((1024 x 2))  # <- here
python3 -m verl.trainer.main_ppo data.max_response_length=$max_response_length "$@"
```

## Example that passes
```bash
max_response_length=$((1024 * 2))
python3 -m verl.trainer.main_ppo data.max_response_length=$max_response_length "$@"
```

## Fix
Write `*` for times. Bash knows whole numbers alone: `$((length * 3 / 2))` in place of `$((length * 1.5))`.

## Sources
- bash reference manual, 6.5 Shell Arithmetic
- bash 5.2, expr.c :: evalerror (seen in bash: it jumps back to the top level of the script)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.reading import GIVES_UP
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

ADVICE = (
    ("division by 0", "write a divisor that is not 0"),
    ("substring expression", "write a length that the value has"),
    ("bad array subscript", "write an index from 0 on, or the key of an associative array"),
    ("readonly variable", "assign to another name"),
    ("invalid indirect expansion", "write the name of a variable that holds a name"),
    ("invalid variable name", "write the name of a variable that holds a name"),
    *(
        (said, "write whole numbers, names of variables and + - * / % ( )")
        for said in ("syntax error", "expected", "arithmetic", "constant", "too great for base")
    ),
)
"""Parts of what bash says, and what to write instead."""


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """What a reading gave up on, each place once."""
    refused = dict.fromkeys(place for reading in subject.readings for place in reading.unchecked)
    for place in refused:
        if place.reason.startswith(GIVES_UP):
            help = next((advice for said, advice in ADVICE if said in place.reason), None)
            yield subject.finding(check, place.span, place.reason, help=help)
