r"""A phase of the launch exceeds the memory of a device, or is likely to.

## What it finds
Error: a sum that needs no calibration exceeds the device: parameters, gradients and optimizer; Megatron's wrap of the
model at (2 + 2 + 4) bytes per parameter; gradients kept whole over micro-batches; the rollout's weights against its
share; what trainer and rollout keep at the same time. Warning: the predicted peak of a phase has a probability of at
least 3 % to exceed the device (`recipe-lint memory SCRIPT` shows every term).

## Why it hurts
The run dies with out of memory after models were loaded on every node, and often only in the first weight update or
optimizer step.

## When it fails
first step: in the phase that the message names

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
gen_tp=4
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.train_files=dapo-math-17k.parquet
    data.train_batch_size=16
    data.max_prompt_length=2048
    data.max_response_length=20480
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.ppo_mini_batch_size=8
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=2816
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n=16
    actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}  # <- here
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8
    actor_rollout_ref.rollout.max_num_batched_tokens=22528
    actor_rollout_ref.rollout.enforce_eager=True
    actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=2816
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
gen_tp=8
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.train_files=dapo-math-17k.parquet
    data.train_batch_size=16
    data.max_prompt_length=2048
    data.max_response_length=20480
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.actor.strategy=fsdp2
    actor_rollout_ref.actor.ppo_mini_batch_size=8
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=2816
    actor_rollout_ref.actor.fsdp_config.model_dtype=bfloat16
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.n=16
    actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
    actor_rollout_ref.rollout.max_num_batched_tokens=22528
    actor_rollout_ref.rollout.enforce_eager=True
    actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=2816
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
What the help line says: every change there was computed again with the model. Tensor parallel size of the rollout
lowers the weight update; offload, sequence parallel size and token budget lower the update of the actor.

## Sources
- verl/workers/engine_workers.py :: update_weights; verl/workers/engine/fsdp/transformer_impl.py (0.8.0, 0.9.0, 0.9.1)
- verl PR 6972 (the failing and the passing example), verl PR 7095 and 7458 (whole gradients)
- lint/memory/data/calibration.json: the measured runs and labelled cases behind the probability
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.memory.checks import Failure, gib
from lint.memory.inputs import Fsdp, MemoryInputs
from lint.memory.knobs import knobs, rollout_advice
from lint.memory.terms import Moment
from lint.memory.verdict import TIGHT, Prediction
from lint.rules.derived import ACTOR, CRITIC, REF, ROLLOUT
from lint.rules.memory._prediction import prediction_of, sum_of, written
from lint.rules.rule import rule
from lint.rules.subject import Subject

SPLIT, SHARE = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.gpu_memory_utilization"
OF_THE_SHARE = frozenset({"start rollout", "resume kv cache", "generate"})
"""Moments that `gpu_memory_utilization` decides: the rule memory-utilization-ceiling speaks of them."""
FREES = f"{ROLLOUT}.free_cache_engine"


def _packing(prefix: str, kind: str, dynamic: str) -> tuple[str, str, str]:
    return f"{prefix}.{dynamic}", f"{prefix}.{kind}_max_token_len_per_gpu", f"{prefix}.{kind}_micro_batch_size_per_gpu"


WHOLE_GRADIENTS = (
    "use verl 0.9.1 or later, where use_no_sync_for_gradient_accumulation is off by default, "
    "or make every mini-batch one micro-batch"
)
PACKING = {
    "update_actor": _packing(ACTOR, "ppo", "use_dynamic_bsz"),
    "update_critic": _packing(CRITIC, "ppo", "use_dynamic_bsz"),
    "old_log_prob": _packing(ROLLOUT, "log_prob", "log_prob_use_dynamic_bsz"),
    "ref_log_prob": _packing(REF, "log_prob", "log_prob_use_dynamic_bsz"),
}
"""By phase: the switch of dynamic micro-batches, and the key that counts with and without it."""


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Failures of the checks, and the likeliest of the other phases, if it is likely enough."""
    prediction = prediction_of(subject)
    if prediction is None:
        return
    failed = [failure for failure in prediction.failures if failure.name != "sequence"]
    for failure in failed:
        yield _failure(subject, prediction, failure)
    capacity = prediction.inputs.device.memory_bytes
    failing = {failure.phase for failure in failed}
    found = [
        moment for moment in prediction.moments if moment.phase not in failing and moment.stage not in OF_THE_SHARE
    ]
    worst = max(found, key=lambda moment: (moment.exceeds(capacity), moment.high))
    if worst.exceeds(capacity) >= TIGHT:
        yield _risk(subject, prediction, worst)


