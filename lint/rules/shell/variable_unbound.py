r"""With `set -u` the script ends at a variable that nothing sets.

## What it finds
A variable without a default in a script with `set -u` that starts a trainer, if no assignment sets it and no
`${NAME:?message}` asks for it. Scripts that source other files are left alone.

## Why it hurts
The script works for whoever has the variable in the environment, and ends with "unbound variable" for everybody else.
If the script assigns nearly the same name, it is a typing error that nobody can work around; `${True}`, a value
written as if it were a variable, ends it for everybody.

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

from collections.abc import Iterator

from lint.bash.syntax import Parameter
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._names import ALWAYS, CONSTANTS, assigned, nearest
from lint.subject.subject import ScriptSubject


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Plain uses of names that nothing in the script sets or guards, each name once."""
    path = subject.script.source.path
    files = {file for reading in subject.readings for file in reading.files}
    if not any(launch.command.nounset for launch in subject.launches) or files - {path}:
        return
    names = assigned(subject)
    guarded = (one.name for one in subject.nodes.of(Parameter) if one.operator[:1] in (":", "-", "=", "?", "+"))
    settled = {*names, *guarded}
    for parameter in subject.nodes.of(Parameter):
        name = parameter.name
        plain = parameter.subscript is None and not parameter.names and not parameter.indirect
        if not plain or name in settled or ALWAYS.fullmatch(name) or not name.isidentifier():
            continue
        settled.add(name)
        constant = name in CONSTANTS
        near = name if constant else nearest(name, names)
        yield subject.finding(
            check,
            subject.span(parameter),
            f"{name} is set nowhere in this script: set -u ends it here"
            + ("" if near else " unless the environment holds it"),
            severity="error" if constant else "warning" if near else None,
            confidence="high" if constant else None,
            help=f"write {near}" if near else f"write ${{{name}:-value}}, or ask for it with ${{{name}:?}}",
        )
