r"""A launch fits with samples of the expected length, and not with a micro-batch of the longest ones.

## What it finds
The micro-batch of a training phase that exceeds the device once all of its samples reach the limit on tokens, where
the same phase is at ease with the length that is expected. The length from which on it is expected to fail is
computed, too: what is likely is for you to say. Nothing is said where `device-memory` says something, and where the
prompts of a known data set are too short for it.

## Why it hurts
Answers grow while a model is trained, and one batch of long ones is enough: a run of days ends out of memory.

## When it fails
late: in the step whose samples are long enough

## Example that fails
```bash
# recipe-lint: device=h100
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.train_files=gsm8k/train.parquet
    data.train_batch_size=128
    data.max_prompt_length=1024
    data.max_response_length=15360  # <- here
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.ppo_mini_batch_size=128
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=h100
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.train_files=gsm8k/train.parquet
    data.train_batch_size=128
    data.max_prompt_length=1024
    data.max_response_length=15360
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.ppo_mini_batch_size=128
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
Smaller micro-batches, or a lower limit. If you know the usual length, state `expected-tokens=...` in its head.

## Sources
- verl/workers/engine/utils.py :: prepare_micro_batches (0.9.1); lint/memory/lengths.py (expected and longest)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.memory.checks import gib
from lint.memory.knobs import pair, remedy
from lint.memory.phases import fullest, moments
from lint.memory.terms import Phase, percent
from lint.memory.verdict import Prediction, breaking_length, with_length
from lint.rules.memory._prediction import prediction_of, written
from lint.rules.rule import rule
from lint.subject.subject import Subject

LIMITS = {"ppo": "data.max_response_length", "sft": "data.max_length"}


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The fullest phase whose longest micro-batch exceeds the device, if the launch fits otherwise."""
    prediction = prediction_of(subject)
    if prediction is None or prediction.verdict != "fits":
        return
    capacity = prediction.inputs.device.memory_bytes
    longest = {phase: memory.worst.expected for phase, memory in prediction.phases.items()}
    phase = max(longest, key=longest.__getitem__)
    if longest[phase] <= capacity:
        return
    breaking = breaking_length(prediction.inputs, phase)
    if breaking <= prediction.inputs.reach:
        yield _finding(subject, prediction, phase, longest[phase], breaking)


def _finding(subject: Subject, prediction: Prediction, phase: Phase, needed: int, breaking: int) -> Finding:
    inputs, expected = prediction.inputs, prediction.phases[phase].expected
    device, batches = inputs.device, inputs.actor.batches
    risk = percent(expected.exceeds(device.memory_bytes))
    where = f"from about {breaking} on" if breaking < batches.longest else "where all are that long"
    return subject.finding(
        check,
        f"{phase} fits with {batches.sequence} tokens a sample ({gib(expected.expected)}, {risk} to exceed the "
        f"{gib(device.memory_bytes)} of {device.name}) and not with a micro-batch at the limit of {batches.longest} "
        f"({gib(needed)}); it is expected to fail {where}",
        key=LIMITS[inputs.program],
        phase=phase,
        help=_remedy(prediction, phase),
    )


def _remedy(prediction: Prediction, phase: Phase) -> str:
    """A change with which the longest samples fit."""
    at_limit = with_length(prediction.inputs, prediction.inputs.actor.batches.longest)
    moment = fullest(moments(at_limit, "expected", phase), phase)
    fitting = remedy(at_limit, moment) or pair(at_limit, moment)
    lower = "a lower limit, or expected-tokens=... in the head if you know the usual length"
    return lower if fitting is None else f"write {written(fitting)}, and the longest samples fit; or {lower}"
