"""A suppression cannot have an effect: it names no rule that can be silenced, or gives no reason.

## What it finds
In `# recipe-lint: ignore[...]` and `ignore-file[...]`: a rule that does not exist, one that cannot be suppressed, and
a missing reason. The suppression then silences nothing.

## Why it hurts
What was to be silenced is still reported, or a misspelt name hides that nobody looked. Without a reason nobody can tell
later whether the suppression still holds.

## When it fails
silently: the suppression is not followed

## Example that fails
```bash
# recipe-lint: ignore[SC2086]
python3 -m verl.trainer.main_ppo $OPTIONS "$@"
```

## Example that passes
```bash
# recipe-lint: ignore[SC2086] -- OPTIONS holds several words on purpose
python3 -m verl.trainer.main_ppo $OPTIONS "$@"
```

## Fix
End the comment by ` -- ` and the reason, and name rules as `recipe-lint rules` lists them.

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
