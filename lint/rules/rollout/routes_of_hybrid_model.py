"""The rollout is to record the routes of a model with linear attention, which its vLLM cannot do.

## What it finds
`rollout.enable_rollout_routing_replay=True` for a model with experts whose layers are partly linear attention
(Qwen3-Next, Qwen3.5), with the vLLM of the images before 0.9.0.

## Why it hurts
Before vLLM 0.22 the buffer for the routes is sized for one group of caches; such a model has several.

## When it fails
first step: IndexError inside vLLM while responses are generated

## Example that fails
```bash
# recipe-lint: release=0.8.0
SETTINGS=(
    model_engine=megatron
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
    actor_rollout_ref.model.path=Qwen/Qwen3.5-35B-A3B
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.megatron.router_replay.mode=R3
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.enable_rollout_routing_replay=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.9.0
SETTINGS=(
    model_engine=megatron
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3.5-35B-A3B
    actor_rollout_ref.actor.megatron.router_replay.mode=R3
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.enable_rollout_routing_replay=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Replay the routes of the trainer (`router_replay.mode=R2`), or use a vLLM from 0.22 on.

## Sources
- verl commit 2ef858ea8 (#6922), from 0.9.0 on a RuntimeError with an older vLLM; lint/facts/data/software.json
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, ROLLOUT, between_releases, engine_node
from lint.subject.subject import Subject

RECORDED = f"{ROLLOUT}.enable_rollout_routing_replay"


@rule(severity="error", confidence="medium", since="0.7.1", until="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Recording switched on, hybrid model with experts, vLLM."""
    model = subject.model
    if subject.boolean(RECORDED) is not True or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    if model is None or model.experts is None or model.linear_attention is None:
        return
    replayed = (f"{engine_node(subject)}.router_replay.mode", f"{ACTOR}.router_replay.mode")
    mode = next((key for key in replayed if subject.setting(key) is not None), None)
    yield subject.finding(
        check,
        f"{subject.describe(RECORDED)}, but the vLLM of {subject.verl} is older than 0.22 and cannot record the routes "
        f"of {model.name}, which has linear attention",
        key=RECORDED,
        also=("actor_rollout_ref.model.path",),
        severity="warning" if between_releases(subject) else None,
        phase="generate",
        help=f"set {RECORDED}=False" + ("" if mode is None else f" and {mode}=R2"),
    )
