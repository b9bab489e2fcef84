"""Fused kernels are asked for where they are not used or not possible.

## What it finds
`model.use_fused_kernels=True` and: Megatron with MTP or without packed sequences (switched off with one warning); FSDP
with `actor.calculate_sum_pi_squared` (refused); or an unknown `fused_kernel_options.impl_backend` (nothing is
patched).

## Why it hurts
The memory of the full logits, which the fused kernel would have saved, is needed after all.

## When it fails
silently: one warning (sum_pi_squared: NotImplementedError in the first step)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.use_fused_kernels=True
    actor_rollout_ref.model.fused_kernel_options.impl_backend=cuda  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.use_fused_kernels=True
    actor_rollout_ref.model.fused_kernel_options.impl_backend=triton
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop `use_fused_kernels`, or what keeps it from working.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: _maybe_enable_fused_kernels (0.9.1)
- verl/workers/engine/fsdp/transformer_impl.py :: prepare_model_outputs (0.9.1)
- verl/models/transformers/monkey_patch.py :: patch_forward_with_backends (0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, engine
from lint.subject.subject import Subject

FUSED, BACKEND = f"{MODEL}.use_fused_kernels", f"{MODEL}.fused_kernel_options.impl_backend"
PACKED, MTP = f"{MODEL}.use_remove_padding", f"{MODEL}.mtp.enable"
SQUARES = f"{ACTOR}.calculate_sum_pi_squared"
BACKENDS = ("torch", "triton", "liger")


@rule(severity="warning", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Fused kernels against what excludes them."""
    if subject.boolean(FUSED) is not True:
        return
    chosen, backend = engine(subject), subject.string(BACKEND)
    if chosen == "megatron" and subject.boolean(MTP):
        yield subject.finding(
            check, f"{subject.describe(FUSED)} is switched off: MTP is on", key=FUSED, also=(MTP,), help=f"drop {FUSED}"
        )
    elif chosen == "megatron" and subject.boolean(PACKED) is False:
        yield subject.finding(
            check,
            f"{subject.describe(FUSED)} is switched off: {subject.describe(PACKED)}",
            key=FUSED,
            also=(PACKED,),
            help=f"set {PACKED}=True",
        )
    elif chosen == "fsdp" and subject.boolean(SQUARES):
        yield subject.finding(
            check,
            f"{subject.describe(FUSED)} cannot compute what {subject.describe(SQUARES)} asks for",
            key=FUSED,
            also=(SQUARES,),
            severity="error",
            phase="old_log_prob",
            help=f"set {FUSED}=False",
        )
    elif chosen == "fsdp" and backend is not None and backend not in BACKENDS:
        yield subject.finding(
            check,
            f"{subject.describe(BACKEND)} is unknown, so {subject.describe(FUSED)} does nothing",
            key=BACKEND,
            also=(FUSED,),
            help=f"set {BACKEND}={' or '.join(BACKENDS[:2])}",
        )
