"""An override chooses a config group or an option that does not exist.

## What it finds
`group=option` where the group has no such option or is not in the defaults list, `group@package=option` where the
defaults list puts the group elsewhere, a value that is no name, and `++group=option`.

## Why it hurts
Hydra refuses the launch. The engine (`model_engine=megatron`) decides most keys of the actor, so a wrong one hides
every other mistake.

## When it fails
before start: MissingConfigException or ConfigCompositionException

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    model_engine=megatrom  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    model_engine=megatron
```

## Fix
Choose one of the options that are named.

## Sources
- hydra-core 1.3.2 hydra/_internal/defaults_list.py :: ensure_overrides_used, config_not_found_error
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.findings import Finding
from lint.launch.compose import Cause, Composition
from lint.rules.hydra._keys import having, problems, release
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.schema.load import load, shipped
from lint.subject.subject import Subject

CAUSES: tuple[Cause, ...] = ("no-option", "no-group", "group-value", "forced-group", "not-a-group")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every group override that Hydra refuses."""
    composition = subject.composition
    if composition is None:
        return
    for problem in problems(subject, *CAUSES):
        override = problem.override
        value = override.value.value if override is not None and override.value is not None else None
        near = get_close_matches(str(value), problem.options, 1, 0.6) if problem.cause == "no-option" else []
        advice = None
        if near and override is not None:
            advice = f"did you mean {override.prefix}{problem.key}={near[0]}?"
        elif problem.options:
            advice = f"there {'is' if len(problem.options) == 1 else 'are'} {', '.join(problem.options)}"
        elsewhere = composition.primary.unknown_paths if composition.primary is not None else ()
        others = tuple(_releases_with(composition, f"{override.key}/{value}")) if override is not None else ()
        story = f": {having(others)}" if others and problem.cause == "no-option" else ""
        yield report(
            subject,
            check,
            override,
            f"{problem.message} in {release(composition)}{story}",
            key=problem.key,
            help=advice,
            note=f"{', '.join(elsewhere)} is not known here and may have it" if elsewhere else None,
            severity="info" if elsewhere else None,
            confidence="low" if elsewhere else None,
        )


def _releases_with(composition: Composition, path: str) -> Iterator[str]:
    """The other releases that have an option."""
    folders = composition.primary.names if composition.primary is not None else ()
    for name in shipped():
        schema = load(name)
        if name != composition.schema.release and any(path in schema.folders.get(folder, ()) for folder in folders):
            yield name
