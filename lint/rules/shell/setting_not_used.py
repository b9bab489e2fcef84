r"""A variable is named like a setting and holds a value, and the launch writes another value for that setting.

## What it finds
A variable that nothing reads, whose name is the last part of an override's key (`max_response_length` for
`data.max_response_length`), while the override holds a literal of another value.

## Why it hurts
Whoever edits the variable at the top of the script believes that the run has changed. It has not.

## When it fails
silently: the literal wins

## Example that fails
```bash
max_response_length=8192  # <- here
python3 -m verl.trainer.main_ppo data.max_response_length=1024 "$@"
```

## Example that passes
```bash
max_response_length=8192
python3 -m verl.trainer.main_ppo data.max_response_length=$max_response_length "$@"
```

## Fix
Use the variable in the override, or delete it.

## Sources
- shellcheck SC2034 says that a variable is unused; this rule says what runs instead
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from lint.bash.syntax import Assignment
from lint.bash.walk import constant
from lint.findings import Finding, Related
from lint.launch.launch import Override
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


def literals(subject: ScriptSubject, names: Set[str]) -> dict[str, Override]:
    """Overrides that are written out in the script itself, by the last part of their key, if that is one of `names`."""
    path, found = subject.script.source.path, {}
    for launch in subject.launches:
        for one in launch.overrides:
            name = one.key.rpartition(".")[2]
            text = None if name not in names or one.value is None else one.value.value
            if not text:
                continue
            span = one.value_span
            if span.path == path and subject.script.source.text[span.start : span.end] == text:
                found[name] = one
    return found


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A value at the top that is not the one of the launch."""
    assignments = [assignment for assignment in subject.nodes.of(Assignment) if constant(assignment.value)]
    written = literals(subject, {assignment.name.lower() for assignment in assignments})
    for assignment in assignments:
        override = written.get(assignment.name.lower())
        if override is None or override.value is None:
            continue
        value = constant(assignment.value)
        if not value or value == override.value.value:
            continue
        # Any other mention may be a use: in arithmetic, in eval, as the name of a nameref.
        text = subject.script.source.text
        mentions = re.findall(rf"(?<![\w.]){re.escape(assignment.name)}(?![\w.])", text)
        if len(mentions) > 1:
            continue
        yield subject.finding(
            check,
            subject.span(assignment),
            f"{assignment.name}={value} is not used: the launch has {override.key}={override.value.value}",
            help=f"write {override.key}=${{{assignment.name}}}, or delete the variable",
            related=[Related(override.span, "this value runs")],
        )
