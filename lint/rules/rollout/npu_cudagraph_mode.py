r"""`cudagraph_mode=FULL_AND_PIECEWISE` is asked for, and vllm-ascend turns it into PIECEWISE.

## What it finds
`engine_kwargs.vllm.compilation_config.cudagraph_mode` written as `FULL_AND_PIECEWISE` for a vLLM rollout on NPUs that
captures graphs (`enforce_eager=False`, the default), in releases whose Ascend image holds vllm-ascend 0.18 or older.

## Why it hurts
The full graphs for decoding, which were the reason to ask, are not captured, and piecewise capture uses far more
streams (the "stream resources insufficient" errors of large models).

## When it fails
silently: decoding is slower than asked

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_AND_PIECEWISE  # <- here
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.8.0
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=FULL_DECODE_ONLY
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write `FULL_DECODE_ONLY`.

## Sources
- vllm-ascend v0.13, v0.18: vllm_ascend/platform.py :: check_and_update_config (not in v0.23)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rollout._graphs import MODE, captures
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import on_npu


@rule(severity="info", since="0.7.1", until="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """The mode is written in the script, and this release's vllm-ascend lowers it."""
    if captures(subject) and on_npu(subject) and subject.string(MODE) == "FULL_AND_PIECEWISE":
        yield subject.finding(
            check,
            "cudagraph_mode FULL_AND_PIECEWISE becomes PIECEWISE in the vllm-ascend of this release",
            key=MODE,
            help="write FULL_DECODE_ONLY",
        )
