r"""A phase of the launch exceeds the memory of a device, or is likely to.

## What it finds
Error: a sum that needs no calibration exceeds the device (states of the trainer, Megatron's wrap, whole gradients,
rollout weights against their share, what both sides keep). Warning: the predicted peak of a phase exceeds it with a
probability of at least 5 % (four in five such labelled launches failed). Info: of at least 2 %.
`recipe-lint memory SCRIPT` shows every term.

## Why it hurts
The run dies after models were loaded on every node, often only in the first weight update or optimizer step.

## When it fails
first step: in the phase that the message names

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
LAUNCH=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=4  # <- here
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
LAUNCH=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
What the help line says: the model was run again with that change.

## Sources
- verl/workers/engine_workers.py :: update_weights; verl/workers/engine/fsdp/transformer_impl.py (0.8.0, 0.9.0, 0.9.1)
- verl PR 6972 (the examples), 7095, 7458 (whole gradients); lint/memory/data/calibration.json (the probability)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.memory.checks import Failure, apart, gib
from lint.memory.terms import Moment
from lint.memory.verdict import TIGHT, Prediction
from lint.rules.memory._prediction import prediction_of, severity_of, sum_of
from lint.rules.memory._remedies import OF_THE_SHARE, deciding_keys, remedy_of_failure, remedy_of_risk
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Failures of the checks, and the likeliest of the other phases, if it is likely enough."""
    prediction = prediction_of(subject)
    if prediction is None:
        return
    failed = [failure for failure in prediction.failures if failure.name != "sequence"]
    yield from (_failure(subject, prediction, failure) for failure in failed)
    failing, capacity = {failure.phase for failure in failed}, prediction.inputs.device.memory_bytes
    rest = [one for one in prediction.moments if one.phase not in failing and one.stage not in OF_THE_SHARE]
    worst = max(rest, key=lambda moment: (moment.exceeds(capacity), moment.high))
    if worst.exceeds(capacity) >= TIGHT:
        yield _risk(subject, prediction, worst)


def _failure(subject: Subject, prediction: Prediction, failure: Failure) -> Finding:
    holder = "the rollout's share" if failure.name == "weights" else prediction.inputs.device.name
    written = [key for key in failure.keys if subject.is_set(key)]
    needed, available = apart(failure.needed, failure.available)
    return subject.finding(
        check,
        f"{failure.phase} needs {needed} per device, {holder} has {available}: {failure.sum}",
        key=written[0] if written else failure.keys[0],
        also=written,
        severity="error",
        confidence="high" if prediction.inputs.model.confidence == "high" else "medium",
        phase=failure.phase,
        help=remedy_of_failure(subject, prediction, failure),
    )


def _risk(subject: Subject, prediction: Prediction, moment: Moment) -> Finding:
    inputs, device = prediction.inputs, prediction.inputs.device
    chance, keys = moment.exceeds(device.memory_bytes), deciding_keys(subject, inputs, moment)
    known = [f"{key.rsplit('.', 1)[-1]} {subject.value(key)}" for key in keys if subject.value(key) is not None]
    values = f" with {' and '.join(known)}" if known else ""
    return subject.finding(
        check,
        f"{moment.phase} ({moment.stage}) expects {gib(moment.expected)}, up to {gib(moment.high)}, of the "
        f"{gib(device.memory_bytes)} of {device.name} ({chance:.0%} to exceed it){values}: {sum_of(moment)}",
        key=keys[0],
        also=keys[1:],
        severity=severity_of(chance),
        phase=moment.phase,
        help=remedy_of_risk(subject, inputs, moment),
    )