def _failure(subject: Subject, prediction: Prediction, failure: Failure) -> Finding:
    device = prediction.inputs.device
    share = "the rollout's share" if failure.name == "weights" else device.name
    return subject.finding(
        check,
        f"{failure.phase} needs {gib(failure.needed)} per device, {share} has {gib(failure.available)}: {failure.sum}",
        key=next((key for key in failure.keys if subject.is_set(key)), failure.keys[0]),
        also=[key for key in failure.keys if subject.is_set(key)],
        severity="error",
        confidence="high" if prediction.inputs.model.confidence == "high" else "medium",
        phase=failure.phase,
        help=_remedy(subject, prediction, failure),
    )


def _remedy(subject: Subject, prediction: Prediction, failure: Failure) -> str:
    """What ends the failure."""
    if failure.name == "deferred gradients":
        key = failure.keys[0]
        if subject.setting(key) is not None:
            return f"write {key}=False: gradients are then reduced and sharded after every micro-batch"
        return WHOLE_GRADIENTS
    if failure.name == "resident" and "free_cache_engine" in failure.keys[0]:
        return f"write {failure.keys[0]}=True"
    for knob in knobs(prediction.inputs, prediction.worst):
        if knob.probability < TIGHT:
            return f"write {written(knob)}: saves {gib(knob.saved)}"
    return "more devices, or a larger parallel size: no single change of the ones tried ends this"


def _risk(subject: Subject, prediction: Prediction, moment: Moment) -> Finding:
    inputs, device = prediction.inputs, prediction.inputs.device
    risk = moment.exceeds(device.memory_bytes)
    with_settings, keys = _settings(subject, moment)
    knob = rollout_advice(inputs) if moment.phase == "update_weights" else None
    if knob is None:
        knob = next((one for one in knobs(inputs, moment) if one.probability < TIGHT), None)
    remedy = None if knob is None else f"write {written(knob)}: saves {gib(knob.saved)} in {moment.phase}"
    if remedy is None and moment.phase == "update_actor" and _keeps_gradients_whole(inputs):
        remedy = WHOLE_GRADIENTS
    return subject.finding(
        check,
        f"{moment.phase} ({moment.stage}) expects {gib(moment.expected)}, up to {gib(moment.high)}, of the "
        f"{gib(device.memory_bytes)} of {device.name} ({risk:.0%} to exceed it){with_settings}: {sum_of(moment)}",
        key=keys[0],
        also=keys[1:],
        phase=moment.phase,
        help=remedy or f"see `recipe-lint memory {subject.launch.command.span.path}` for what each change saves",
    )


def _settings(subject: Subject, moment: Moment) -> tuple[str, list[str]]:
    """The settings that decide a phase, in words and as keys, the one to change first."""
    if moment.phase == "update_weights":
        keys = [SPLIT, SHARE]
    elif subject.boolean(FREES) is False and "kv_cache" in moment.components:
        keys = [FREES, SHARE]
    elif moment.phase in PACKING:
        dynamic, budget, samples = PACKING[moment.phase]
        keys = [budget if subject.boolean(dynamic) else samples]
    else:
        keys = [f"{ACTOR}.strategy"]
    said = [f"{key.rsplit('.', 1)[-1]} {subject.value(key)}" for key in keys if subject.value(key) is not None]
    return (f" with {' and '.join(said)}" if said else ""), keys


def _keeps_gradients_whole(inputs: MemoryInputs) -> bool:
    """True where FSDP defers the reduction of gradients over several micro-batches and no key ends that."""
    engine = inputs.actor.engine
    whole = isinstance(engine, Fsdp) and engine.deferred_sync and not engine.switchable_sync
    return whole and inputs.actor.expected.micro_batches > 1
