"""What a checkpoint saves and what is loaded of it do not make a run that goes on.

## What it finds
`actor.checkpoint.load_contents` (or the critic's) names a part that `save_contents` of the same script does not, while
`trainer.resume_mode` is not disable; neither names `model`, with FSDP; or one of the two is not a list.

## Why it hurts
Resuming finds no file for that part. Without `model` no weights are loaded (`hf_model` is for other programs): the run
goes on at the step of the checkpoint with the weights of the first step.

## When it fails
at init: FileNotFoundError when the run is resumed; without model: silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.checkpoint.save_contents=[model]
    actor_rollout_ref.actor.checkpoint.load_contents=[model,optimizer]  # <- here
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
    actor_rollout_ref.actor.checkpoint.save_contents=[model,optimizer,extra]
    actor_rollout_ref.actor.checkpoint.load_contents=[model,optimizer]
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Save what is to be loaded.

## Sources
- verl/utils/checkpoint/checkpoint_manager.py :: BaseCheckpointManager; fsdp_checkpoint_manager.py :: load_checkpoint
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, engine, trained_roles
from lint.subject.subject import Subject

PARTS = {"model", "optimizer", "extra", "hf_model"}


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Parts to load that are not saved."""
    for role in trained_roles(subject):
        saved, loaded = (f"{PREFIXES[role]}.checkpoint.{name}_contents" for name in ("save", "load"))
        for key in (saved, loaded):
            text = subject.string(key)
            if text is not None and subject.is_set(key):
                yield subject.finding(
                    check,
                    f"{subject.describe(key)} is not a list: each of its letters is looked for",
                    key=key,
                    help=f"write '{key}=[{text}]'",
                )
                return
        have, want = subject.value(saved), subject.value(loaded)
        resumes = subject.string("trainer.resume_mode") in ("auto", "resume_path")
        if not isinstance(have, list) or not isinstance(want, list) or not resumes:
            continue
        missing = [part for part in want if part in PARTS and part not in have] if subject.is_set(loaded) else []
        if "model" not in want and engine(subject, role) == "fsdp" and (subject.integer("trainer.save_freq") or 0) > 0:
            yield subject.finding(
                check,
                f"{role} load_contents {', '.join(map(str, want))} has no model: a run that is resumed goes on at the "
                "step of its checkpoint with the weights of the first step",
                key=loaded,
                also=(saved,),
                help=f"add model to {saved}, or set trainer.resume_mode=disable",
            )
        elif missing:
            yield subject.finding(
                check,
                f"{role} load_contents has {', '.join(missing)}, but save_contents is {', '.join(map(str, have))}",
                key=loaded,
                also=(saved,),
                help=f"add {', '.join(missing)} to {saved}",
            )
