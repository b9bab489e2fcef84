r"""An environment variable is set that nothing in the images of this release reads.

## What it finds
A variable that vLLM, vllm-ascend or verl has dropped before this release, or does not read yet, such as
`VLLM_ASCEND_ENABLE_DENSE_OPTIMIZE` (vllm-ascend 0.11 only) or `VLLM_USE_V1` (gone in vLLM 0.18).

## Why it hurts
Nothing says so: people believe that an optimisation is on, tune around it, and carry the line from script to script.

## When it fails
silently: the variable has no effect

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_ASCEND_ENABLE_DENSE_OPTIMIZE=1  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Remove the line, or write what the message names instead.

## Sources
- vllm-ascend v0.11.0-dev, releases/v0.13.0, v0.18.0, v0.23.0 and main: vllm_ascend/envs.py and every os.getenv
- vLLM 0.18 and later: vllm/envs.py
- lint/facts/data/environment.toml names the source of each entry
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, remove, variables
from lint.versions import version


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """A known variable outside the releases in which something reads it; other programs bring images of their own."""
    composition = subject.composition
    if not follows_verl(subject) and (composition is None or composition.unchecked is not None):
        return
    known = environment_variables()
    device, release = accelerator(subject), version(subject.release)
    for found in variables(subject):
        fact = known.get(found.name)
        if fact is None or (fact.device is not None and device is not None and device != fact.device):
            continue
        if fact.until is not None and release >= version(fact.until):
            when = f"in the images of verl {fact.until} and later"
        elif fact.since is not None and release < version(fact.since):
            when = f"before verl {fact.since}"
        else:
            continue
        yield subject.finding(
            check,
            f"nothing reads {found.name} {when}, and here runs {subject.verl}; it was for {fact.effect}",
            span=found.span,
            severity=fact.unread,
            help=f"write {fact.instead} instead" if fact.instead else "remove it",
            note=f"source: {fact.source}",
            fix=remove(subject, found) if fact.instead is None else None,
        )
