r"""An HCCL port range cannot be used: wrong form, reserved or overlapping ports, or too few of them.

## What it finds
`HCCL_HOST_SOCKET_PORT_RANGE` or `HCCL_NPU_SOCKET_PORT_RANGE` that is neither `auto` nor a list of ports and ranges
(`60000,60050-60100`), holds ports below 1024 or above 65535, names a port twice, or holds fewer ports than HCCL
processes share an NPU: the trainer and its rollout make two, a critic does not add one (it lives in the trainer).

## Why it hurts
Each process that uses HCCL on an NPU takes a port of the range. Without a free one: EI0019 or EJ0003, "the IP address
and port have been bound already".

## When it fails
at init: when the rollout joins the trainer on the device

## Example that fails
```bash
# recipe-lint: device=ascend-a2
export HCCL_HOST_SOCKET_PORT_RANGE=60000-60050,60050-60100  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2
export HCCL_HOST_SOCKET_PORT_RANGE=60000-60100
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8
```

## Fix
Write `auto`, or remove the export: verl sets `auto` itself.

## Sources
- CANN 8.5 environment variable reference, HCCL_HOST_ and HCCL_NPU_SOCKET_PORT_RANGE (envref_07_0143, 0144)
- verl 0.7.1 to main: verl/trainer/constants_ppo.py :: PPO_RAY_RUNTIME_ENV
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.bash.numbers import whole
from lint.findings import Finding
from lint.rules.environment._npu import PORT_RANGES
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, replace, variable

PROCESSES = 2  # trainer and rollout


def problem(value: str) -> str | None:
    """What is wrong with a port range, or None."""
    taken: list[range] = []
    for part in value.split(","):
        numbers = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if numbers is None:
            return f"{part!r} is neither a port nor a range of ports"
        ports = range(whole(numbers[1]), whole(numbers[2] or numbers[1]) + 1)
        if not ports:
            return f"the range {part} is empty"
        if ports[0] < 1024 or ports[-1] > 65535:
            return f"{part} is outside 1024 to 65535"
        clash = next((other for other in taken if other[0] <= ports[-1] and ports[0] <= other[-1]), None)
        if clash is not None:
            return f"port {max(clash[0], ports[0])} is named twice"
        taken.append(ports)
    count = sum(map(len, taken))
    return f"{count} port for {PROCESSES} processes on each NPU" if count < PROCESSES else None


@rule(severity="warning", confidence="high")
def check(subject: Subject) -> Iterator[Finding]:
    """A port range that HCCL cannot use."""
    if accelerator(subject) == "cuda":
        return
    for name in PORT_RANGES:
        found = variable(subject, name)
        wrong = None if found is None or found.value in (None, "auto") else problem(found.value or "")
        if found is not None and wrong is not None:
            yield subject.finding(
                check,
                f"{name} is {found.value}: {wrong}",
                span=found.span,
                help="write auto, or remove the export (verl sets auto itself)",
                fix=replace(subject, found, "auto"),
            )
