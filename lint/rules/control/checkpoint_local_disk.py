"""A run over several nodes saves its checkpoints below a folder that each node has for itself.

## What it finds
`trainer.default_local_dir` below `/tmp`, `/var/tmp` or `/dev/shm` with more than one node and checkpoints on.

## Why it hurts
Each process writes its shard on its own node. No node has all of them, so the checkpoint cannot be loaded or merged,
and what is below these folders is gone after a restart.

## When it fails
late: when the run resumes, or when its weights are wanted

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.nnodes=4
    trainer.save_freq=20
    trainer.default_local_dir=/tmp/checkpoints  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.nnodes=4
    trainer.save_freq=20
    trainer.default_local_dir=/shared/checkpoints
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Name a folder that all nodes share.

## Sources
- verl/utils/checkpoint/fsdp_checkpoint_manager.py :: save_checkpoint: every rank saves its own file (0.7.1 to 0.9.1)
- verl docs/ascend_tutorial, frequently asked questions: storage that is not shared
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import training_pool
from lint.subject.subject import Subject

FOLDER, EVERY = "trainer.default_local_dir", "trainer.save_freq"
OF_ONE_NODE = ("/tmp/", "/var/tmp/", "/dev/shm/")


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """The folder of the checkpoints against the number of nodes."""
    folder, every, pool = subject.string(FOLDER), subject.integer(EVERY), training_pool(subject)
    if folder is None or pool is None or every is None or every < 1 or pool[0] < 2:
        return
    if not f"{folder}/".startswith(OF_ONE_NODE):
        return
    yield subject.finding(
        check,
        f"{subject.describe(FOLDER)} is a folder that each of the {pool[0]} nodes has for itself: every node keeps a "
        "part of each checkpoint",
        key=FOLDER,
        also=("trainer.nnodes", EVERY),
        help=f"set {FOLDER} to a folder that all nodes share",
    )
