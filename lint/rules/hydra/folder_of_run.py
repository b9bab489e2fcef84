"""Hydra changes to a new folder for each run, and relative paths are looked up there.

## What it finds
`hydra.job.chdir=True` beside relative paths of data, model, checkpoints, reward function or tools. Not where the folder
of the run is the present one (`hydra.run.dir=.`), nor where a Ray cluster that runs already holds the workers.

## Why it hurts
The program changes to `outputs/<date>/<time>` before verl opens anything, and the workers of the Ray that it starts run
there, too. Files beside the script are not found; checkpoints land in a folder that the next run does not look into, so
`resume_mode=auto` starts from the first step.

## When it fails
at start: FileNotFoundError; checkpoints: silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_files=data/gsm8k/train.parquet
    hydra.job.chdir=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_files=data/gsm8k/train.parquet
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Leave `hydra.job.chdir` out (verl's `version_base=None` makes False the default), or write whole paths.

## Sources
- hydra-core 1.3.2 hydra/core/utils.py :: run_job; ray 2.60.0: workers of a local cluster start in the driver's folder
  (seen); verl 0.6.1 to 0.9.1 call neither to_absolute_path nor get_original_cwd
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import Subject

FILES = ("train_files", "val_files", "custom_reward_function.path", "custom_cls.path", "tool_config_path")
MODELS = ("actor_rollout_ref.model.path", "critic.model.path", "model.path")
CHECKPOINTS = "trainer.default_local_dir"
WHOLE = regular(r"/|~|\$|<|[a-z0-9]+://")


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """A folder of the run, and what is looked up in it."""
    parsed = {} if subject.composition is None else subject.composition.parsed
    own = {override.key: override for override in subject.launch.overrides if override.key.startswith("hydra.")}
    values = {key: parsed[override.index].value for key, override in own.items() if override.index in parsed}
    folder = values.get("hydra.run.dir")
    here = isinstance(folder, str) and posixpath.normpath(folder) == "."
    if values.get("hydra.job.chdir") is not True or here or _on_cluster(subject):
        return
    found = [key for key in subject.config.settings if key.endswith(FILES) and _is_relative(subject, key)]
    found += [key for key in MODELS if _is_relative(subject, key) and _is_folder(str(subject.value(key)))]
    anew = not isinstance(folder, str) or "${now" in folder
    lost = [CHECKPOINTS] if anew and _is_relative(subject, CHECKPOINTS) else []
    if not found and not lost:
        return
    said = [f"{key} {subject.value(key)}" for key in found] + [
        f"the checkpoints in {subject.value(key)}" for key in lost
    ]
    yield subject.finding(
        check,
        f"the program changes to {'a new folder for each run' if anew else folder}, and looks there for "
        f"{', '.join(said)}",
        span=own["hydra.job.chdir"].span,
        also=(*found, *lost),
        help="leave hydra.job.chdir out, or write whole paths",
    )


def _is_relative(subject: Subject, key: str) -> bool:
    value = subject.value(key)
    paths = value if isinstance(value, list) else [value]
    return any(isinstance(path, str) and path and not WHOLE.match(path) for path in paths)


def _is_folder(path: str) -> bool:
    """Whether a model is certainly none of a hub, whose names have one slash."""
    return path.startswith(".") or path.count("/") > 1


def _on_cluster(subject: Subject) -> bool:
    """Whether the workers run in a cluster that is there before the program is."""
    address = subject.value("ray_kwargs.ray_init.address") or subject.environment("RAY_ADDRESS")
    return address is not None or "ray job submit" in subject.launch.launcher
