r"""The experiment or the script is named after a model of another size than the one that is trained.

## What it finds
A size like `7b` in `trainer.experiment_name` or in the name of the script, and another one in
`actor_rollout_ref.model.path`.

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
from lint.rules.rule import rule
from lint.subject.subject import Subject

NAME, MODEL = "trainer.experiment_name", "actor_rollout_ref.model.path"
SIZE = re.compile(r"(?<![aA\d.])(\d+(?:\.\d+)?)b(?![A-Za-z])", re.IGNORECASE)  # not the 3 of 30B-A3B
FRACTION = re.compile(r"(\d+)_(\d+)b(?![A-Za-z])", re.IGNORECASE)
NEAR = 0.15  # 70b stands for 72B


def sizes(text: str) -> set[float]:
    """The sizes that a name may mention, in 10^9: `qwen2_5_7b` gives 7 and 5.7, for nobody knows which is meant."""
    found = {float(number) for number in SIZE.findall(text)}
    found |= {float(f"{whole}.{part}") for whole, part in FRACTION.findall(text)}
    return found - {910.0}  # Ascend 910B is a device


def alike(some: set[float], others: set[float]) -> bool:
    """True if two names may speak of the same size."""
    return any(abs(one - other) <= NEAR * max(one, other) for one in some for other in others)


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Sizes that disagree."""
    model = subject.string(MODEL)
    trained = sizes(model.rstrip("/").rsplit("/", 1)[-1]) if model else set[float]()
    if not trained:
        return
    experiment = subject.string(NAME) if subject.is_set(NAME) else None
    script = subject.launch.entry_span.path.rsplit("/", 1)[-1]
    for said, what, key in ((experiment, "experiment_name", NAME), (script, "the script", None)):
        named = sizes(said or "")
        if named and not alike(named, trained):
            yield subject.finding(
                check,
                f"{what} is named {said}, and the model is {model}",
                key=key or MODEL,
                also=[MODEL] if key else [],
                help="derive the name from the model",
            )
            return
