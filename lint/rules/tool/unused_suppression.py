"""A suppression silences nothing.

## What it finds
A rule in `# recipe-lint: ignore[...]` that has nothing to report there. Rules that did not run (because of `--select`,
`--ignore`, or a severity of `off`) are left alone.

## Why it hurts
It would silence the next, real finding of that rule, and its reason is no longer true.

## When it fails
silently: later findings stay hidden

## Example that fails
```bash
# recipe-lint: ignore[empty-script] -- this recipe is a placeholder  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm "$@"
```

## Fix
Remove the rule from the comment, or the comment; `--fix` does.

## Sources
- README, "Suppression"
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


@rule(severity="warning", scope="script", suppressible=False)
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Nothing: `lint.suppression.suppress` reports this when every other rule has had its say."""
    yield from ()
