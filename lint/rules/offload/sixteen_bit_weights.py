"""The optimizer works on weights in 16 bits.

## What it finds
FSDP with `fsdp_config.model_dtype=bfloat16` of the actor (or of a critic that is built) and the optimizer of torch,
which keeps its moments in the type of the weights. With LoRA the base is frozen, and the adapter starts at zero with
larger steps: that is left alone.

## Why it hurts
bfloat16 has 8 bits of precision: a step of the size of the learning rate, 1e-6, is below the spacing of most weights
and is rounded away. It halves the memory of training, and recipes for 64 GB devices choose it for that.

## When it fails
silently: many weights never change

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.model_dtype=fp32
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Keep fp32 weights with offload or more devices; or use an optimizer with stochastic rounding (torchao).

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: _build_module (torch_dtype), workers/config/optimizer.py (0.9.1)
- verl/workers/engine/fsdp/transformer_impl.py :: _build_lora_module: the adapter takes the type of the base (0.9.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, engine, engine_node, lora_rank, trained_roles
from lint.subject.subject import Subject

SIXTEEN_BITS = ("bfloat16", "bf16")


@rule(severity="info", confidence="medium", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Weights in bfloat16 under torch's optimizer."""
    for role in trained_roles(subject):
        if role == "actor" and lora_rank(subject) != 0:
            continue
        key = f"{engine_node(subject, role)}.model_dtype"
        maker = subject.string(f"{PREFIXES[role]}.optim.optimizer_impl")
        if engine(subject, role) != "fsdp" or subject.string(key) not in SIXTEEN_BITS or maker != "torch.optim":
            continue
        yield subject.finding(
            check,
            f"{role} {subject.describe(key)}: steps of {subject.describe(f'{PREFIXES[role]}.optim.lr')} are below the "
            "spacing of most weights and are rounded away",
            key=key,
            also=(f"{PREFIXES[role]}.optim.lr",),
            help=f"set {key}=fp32 if memory allows",
        )
