"""Settings of the reference's `override_transformer_config` replace those of the actor.

## What it finds
An override of a key below `ref.megatron.override_transformer_config`, while the script gives the actor's dict settings
that the reference then lacks. The default of the reference's dict is the actor's, as a whole: Hydra merges nothing into
it. Settings of activation recomputation are not counted, as the reference makes no backward pass.

## Why it hurts
The reference is built without the split of layers over pipeline stages, the dispatcher or the layout that the actor
has.

## When it fails
at init: the layers do not divide over the stages; else silently, with other kernels or a slower reference

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.apply_rope_fusion=True
    +actor_rollout_ref.ref.megatron.override_transformer_config.use_flash_attn=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.apply_rope_fusion=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.use_flash_attn=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Leave the keys of the reference out, it follows the actor; or give it all of them.

## Sources
- verl/trainer/config/ref/megatron_ref.yaml :: override_transformer_config (0.8.0, 0.9.0, 0.9.1; composed by Hydra)
- verl/workers/engine/megatron/transformer_impl.py :: _build_tf_config (each role reads its own dict since 0.8.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import Setting
from lint.rules.parallel._pipeline import split_problem
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, REF, builds_reference, engine, legacy_workers
from lint.subject.subject import Subject

OWN, ACTORS = f"{REF}.megatron.override_transformer_config", f"{ACTOR}.megatron.override_transformer_config"
STAGES = f"{REF}.megatron.pipeline_model_parallel_size"
ENDS = ("num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage")
COUNTED = ("account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split")
SPLIT = {*ENDS, *COUNTED, "pipeline_model_parallel_layout"}
BACKWARD_ONLY = ("recompute_", "gradient_accumulation_fusion")
SHOWN = 4  # names in the message


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """What the script gives the actor and the reference has not."""
    if engine(subject) != "megatron" or not builds_reference(subject) or legacy_workers(subject):
        return
    own = {setting.key.removeprefix(f"{OWN}."): setting for setting in subject.config.below(OWN)}
    lost = [setting for name, setting in _given(subject).items() if name not in own]
    if not own or not lost:
        return
    problem = _split(subject, own, lost)
    names = [subject.describe(setting.key) for setting in sorted(lost, key=lambda one: _name(one) not in ENDS)]
    listed = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    yield subject.finding(
        check,
        f"{OWN} replaces the actor's, so the reference has no {listed}" + (f": {problem}" if problem else ""),
        key=next(setting.key for setting in own.values()),
        also=[lost[0].key],
        severity="error" if problem else None,
        help="leave the keys of the reference out: it follows the actor then",
    )


def _name(setting: Setting) -> str:
    return setting.key.rsplit(".", 1)[-1]


def _given(subject: Subject) -> dict[str, Setting]:
    """What the script sets for the actor and a forward pass reads."""
    settings = {setting.key.removeprefix(f"{ACTORS}."): setting for setting in subject.config.below(ACTORS)}
    return {
        name: setting
        for name, setting in settings.items()
        if setting.override is not None and setting.value is not None and not name.startswith(BACKWARD_ONLY)
    }


def _split(subject: Subject, own: dict[str, Setting], lost: list[Setting]) -> str | None:
    """What Megatron refuses of the reference's pipeline, if it lost what the actor says of the split."""
    stages = subject.integer(STAGES)
    if subject.model is None or not stages or stages < 2:
        return None
    if not SPLIT.isdisjoint(own) or SPLIT.isdisjoint(map(_name, lost)):
        return None
    return split_problem(subject.model.layers, stages, [], 0, None)
