"""Chunked prefill is off and a step cannot hold a whole prompt.

## What it finds
`rollout.enable_chunked_prefill=False` for vLLM, and `rollout.max_num_batched_tokens` (default 8192) is below
`rollout.max_model_len`, or below the model's context where that is null. Up to 0.6 with `rollout.mode=sync`: below
`max_model_len`, or prompt + response, with chunked prefill on, too.

## Why it hurts
Without chunks a prompt must fit into one step, so vLLM refuses to start. verl up to 0.9.0 never hands the False on, so
the same script runs there, with chunked prefill on; from 0.9.1 (PR#7508) the False arrives, and scripts that ran fail.
Where vLLM runs in the process of the trainer (up to 0.6), the False arrives, and verl itself refuses the True.

## When it fails
at init: ValidationError "max_num_batched_tokens is smaller than max_model_len" (up to 0.9.0: silently, the key is lost)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.enable_chunked_prefill=False
    actor_rollout_ref.rollout.max_num_batched_tokens=4096  # <- here
    actor_rollout_ref.rollout.max_model_len=8192
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_num_batched_tokens=4096
    actor_rollout_ref.rollout.max_model_len=8192
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop `rollout.enable_chunked_prefill=False`, or set `rollout.max_model_len` to prompt + response and
`rollout.max_num_batched_tokens` to at least that.

## Sources
- verl/workers/rollout/vllm_rollout/utils.py :: build_cli_args_from_config (0.9.0 drops False, 0.9.1 passes it)
- verl 0.6.1: verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py :: vLLMRollout.__init__
- vLLM vllm/config/scheduler.py :: SchedulerConfig.verify_max_model_len; verl#7624, verl PR#7508, PR#7626
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.length._context import CONTEXT, model_context, rollout_context
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

CHUNKED, TOKENS = f"{ROLLOUT}.enable_chunked_prefill", f"{ROLLOUT}.max_num_batched_tokens"
PROMPT, RESPONSE = "data.max_prompt_length", "data.max_response_length"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Tokens per step < context, with chunked prefill off, or in the process of the trainer."""
    tokens, chunked = subject.integer(TOKENS), subject.boolean(CHUNKED)
    inside = not subject.behaves("separate_rollout_process") and subject.string(f"{ROLLOUT}.mode") != "async"
    refused = inside and subject.behaves("refuses_chunks_below_context") if chunked else chunked is False
    if not refused or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    unset = subject.is_null(CONTEXT)
    of_model = model_context(subject) if unset else subject.integer(CONTEXT)
    context = rollout_context(subject) if inside else of_model
    if tokens is None or context is None or tokens >= context:
        return
    arrives = inside or subject.behaves("explicit_false_reaches_vllm")
    null = f"prompt + response {context}" if inside else f"the model's context {context} (max_model_len is null)"
    later = "releases from 0.9.1 on hand it over, and vLLM refuses to start"
    yield subject.finding(
        check,
        f"{subject.describe(TOKENS)} is below {null if unset else subject.describe(CONTEXT)} "
        + f"while enable_chunked_prefill is {chunked}"
        + (", which this verl refuses" if chunked else "")
        + ("" if arrives else f"; this verl loses the False, {later}"),
        key=TOKENS if subject.is_set(TOKENS) else CHUNKED,
        also=(CHUNKED, CONTEXT, *((PROMPT, RESPONSE) if inside and unset else ())),
        severity="error" if arrives else "info",
        help=f"set {TOKENS}={context}"
        if inside
        else f"drop {CHUNKED}=False, or set {CONTEXT} and {TOKENS} to prompt + response",
    )
