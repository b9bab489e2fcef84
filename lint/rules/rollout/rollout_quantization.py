r"""`rollout.quantization` is a method that verl does not hand to this engine.

## What it finds
`rollout.quantization` other than `fp8`, `torchao` and (from 0.8.0 on) `ascend` for vLLM, or other than `fp8` for
SGLang.

## Why it hurts
verl raises ValueError when it prepares the arguments of the rollout server.

## When it fails
at init: when the rollout server starts

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.quantization=awq  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.quantization=fp8
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write one of the methods that the message lists, or remove the key.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: _SUPPORTED_QUANTIZATION
- verl 0.7.1 to main: verl/workers/rollout/sglang_rollout/async_sglang_server.py :: launch_server
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.quantization"


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """A method outside of the engine's list; quantization-aware training chooses its own."""
    method, engine = subject.string(KEY), subject.string(f"{ROLLOUT}.name")
    if method is None or engine not in ("vllm", "sglang") or subject.boolean(f"{ROLLOUT}.qat.enable"):
        return
    methods = ["fp8"]
    if engine == "vllm":
        methods += ["torchao", "ascend"] if at_least(subject, "0.8.0") else ["torchao"]
    if method not in methods:
        yield subject.finding(
            check,
            f"quantization is {method}; for {engine} {subject.verl} takes {' or '.join(methods)}",
            key=KEY,
            help=f"write {KEY}={methods[0]}, or remove it",
        )
