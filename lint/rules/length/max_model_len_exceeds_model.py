"""The rollout asks for more context than the model has.

## What it finds
`rollout.max_model_len` is above `max_position_embeddings` of the model (or of `model.override_config`).

## Why it hurts
verl refuses to start the rollout server, after actor and reference were loaded. RoPE scaling does not count here:
verl compares with `max_position_embeddings` itself.

## When it fails
at init: ValueError "max_model_len should be less than or equal to max_position_embeddings"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_model_len=65536  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_model_len=32768
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Lower `rollout.max_model_len`, or raise the model's own limit with
`+actor_rollout_ref.model.override_config.max_position_embeddings=N` if the model was trained for it.

## Sources
- verl/workers/rollout/vllm_rollout/vllm_async_server.py :: __init__ (0.7.1 to 0.9.1; 0.6.1 overwrites the key)
- verl/workers/rollout/sglang_rollout/async_sglang_server.py :: __init__
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.length._context import CONTEXT, OVERRIDE, is_read, model_context
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Asked context > model's context."""
    asked, owned = subject.integer(CONTEXT), model_context(subject)
    if asked is None or owned is None or asked <= owned or not is_read(subject):
        return
    name = subject.model.name if subject.model is not None else "the model"
    yield subject.finding(
        check,
        f"{subject.describe(CONTEXT)} is above the {owned} positions of {name}",
        key=CONTEXT,
        also=(OVERRIDE,),
        help=f"set {CONTEXT} to at most {owned}",
        fix=subject.change(CONTEXT, str(owned), safe=False),
    )
