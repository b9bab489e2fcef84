r"""`data.truncation` is relied on, and nothing reads it.

## What it finds
`data.truncation` set to `left`, `right` or `middle` while overlong prompts are not filtered.

## Why it hurts
The data set stores the value and never uses it; the agent loop builds prompts itself and always cuts from the left.
`right` and `middle` do not choose another side.

## When it fails
silently: prompts lose their beginning

## Example that fails
```bash
OVERRIDES=(
    data.filter_overlong_prompts=False
    data.truncation=right  # <- here
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    data.filter_overlong_prompts=True
    data.truncation=right
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Filter overlong prompts, or cut them when the data is prepared.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/utils/dataset/rl_dataset.py :: RLHFDataset.__init__ (the only reference)
- verl 0.8.0 to main: verl/experimental/agent_loop/agent_loop.py :: _cap_text_prompt_length
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

KEY, FILTER = "data.truncation", "data.filter_overlong_prompts"


@rule(severity="warning", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """A side is chosen, and prompts may be cut."""
    side = subject.string(KEY)
    if side not in ("right", "middle") or not subject.is_set(KEY) or subject.boolean(FILTER) is not False:
        return
    yield subject.finding(
        check,
        f"truncation is {side}, but nothing reads it: prompts that are too long are cut from the left "
        f"({subject.describe(FILTER)})",
        key=KEY,
        also=[FILTER],
        help=f"write {FILTER}=True",
    )
