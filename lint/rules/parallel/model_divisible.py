"""A parallel size does not divide the part of the model that it splits.

## What it finds
Heads, key/value heads, linear attention heads, intermediate sizes and experts against Ulysses, tensor, expert and
rollout tensor parallel sizes; a table holds one row per pair, with its source. Key/value heads
may also be fewer than the parallel size if they divide it: they are repeated then. Of a vision model the text part
counts.

## Why it hurts
Each device holds an equal share. The engines check while they build the model; the rollout server does so last, after
all training models were loaded.

## When it fails
at init: ValueError or AssertionError that names the two numbers

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=8  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen2.5-14B-Instruct
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=40
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    trainer.nnodes=5
    data.train_batch_size=1280
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use one of the sizes that the help names.

## Sources
- lint/facts/data/divisions.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.facts.divisions import By, Division, divisions
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    ACTOR,
    LARGEST_SUGGESTION,
    ROLLOUT,
    either,
    engine,
    expert_tensor_parallel,
    sequence_parallel_key,
    world_size,
)
from lint.subject.subject import Subject

MEGATRON: Mapping[By, str] = {"tensor": "tensor_model", "expert tensor": "expert_tensor", "expert": "expert_model"}
"""What the keys of Megatron call the parallel sizes."""


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each division that the launch's engine or rollout demands."""
    model, chosen, rollout = subject.model, engine(subject), subject.string(f"{ROLLOUT}.name")
    if model is None:
        return
    demands = divisions(chosen, rollout)
    for demand in demands:
        key, amount = key_of(subject, chosen, demand.by), demand.amount(model)
        parallel = None if key is None else parallel_size(subject, key)
        if not amount or not parallel or parallel < 1 or demand.allows(amount, parallel):
            continue
        others = [(size, other) for other in demands if other.by == demand.by and (size := other.amount(model))]
        near = legal_sizes(others, world_size(subject), 2 * parallel)
        yield subject.finding(
            check,
            f"the {amount} {demand.size} of {model.name} do not fit {subject.describe(key or '')}: {demand.moment}",
            key=key,
            also=("actor_rollout_ref.model.path",),
            confidence="medium" if model.confidence == "low" else None,
            help=f"set {key} to {either(near)}",
        )


def key_of(subject: Subject, chosen: str | None, by: By) -> str | None:
    """The key of a parallel size."""
    if by == "rollout tensor":
        return f"{ROLLOUT}.tensor_model_parallel_size"
    if by == "sequence":
        return sequence_parallel_key(subject)
    return f"{ACTOR}.{chosen}.{MEGATRON[by] if chosen == 'megatron' else by}_parallel_size"


def parallel_size(subject: Subject, key: str) -> int | None:
    """The size, with the rule for experts that null means the dense tensor parallel size."""
    return expert_tensor_parallel(subject) if key.endswith("expert_tensor_parallel_size") else subject.integer(key)


def legal_sizes(demands: list[tuple[int, Division]], devices: int | None, limit: int) -> list[int]:
    """The largest parallel sizes up to a limit that meet every demand and, if possible, divide the devices."""
    legal = [
        one
        for one in range(1, min(limit, LARGEST_SUGGESTION) + 1)
        if all(demand.allows(amount, one) for amount, demand in demands)
    ]
    dividing = [one for one in legal if devices and devices % one == 0]
    return (dividing or legal)[-6:]
