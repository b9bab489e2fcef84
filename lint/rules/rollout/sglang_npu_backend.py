r"""SGLang on NPUs is started with an attention backend for GPUs.

## What it finds
`rollout.name=sglang` on NPUs without `engine_kwargs.sglang.attention_backend=ascend`, with verl 0.6.

## Why it hurts
verl passes `fa3` when nothing is set, a CUDA kernel. SGLang 0.5.5, which verl 0.6.1 is made for, takes it as it is; the
0.5.8 and later ones of the Ascend images set `ascend` on NPUs by themselves.

## When it fails
at init: when the SGLang server starts

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.6.1
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang  # <- here
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.6.1
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang
    +actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=ascend
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write `+actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=ascend`.

## Sources
- verl 0.6.1: verl/workers/rollout/sglang_rollout/async_sglang_server.py :: launch_server
- SGLang 0.5.5: srt/server_args.py; 0.5.8, 0.5.10: srt/hardware_backend/npu/utils.py :: set_default_server_args
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import UNKNOWN
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import on_npu

BACKEND = f"{ROLLOUT}.engine_kwargs.sglang.attention_backend"


@rule(severity="warning", confidence="medium", until="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """An NPU, SGLang, and another backend than ascend."""
    if not on_npu(subject) or subject.string(f"{ROLLOUT}.name") != "sglang":
        return
    setting = subject.setting(BACKEND)
    if setting is not None and setting.value in ("ascend", UNKNOWN):
        return
    chosen = "not set: verl passes a CUDA backend" if setting is None else f"{setting.value}"
    yield subject.finding(
        check,
        f"SGLang on NPUs needs the ascend attention backend; attention_backend is {chosen}",
        key=BACKEND,
        also=[f"{ROLLOUT}.name"],
        help=f"write +{BACKEND}=ascend",
    )
