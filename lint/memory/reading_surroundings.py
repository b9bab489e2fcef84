"""Reads what surrounds the trained roles: images, allocator, communicators, and what no term counts."""

from __future__ import annotations

from lint.bash.numbers import whole
from lint.memory.constants import constants
from lint.memory.inputs import Engine, Megatron, Program
from lint.memory.lengths import text_alone
from lint.memory.reading_rollout import beside_trainer, unread_reward, unread_teachers
from lint.memory.switches import switches_of
from lint.memory.terms import MIB
from lint.memory.values import Values
from lint.subject.derived import ROLLOUT


def image_share(values: Values, sequence: int) -> float:
    """Tokens of images in a usual sample, as a share of it: half of the prompt limit, at most half of the sample."""
    model = values.subject.model
    if model is None or model.vision is None:
        return 0.0
    if text_alone(values.written("data.train_files")):
        values.assume("no images: the name of the data set says so")
        return 0.0
    limit = values.subject.integer("data.max_prompt_length") or sequence
    share = min(limit / 2 / max(1, sequence), 0.5)
    values.assume(f"{round(share * sequence)} tokens of a sample come from images: half of the prompt limit")
    return share


def buffer_bytes(values: Values) -> int:
    """Of one HCCL communicator; HCCL_BUFFSIZE is in MB and counts for each direction."""
    stated = values.subject.environment("HCCL_BUFFSIZE")
    if stated is not None and stated.value is None:
        values.missing.append("HCCL_BUFFSIZE is not known before a run")
    elif stated is not None and stated.value is not None and stated.value.isdecimal():
        return 2 * whole(stated.value) * MIB
    return round(constants().communicator_npu)


ALLOCATOR = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_NPU_ALLOC_CONF")


def expandable_segments(values: Values, program: Program) -> bool:
    """True if the trainer's allocator grows its segments while it trains.

    The environment may say so; the update of a rollout on the same devices turns it on when it is over
    (verl/workers/engine_workers.py :: update_weights, verl PR 3020), other trainers never do.
    """
    if program == "ppo" and beside_trainer(values) and not switches_of(values.subject).fixed_segments:
        return True
    stated = (values.subject.environment(name) for name in ALLOCATOR)
    said = any(one is not None and "expandable_segments:True" in (one.value or "") for one in stated)
    if not said:
        values.assume("segments of fixed size: nothing sets expandable_segments for the trainer's allocator")
    return said


def distills_top_k(values: Values) -> bool:
    """True if the loss needs the whole log-softmax (verl/trainer/distillation/fsdp/losses.py); not in chunks."""
    loss = "distillation.distillation_loss"
    enabled = values.boolean("distillation.enabled", False) and "topk" in values.string(f"{loss}.loss_mode", "")
    return enabled and not values.boolean(f"{loss}.use_chunked_topk", False)


ON_TRAINERS = ("use_trainer_do_validate", "use_dynamic_resource_scheduling")
"""Switches under which the trainer's devices have a rollout too (fully_async_trainer.py :: needs_hybrid_rollout)."""


def unmodelled(values: Values, engine: Engine) -> tuple[str, ...]:
    """Parts of the launch that take memory which no term counts, each with the phase that it is missing from."""
    subject, found = values.subject, []
    vision = subject.model.vision if subject.model is not None else None
    if vision is not None and subject.setting(f"{ROLLOUT}.name") is not None:
        found.append("generate: the rollout's cache of encoded images")
    if vision is not None and (vision.depth is None or vision.hidden_size is None):
        found.append("update_actor: activations of the vision tower, whose sizes are not known")
    if values.boolean(f"{ROLLOUT}.disaggregation.enabled", False):
        found.append("generate: what hands caches from the server that prefills to those that decode")
    found += unread_reward(values)
    found += unread_teachers(values)
    if isinstance(engine, Megatron) and distills_top_k(values):
        found.append("update_actor: the top-k loss of distillation, which takes the logits once more")
    if any(values.boolean(f"async_training.{name}", False) for name in ON_TRAINERS):
        found.append("generate: the rollout that the trainer's devices hold besides")
    if not switches_of(subject).separate_rollout_process and subject.string(f"{ROLLOUT}.name") == "vllm":
        found.append("the rollout shares the trainer's process in this release: torch counts both")
    return tuple(found)
