"""The Megatron engine is told to do without the bridge that it needs.

## What it finds
`megatron.use_mbridge=False` of actor, ref or critic from 0.8.0 on (and with the engine workers of 0.7.1). From 0.9.0 on
NPU with SGLang: `vanilla_mbridge` at its new default False, which needs Megatron-Bridge; the Ascend image for SGLang
has only mbridge.

## Why it hurts
The engine asserts while it is built. A missing Megatron-Bridge is a ModuleNotFoundError at the same place.

## When it fails
at init: AssertionError "use_mbridge must be True", or ModuleNotFoundError "megatron.bridge"

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.use_mbridge=False  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.use_mbridge=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `use_mbridge=True`; with SGLang on NPU add `vanilla_mbridge=True` unless Megatron-Bridge is installed.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: MegatronEngine.__init__ (0.8.0, 0.9.0, 0.9.1)
- docker/ascend/Dockerfile.ascend.sglang_8.5.0_a2, verl f5d21fe21, verl#6931
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    ACTOR,
    CRITIC,
    REF,
    ROLLOUT,
    at_least,
    builds_reference,
    engine,
    legacy_workers,
    needs_critic,
)
from lint.subject.subject import Subject

VANILLA = f"{ACTOR}.megatron.vanilla_mbridge"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The bridge switched off, or the one in force not installed."""
    own_workers = not subject.launch.entry_point.startswith("verl.")  # some recipes bring workers of their own
    if engine(subject) != "megatron" or legacy_workers(subject) or own_workers:
        return
    reported = set()
    reference = () if builds_reference(subject) is False else (REF,)
    for prefix in (ACTOR, *reference, *((CRITIC,) if needs_critic(subject) else ())):
        key = f"{prefix}.megatron.use_mbridge"
        if subject.boolean(key) is not False or subject.span_of(key) in reported:
            continue
        reported.add(subject.span_of(key))
        yield subject.finding(
            check,
            f"{prefix.rsplit('.', 1)[-1]} {subject.describe(key)}, but the engine of {subject.verl} needs it",
            key=key,
            help=f"set {key}=True",
            fix=subject.change(key, "True", safe=False),
        )
    on_npu = subject.device is not None and subject.device.kind == "npu"
    if on_npu and at_least(subject, "0.9.0") and subject.string(f"{ROLLOUT}.name") == "sglang":
        if subject.is_set(VANILLA) or subject.boolean(VANILLA) is not False:
            return
        yield subject.finding(
            check,
            f"{subject.describe(VANILLA)} needs Megatron-Bridge, which the Ascend image for sglang does not have",
            key=VANILLA,
            severity="warning",
            confidence="medium",
            help=f"add {VANILLA}=True unless Megatron-Bridge is installed",
        )
