r"""A very large multimodal model runs with the default of 1024 concurrent sequences.

## What it finds
`rollout.max_num_seqs` left at 1024 (the default up to verl 0.8.0) with vLLM and a model above 200 B parameters that
takes images.

## Why it hurts
vLLM sizes its buffers, graphs and encoder budget for that many sequences and lets as many run. For Qwen3-VL-235B 1024
ran out of memory at once and 128 after two steps; 32 ran.

## When it fails
first step: in the rollout, or steps later when responses grow

## Example that fails
```bash
# recipe-lint: release=0.8.0
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-235B-A22B-Instruct  # <- here
    actor_rollout_ref.rollout.name=vllm
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.8.0
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-235B-A22B-Instruct
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.max_num_seqs=32
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Set `actor_rollout_ref.rollout.max_num_seqs` to what the run needs: responses per step over replicas, at most 256.

## Sources
- verl 0.7.1, 0.8.0: verl/trainer/config/rollout/rollout.yaml (1024); 0.9.0: 256
- verl issue 5003
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.max_num_seqs"
LARGE = 200_000_000_000  # parameters


@rule(severity="warning", confidence="medium", until="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """The old default with a model that cannot serve it."""
    model = subject.model
    if model is None or model.vision is None or model.parameters.total < LARGE:
        return
    if subject.is_set(KEY) or subject.integer(KEY) != 1024 or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    yield subject.finding(
        check,
        f"max_num_seqs stays at 1024 for {model.name}, a multimodal model of {model.parameters.total / 1e9:.0f} B "
        "parameters: buffers and image encoder are sized for as many sequences, which ran out of memory",
        also=["actor_rollout_ref.model.path"],
        phase="generate",
        help=f"write {KEY}=32",
    )
