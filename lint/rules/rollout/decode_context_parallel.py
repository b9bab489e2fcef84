r"""`decode_context_parallel_size` does not divide the tensor parallel size of the rollout.

## What it finds
`engine_kwargs.vllm.decode_context_parallel_size` above 1 that does not divide `rollout.tensor_model_parallel_size`.

## Why it hurts
vLLM takes the devices for decode context parallelism out of the tensor parallel group and refuses a size that does not
divide it.

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
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    +actor_rollout_ref.rollout.engine_kwargs.vllm.decode_context_parallel_size=8
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Choose a divisor of the tensor parallel size.

## Sources
- vLLM: vllm/config/parallel.py :: ParallelConfig (tensor_parallel_size must be divisible by
  decode_context_parallel_size)
- verl main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: launch_server
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, divisors, either
from lint.subject.subject import Subject

KEY, TENSOR = f"{ROLLOUT}.engine_kwargs.vllm.decode_context_parallel_size", f"{ROLLOUT}.tensor_model_parallel_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A size that leaves a remainder."""
    size, tensor = subject.integer(KEY), subject.integer(TENSOR)
    if size is None or tensor is None or size < 1 or tensor % size == 0 or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    yield subject.finding(
        check,
        f"decode_context_parallel_size {size} does not divide tensor_model_parallel_size {tensor}",
        key=KEY,
        also=[TENSOR],
        help=f"set {KEY} to {either(divisors(tensor))}",
    )
