"""Prefill and decode are separated where the rollout does not support it.

## What it finds
`rollout.disaggregation.enabled=True` with another rollout than SGLang (or, from 0.9.0, vLLM), or on NPU; with another
number of prefill replicas than one, no decode replica, or data parallel replicas; with servers that need more devices
than a node has, or that leave some of the trainer's devices without a server; or with a transfer backend that the
engine does not take.

## Why it hurts
These are refused when the rollout's config or servers are built, after the training models were loaded. Each rank of
the trainer looks for the server beside it: where there is none, the first update of the weights fails.

## When it fails
at init: ValueError or NotImplementedError; without a server, ValueError "Failed to look up actor"

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
Switch disaggregation off, or use one prefill replica and as many decode replicas as a node has devices for.

## Sources
- verl/workers/config/rollout.py :: RolloutConfig.__post_init__, disaggregation.py (0.8.0, 0.9.0, 0.9.1)
- verl/workers/rollout/sglang_rollout/sglang_pd_replica.py (0.8.0), vllm_rollout/vllm_pd_replica.py (0.9.0, 0.9.1)
- verl/workers/rollout/llm_server.py :: _initialize_llm_servers; vllm_rollout/vllm_rollout.py,
  sglang_rollout/sglang_rollout.py :: ServerAdapter (0.9.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least, rollout_pool, separate_pools
from lint.subject.subject import Subject

NODE = f"{ROLLOUT}.disaggregation"
ENABLED, PREFILL, DECODE = f"{NODE}.enabled", f"{NODE}.prefill_replicas", f"{NODE}.decode_replicas"
BACKEND, WIDTH = f"{NODE}.transfer_backend", f"{NODE}.decode_tensor_model_parallel_size"
TENSOR, DATA = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.data_parallel_size"
BACKENDS = {"sglang": ("nixl", "mooncake", "ascend", "mori", "fake"), "vllm": ("nixl", "mooncake")}


@rule(severity="error", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Disaggregation against rollout, replicas, device, node and backend: the first that does not hold."""
    name = subject.string(f"{ROLLOUT}.name")
    if subject.boolean(ENABLED) is not True or name is None:
        return
    for key, problem in _problems(subject, name):
        yield subject.finding(
            check, f"disaggregation is on, but {problem}", key=key, also=(ENABLED,), help=f"set {ENABLED}=False"
        )
        return


def _problems(subject: Subject, name: str) -> Iterator[tuple[str, str]]:
    known = ("sglang", "vllm") if at_least(subject, "0.9.0") else ("sglang",)
    if name not in known:
        yield ENABLED, f"the rollout is {name}, only {' and '.join(known)} can separate prefill and decode"
        return
    prefill, decode, data = (subject.integer(key) for key in (PREFILL, DECODE, DATA))
    if prefill not in (None, 1):
        yield PREFILL, f"{subject.describe(PREFILL)}, but {name} takes one"
    if decode is not None and decode < 1:
        yield DECODE, f"{subject.describe(DECODE)}, but one has to decode"
    if data not in (None, 1):
        yield DATA, f"{subject.describe(DATA)} is not supported with it"
    if subject.device is not None and subject.device.kind == "npu":
        yield ENABLED, "it is not supported on NPU"
    if subject.string(BACKEND) not in (None, *BACKENDS[name]):
        yield BACKEND, f"{subject.describe(BACKEND)} is not one of {', '.join(BACKENDS[name])}, which {name} takes"
    pool, tensor = rollout_pool(subject), subject.integer(TENSOR)
    width = tensor if subject.is_null(WIDTH) else subject.integer(WIDTH)
    if pool is None or not tensor or not width or not decode or min(pool) < 1:
        return
    replica, devices = tensor + decode * width, pool[0] * pool[1]
    sizes = f"{tensor} devices that prefill and {decode} x {width} that decode"
    if replica > pool[1]:
        yield DECODE, f"a replica of {sizes} = {replica} has to be on one node, which has {pool[1]}"
    elif devices % replica and not separate_pools(subject):
        left = f"{devices % replica} of the {devices} devices that it shares with the trainer"
        yield DECODE, f"replicas of {sizes} = {replica} leave {left} without a server"
