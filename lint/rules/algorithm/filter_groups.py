"""Group filtering is on where it is not applied, or without its metric.

## What it finds
`algorithm.filter_groups.enable=True` with `verl.trainer.main_ppo` up to 0.8.0 or with the V0 trainer (only the DAPO
recipe reads it there); with V1 and no `metric`, or with a reward model that shares the devices of the trainer; with
`max_num_gen_batches`, which V1 does not read.

## Why it hurts
Without filtering, groups with equal rewards stay in the batch and carry no gradient. V1 refuses the second and third.

## When it fails
at start: ValueError or AssertionError (V0 and 0.8.0: silently)

## Example that fails
```bash
# recipe-lint: release=0.9.0
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    algorithm.filter_groups.enable=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.9.0
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    algorithm.filter_groups.enable=True
    algorithm.filter_groups.metric=acc
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
V1: set `algorithm.filter_groups.metric`. V0: use `recipe.dapo.main_dapo`, or the V1 trainer.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _resolve_filter_groups_metric (0.9.0; 0.9.1 has the default metric reward)
- verl/trainer/ppo/ray_trainer.py, which does not name filter_groups (0.7.1, 0.8.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import generation
from lint.subject.subject import Subject

NODE, REWARD = "algorithm.filter_groups", "reward.reward_model"
SAMPLER = "trainer.v1.sampler.custom_sampler.path"
ENABLE, METRIC, BATCHES = f"{NODE}.enable", f"{NODE}.metric", f"{NODE}.max_num_gen_batches"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Filtering against trainer, metric and reward model."""
    if subject.boolean(ENABLE) is not True or subject.launch.entry_point != "verl.trainer.main_ppo":
        return
    if generation(subject) == "v0":
        if subject.behaves("main_ppo_filters_groups"):
            return
        yield subject.finding(
            check,
            f"filter_groups.{subject.describe(ENABLE)} is not read by the V0 trainer of main_ppo: nothing is filtered",
            key=ENABLE,
            severity="warning",
            help="use recipe.dapo.main_dapo, or trainer.use_v1=True from 0.9.0 on",
        )
        return
    if subject.string(SAMPLER) is not None:  # filters as it likes
        return
    if subject.is_null(METRIC):
        yield subject.finding(
            check,
            f"filter_groups.{subject.describe(ENABLE)} needs a metric, but {subject.describe(METRIC)}",
            key=ENABLE,
            also=(METRIC,),
            help=f"set {METRIC}=acc",
        )
    if subject.boolean(f"{REWARD}.enable") and subject.boolean(f"{REWARD}.enable_resource_pool") is False:
        yield subject.finding(
            check,
            f"filter_groups.{subject.describe(ENABLE)} needs rewards while sampling, but the reward model shares the "
            "devices of the trainer and scores afterwards",
            key=ENABLE,
            also=(f"{REWARD}.enable",),
            help=f"set {REWARD}.enable_resource_pool=True with its own nnodes",
        )
    limit = subject.integer(BATCHES)
    if limit is not None and limit > 0:
        yield subject.finding(
            check,
            f"{subject.describe(BATCHES)} is not read by the V1 trainer",
            key=BATCHES,
            severity="warning",
            help=f"use {NODE}.max_inflight_gen_batches",
        )
