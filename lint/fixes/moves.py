"""What may be changed to make a launch legal and fitting: one size at a time, the nearest value first, then layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import log2, prod

from lint.subject.derived import ACTOR, CRITIC, REF, ROLLOUT
from lint.subject.subject import Subject

PARALLEL = (
    f"{ROLLOUT}.tensor_model_parallel_size",
    f"{ROLLOUT}.data_parallel_size",
    f"{ROLLOUT}.expert_parallel_size",
    f"{ACTOR}.fsdp_config.ulysses_sequence_parallel_size",
    f"{ACTOR}.ulysses_sequence_parallel_size",
    *(f"{ACTOR}.megatron.{size}_parallel_size" for size in ("tensor_model", "pipeline_model", "context")),
    *(f"{ACTOR}.megatron.{size}_parallel_size" for size in ("expert_model", "expert_tensor")),
)
MINI_BATCH, TRAIN_BATCH = f"{ACTOR}.ppo_mini_batch_size", "data.train_batch_size"
BUCKET = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
BATCH = (
    MINI_BATCH,
    TRAIN_BATCH,
    f"{ACTOR}.ppo_micro_batch_size_per_gpu",
    f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu",
    f"{REF}.log_prob_micro_batch_size_per_gpu",
    BUCKET,
)
BUDGETS = (f"{ACTOR}.ppo_max_token_len_per_gpu", f"{CRITIC}.ppo_infer_max_token_len_per_gpu")
OFFLOAD = tuple(
    f"{node}.{what}_offload"
    for node in (f"{ACTOR}.fsdp_config", f"{ACTOR}.megatron", f"{CRITIC}.fsdp", f"{CRITIC}.megatron")
    for what in ("optimizer", "param")
)
UTILIZATION = f"{ROLLOUT}.gpu_memory_utilization"
LEAST_UTILIZATION, MOST_UTILIZATION = 0.3, 0.9
LARGEST = 1 << 15  # of batches and budgets
STAGES = f"{ACTOR}.megatron.pipeline_model_parallel_size"
ENDS = tuple(
    f"{ACTOR}.megatron.override_transformer_config.num_layers_in_{end}_pipeline_stage" for end in ("first", "last")
)

TENSOR, CONTEXT, EXPERT, EXPERT_TENSOR = (
    f"{ACTOR}.megatron.{size}_parallel_size" for size in ("tensor_model", "context", "expert_model", "expert_tensor")
)
LAYOUTS = (
    ((TENSOR, STAGES, CONTEXT),),
    ((TENSOR, STAGES, CONTEXT), (EXPERT_TENSOR, EXPERT, STAGES)),
    ((f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.data_parallel_size"),),
)
"""Sizes that are changed together: each product must divide the devices, and no single change may help."""
FARTHEST = 48  # layouts of one kind that are tried
RESPONSE = "data.max_response_length"

Move = Mapping[str, str]
"""Keys and the values that they get together."""


def moves(subject: Subject, legal: bool) -> Iterator[Move]:
    """Every change that may help, the one that hurts least first. Where all is `legal`, only memory can be short."""
    yield from _lengths(subject)
    sizes = (*PARALLEL, *BATCH, *BUDGETS)
    for key in (*OFFLOAD, *PARALLEL, UTILIZATION, *BATCH, *BUDGETS) if legal else (*sizes, *OFFLOAD, UTILIZATION):
        for value in _candidates(subject, key):
            if key != STAGES:
                yield {key: value}
            elif _stages_allowed(subject, int(value)):
                yield {key: value, **_ends(subject, int(value))}
    stages = subject.integer(STAGES)
    if stages is not None and (ends := _ends(subject, stages)):
        yield ends
    yield from _batches(subject)
    for products in LAYOUTS:
        yield from _layouts(subject, products)


def additions(subject: Subject) -> Iterator[tuple[str, str, str]]:
    """Settings that the script leaves at their default and may need: key, value, and the key beside which it goes."""
    size = subject.integer(BUCKET)
    if size is not None and not subject.is_set(BUCKET):
        yield from ((BUCKET, str(size * factor), UTILIZATION) for factor in (2, 4, 8))


def _batches(subject: Subject) -> Iterator[Move]:
    """Both batch sizes, with as many mini-batches in a batch as there are now."""
    small, large = subject.integer(MINI_BATCH), subject.integer(TRAIN_BATCH)
    if small and large and min(small, large) > 0 and subject.is_set(MINI_BATCH) and subject.is_set(TRAIN_BATCH):
        for size in _near(subject, MINI_BATCH, small):
            yield {MINI_BATCH: str(size), TRAIN_BATCH: str(size * max(1, round(large / small)))}


def _layouts(subject: Subject, products: tuple[tuple[str, ...], ...]) -> Iterator[Move]:
    """Several sizes at once, each a power of two, whose products divide the devices; the nearest first."""
    keys = dict.fromkeys(key for group in products for key in group)
    known = {key: size for key in keys if subject.is_set(key) and (size := subject.integer(key))}
    devices = _devices(subject)
    sizes = [2**power for power in range(devices.bit_length())]
    layouts = [dict(zip(known, chosen, strict=True)) for chosen in product(sizes, repeat=len(known))]
    legal = [
        layout
        for layout in layouts
        if all(devices % prod(layout.get(key, 1) for key in group) == 0 for group in products)
        and layout != known
        and _stages_allowed(subject, layout.get(STAGES))
    ]
    legal.sort(key=lambda layout: sum(abs(log2(layout[key] / max(size, 1))) for key, size in known.items()))
    for layout in legal[:FARTHEST] if len(known) > 1 else ():
        move = {key: str(size) for key, size in layout.items()}
        yield {**move, **(_ends(subject, layout[STAGES]) if STAGES in layout else {})}


def _stages_allowed(subject: Subject, stages: int | None) -> bool:
    """False for one stage where its ends are set: that both are ends of the same stage is nothing to rely on."""
    return stages != 1 or not any(map(subject.is_set, ENDS))


def _lengths(subject: Subject) -> Iterator[Move]:
    """Responses that fill the context of the model, where they are longer."""
    prompt, response = subject.integer("data.max_prompt_length"), subject.integer(RESPONSE)
    owned = None if subject.model is None else subject.model.max_position_embeddings
    if prompt and response and owned and prompt < owned < prompt + response:
        yield {RESPONSE: str(owned - prompt)}


def _candidates(subject: Subject, key: str) -> Iterator[str]:
    """Other values of a setting, the nearest first."""
    if key == UTILIZATION:
        share = subject.number(key)
        others = [] if share is None else [round(share + 0.05 * step, 2) for step in range(-12, 13) if step]
        others = [other for other in others if LEAST_UTILIZATION < other <= MOST_UTILIZATION]
        yield from map("{:g}".format, sorted(others, key=lambda other: (abs(other - (share or 0.0)), other)))
    elif key in OFFLOAD:
        if subject.boolean(key) is False:
            yield "True"
    else:
        size = subject.integer(key)
        if size is not None and size > 0 and subject.is_set(key):
            yield from map(str, _near(subject, key, size))


def _near(subject: Subject, key: str, size: int) -> list[int]:
    """Other sizes, the nearest first; at equal distance the smaller. Parallel sizes divide the devices."""
    devices = _devices(subject)
    found = {2**power for power in range(16)} | {size * factor // 4 for factor in (1, 2, 3, 6, 8, 12)}
    if key in PARALLEL:
        found = {other for other in found if other and devices % other == 0}
    else:
        found |= {devices // 2**power for power in range(devices.bit_length()) if devices % 2**power == 0}
    return sorted(
        (other for other in found if 1 <= other <= LARGEST and other != size),
        key=lambda other: (abs(log2(other / size)), other),
    )


def _devices(subject: Subject) -> int:
    return subject.cluster.devices if subject.cluster is not None else 1


def _ends(subject: Subject, stages: int) -> Move:
    """Layers of the first and the last pipeline stage, as near to those between as a legal split allows.

    Nothing if the script does not set them, or if the layers cannot be split so.
    """
    model = subject.model
    if model is None or not all(map(subject.is_set, ENDS)):
        return {}
    if stages < 3:
        halves = (model.layers - model.layers // 2, model.layers // 2)
        return dict(zip(ENDS, map(str, halves), strict=True)) if stages == 2 else {}
    best: tuple[int, int] | None = None
    for end in range(1, model.layers // 2):
        left = model.layers - 2 * end
        if left > 0 and left % (stages - 2) == 0:
            distance = abs(left // (stages - 2) - end)
            best = min(best or (distance, end), (distance, end))
    return {} if best is None else dict.fromkeys(ENDS, str(best[1]))
