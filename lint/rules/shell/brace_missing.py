r"""A `${` is closed lines below where it should be, by a brace that belongs to something else.

## What it finds
`${NAME:-value` whose `}` is missing, where a later `}` ends it: the lines in between, which begin as assignments or
overrides do, are part of the value.

## Why it hurts
For bash nothing is wrong with it. What stands in these lines is not run: variables stay unset, the launch itself may be
gone, or one override holds the text of all that follow.

## When it fails
silently: the lines up to the next closing brace become a value

## Example that fails
```bash
TEST_FREQ=${TEST_FREQ:-5  # <- here
SAVE_FREQ=20
train() {
    python3 -m verl.trainer.main_ppo trainer.test_freq=$TEST_FREQ trainer.save_freq=$SAVE_FREQ "$@"
}
train "$@"
```

## Example that passes
```bash
TEST_FREQ=${TEST_FREQ:-5}
SAVE_FREQ=20
train() {
    python3 -m verl.trainer.main_ppo trainer.test_freq=$TEST_FREQ trainer.save_freq=$SAVE_FREQ "$@"
}
train "$@"
```

## Fix
Write the `}` where the value ends.

## Sources
- bash reference manual, 3.5.3 Shell Parameter Expansion: the matching ending brace
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lint.bash.syntax import DoubleQuoted, Literal, Parameter, Part, Quoted, Word
from lint.findings import Finding, Related
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

BEGINS = regular(r"\n[ \t]*(?:(?:export|local|readonly)[ \t]+)?[\"']?[+~]{0,2}[A-Za-z_][\w.@/-]*\+?=")
"""A line that begins as an assignment or an override."""


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Values that begin on one line, are no list of overrides, and hold later lines that are meant as such."""
    source = subject.script.source
    after = 0
    for parameter in subject.nodes.of(Parameter):
        operand = parameter.operand
        if parameter.start < after or not isinstance(operand, Word):
            continue
        written = _outside_of_expansions(source.text, operand)
        first = written.split("\n", 1)[0].rstrip("\\ \t")
        if not first or "=" in first or not BEGINS.search(written):
            continue
        after = parameter.end
        end = source.text.index("\n", parameter.start)
        above, below = source.line(parameter.start), source.line(parameter.end - 1)
        closing = Span(source.path, parameter.end - 1, parameter.end)
        yield subject.finding(
            check,
            Span(source.path, parameter.start, end),
            f'this "${{" ends {below - above} lines below, at the "}}" of line {below}: '
            f"all in between is part of what {parameter.name} stands for",
            help="write the } where the value ends",
            related=[Related(closing, "this ends it")],
        )


def _outside_of_expansions(text: str, operand: Word) -> str:
    """An operand as it is written, with `$` for each expansion in it."""
    pieces, end = [], operand.start
    for part in _parts(operand.parts):
        if not isinstance(part, (Literal, Quoted)):
            pieces += [text[end : part.start], "$"]
            end = part.end
    return "".join([*pieces, text[end : operand.end]])


def _parts(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        yield from part.parts if isinstance(part, DoubleQuoted) else (part,)
