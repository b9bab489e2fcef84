r"""`decode_context_parallel_size` does not fit the tensor parallel size of the rollout, or the heads of the model.

## What it finds
`engine_kwargs.vllm.decode_context_parallel_size` above 1 that does not divide `rollout.tensor_model_parallel_size`; for
models without latent attention, a tensor parallel size that is not above their key-value heads, and a decode size above
tensor parallel size / key-value heads or that does not divide query heads / key-value heads.

## Why it hurts
vLLM takes the devices for decode context parallelism out of the tensor parallel group: those that would only hold
copies of key-value heads. It refuses a size that does not divide the group, and one for which there are no copies.

## When it fails
at init: when the rollout engine is configured

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    +actor_rollout_ref.rollout.engine_kwargs.vllm.decode_context_parallel_size=8  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    +actor_rollout_ref.rollout.engine_kwargs.vllm.decode_context_parallel_size=2
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Choose a divisor of the tensor parallel size that fits the heads, or leave it at 1.

## Sources
- vLLM 0.17 to 0.24: vllm/config/parallel.py :: ParallelConfig (tp_size must be divisible by dcp_size)
- vLLM 0.13 to 0.24: vllm/config/model.py :: verify_with_parallel_config (GQA and MQA)
- verl main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: launch_server
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.models import Model
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, divisors, either
from lint.subject.subject import Subject

KEY, TENSOR = f"{ROLLOUT}.engine_kwargs.vllm.decode_context_parallel_size", f"{ROLLOUT}.tensor_model_parallel_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A size that leaves a remainder, or that the heads do not allow."""
    size, tensor = subject.integer(KEY), subject.integer(TENSOR)
    if size is None or tensor is None or size < 2 or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    uneven = f"does not divide tensor_model_parallel_size {tensor}" if tensor % size else None
    problem = uneven or _misfit(subject.model, size, tensor)
    if problem is None:
        return
    fitting = [one for one in divisors(tensor) if one == 1 or _misfit(subject.model, one, tensor) is None]
    yield subject.finding(
        check,
        f"decode_context_parallel_size {size} {problem}",
        key=KEY,
        also=[TENSOR],
        help=f"set {KEY} to {either(fitting)}",
    )


def _misfit(model: Model | None, size: int, tensor: int) -> str | None:
    """What the heads of a model have against a size above 1; None if nothing, or if they are not known."""
    if model is None or model.latent_attention is not None or model.confidence == "low":
        return None
    heads, queries = model.key_value_heads, model.attention_heads // model.key_value_heads
    if tensor <= heads:
        return f"needs tensor_model_parallel_size {tensor} above the {heads} key-value heads of {model.name}"
    if size > tensor // heads:
        return f"is above tensor_model_parallel_size {tensor} // {heads} key-value heads of {model.name}"
    if queries % size:
        return f"does not divide the {queries} query heads to each key-value head of {model.name}"
    return None
