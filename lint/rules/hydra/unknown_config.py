"""A launch names a config, or a config folder, that does not exist or cannot be read.

## What it finds
`--config-name` without such a file in the config folder of the entry point (or of `--config-path`), and a relative
`--config-path` that is no folder beside the entry point's file. In a checkout also a config file that the launch is
composed of and that is not valid YAML, with its line.

## Why it hurts
Hydra finds no primary config and ends. `ppo_megatron_trainer` is the deprecated name of `model_engine=megatron`.

## When it fails
before start: MissingConfigException, "Cannot find primary config ..."

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    --config-name=ppo_megatron \\  # <- here
    actor_rollout_ref.rollout.name=vllm
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    --config-name=ppo_megatron_trainer \\
    actor_rollout_ref.rollout.name=vllm
```

## Fix
Name a config that the release has.

## Sources
- hydra-core 1.3.2 hydra/_internal/defaults_list.py :: config_not_found_error
- omegaconf 2.3 omegaconf/_utils.py :: get_yaml_loader (also refuses a key that is there twice)
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.findings import Finding
from lint.launch.problem import Cause
from lint.rules.hydra._keys import problems, release
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import place
from lint.text import Span

ADVICE = {"no-config-folder": "name a folder that the module's own folder, or the installed verl, holds"}


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The primary config or its folder is missing."""
    composition = subject.composition
    if composition is None or (composition.primary is not None and composition.primary.missing_module is not None):
        return  # the module itself is missing: `unknown-entry-point` says so
    for problem in problems(subject, "unreadable"):
        message = f"a config that the launch is composed of cannot be read: {problem.message}"
        yield subject.finding(check, message, span=subject.launch.entry_span, help="mend the file: Hydra ends at it")
    for problem in problems(subject, "no-primary", "no-config", "no-config-folder"):
        options = [option for option in problem.options if not option.startswith("_")]
        near = get_close_matches(str(problem.key), options, 1, 0.6)
        advice = f"there are {', '.join(options)}" if options else ADVICE.get(problem.cause)
        if near:
            advice = f"did you mean --config-name={near[0]}?"
        message = f"{problem.message} in {release(composition)}"
        yield subject.finding(check, message, span=_place(subject, problem.cause), help=advice)


def _place(subject: Subject, cause: Cause) -> Span:
    """The text that names the config or its folder, where the launch names one."""
    launch = subject.launch
    named = {"no-primary": launch.config_name, "no-config-folder": launch.config_path}.get(cause)
    return launch.entry_span if named is None else place(named, launch.entry_span)
