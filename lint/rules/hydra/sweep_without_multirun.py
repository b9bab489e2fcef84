"""An override gives several values to a key, outside of a multirun.

## What it finds
Values with a comma outside of brackets and quotes (`a,b`), and `choice()`, `range()`, `interval()`, `glob()`, where the
launch has no `--multirun`.

## Why it hurts
Hydra reads them as a sweep and refuses the launch.

## When it fails
before start: ConfigCompositionException, "Ambiguous value" or "requires --multirun"

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.logger=console,wandb  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    'trainer.logger=[console,wandb]'
```

## Fix
For a list write `[a,b]` (in quotes, for bash); for one text with a comma quote it for Hydra: `'key="a,b"'`.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: validate_sweep_overrides_legal
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.hydra._keys import problems
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every sweep that Hydra refuses."""
    for problem in problems(subject, "sweep"):
        override = problem.override
        if override is not None and override.value is not None:
            value = override.value.shown
            yield report(
                subject,
                check,
                override,
                f"{override.key} is given several values ({value}), which Hydra takes for a sweep",
                help=f"write '{override.prefix}{override.key}=[{value}]' for a list"
                if "," in value
                else "give one value",
            )
