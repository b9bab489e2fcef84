r"""The experiment or the script is named after a model of another size or family than the one that is trained.

## What it finds
A size like `7b` or a family like `qwen3` in `trainer.experiment_name` or in the name of the script, and another one in
`actor_rollout_ref.model.path`. `qwen2` stands for Qwen2.5, too.

## Why it hurts
Checkpoints and curves are filed under the wrong model. With `resume_mode=auto` a run that reuses the name of another
one finds its checkpoints.

## When it fails
silently: results under a wrong name

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    trainer.experiment_name=qwen3_4b_grpo  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    trainer.experiment_name=qwen3_8b_grpo
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Rename the experiment or the script; best derive the name from the model.

## Sources
- verl 0.7.1 to main: verl/trainer/config/ppo_trainer.yaml (default_local_dir holds the experiment's name)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import Subject

NAME, MODEL = "trainer.experiment_name", "actor_rollout_ref.model.path"
SIZE = regular(r"(?<![aA\d.])(\d+(?:\.\d+)?)b(?![A-Za-z])", re.IGNORECASE)  # not the 3 of 30B-A3B
FRACTION = regular(r"(\d+)_(\d+)b(?![A-Za-z])", re.IGNORECASE)
NEAR = 0.15  # 70b stands for 72B
FAMILY = regular(
    r"(qwen|llama|gemma|glm|mistral|mixtral|moonlight|kimi|deepseek|minicpm|mimo|internlm|baichuan|phi|nemotron)[-_]?"
    r"([2-9])?(?![\dbB]|\.\d+b)",  # its generation; neither the 0 of qwen0.5b nor the 1 of qwen1_5b
    re.IGNORECASE,
)


def sizes(text: str) -> set[float]:
    """The sizes that a name may mention, in 10^9: `qwen2_5_7b` gives 7 and 5.7, for nobody knows which is meant.

    `06b` stands for 0.6B.
    """
    found = {float(re.sub(r"^0(?=\d)", "0.", number)) for number in SIZE.findall(text)}
    found |= {float(f"{whole}.{part}") for whole, part in FRACTION.findall(text)}
    return found - {910.0}  # Ascend 910B is a device


def alike(some: set[float], others: set[float]) -> bool:
    """True if two names may speak of the same size."""
    return any(abs(one - other) <= NEAR * max(one, other) for one in some for other in others)


def families(text: str) -> set[tuple[str, str]]:
    """The families with the generation that a name may mention: `run_qwen3_8b` gives qwen 3, `qwen_7b` qwen alone."""
    return {(name.lower(), number) for name, number in FAMILY.findall(text)}


def related(some: set[tuple[str, str]], others: set[tuple[str, str]]) -> bool:
    """True if two names may speak of the same family; one that tells no generation stands for each."""
    return any((one[0] == other[0] and "" in (one[1], other[1])) or one == other for one in some for other in others)


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Sizes and families that disagree."""
    chosen = subject.setting(MODEL)
    path = None if chosen is None else chosen.path
    if path is None:
        return
    model = path.rstrip("/").rsplit("/", 1)[-1]
    experiment = subject.string(NAME) if subject.is_set(NAME) else None
    script = subject.launch.entry_span.path.rsplit("/", 1)[-1]
    for said, what, key in ((experiment, "experiment_name", NAME), (script, "the script", None)):
        if said is not None and other_model(said, model):
            yield subject.finding(
                check,
                f"{what} is named {said}, and the model is {path}",
                key=key or MODEL,
                also=[MODEL] if key else [],
                help="derive the name from the model",
            )
            return


def other_model(name: str, model: str) -> bool:
    """True if a name tells a size or a family, the model tells one too, and they cannot be the same."""
    size, trained = sizes(name), sizes(model)
    family, of_model = families(name), families(model)
    return bool(size and trained and not alike(size, trained)) or bool(
        family and of_model and not related(family, of_model)
    )
