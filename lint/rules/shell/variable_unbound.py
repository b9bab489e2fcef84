r"""With `set -u` the script ends at a variable that nothing sets.

## What it finds
A variable without a default in a script with `set -u` that starts a trainer, if no assignment sets it, no
`${NAME:?message}` asks for it, and no workflow of the repository gives it; a name in `$((...))` needs no `$` for it.
Scripts that source other files are left alone. A name in capitals may come from the environment of the site and is a
remark, another one a warning.

## Why it hurts
The script works for whoever has the variable in the environment, and ends with "unbound variable" for everybody else.
If the script assigns nearly the same name, it is a typing error that nobody can work around; `${True}`, a value
written as if it were a variable, ends it for everybody. Both are errors where the script ends before its launch.

## When it fails
before start: bash ends the script

## Example that fails
```bash
set -u
case "${DEVICE}" in  # <- here
    npu) devices=16 ;;
    *) devices=8 ;;
esac
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=$devices "$@"
```

## Example that passes
```bash
set -u
DEVICE=${DEVICE:-gpu}
case "${DEVICE}" in
    npu) devices=16 ;;
    *) devices=8 ;;
esac
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=$devices "$@"
```

## Fix
Give it a default, or ask for it: `: "${NAME:?what it is for}"`.

## Sources
- bash reference manual, 4.3.1 The Set Builtin
- verl commit 16bdafaad, which repaired $DEVICE in a shipped script
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from lint.bash.evaluator import read
from lint.bash.syntax import Parameter
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._names import ALWAYS, CONSTANTS, assigned, nearest, read_in_arithmetic
from lint.subject.subject import ScriptSubject
from lint.text import Span

GUARDS = (":", "-", "=", "?", "+")


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Plain uses of names that nothing in the script sets or guards, each name once."""
    path = subject.script.source.path
    files = {file for reading in subject.readings for file in reading.files}
    if not any(launch.command.nounset for launch in subject.launches) or files - {path}:
        return
    names = assigned(subject)
    uses = _unset(subject, names)
    for name, span in uses.items():
        near = name if name in CONSTANTS else nearest(name, names)
        ends = near is not None and _ends_before_launch(subject, name, uses.keys())
        yield subject.finding(
            check,
            span,
            f"{name} is set nowhere in this script: set -u ends it here"
            + ("" if near else " unless the environment holds it"),
            severity="error" if ends else "warning" if near or not name.isupper() else None,
            confidence="high" if ends else None,
            help=f"write {near}" if near else f"write ${{{name}:-value}}, or ask for it with ${{{name}:?}}",
        )


def _unset(subject: ScriptSubject, names: Set[str]) -> dict[str, Span]:
    """The first plain use of each name that nothing sets or guards, here or in a call from a workflow."""
    settled = names | {one.name for one in subject.nodes.of(Parameter) if one.operator[:1] in GUARDS}
    settled |= {name for call in subject.calls for name in call.environment}
    plain = [
        (one.name, subject.span(one))
        for one in subject.nodes.of(Parameter)
        if one.subscript is None and not one.names and not one.indirect
    ]
    uses: dict[str, Span] = {}
    for name, span in sorted([*plain, *read_in_arithmetic(subject)], key=lambda use: use[1].start):
        if name not in settled and not ALWAYS.fullmatch(name) and name.isidentifier():
            uses.setdefault(name, span)
    return uses


def _ends_before_launch(subject: ScriptSubject, name: str, unset: Set[str]) -> bool:
    """Whether the script comes to a launch if all that it asks for is given, and to none without this one."""
    asked = unset | {one.name for one in subject.nodes.of(Parameter) if "?" in one.operator[:2]}
    return _comes_to_launch(subject, asked) and not _comes_to_launch(subject, asked - {name})


def _comes_to_launch(subject: ScriptSubject, given: Set[str]) -> bool:
    spans = {launch.command.span for launch in subject.launches}
    reading = read(subject.script, files=subject.files, required_as_unknown=given)
    return any(command.span in spans for command in reading.commands)
