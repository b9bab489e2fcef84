"""The model of a launch is not known, and a published one has nearly the same name.

## What it finds
A model path whose last part is no model that the linter knows, and that differs by a letter or two from one that it
knows: `Qwen3-33B` for `Qwen3-32B`. Names that are like no other are only listed as not checked.

## Why it hurts
There is no such repository on the hub, or no such folder. And nothing that needs the sizes of the model is checked:
memory, heads, layers, lengths.

## When it fails
at start: when the tokenizer is loaded

## Example that fails
```bash
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen3-33B "$@"  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen3-32B "$@"
```

## Fix
Write the name that the message suggests. For a model of your own, state the one that it has the sizes of:
`# recipe-lint: model=Qwen3-32B`.

## Sources
- lint/facts/data/models.json
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.checking.target import MODEL_PATHS
from lint.facts.models import find_model, nearest_model
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """A path that the script sets, of a launch whose model is not known."""
    for key in MODEL_PATHS if subject.model is None else ():
        setting = subject.config.get(key)
        path = None if setting is None or setting.override is None else setting.path
        if path is None or find_model(path) is not None:
            continue  # the script makes a model of that name itself
        near = nearest_model(path)
        if near is not None:
            yield subject.finding(
                check,
                f"no model is known by the name {path}; {near} has nearly the same",
                key=key,
                help=f"write {near}, or state the model that yours has the sizes of: `# recipe-lint: model=...`",
            )
