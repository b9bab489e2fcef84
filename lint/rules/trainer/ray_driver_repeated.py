"""A launcher starts a trainer in several processes that is one driver of Ray.

## What it finds
`torchrun`, `accelerate launch`, `deepspeed`, `srun` or `mpirun` told to start more than one process of `main_ppo` or
another program that calls `ray.init` and lets Ray start its workers.

## Why it hurts
Every process becomes a driver of its own that wants all devices of the cluster. One gets them; the others end with an
error, and the launcher then ends them all, or they wait without end.

## When it fails
at init: "Total available GPUs 0 is less than total desired GPUs 8", or a wait without a message

## Example that fails
```bash
torchrun --nproc_per_node=8 -m verl.trainer.main_ppo \\  # <- here
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.n_gpus_per_node=8
```

## Fix
Start the program once, on the head node; `trainer.nnodes` and `trainer.n_gpus_per_node` say how many workers there are.

## Sources
- verl/trainer/main_ppo.py :: run_ppo (0.6.1 to 0.9.1: ray.init, then one TaskRunner); the other modules likewise
- verl/trainer/ppo/ray_trainer.py, verl/single_controller/ray/base.py :: _check_resource_available
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.entry_points import processes_of
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.processes import several
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """More than one process of a program that is one."""
    module = subject.launch.entry_point
    found = several(subject) if processes_of(module) == "one" else None
    if found is None:
        return
    counts = [count for count in found.counts if count > 1]
    product = f"{' x '.join(map(str, counts))} = " if len(counts) > 1 else ""
    yield subject.finding(
        check,
        f"{found.launcher} starts {product}{found.processes} processes of {module}, which is one driver of Ray: "
        "each of them wants all devices",
        span=subject.launch.entry_span,
        help=f"write python3 -m {module}: Ray starts trainer.nnodes x trainer.n_gpus_per_node workers",
    )
