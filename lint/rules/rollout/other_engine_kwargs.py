r"""Arguments are given to a rollout engine that is not the one that runs.

## What it finds
Keys below `rollout.engine_kwargs.sglang` where `rollout.name` is `vllm`, and the reverse, unless the engine that runs
is given the same argument. Where the name comes from a variable the script may be for both: then it is an info.

## Why it hurts
Each engine reads the node of its own name and nothing else: what was tuned is not in force.

## When it fails
silently: the engine runs with its defaults

## Example that fails
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=sglang
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the keys, or write the argument of the engine that runs below its own name.

## Sources
- verl 0.8.0, main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: _get_engine_kwargs_key
- verl 0.8.0, main: verl/workers/rollout/sglang_rollout/async_sglang_server.py, trtllm_rollout/trtllm_async_server.py
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, follows_verl
from lint.subject.subject import Subject

NAME, EXTRA = f"{ROLLOUT}.name", f"{ROLLOUT}.engine_kwargs"
ENGINES = ("vllm", "sglang", "trtllm")


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """One finding for each engine that does not run."""
    running = subject.string(NAME)
    if running not in ENGINES or not follows_verl(subject):
        return
    given = {engine: _arguments(subject, engine) for engine in ENGINES}
    for engine in ENGINES:
        unread = [name for name in given[engine] if name not in given[running]]
        if engine == running or not unread:
            continue
        several = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
        yield subject.finding(
            check,
            f"engine_kwargs.{engine}.{unread[0]}{several} is not read: the rollout is {running}",
            key=given[engine][unread[0]],
            also=(NAME, *(given[engine][name] for name in unread[1:])),
            severity="info" if subject.origins(NAME) else None,
            help=f"remove it, or write what {running} calls it below +{EXTRA}.{running}",
        )


def _arguments(subject: Subject, engine: str) -> dict[str, str]:
    """The keys that the script sets for an engine, by the name of the argument."""
    node = f"{EXTRA}.{engine}"
    found = (setting.key for setting in subject.config.below(node) if setting.override is not None)
    return {key.removeprefix(f"{node}.").partition(".")[0]: key for key in found}
