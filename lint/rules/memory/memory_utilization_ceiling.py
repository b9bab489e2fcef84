r"""The rollout takes a larger share of the device than a model of this size leaves room for.

## What it finds
`rollout.gpu_memory_utilization` above a ceiling. A team sets ceilings by model size in pyproject:

    [tool.recipe-lint.rules.memory-utilization-ceiling]
    ceilings = { "8B" = 0.85, "32B" = 0.8, "80B" = 0.6 }

The smallest size that is at least the model's counts. Without a table the ceiling is derived: the largest share in
steps of 0.05 at which generating has a probability below 2 % to exceed the device. A share above it is reported if
that probability is 2 % or more with it, too: an info below 5 %.

## Why it hurts
vLLM's share is of the whole device, not of what is free: trainer and communicators come on top.

## When it fails
first step: when the KV cache is resumed or graphs are captured

## Example that fails
```bash
# recipe-lint: device=ascend-a2
LAUNCH=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.gpu_memory_utilization=0.95  # <- here
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2
LAUNCH=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
Write the ceiling, or less.

## Sources
- vllm/v1/worker/gpu_worker.py and vllm_ascend/worker/worker.py :: determine_available_memory (share of the total)
- vllm-ascend issue 5020 (graph capture fails at 0.8, works at 0.75), verl PR 6972
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.findings import Finding, Severity
from lint.memory.terms import GIB, in_words
from lint.memory.verdict import TIGHT, Prediction, generation_ceiling
from lint.rules.memory._ceilings import objection, row_for
from lint.rules.memory._prediction import SHARE, is_share, prediction_of, severity_of
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

SPLIT = f"{ROLLOUT}.tensor_model_parallel_size"
WITHIN = ("rollout_weights", "kv_cache")
"""Components that every engine's share pays for; vLLM's pays for activations, too."""


@rule(severity="warning", confidence="medium", options={"ceilings": {}}, objection=objection)
def check(subject: Subject) -> Iterator[Finding]:
    """Share > ceiling: of the team's table, or derived."""
    share, model = subject.number(SHARE), subject.model
    table = subject.options.get("ceilings")
    if share is None or model is None or not is_share(share):
        return
    if isinstance(table, Mapping) and table:
        stated = row_for(table, model)
        if stated is not None and share > stated[1]:
            yield _finding(subject, share, stated[1], f"the settings allow models up to {stated[0]}")
        return
    prediction = prediction_of(subject)
    if prediction is None or prediction.failures:
        return
    capacity = prediction.inputs.device.memory_bytes
    chance = max((one.exceeds(capacity) for one in prediction.moments if one.phase == "generate"), default=0.0)
    ceiling = generation_ceiling(prediction.inputs) if chance >= TIGHT else None
    if ceiling is not None and share > ceiling:
        severity = severity_of(chance)
        why = f"derived from {_terms(prediction)}: the largest safe share is"
        yield _finding(subject, share, ceiling, why, severity)


def _terms(prediction: Prediction) -> str:
    """What stands beside the share while generating."""
    parts = prediction.phases["generate"].expected.components
    rollout = prediction.inputs.rollout
    pays = WITHIN if rollout is not None and rollout.engine == "sglang" else (*WITHIN, "rollout_activations")
    beside = [part for part in parts if part not in pays and parts[part] >= GIB / 20]
    return " + ".join(f"{in_words(part)} {parts[part] / GIB:.1f} GiB" for part in beside)


def _finding(subject: Subject, share: float, ceiling: float, why: str, severity: Severity = "warning") -> Finding:
    return subject.finding(
        check,
        f"gpu_memory_utilization {share:g} is above {ceiling:g} ({why} {ceiling:g})",
        key=SHARE,
        also=[SPLIT],
        severity=severity,
        phase="generate",
        help=f"write {SHARE}={ceiling:g} or less",
        fix=subject.change(SHARE, f"{ceiling:g}", safe=False),
    )
