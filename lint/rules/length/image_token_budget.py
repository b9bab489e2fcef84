"""A step of the rollout holds fewer tokens than a prompt with images may have.

## What it finds
A vision model on vLLM with `rollout.max_num_batched_tokens` below `data.max_prompt_length`.

## Why it hurts
Text can be cut into chunks at any token, the tokens of one image belong together: an image that is larger than a step
was reported to break the placeholders of the prompt.

## When it fails
late: with the first large image or video

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_prompt_length=4096
    actor_rollout_ref.rollout.max_num_batched_tokens=2000  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_prompt_length=4096
    actor_rollout_ref.rollout.max_num_batched_tokens=8192
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Raise `rollout.max_num_batched_tokens` to the prompt length or more.

## Sources
- verl#6851 (one report; the cause in vLLM was not found in its source)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

TOKENS, PROMPT = f"{ROLLOUT}.max_num_batched_tokens", "data.max_prompt_length"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Vision model, step below prompt."""
    tokens, prompt = subject.integer(TOKENS), subject.integer(PROMPT)
    if subject.model is None or subject.model.vision is None or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    if tokens is None or prompt is None or tokens >= prompt:
        return
    yield subject.finding(
        check,
        f"{subject.describe(TOKENS)} is below {subject.describe(PROMPT)}: an image may not fit into a step",
        key=TOKENS if subject.is_set(TOKENS) else PROMPT,
        also=(PROMPT,),
        phase="generate",
        help=f"set {TOKENS} to at least {prompt}",
    )
