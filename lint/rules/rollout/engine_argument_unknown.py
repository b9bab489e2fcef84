"""An argument for the rollout engine is one that its version does not have.

## What it finds
Keys below `rollout.engine_kwargs.vllm` or `rollout.engine_kwargs.sglang` that are no argument of the engine that runs,
in the version that the images of the release hold: misspelled ones, those of the other engine, and those that were
dropped, as vLLM's `disable_mm_preprocessor_cache`. Also keys of verl that become such an argument:
`rollout.cudagraph_capture_sizes` for vLLM before 0.9.0, `disaggregation.decode_tensor_model_parallel_size` for SGLang.
A warning where another version of the engine has the argument (which one is installed only the machine knows), and for
a checkout between releases.

## Why it hurts
verl writes the keys as a command line for vLLM, and as fields of SGLang's `ServerArgs`: one that is unknown ends the
server of every replica.

## When it fails
at init: `unrecognized arguments` or `unexpected keyword argument`, after the trainer has loaded its models

## Example that fails
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=sglang
    +actor_rollout_ref.rollout.engine_kwargs.sglang.max_model_len=8192  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.name=sglang
    +actor_rollout_ref.rollout.engine_kwargs.sglang.context_length=8192
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write the argument that the version has, or remove it.

## Sources
- lint/facts/data/vllm_arguments.json, sglang_arguments.json, software.json
- verl 0.7.1 to 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: launch_server (parser.parse_args)
- verl 0.6.1 to 0.9.1: verl/workers/rollout/sglang_rollout/async_sglang_server.py :: launch_server (ServerArgs(**args))
- verl commits 1581220f1 (#5961), which repaired shipped scripts, and db33bc8d9 (#6728), which repaired the sizes
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.facts.engine_arguments import load_arguments
from lint.facts.software import software_of
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least, between_releases, follows_verl
from lint.subject.subject import Subject
from lint.subject.workers import accelerator

NAMES = {"vllm": "vLLM", "sglang": "SGLang"}
SIZES, SEPARATE = f"{ROLLOUT}.cudagraph_capture_sizes", f"{ROLLOUT}.disaggregation.enabled"
DECODE_SIZE = f"{ROLLOUT}.disaggregation.decode_tensor_model_parallel_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each argument once; where the device is not known, only those that neither image takes."""
    engine = subject.string(f"{ROLLOUT}.name")
    if engine not in NAMES or not follows_verl(subject):
        return
    kind = accelerator(subject)
    images = [software_of(subject.release, one) for one in (("npu", "cuda") if kind is None else (kind,))]
    held = [image.vllm if engine == "vllm" else image.sglang for image in images if image is not None]
    versions = list(dict.fromkeys(version for version in held if version is not None))
    known = load_arguments(engine)
    for name, key in _arguments(subject, engine).items():
        if not versions or any(known.takes(version, name) is not False for version in versions):
            continue
        near = get_close_matches(name, known.versions[versions[0]], 1, 0.8)
        instead = known.instead.get(name)
        ours = key.startswith(f"{ROLLOUT}.engine_kwargs")
        advice = f"write +{ROLLOUT}.engine_kwargs.{engine}.{instead}" if instead else "remove it"
        handed_on = "" if ours else f", which {subject.verl} makes of {subject.describe(key)}"
        end = "unrecognized arguments" if known.command_line else "unexpected keyword argument"
        yield subject.finding(
            check,
            f"{NAMES[engine]} {' and '.join(versions)} (in the images of verl {subject.release}) knows no argument "
            f"{name}{handed_on}: the rollout servers end with `{end}`",
            key=key,
            severity="warning" if _had(engine, name) or between_releases(subject) else None,
            phase="init",
            help=f"did you mean {near[0]}?" if near and ours and name not in known.instead else advice,
        )


def _had(engine: str, name: str) -> bool:
    """Whether another version of the engine has an argument: a listed one, or an older one that was replaced since."""
    every = {one: load_arguments(one) for one in NAMES}
    having = {one for one, known in every.items() if any(known.takes(version, name) for version in known.versions)}
    return engine in having or (name in every[engine].instead and not having)


def _arguments(subject: Subject, engine: str) -> dict[str, str]:
    """The arguments that the script gives to an engine, with the key that gives each."""
    node = f"{ROLLOUT}.engine_kwargs.{engine}"
    found: dict[str, str] = {}
    for setting in subject.config.below(node):
        # A command line leaves out what is None or False; keywords are handed over with any value.
        if setting.override is not None and (engine == "sglang" or setting.value not in (None, False)):
            found.setdefault(setting.key.removeprefix(f"{node}.").partition(".")[0], setting.key)
    if engine == "vllm" and subject.is_set(SIZES) and subject.value(SIZES) and not at_least(subject, "0.9.0"):
        found.setdefault("cuda_graph_sizes", SIZES)
    if engine == "sglang" and subject.boolean(SEPARATE) and subject.integer(DECODE_SIZE) is not None:
        found.setdefault("disaggregation_decode_tp", DECODE_SIZE)
    return found
