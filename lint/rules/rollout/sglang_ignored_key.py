r"""A rollout key is set that the SGLang server never gets.

## What it finds
`rollout.name=sglang` with one of `enable_chunked_prefill`, `enable_prefix_caching`, `max_num_batched_tokens`,
`cudagraph_capture_sizes`, `scheduling_policy`, `logprobs_mode` set by the script.

## Why it hurts
verl hands SGLang a fixed set of arguments (memory share, sizes, load format, running requests); these are not among
them. Tuning them changes nothing.

## When it fails
silently: SGLang's own default stays

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang
    actor_rollout_ref.rollout.max_num_batched_tokens=16384  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang
    +actor_rollout_ref.rollout.engine_kwargs.sglang.chunked_prefill_size=16384
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the key, or write SGLang's own argument below `+...rollout.engine_kwargs.sglang`.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/workers/rollout/sglang_rollout/async_sglang_server.py :: launch_server (args)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

INSTEAD = {
    "enable_chunked_prefill": "chunked_prefill_size=-1",
    "enable_prefix_caching": "disable_radix_cache=True",
    "max_num_batched_tokens": "chunked_prefill_size=...",
    "cudagraph_capture_sizes": "cuda_graph_bs=[...]",
    "scheduling_policy": "schedule_policy=...",
    "logprobs_mode": None,
}


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """Keys that are set and not handed over, unless the value is the default anyway."""
    if subject.string(f"{ROLLOUT}.name") != "sglang":
        return
    for name, instead in INSTEAD.items():
        key = f"{ROLLOUT}.{name}"
        setting = subject.setting(key)
        if setting is None or setting.override is None or setting.value == setting.default:
            continue
        yield subject.finding(
            check,
            f"{subject.describe(key)} never reaches SGLang",
            key=key,
            help=f"write +{ROLLOUT}.engine_kwargs.sglang.{instead}" if instead else "remove it",
        )
