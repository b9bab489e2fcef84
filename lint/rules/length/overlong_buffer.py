"""The penalty for overlong responses is switched on with lengths that do not fit.

## What it finds
`reward.reward_kwargs.overlong_buffer_cfg.enable=True` and: `max_resp_len` is missing or below the buffer's `len`, or
`len` is not positive (the reward manager refuses); or `max_resp_len` differs from `data.max_response_length` (the
penalty starts at the wrong length); or the reward manager is not `dapo` (no penalty at all).

## Why it hurts
The first two stop the reward workers after the models were loaded. The others train on another reward than was meant.

## When it fails
at init: AssertionError in DAPORewardManager; wrong lengths: silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_response_length=2048
    reward.reward_manager.name=dapo
    +reward.reward_kwargs.overlong_buffer_cfg.enable=True  # <- here
    +reward.reward_kwargs.overlong_buffer_cfg.len=4096
    +reward.reward_kwargs.max_resp_len=2048
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.max_response_length=2048
    reward.reward_manager.name=dapo
    +reward.reward_kwargs.overlong_buffer_cfg.enable=True
    +reward.reward_kwargs.overlong_buffer_cfg.len=512
    +reward.reward_kwargs.max_resp_len=2048
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `max_resp_len` to `data.max_response_length`, a buffer below it, and `reward.reward_manager.name=dapo`.

## Sources
- verl/experimental/reward_loop/reward_manager/dapo.py :: DAPORewardManager.__init__ (0.7.1, 0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import at_least
from lint.subject.subject import Subject

RESPONSE = "data.max_response_length"
CURRENT = ("reward.reward_kwargs", "reward.reward_manager.name")
OLDER = ("reward_model.reward_kwargs", "reward_model.reward_manager")  # moved over by verl itself up to 0.8.0


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """The first thing that is wrong with the buffer."""
    places = (CURRENT, OLDER) if not at_least(subject, "0.9.0") else (CURRENT,)
    node = next((kwargs for kwargs, _ in places if subject.boolean(f"{kwargs}.overlong_buffer_cfg.enable")), None)
    named = next((key for _, key in reversed(places) if subject.string(key) is not None), None)
    if node is None or named is None:
        return
    enable, length = f"{node}.overlong_buffer_cfg.enable", f"{node}.overlong_buffer_cfg.len"
    maximum, manager = f"{node}.max_resp_len", subject.string(named)
    buffer, limit, response = subject.integer(length), subject.integer(maximum), subject.integer(RESPONSE)
    if manager is not None and manager != "dapo":
        yield subject.finding(
            check,
            f"the overlong buffer is on, but reward manager {manager} does not know it: no penalty is given",
            key=enable,
            also=(named,),
            severity="warning",
            help=f"set {named}=dapo",
        )
        return
    problem = None
    if subject.setting(maximum) is None:
        problem = "max_resp_len is missing"
    elif buffer is not None and buffer <= 0:
        problem = f"its {subject.describe(length)} is not positive"
    elif buffer is not None and limit is not None and limit < buffer:
        problem = f"{subject.describe(maximum)} is below its {subject.describe(length)}"
    if problem is not None:
        yield subject.finding(
            check,
            f"the overlong buffer is on, but {problem}",
            key=enable,
            also=(maximum, length),
            help=f"set +{maximum}={response or '<max_response_length>'} and a shorter +{length}",
        )
    elif limit is not None and response is not None and limit != response:
        yield subject.finding(
            check,
            f"{subject.describe(maximum)} of the overlong penalty differs from {subject.describe(RESPONSE)}",
            key=maximum,
            also=(RESPONSE,),
            severity="warning",
            help=f"set {maximum}={response}",
        )
