"""A launch on NPUs asks verl 0.6 for GPUs.

## What it finds
`trainer.device` other than `npu` on NPUs, with verl 0.6. Later releases find out by themselves.

## Why it hurts
Ray is asked for resources of the kind GPU, which no node has. The check of totals counts NPUs, too, and passes.

## When it fails
at start: the job waits for ever for its placement group

## Example that fails
```bash
# recipe-lint: device=ascend-a2 release=0.6.1
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.n_gpus_per_node=8  # <- here
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2 release=0.6.1
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.n_gpus_per_node=8 \\
    trainer.device=npu
```

## Fix
Add `trainer.device=npu`.

## Sources
- verl/trainer/ppo/ray_trainer.py :: RayPPOTrainer.__init__, wg_kwargs["device_name"] (0.6.1)
- verl/utils/device.py :: auto_set_device (0.7.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

DEVICE = "trainer.device"


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The kind of device that Ray is asked for against the one there is."""
    chosen = subject.string(DEVICE)
    finds_out = subject.behaves("sets_device_itself")
    if finds_out or subject.device is None or subject.device.kind != "npu" or chosen in (None, "npu"):
        return
    yield subject.finding(
        check,
        f"{subject.describe(DEVICE)}, but the launch runs on {subject.device.name}: Ray waits for GPUs",
        key=DEVICE if subject.is_set(DEVICE) else "trainer.n_gpus_per_node",
        help=f"add {DEVICE}=npu",
        fix=subject.change(DEVICE, "npu", safe=True),
    )
