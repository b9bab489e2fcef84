"""A comment for the linter says something that the linter does not know.

## What it finds
A comment `# recipe-lint: ...` that is neither a suppression nor facts, a fact with an unknown name or value (a release,
device or model that the linter has no data for), and facts below the first command. Also what goes on as such a comment
and begins in another way: `# recipe-lint device=...` without the colon, `# recipelint: ...`.

## Why it hurts
The script is then checked against something else than its author meant: the newest release, no device, another model.

## When it fails
silently: the linter goes on without the fact

## Example that fails
```bash
# recipe-lint: device=ascend-a33  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"
```

## Fix
Write one of the names that the message lists.

## Sources
- README, "What a script says about itself"
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.checking.target import unknown_fact
from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.suppression import directives


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    found = directives.parse(subject.script)
    for problem in found.problems:
        yield subject.finding(check, problem.span, problem.message, help=problem.help)
    for name, fact in found.facts.items():
        wrong = unknown_fact(name, fact.value)
        if wrong is not None:
            nearest = wrong.nearest
            yield subject.finding(
                check,
                fact.span,
                wrong.message,
                help=wrong.help,
                fix=None if nearest is None else Fix(f"write {nearest}", False, (Edit(fact.span, nearest),)),
            )
