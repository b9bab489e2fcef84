"""Reads how long samples are and how they become micro-batches: the keys of lengths, batch sizes and token budgets."""

from __future__ import annotations

from dataclasses import replace

from lint.memory.inputs import Engine, Role
from lint.memory.lengths import Batches, Packing, Sample, longest_prompts, reachable, usual_sequences
from lint.memory.names import critic_budget
from lint.memory.values import Values
from lint.subject import derived
from lint.subject.derived import REF, ROLLOUT

MANY = 10**6
"""Samples where their number is not known: enough for a full micro-batch."""


def usual_samples(values: Values, model_node: str, longest: int, stated: int | None) -> tuple[int, tuple[Sample, ...]]:
    """Tokens of a usual sample, and the samples that there may be."""
    limit = values.subject.integer("data.max_prompt_length") or 0
    padded = [longest - limit + prompt for prompt in longest_prompts(limit)]
    if stated is not None:
        tokens = min(stated, longest)
        values.assume(f"{tokens} tokens per sample, as given")
        return tokens, tuple(Sample(tokens, one) for one in padded)
    data, model = values.written("data.train_files"), values.written(f"{model_node}.path")
    tokens, possible, why = usual_sequences(data, model, longest, longest - limit, brief=_is_told_to_be_brief(values))
    values.assume(why)
    return tokens, tuple(map(Sample, possible, padded))


def _is_told_to_be_brief(values: Values) -> bool:
    """True if the chat template is asked for no reasoning, or for little (Qwen3's `enable_thinking`, gpt-oss)."""
    asked = "data.apply_chat_template_kwargs"
    effort = values.subject.string(f"{asked}.reasoning_effort")
    return values.subject.boolean(f"{asked}.enable_thinking") is False or effort in ("low", "none")


def reach(values: Values, longest: int) -> int:
    """How long a sample of this data gets."""
    prompt = values.subject.integer("data.max_prompt_length") or 0
    return reachable(values.written("data.train_files"), longest, longest - prompt)


def batches(values: Values, role: Role, engine: Engine, padded: bool, usual: int, longest: int) -> Batches:
    """The samples of a role and their packing."""
    subject, split = values.subject, engine.sequence_parallel
    trained: Role = "critic" if role == "critic" else "actor"
    values.require(f"{ROLLOUT}.n", "data.train_batch_size", f"{derived.PREFIXES[trained]}.ppo_mini_batch_size")
    rows = derived.mini_batch_rows(subject, trained)
    step = derived.samples(subject) or _collected(values, rows)
    if rows is None or step is None:
        values.assume("samples per step are not known: one full micro-batch is taken")
    pad = _padded_to(values, longest) if padded else 0
    update = _packing(values, derived.PREFIXES[role], "ppo", pad, split)
    if role == "critic":
        update = _critic_packing(values, update)
    place = REF if role == "ref" else ROLLOUT
    infer = update if role == "critic" else _packing(values, place, "log_prob", pad, split)
    world = derived.world_size(subject) or 1
    return Batches(update, infer, rows or MANY, step or MANY, engine.groups(world), usual, longest)


def _collected(values: Values, rows: int | None) -> int | None:
    """Samples of a step of the fully asynchronous trainer: some mini-batches (fully_async_rollouter.py)."""
    batches = values.optional_integer("async_training.require_batches")
    return None if rows is None or batches is None else rows * batches


def _padded_to(values: Values, longest: int) -> int:
    """Tokens of the longest sample of a batch, which all others are padded to."""
    if derived.legacy_workers(values.subject):
        return longest
    tokens = longest - (values.subject.integer("data.max_prompt_length") or 0) // 2
    values.assume(f"samples are padded to {tokens} tokens: half of the prompt limit and the response limit")
    return tokens


def _critic_packing(values: Values, asked: Packing) -> Packing:
    """The critic's packing for its update: by tokens, where its engine takes nothing but a budget."""
    key = critic_budget(values.subject)
    if key is None:
        return asked
    budget = values.integer(key, 32768)
    values.assume(f"the critic trains on up to {budget} tokens a micro-batch ({key}): no other key reaches its engine")
    return replace(asked, dynamic=True, budget=budget)


def _packing(values: Values, prefix: str, kind: str, padded: int, split: int) -> Packing:
    """`kind` "ppo": the update's keys; "log_prob": those of a forward pass."""
    dynamic_key = "use_dynamic_bsz" if kind == "ppo" else "log_prob_use_dynamic_bsz"
    dynamic = values.boolean(f"{prefix}.{dynamic_key}", False)
    samples = None if dynamic else values.optional_integer(f"{prefix}.{kind}_micro_batch_size_per_gpu")
    if samples is None and not dynamic and prefix != REF:
        values.assume(f"{prefix}.{kind}_micro_batch_size_per_gpu is not set: 1 is taken")
    return Packing(
        dynamic=dynamic,
        budget=(values.size if dynamic else values.integer)(f"{prefix}.{kind}_max_token_len_per_gpu", 16384),
        samples=max(1, samples or 1),
        padded=padded,
        split=split,
    )
