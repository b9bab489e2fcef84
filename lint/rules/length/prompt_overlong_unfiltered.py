"""Prompts longer than `data.max_prompt_length` are not filtered out.

## What it finds
`data.filter_overlong_prompts` is False, the default. Nothing is known about the data, so this is a warning only where
one prompt that is too long ends the run: multimodal models, and verl up to 0.7. For text from 0.8.0 it is a remark.

## Why it hurts
Up to 0.6 `data.truncation=error` raises on the first such prompt; 0.7 fails on tensors of unequal length. From 0.8.0
text prompts lose their beginning, with a warning in a log, and the answer is still scored; multimodal prompts raise.
`data.truncation` no longer decides anything from 0.7 on.

## When it fails
late: when such a prompt comes up (text from 0.8.0: silently)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct
    data.max_prompt_length=1024  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct
    data.max_prompt_length=1024
    data.filter_overlong_prompts=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `data.filter_overlong_prompts=True` (one tokenization pass, `data.filter_overlong_prompts_workers` speeds it up),
unless the data is known to fit.

## Sources
- verl/utils/dataset/rl_dataset.py :: RLHFDataset (0.6.1 reads truncation, 0.7.1 to 0.9.1 do not)
- verl/experimental/agent_loop/agent_loop.py :: _cap_text_prompt_length, _agent_loop_postprocess; verl#3373
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.derived import at_least
from lint.rules.rule import rule
from lint.rules.subject import Subject

FILTER, TRUNCATION, LENGTH = "data.filter_overlong_prompts", "data.truncation", "data.max_prompt_length"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The filter is certainly off."""
    if subject.boolean(FILTER) is not False or subject.setting("actor_rollout_ref.rollout.name") is None:
        return
    vision = subject.model is not None and subject.model.vision is not None
    if not at_least(subject, "0.7.0"):
        if subject.string(TRUNCATION) not in ("error", None):
            return
        consequence, ends = "the first one raises, because truncation is error", True
    elif not at_least(subject, "0.8.0"):
        consequence, ends = "the first one ends the run with tensors of unequal length", True
    elif vision:
        consequence, ends = "the first one raises: multimodal prompts cannot be cut", True
    else:
        consequence, ends = "longer ones lose their beginning and are still scored", False
    if subject.is_set(TRUNCATION) and at_least(subject, "0.7.0"):
        consequence += f"; data.{subject.describe(TRUNCATION)} decides nothing"
    yield subject.finding(
        check,
        f"prompts above {subject.describe(LENGTH)} are not filtered ({subject.describe(FILTER)}): {consequence}",
        key=FILTER if subject.is_set(FILTER) else LENGTH,
        also=(FILTER, TRUNCATION),
        severity="warning" if ends else "info",
        phase="rollout",
        help=f"add {FILTER}=True",
    )
