r"""The script is named after an engine that it does not start.

## What it finds
An engine of training (`fsdp`, `fsdp2`, `megatron`, `mindspeed`, `veomni`, `torchtitan`, `automodel`) or of rollout
(`vllm`, `sglang`, `trtllm`) in the name of the script, and another one in what the script starts by default. Where the
name speaks of several, one of them is enough.

## Why it hurts
In a suite whose scripts are called `run_<model>_<engine>.sh`, the name is how people choose. A copy that kept its name
when its engine changed is run, compared and reported as what it is not.

## When it fails
silently: another engine than the name says

## Example that fails
```bash
# file: grpo_trainer/run_qwen3_8b_megatron.sh
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.strategy=fsdp2  # <- here
```

## Example that passes
```bash
# file: grpo_trainer/run_qwen3_8b_fsdp.sh
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.strategy=fsdp2
```

## Fix
Rename the script, or start the engine that it is named after: `model_engine=megatron`.

## Sources
- verl main at 1dda039b9: examples/README.md (run_<model>_<train-backend>.sh)
- verl 0.8.0 to 0.9.1: verl/trainer/config/actor, one file for each training engine
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.findings import Finding
from lint.rules.naming._words import says_what_it_does, script, words
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, ROLLOUT, trains
from lint.subject.subject import Subject

TRAINING: Mapping[str, tuple[str, ...]] = {
    "fsdp": ("fsdp", "fsdp2", "fsdp_turbo"),
    "fsdp2": ("fsdp2",),
    "megatron": ("megatron",),
    "mindspeed": ("mindspeed", "megatron"),  # MindSpeed is Megatron with its operators replaced
    "veomni": ("veomni",),
    "torchtitan": ("torchtitan",),
    "automodel": ("automodel",),
}
ROLLING: Mapping[str, tuple[str, ...]] = {
    "vllm": ("vllm",),
    "sglang": ("sglang",),
    "sgl": ("sglang",),
    "trtllm": ("trtllm",),
}
ROLES = (
    (
        TRAINING,
        (f"{ACTOR}.strategy", f"{ACTOR}.fsdp_config.strategy"),
    ),  # either says what is meant: role-key-unread tells which one counts
    (ROLLING, (f"{ROLLOUT}.name",)),
)
OF_OTHERS = "megatron_lite"  # an engine that comes with another package, which sets the strategy itself


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Names of engines, none of which is started; `sglang_async` of older releases is SGLang, too."""
    if not says_what_it_does(subject) or not trains(subject):
        return
    path = script(subject)
    spoken = words(path.stem)
    for names, keys in ROLES:
        said = [name for name in names if name in spoken]
        started = [subject.string(key) for key in keys if subject.setting(key) is not None]
        if not said or not started or None in started or OF_OTHERS in path.stem:
            continue
        if any(str(engine).startswith(names[name]) for engine in started for name in said):
            continue
        yield subject.finding(
            check,
            f"{path.name} is named after {' and '.join(said)}, and starts with {subject.describe(keys[0])}",
            key=keys[0],
            help="rename the script, or start the engine that it is named after",
        )
