r"""An argument for vLLM is one that its version does not have.

## What it finds
Keys below `rollout.engine_kwargs.vllm` that are no argument of `vllm serve` in the version that the images of the
release hold: misspelled ones, and those that vLLM dropped, as `disable_mm_preprocessor_cache`. Before 0.9.0 also
`rollout.cudagraph_capture_sizes`, which verl hands on as `cuda_graph_sizes`.

## Why it hurts
verl writes the keys as a command line and lets vLLM parse it: one unknown argument ends the server of every replica.

## When it fails
at init: `unrecognized arguments`, after the trainer has loaded its models

## Example that fails
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache=True  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write the argument that the version has, or remove it.

## Sources
- lint/facts/data/vllm_arguments.json; lint/facts/data/software.json
- verl 0.7.1 to 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: launch_server (parser.parse_args)
- verl commits 1581220f1 (#5961), which repaired shipped scripts, and db33bc8d9 (#6728), which repaired the sizes
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.facts.software import software_of
from lint.facts.vllm_arguments import load_arguments, takes
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least, follows_verl
from lint.subject.subject import Subject
from lint.subject.workers import accelerator

EXTRA, SIZES = f"{ROLLOUT}.engine_kwargs.vllm", f"{ROLLOUT}.cudagraph_capture_sizes"


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Each argument once; where the device is not known, only those that neither image takes."""
    if subject.string(f"{ROLLOUT}.name") != "vllm" or not follows_verl(subject):
        return
    kind = accelerator(subject)
    images = [software_of(subject.release, one) for one in (("npu", "cuda") if kind is None else (kind,))]
    versions = list(dict.fromkeys(image.vllm for image in images if image is not None))
    for name, key in arguments(subject).items():
        if not versions or any(takes(version, name) is not False for version in versions):
            continue
        known = load_arguments()
        near = get_close_matches(name, known.versions[versions[0]], 1, 0.8)
        instead = known.instead.get(name)
        advice = f"write +{EXTRA}.{instead}" if instead else "remove it"
        handed_on = "" if key.startswith(EXTRA) else f", which {subject.verl} makes of {subject.describe(key)}"
        yield subject.finding(
            check,
            f"vLLM {' and '.join(versions)} knows no argument {name}{handed_on}: the rollout servers end with "
            "`unrecognized arguments`",
            key=key,
            phase="init",
            help=f"did you mean {near[0]}?" if near and name not in known.instead else advice,
        )


def arguments(subject: Subject) -> dict[str, str]:
    """The arguments that the script gives to vLLM, with the key that gives each; None and False give none."""
    found: dict[str, str] = {}
    for setting in subject.config.below(EXTRA):
        if setting.override is not None and setting.value is not None and setting.value is not False:
            found.setdefault(setting.key.removeprefix(f"{EXTRA}.").partition(".")[0], setting.key)
    if subject.is_set(SIZES) and subject.value(SIZES) and not at_least(subject, "0.9.0"):
        found.setdefault("cuda_graph_sizes", SIZES)
    return found
