"""The transfer queue and a setting of the Ray runtime environment exclude each other.

## What it finds
verl 0.8.0 and 0.9.0: `transfer_queue.enable=True` and something under `ray_kwargs.ray_init.runtime_env`, but nothing
under its `env_vars`.

## Why it hurts
verl adds `env_vars` to the runtime environment itself; a node that came from the command line takes no new key.

## When it fails
at start: ConfigKeyError "Key 'env_vars' is not in struct"

## Example that fails
```bash
# recipe-lint: release=0.9.0
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    transfer_queue.enable=True  # <- here
    +ray_kwargs.ray_init.runtime_env.working_dir=/work
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.9.0
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    transfer_queue.enable=True
    +ray_kwargs.ray_init.runtime_env.working_dir=/work
    +ray_kwargs.ray_init.runtime_env.env_vars={}
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Add `'+ray_kwargs.ray_init.runtime_env.env_vars={}'`.

## Sources
- verl/trainer/main_ppo.py :: run_ppo (0.8.0, 0.9.0; repaired in 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

ENABLE, NODE = "transfer_queue.enable", "ray_kwargs.ray_init.runtime_env"


@rule(severity="error", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Queue on, runtime environment given, without variables."""
    given = [setting.key for setting in subject.config.below(NODE) if setting.override is not None]
    if subject.boolean(ENABLE) is not True or not given or subject.behaves("transfer_queue_sets_own_environment"):
        return
    if any(key == f"{NODE}.env_vars" or key.startswith(f"{NODE}.env_vars.") for key in given):
        return
    yield subject.finding(
        check,
        f"transfer_queue.{subject.describe(ENABLE)} adds env_vars to a runtime_env that came from the command line, "
        f"which {subject.verl} cannot do",
        key=ENABLE,
        also=given,
        help=f"add '+{NODE}.env_vars={{}}'",
    )
