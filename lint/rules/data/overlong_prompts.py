r"""Prompts longer than `data.max_prompt_length` are not filtered out.

## What it finds
`data.filter_overlong_prompts=False`, the default. For training files that are not known, and for data sets that are
known to fit (gsm8k in 512 tokens, dapo-math-17k in 2048, geo3k in 1024), it is worth a line only.

## Why it hurts
A prompt that is too long reaches the rollout. verl 0.7.1 fails when it stacks the batch; 0.8.0 and later cut text
prompts from the left with a warning in the log of a worker (the question is lost, the reward is still computed) and
raise ValueError for multimodal ones. It happens when such a sample comes up, not at start. `data.truncation` is not
read by the agent loop, so `error` does not protect.

## When it fails
late: at the first sample that is too long

## Example that fails
```bash
OVERRIDES=(
    data.train_files=/data/mine/train.parquet
    data.max_prompt_length=1024
    data.filter_overlong_prompts=False  # <- here
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    data.train_files=/data/mine/train.parquet
    data.max_prompt_length=1024
    data.filter_overlong_prompts=True
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
`data.filter_overlong_prompts=True`. It costs one pass of the tokenizer over the data, in
`data.filter_overlong_prompts_workers` processes. If the data is known to fit, suppress this with that reason.

## Sources
- verl 0.8.0, 0.9.0, main: verl/experimental/agent_loop/agent_loop.py :: _cap_text_prompt_length,
  ct_build_initial_prompt
- verl 0.7.1: verl/experimental/agent_loop/agent_loop.py :: _agent_loop_postprocess
- verl 0.7.1 to main: verl/utils/dataset/rl_dataset.py :: RLHFDataset (truncation is stored and not used)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.data._files import TRAINING, paths
from lint.rules.rule import rule
from lint.subject.derived import at_least, trains
from lint.subject.subject import Subject

KEY, LENGTH = "data.filter_overlong_prompts", "data.max_prompt_length"


# Data sets and the prompt limit that verl's examples use for them without a filter.
FITTING = {"gsm8k": 512, "dapo-math-17k": 2048, "geo3k": 1024, "geometry3k": 1024}


def fits(subject: Subject, length: int) -> bool | None:
    """True if every training file is a data set that is known to fit, None if the files are not known."""
    files = paths(subject.value(TRAINING))
    limits = [[limit for name, limit in FITTING.items() if name in file.lower()] for file in files]
    return all(found and max(found) <= length for found in limits) if files else None


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The filter is off; what is lost depends on release and model."""
    length = subject.integer(LENGTH)
    if not trains(subject) or subject.boolean(KEY) is not False or length is None:
        return
    images = subject.model is not None and subject.model.vision is not None
    if not at_least(subject, "0.8.0"):
        effect = "breaks the batch"
    elif images:
        effect = "raises ValueError if it holds images"
    else:
        effect = "is cut from the left, question first"
        if subject.model is None:
            effect += ", or raises ValueError if it holds images"
    yield subject.finding(
        check,
        f"{subject.describe(KEY)}: a prompt above {length} tokens {effect}",
        key=KEY,
        also=[LENGTH],
        severity="warning" if fits(subject, length) is False else "info",
        phase="generate",
        help=f"write {KEY}=True",
        fix=subject.change(KEY, "True", safe=False),
    )
