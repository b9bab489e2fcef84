"""Fine-tuning is started without the launcher that tells each process its rank.

## What it finds
`python -m verl.trainer.sft_trainer` (`fsdp_sft_trainer` up to 0.6) where no `torchrun` or its like starts it and the
script exports no `RANK`.

## Why it hurts
The trainer is one process for each device and asks torch.distributed for its rank first; nobody has set one. Other than
the PPO trainers it does not start workers by itself (`verl.trainer.sft_trainer_ray` does, from 0.7.1 on).

## When it fails
at start: ValueError: ... environment variable RANK expected, but not set

## Example that fails
```bash
python3 -m verl.trainer.sft_trainer \\  # <- here
    model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    trainer.n_gpus_per_node=8
```

## Example that passes
```bash
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer \\
    model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    trainer.n_gpus_per_node=8
```

## Fix
Start it with `torchrun --standalone --nproc_per_node=N`, with one device, too.

## Sources
- verl/trainer/sft_trainer.py :: run_sft, verl/trainer/fsdp_sft_trainer.py :: run_sft (0.6.1 to 0.9.1)
- verl/utils/distributed.py :: initialize_global_process_group (seen with 0.9.1 and torch 2.13)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.entry_points import processes_of
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.processes import launcher
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """No launcher of processes, and no rank."""
    module = subject.launch.entry_point
    if processes_of(module) != "one for each device" or launcher(subject) is not None:
        return
    if subject.environment("RANK") is not None:
        return
    devices = subject.integer("trainer.n_gpus_per_node") or "N"
    yield subject.finding(
        check,
        f"nothing tells {module} its rank: {subject.launch.launcher} starts it, and RANK is not set",
        span=subject.launch.entry_span,
        help=f"write torchrun --standalone --nproc_per_node={devices} -m {module}",
    )
