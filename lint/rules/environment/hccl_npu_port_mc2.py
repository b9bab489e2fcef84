r"""On Atlas A2, NPU ports are configured while MC2 fused operators are on.

## What it finds
Device `ascend-a2` with an MC2 operator enabled (`VLLM_ASCEND_ENABLE_MATMUL_ALLREDUCE=1`,
`VLLM_ASCEND_ENABLE_FUSED_MC2` 1 or 2, or MindSpeed's `use_ascend_mc2`) and `HCCL_NPU_SOCKET_PORT_RANGE` in effect:
verl sets it to `auto` itself unless the script exports it.

## Why it hurts
CANN does not support this variable on A2 when the network contains MC2 operators.

## When it fails
at init: or in the first step that runs a fused operator

## Example that fails
```bash
# recipe-lint: device=ascend-a2
export VLLM_ASCEND_ENABLE_MATMUL_ALLREDUCE=1  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export VLLM_ASCEND_ENABLE_MATMUL_ALLREDUCE=1
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=16
```

## Fix
Switch the fused operator off.

## Sources
- CANN 8.2 to 9.1 environment variable reference, HCCL_NPU_SOCKET_PORT_RANGE (envref_07_0144): restrictions
- verl 0.7.1 to main: verl/trainer/constants_ppo.py :: PPO_RAY_RUNTIME_ENV
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR
from lint.subject.subject import Subject
from lint.subject.workers import variable

SWITCHES = ("VLLM_ASCEND_ENABLE_MATMUL_ALLREDUCE", "VLLM_ASCEND_ENABLE_FUSED_MC2")
MINDSPEED = f"{ACTOR}.megatron.override_transformer_config.use_ascend_mc2"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """An MC2 operator on A2."""
    if subject.device is None or subject.device.name != "ascend-a2":
        return
    ports = variable(subject, "HCCL_NPU_SOCKET_PORT_RANGE")
    reason = "verl sets HCCL_NPU_SOCKET_PORT_RANGE=auto" if ports is None else "HCCL_NPU_SOCKET_PORT_RANGE is exported"
    message = f"turns MC2 operators on and {reason}: CANN does not support the two together on A2"
    for name in SWITCHES:
        switch = variable(subject, name)
        if switch is not None and switch.value in ("1", "2"):
            yield subject.finding(check, f"{name}={switch.value} {message}", span=switch.span, help=f"set {name}=0")
    if subject.boolean(MINDSPEED):
        yield subject.finding(check, f"use_ascend_mc2 {message}", key=MINDSPEED, help="remove use_ascend_mc2")
