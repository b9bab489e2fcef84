r"""A launch names a file of the checkout that is not there.

## What it finds
A relative path of a reward function, a dataset class, a tool, interaction or agent loop config that leads into a folder
of the checkout which has no such file. Folders that the checkout does not have are not judged.

## Why it hurts
verl opens the file when the trainer or the rollout is built, and ends there. Files move between folders more often
than the recipes that name them are run.

## When it fails
at init: FileNotFoundError

## Example that fails
```bash
# file: rewards/gsm8k.py
def compute_score(data_source, solution_str, ground_truth, extra_info=None): ...
# file: run.sh
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    reward.custom_reward_function.path=rewards/gsm8.py  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# file: rewards/gsm8k.py
def compute_score(data_source, solution_str, ground_truth, extra_info=None): ...
# file: run.sh
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    reward.custom_reward_function.path=rewards/gsm8k.py
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write the path at which the file is now.

## Sources
- verl/trainer/ppo/reward.py :: get_custom_reward_fn (0.7.1 to 0.9.1)
- verl/utils/import_utils.py :: load_extern_object (0.7.1 to 0.9.1)
- verl/tools/utils/tool_registry.py :: initialize_tools_from_config (0.7.1 to 0.9.1)
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from difflib import get_close_matches

from lint.bash.files import FileReader
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

ENDINGS = (
    "custom_reward_function.path",
    "custom_cls.path",
    "multi_turn.tool_config_path",
    "multi_turn.interaction_config_path",
    "agent.agent_loop_config_path",
    "multi_turn.function_tool_path",
)


@rule(severity="error", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Each file that a launch names, against the folder that should hold it."""
    reported: set[Span] = set()
    for launch in subject.launches:
        folder = launch.command.directory
        for override in launch.overrides:
            if folder is None or not override.key.endswith(ENDINGS) or override.span in reported:
                continue
            path = override.value.value if override.value is not None else None
            if not path or "<" in path:
                continue  # a placeholder: `override-syntax` says so
            path = posixpath.normpath(posixpath.join(folder, path.strip("'\"")))
            gap = missing(subject.files, path)
            if gap is None or written(subject, posixpath.basename(path)):
                continue
            reported.add(override.span)
            above, name, beside = gap
            near = get_close_matches(name, sorted(beside), 1)
            yield subject.finding(
                check,
                override.span,
                f"{override.key}: {above} of this checkout holds no {name}: verl ends when it opens the file",
                help=f"did you mean {posixpath.join(above, near[0])}?" if near else "write where the file is now",
            )


def missing(files: FileReader, path: str) -> tuple[str, str, set[str]] | None:
    """The innermost folder of the path that exists, what it lacks, and what it holds; None if that cannot be told."""
    if files.exists(path):
        return None
    above, name = posixpath.split(path)
    while above.strip("./"):
        beside = set(files.names(above) or ())
        if beside:
            return None if name in beside else (above, name, beside)
        above, name = posixpath.split(above)
    return None


def written(subject: ScriptSubject, name: str) -> bool:
    """True if the script itself may bring the file: another command than a launch names it."""
    launches = {launch.command.span for launch in subject.launches}
    for reading in subject.readings:
        for command in reading.commands:
            targets = [redirection.target.shown for redirection in command.redirections]
            words = [] if command.span in launches else [word.shown for word in command.words]
            if any(name in text for text in (*targets, *words)):
                return True
    return False
