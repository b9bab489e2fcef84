r"""Arguments of the script do not reach the launch.

## What it finds
A script that starts a trainer and uses `"$@"` nowhere.

## Why it hurts
`bash run.sh trainer.nnodes=4` runs with what the script says and drops the rest without a word.

## When it fails
silently: overrides on the command line are ignored

## Example that fails
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Append `"$@"` to the launch.

## Sources
- verl commit 7f8de223f, which added it to shipped scripts
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import Parameter
from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="info", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """No use of all arguments; a script that takes single ones may have its own way, so it gets no fix."""
    names = {parameter.name for parameter in subject.nodes.of(Parameter)}
    if names & {"@", "*"}:
        return
    takes = any(name.isdigit() and name != "0" for name in names)
    for place in places(subject):
        end = place.command.end
        insert = Edit(Span(subject.script.source.path, end, end), ' "$@"')
        yield subject.finding(
            check,
            place.launch.entry_span,
            "arguments of the script are not passed on: overrides on the command line are dropped",
            help='append "$@" to the launch',
            fix=None if takes or not place.passes_words_on else Fix("pass the arguments on", True, (insert,)),
        )
        return
