"""A key of a role or its engine is set, but another one counts.

## What it finds
`entropy_checkpointing`, `entropy_from_logits_with_chunking`, `use_torch_compile` and `grad_clip` set at the actor or
the critic, while the key that the engine reads has another value; the table beside this module lists the pairs. From
0.9.0 on the entropy keys of the engine follow those of the role again. `fsdp_config.strategy` is found too, from 0.8.0
on, where the role's `strategy` differs; `fsdp_config.ulysses_sequence_parallel_size` before 0.8.0, where the role's
does.

## Why it hurts
The memory that the entropy keys were to save is needed after all; compilation goes on in spite of
`use_torch_compile=False`, which is what NPU scripts set it for; gradients are clipped at 1.0 instead of the given norm.
With `fsdp_config.strategy=fsdp2` alone the trainer runs FSDP1: the default of `actor.strategy` is written over it.

## When it fails
silently: the key is accepted

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_torch_compile=False  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.use_torch_compile=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set the key that the help names.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: FSDPEngine.__init__, optimizer_step (0.8.0, 0.9.0, 0.9.1)
- verl/workers/config/actor.py :: FSDPActorConfig.__post_init__, critic.py :: FSDPCriticConfig.__post_init__ (0.8.0 to
  0.9.1, main)
- verl/workers/config/optimizer.py :: OptimizerConfig.__post_init__; verl PR#7923
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lint.findings import Finding
from lint.rules.control._conditions import described
from lint.rules.rule import rule
from lint.rules.tables import keys_beside, rows_beside
from lint.subject.derived import PREFIXES, Role, at_least, engine, legacy_workers, needs_critic, uses_reference
from lint.subject.subject import Subject


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Each pair whose first key is set and whose second has another value."""
    legacy = legacy_workers(subject)
    readers = "legacy workers" if legacy else "engine"
    built: Mapping[Role, bool | None] = {
        "actor": True,
        "ref": uses_reference(subject),
        "critic": needs_critic(subject),
    }
    given = subject.given(keys_beside(__file__))
    for row in rows_beside(__file__) if given else ():
        key, read = row["key"], row["read"]
        if key not in given or legacy is not row.get("legacy", False):
            continue
        role = next(role for role, prefix in PREFIXES.items() if key.startswith(f"{prefix}."))
        if not built[role] or engine(subject, role) not in row["engines"]:
            continue
        if not at_least(subject, row.get("since", "0.7.1")):
            continue
        asked, real = subject.value(key), subject.value(read)
        if asked is None or real is None or asked == real or subject.value(row.get("alias", "")) is not None:
            continue
        yield subject.finding(
            check,
            f"{described(subject, key)} is not read by the {readers}; {read} is {real}: {row['effect']}",
            key=key,
            also=(read,),
            help=f"set {read}={asked}",
        )
