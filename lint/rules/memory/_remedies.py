"""What to write where a phase does not fit: each remedy is a change that the model has computed again."""

from __future__ import annotations

from lint.memory.checks import Failure, failures, gib
from lint.memory.inputs import Fsdp, MemoryInputs
from lint.memory.knobs import Knob, knobs, pair, remedy, rollout_advice
from lint.memory.names import LOG_PROB
from lint.memory.phases import fullest
from lint.memory.terms import Moment
from lint.memory.verdict import TIGHT, Prediction, largest_safe_utilization
from lint.rules.memory._prediction import written
from lint.subject.derived import ACTOR, ROLLOUT
from lint.subject.subject import Subject

SPLIT, SHARE = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.gpu_memory_utilization"
BUCKET = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
OF_THE_SHARE = frozenset({"start rollout", "resume kv cache", "generate"})
"""Moments that `gpu_memory_utilization` decides: the rule memory-utilization-ceiling speaks of them."""
FREES = f"{ROLLOUT}.free_cache_engine"
WHOLE_GRADIENTS = (
    "use verl 0.9.1, or a main with verl #7458, where use_no_sync_for_gradient_accumulation is off by default; "
    "or make every mini-batch one micro-batch"
)


def deciding_keys(subject: Subject, inputs: MemoryInputs, moment: Moment) -> list[str]:
    """The settings that decide a phase, the one to change first."""
    if moment.phase == "update_weights":
        sizes = moment.components
        return [BUCKET, SPLIT] if max(sizes, key=sizes.__getitem__) == "weight_bucket" else [SPLIT, SHARE]
    if subject.boolean(FREES) is False and "kv_cache" in moment.components:
        return [FREES, SHARE]
    served = next((one for one in inputs.served if moment.stage.startswith(one.name)), None)
    if served is not None:
        return [f"{served.engine.node}.{name}" for name in ("gpu_memory_utilization", "tensor_model_parallel_size")]
    node = LOG_PROB.get(moment.phase)
    if node is not None:
        packed = subject.boolean(f"{node}.log_prob_use_dynamic_bsz")
        return [f"{node}.log_prob_{'max_token_len' if packed else 'micro_batch_size'}_per_gpu"]
    if moment.phase in ("update_actor", "update_critic", "train"):
        critic = inputs.critic if moment.phase == "update_critic" else None
        role = critic or inputs.actor
        names = role.names
        return [names.budget if role.batches.update.dynamic else names.samples]
    return [inputs.actor.names.engine + ".strategy" if inputs.program == "sft" else f"{ACTOR}.strategy"]


def remedy_of_failure(subject: Subject, prediction: Prediction, failure: Failure) -> str:
    """What ends a failed check."""
    key = failure.keys[0]
    if failure.name == "deferred gradients":
        if subject.setting(key) is None:
            return WHOLE_GRADIENTS
        return f"write {key}=False: gradients are then reduced and sharded after every micro-batch"
    if key == FREES:
        return f"write {FREES}=True"
    moment = fullest(prediction.moments, failure.phase)
    for knob in knobs(prediction.inputs, moment):
        if _ends(failure, knob):
            return f"write {written(knob)}: saves {gib(knob.saved)}"
    safe = largest_safe_utilization(prediction.inputs) if SHARE in failure.keys else None
    if safe is not None:
        return f"write {SHARE}={safe:g} or less"
    both = pair(prediction.inputs, moment)
    if both is not None and _ends(failure, both):
        return f"write {written(both)}: together they save {gib(both.saved)}"
    return "more devices, or a larger parallel size: none of the usual changes is enough, nor are two of them together"


def _ends(failure: Failure, knob: Knob) -> bool:
    """True if the phase fits after the change, and the check no longer fails."""
    still = any(one.name == failure.name and one.phase == failure.phase for one in failures(knob.inputs))
    return knob.probability < TIGHT and not still


def remedy_of_risk(subject: Subject, inputs: MemoryInputs, moment: Moment) -> str:
    """What takes a phase out of the risk band: for the weight update the rollout's two settings together."""
    knob = rollout_advice(inputs) if moment.phase == "update_weights" else None
    if knob is None:
        knob = remedy(inputs, moment)
    if knob is not None:
        return f"write {written(knob)}: saves {gib(knob.saved)} in {moment.phase}"
    if moment.phase in ("update_actor", "train") and _keeps_gradients_whole(inputs):
        return WHOLE_GRADIENTS
    both = pair(inputs, moment)
    if both is not None:
        return f"write {written(both)}: together they save {gib(both.saved)} in {moment.phase}"
    return f"see `recipe-lint memory {subject.launch.command.span.path}` for what each change saves"


def _keeps_gradients_whole(inputs: MemoryInputs) -> bool:
    """True where FSDP defers the reduction of gradients over several micro-batches and no key ends that."""
    engine = inputs.actor.engine
    whole = isinstance(engine, Fsdp) and engine.deferred_sync and not engine.switchable_sync
    return whole and inputs.actor.batches.expected.micro_batches > 1
