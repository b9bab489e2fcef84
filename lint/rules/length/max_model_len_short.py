"""The rollout's context is shorter than a prompt plus a response.

## What it finds
`rollout.max_model_len`, or the model's context where it is null, is below `data.max_prompt_length` +
`data.max_response_length` (SGLang keeps one token more for itself).

## Why it hurts
Responses are cut at the context without a message: they end with `length` and get the reward of an unfinished answer.
Where a prompt alone fills the context, the request is refused in mid-run.

## When it fails
silently: shorter responses; a prompt that fills the context raises ValueError late

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_model_len=4096  # <- here
    data.max_prompt_length=2048
    data.max_response_length=4096
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_model_len=6144
    data.max_prompt_length=2048
    data.max_response_length=4096
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Raise `rollout.max_model_len` to prompt + response, as far as the model's context allows, or shorten the response.

## Sources
- verl/workers/rollout/vllm_rollout/vllm_async_server.py :: generate (0.8.0 to 0.9.1); in 0.6.1 __init__ sets the sum
- verl/workers/rollout/sglang_rollout/async_sglang_server.py :: generate
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.length._context import CONTEXT, rollout_context
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, longest_sequence
from lint.subject.subject import Subject

PROMPT, RESPONSE = "data.max_prompt_length", "data.max_response_length"


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Context < prompt + response."""
    longest, prompt = longest_sequence(subject), subject.integer(PROMPT)
    engine = subject.string(f"{ROLLOUT}.name")
    if longest is None or prompt is None or engine not in ("vllm", "sglang"):
        return
    unset = subject.is_null(CONTEXT)
    context = rollout_context(subject)
    needed = longest + (engine == "sglang" and not unset)
    if context is None or context >= needed:
        return
    limit = f"the model's context {context}" if unset else subject.describe(CONTEXT)
    full = context <= prompt
    yield subject.finding(
        check,
        f"{limit} is below prompt {prompt} + response {longest - prompt} = {longest}"
        + (" + 1 for sglang" if needed > longest else "")
        + (": a prompt alone fills it, the request is refused" if full else ": responses are cut without a message"),
        key=RESPONSE if unset else CONTEXT,
        also=(PROMPT, RESPONSE),
        severity="error" if full else "info" if context == longest else "warning",
        confidence="medium" if unset else "high",
        phase="generate",
        help=f"shorten {RESPONSE}" if unset else f"set {CONTEXT}={needed}",
        fix=None if unset else subject.change(CONTEXT, str(needed), safe=False),
    )
