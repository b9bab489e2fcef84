"""Rollout correction is on without what it needs.

## What it finds
`algorithm.rollout_correction.rollout_is`, `rollout_rs` or `bypass_mode` while `rollout.calculate_log_probs` is False
(its default up to 0.8.0); `rollout_rs` with unknown options, without `rollout_rs_threshold`, or with another number of
thresholds than options.

## Why it hurts
Without the rollout's log-probabilities there is no correction: importance weights and rejection are left out in
silence (a warning), and in bypass mode the first step stops for want of them. Wrong options and thresholds stop it too.

## When it fails
first step: KeyError or ValueError after the first rollout; silently without bypass mode

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.calculate_log_probs=False
    algorithm.rollout_correction.bypass_mode=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.calculate_log_probs=True
    algorithm.rollout_correction.bypass_mode=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.rollout.calculate_log_probs=True`; give one threshold, or one per option.

## Sources
- verl/trainer/ppo/rollout_corr_helper.py :: SUPPORTED_ROLLOUT_RS_OPTIONS, _parse_rollout_rs_thresholds (0.7.1 to 0.9.1)
- verl/trainer/ppo/rollout_corr_helper.py :: apply_bypass_mode; ray_trainer.py :: fit (0.7.1, 0.8.0)
- verl/trainer/ppo/v1/trainer_base.py :: _compute_old_log_prob, _compute_advantage (0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

NODE = "algorithm.rollout_correction"
IMPORTANCE, REJECTION, THRESHOLD = f"{NODE}.rollout_is", f"{NODE}.rollout_rs", f"{NODE}.rollout_rs_threshold"
BYPASS, LOG_PROBS = f"{NODE}.bypass_mode", f"{ROLLOUT}.calculate_log_probs"
OPTIONS = {f"{level}_{form}" for level in ("token", "seq_sum", "seq_mean") for form in ("k1", "k2", "k3")}
OPTIONS |= {"seq_max_k2", "seq_max_k3"}


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Log-probabilities, options and thresholds of the correction."""
    rejection = subject.string(REJECTION)
    wanting = [BYPASS] if subject.boolean(BYPASS) else [key for key in (IMPORTANCE, REJECTION) if subject.string(key)]
    if wanting and subject.boolean(LOG_PROBS) is False:
        left_out = "" if wanting == [BYPASS] else ": nothing is corrected"
        yield subject.finding(
            check,
            f"{subject.describe(wanting[0])} needs the rollout's log-probabilities, but {subject.describe(LOG_PROBS)}"
            f"{left_out}",
            key=wanting[0],
            also=(LOG_PROBS,),
            severity="warning" if left_out else None,
            help=f"set {LOG_PROBS}=True",
            fix=subject.change(LOG_PROBS, "True", safe=True),
        )
    if not rejection:
        return
    options = [option.strip() for option in rejection.split(",") if option.strip()]
    unknown = [option for option in options if option not in OPTIONS]
    if unknown:
        yield subject.finding(
            check,
            f"rollout_rs knows no {', '.join(unknown)}",
            key=REJECTION,
            help=f"set {REJECTION} to one of {', '.join(sorted(OPTIONS))}",
        )
    elif subject.is_null(THRESHOLD):
        yield subject.finding(
            check,
            f"{subject.describe(REJECTION)} needs a threshold, but {subject.describe(THRESHOLD)}",
            key=REJECTION,
            also=(THRESHOLD,),
            help=f"set {THRESHOLD}",
        )
    else:
        given = subject.string(THRESHOLD)
        count = len([part for part in given.split(",") if part.strip()]) if given else 1
        if count not in (1, len(options)):
            yield subject.finding(
                check,
                f"rollout_rs_threshold has {count} thresholds for {len(options)} options of rollout_rs",
                key=THRESHOLD,
                also=(REJECTION,),
                help=f"give one threshold, or {len(options)}",
            )
