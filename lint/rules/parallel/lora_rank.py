"""The LoRA rank is above what vLLM can serve.

## What it finds
A rank above 512 with vLLM as rollout, unless the adapter is merged before each weight sync. The rank is
`model.lora.rank` where positive, else `model.lora_rank`.

## Why it hurts
vLLM knows ranks up to 512; verl checks it at start.

## When it fails
at start: ValueError "lora_rank must be less than or equal to 512"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.lora_rank=1024  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.lora_rank=256
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use at most 512, or `actor_rollout_ref.model.lora.merge=True`.

## Sources
- verl/utils/config.py :: validate_config; verl/workers/rollout/vllm_rollout/utils.py :: get_vllm_max_lora_rank (0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, ROLLOUT, lora_rank
from lint.subject.subject import Subject

HIGHEST = 512  # vLLM vllm/config/lora.py :: MaxLoRARanks


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Rank above 512, not merged."""
    rank = lora_rank(subject)
    if subject.string(f"{ROLLOUT}.name") != "vllm" or rank is None or rank <= HIGHEST:
        return
    if subject.setting(f"{MODEL}.lora.merge") is not None and subject.boolean(f"{MODEL}.lora.merge") is not False:
        return
    key = f"{MODEL}.lora.rank" if (subject.integer(f"{MODEL}.lora.rank") or 0) > 0 else f"{MODEL}.lora_rank"
    yield subject.finding(
        check,
        f"{subject.describe(key)} is above {HIGHEST}, the highest that vllm serves",
        key=key,
        help=f"set {key} to {HIGHEST} or less",
    )
