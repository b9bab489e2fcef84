r"""A boolean is set to False for vLLM, and verl does not pass it on.

## What it finds
`rollout.enable_chunked_prefill=False`, `rollout.enable_prefix_caching=False` or a False below `engine_kwargs.vllm`, set
by the script, in releases before 0.9.1 whose vLLM runs in a process of its own (from 0.7.1 on).

## Why it hurts
verl turns the settings into command-line flags and writes none for False. vLLM's own default wins: for both keys that
is True. When verl began to pass False on (pull request 7508), scripts that had run for months stopped at start,
because without chunked prefill a batch must hold the whole context.

## When it fails
silently: the feature stays on

## Example that fails
```bash
# recipe-lint: release=0.9.0
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.enable_prefix_caching=False  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.9.0
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.no_enable_prefix_caching=True
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the key, or ask vLLM for the negative flag: `+...engine_kwargs.vllm.no_enable_prefix_caching=True`.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main at 1dda039b9: verl/workers/rollout/vllm_rollout/utils.py :: build_cli_args_from_config
- verl 0.9.1: the same function writes --no-<flag>; verl pull request 7508, issue 7624
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

KEYS = (f"{ROLLOUT}.enable_chunked_prefill", f"{ROLLOUT}.enable_prefix_caching")
EXTRA = f"{ROLLOUT}.engine_kwargs.vllm"
DEFAULT_ON = frozenset({"enable_chunked_prefill", "enable_prefix_caching", "async_scheduling"})


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """A False that never becomes a flag, for an option that vLLM switches on by itself."""
    arrives = subject.behaves("explicit_false_reaches_vllm") or not subject.behaves("separate_rollout_process")
    if arrives or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    extra = [setting.key for setting in subject.config.below(EXTRA) if setting.key.rsplit(".", 1)[-1] in DEFAULT_ON]
    for key in (*KEYS, *extra):
        if subject.is_set(key) and subject.boolean(key) is False:
            name = key.rsplit(".", 1)[-1]
            yield subject.finding(
                check,
                f"{name}=False does not reach vLLM: no flag is written for False, and vLLM's own default is on",
                key=key,
                help=f"remove it, or write +{EXTRA}.no_{name}=True",
            )
