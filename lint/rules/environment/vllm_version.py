r"""`VLLM_VERSION` says another version than the one that the image of this release holds.

## What it finds
`VLLM_VERSION` exported on NPUs with another major and minor version than vLLM in verl's Ascend image of this release.

## Why it hurts
vllm-ascend's `vllm_version_is()` believes the variable and takes the code paths of that version: imports that fail, or
behaviour that belongs to another vLLM.

## When it fails
at init: or silently, with the code paths of another version

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_VERSION=0.13.0  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Remove it: it is for developers who build vLLM from source under another version number.

## Sources
- vllm-ascend v0.13, v0.18, v0.23, main: vllm_ascend/utils.py :: vllm_version_is; vllm_ascend/envs.py
- lint/facts/data/software.json: versions in the images
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.software import software_of
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import on_npu, remove, variable
from lint.versions import version


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """A version that the image does not have."""
    found = variable(subject, "VLLM_VERSION")
    if found is None or found.value is None or not on_npu(subject):
        return
    image = software_of(subject.release, "npu")
    if image is None or version(found.value)[:2] == version(image.vllm)[:2]:
        return
    yield subject.finding(
        check,
        f"VLLM_VERSION is {found.value}, and verl's Ascend image for {subject.release} holds vLLM {image.vllm}: "
        "vllm-ascend takes the code paths of the version it is told",
        span=found.span,
        help="remove it",
        fix=remove(subject, found),
    )
