"""Prefill and decode are separated where the rollout does not support it.

## What it finds
`rollout.disaggregation.enabled=True` with another rollout than SGLang (or, from 0.9.0, vLLM); with more than one
prefill replica, data parallel replicas, or on NPU for SGLang; or with an unknown transfer backend.

## Why it hurts
These are refused when the rollout's config or servers are built, after the training models were loaded.

## When it fails
at init: ValueError or NotImplementedError

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=trtllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.disaggregation.enabled=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=sglang
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.disaggregation.enabled=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Switch disaggregation off, or use SGLang with one prefill replica.

## Sources
- verl/workers/config/rollout.py :: RolloutConfig.__post_init__ (0.8.0, 0.9.0, 0.9.1)
- verl/workers/rollout/sglang_rollout/sglang_pd_replica.py
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject

NODE = f"{ROLLOUT}.disaggregation"
ENABLED, PREFILL, BACKEND = f"{NODE}.enabled", f"{NODE}.prefill_replicas", f"{NODE}.transfer_backend"
DATA = f"{ROLLOUT}.data_parallel_size"
BACKENDS = ("nixl", "mooncake", "ascend", "mori", "fake")


@rule(severity="error", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Disaggregation against rollout, replicas, device and backend."""
    name = subject.string(f"{ROLLOUT}.name")
    if subject.boolean(ENABLED) is not True or name is None:
        return
    known = ("sglang", "vllm") if at_least(subject, "0.9.0") else ("sglang",)
    on_npu = subject.device is not None and subject.device.kind == "npu"
    problem, key = None, ENABLED
    if name not in known:
        problem = f"the rollout is {name}, only {' and '.join(known)} can separate prefill and decode"
    elif name == "sglang" and (subject.integer(PREFILL) or 1) > 1:
        problem, key = f"{subject.describe(PREFILL)}, but sglang takes one", PREFILL
    elif name == "sglang" and (subject.integer(DATA) or 1) > 1:
        problem, key = f"{subject.describe(DATA)} is not supported with it", DATA
    elif name == "sglang" and on_npu:
        problem = "it is not supported on NPU"
    elif name == "sglang" and subject.string(BACKEND) not in (None, *BACKENDS):
        problem, key = f"{subject.describe(BACKEND)} is not one of {', '.join(BACKENDS)}", BACKEND
    if problem is not None:
        yield subject.finding(
            check, f"disaggregation is on, but {problem}", key=key, also=(ENABLED,), help=f"set {ENABLED}=False"
        )
