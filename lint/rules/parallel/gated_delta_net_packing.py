"""A model with linear attention is trained on packed or split sequences that its layers do not tell apart.

## What it finds
FSDP with Qwen3-Next (any release) or Qwen3.5 (up to 0.8.0), and `model.use_remove_padding=True` or a Ulysses size above
1. verl patches the gated delta net layers of Qwen3.5 from 0.9.0 on; those of Qwen3-Next in no release. Megatron up to
0.8.0, and on NPU without MindSpeed's own operators (`use_ascend_gdn`): `model.use_remove_padding=True`.

## Why it hurts
The recurrent state of one packed sequence runs on into the next, and each Ulysses rank sees only its slice. The
log-probabilities are finite and wrong: training runs and does not learn what it should. Megatron-Core 0.16 and 0.17
refuse packed sequences in the first forward pass; 0.18, in the GPU images from 0.9.0 on, takes them.

## When it fails
silently: wrong log-probabilities (Megatron, first step: NotImplementedError "GDN does not support packed sequence")

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.model.use_remove_padding=True  # <- here
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Train with `use_remove_padding=False` and no Ulysses split (Megatron: and static batches), or with a patched verl.

## Sources
- verl/models/transformers/monkey_patch.py :: apply_monkey_patch (0.9.1 names qwen3_5 and qwen3_5_moe only)
- Megatron-LM core_v0.16.1, core_v0.17.0, core_v0.18.0 megatron/core/ssm/gated_delta_net.py :: forward
- verl 0.8.0, 0.9.0: docs/ascend_tutorial/model_support/examples/qwen3_5_megatron_npu.md; docker/Dockerfile.stable.vllm
- verl PR#5346 (open), PR#6660 (0.9.0), issue #7476; inferred from code and these reports, not run
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    ACTOR,
    MODEL,
    at_least,
    between_releases,
    engine,
    legacy_workers,
    sequence_parallel,
    sequence_parallel_key,
)
from lint.subject.subject import Subject
from lint.subject.workers import on_npu

PACKED = f"{MODEL}.use_remove_padding"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Linear attention without verl's patch, packed or split."""
    model = subject.model
    if model is None or model.linear_attention is None:
        return
    if engine(subject) == "megatron":
        yield from refused(subject, model.name)
    if engine(subject) != "fsdp" or (model.architecture.startswith("qwen3_5") and at_least(subject, "0.9.0")):
        return
    packed, split = subject.boolean(PACKED), sequence_parallel(subject)
    if not packed and (split is None or split < 2):
        return
    key = sequence_parallel_key(subject) or PACKED
    how = f"{subject.describe(key)}" if split and split > 1 else subject.describe(PACKED)
    yield subject.finding(
        check,
        f"{how}: the linear attention layers of {model.name} run their state across sequence borders, because "
        f"{subject.verl} does not patch them for FSDP",
        key=PACKED if packed else key,
        also=(key,),
        phase="update_actor",
        help=f"set {PACKED}=False without a Ulysses split",
    )


def refused(subject: Subject, name: str) -> Iterator[Finding]:
    """Packed sequences that the Megatron of this release does not take."""
    npu = on_npu(subject)
    if legacy_workers(subject) or not subject.boolean(PACKED) or (at_least(subject, "0.9.0") and not npu):
        return
    if npu and subject.boolean(f"{ACTOR}.megatron.override_transformer_config.use_ascend_gdn"):
        return
    yield subject.finding(
        check,
        f"{subject.describe(PACKED)}: the linear attention of {name} does not take packed sequences in "
        + ("MindSpeed, as verl's documentation says" if npu else "Megatron-Core 0.16"),
        key=PACKED,
        also=(f"{ACTOR}.use_dynamic_bsz",),
        severity=None if npu or between_releases(subject) else "error",
        phase="old_log_prob",
        help=f"set {PACKED}=False and {ACTOR}.use_dynamic_bsz=False",
    )
