r"""`rollout.multi_turn.format` names a tool parser that this release does not have.

## What it finds
`rollout.multi_turn.enable=True` with a `format` that is not registered: `hermes`, `gpt-oss`, `qwen3_coder` in 0.7.1,
`gemma4` too from 0.8.0 on, and `glm`, `seed`, `minimax`, `kimi`, `deepseek_v4` from 0.9.0 on.

## Why it hurts
The tool agent asks for the parser when the first prompt is rolled out and fails there.

## When it fails
first step: in the first rollout

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang
    actor_rollout_ref.rollout.multi_turn.enable=True
    actor_rollout_ref.rollout.multi_turn.format=qwen3-coder  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=sglang
    actor_rollout_ref.rollout.multi_turn.enable=True
    actor_rollout_ref.rollout.multi_turn.format=qwen3_coder
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write one of the names that the message lists.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/experimental/agent_loop/tool_parser.py :: ToolParser.register
- verl main: verl/experimental/agent_loop/tool_agent_loop.py :: ToolAgentLoop.__init__
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least, follows_verl, is_own_name, loads_modules
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.multi_turn.format"
SINCE = {
    "0.7.1": ("hermes", "gpt-oss", "qwen3_coder"),
    "0.8.0": ("gemma4",),
    "0.9.0": ("glm", "seed", "minimax", "kimi", "deepseek_v4"),
}


@rule(severity="error", confidence="medium", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """A parser that nothing registers; an agent loop of one's own may bring its own parser."""
    name = subject.string(KEY)
    if name is None or not subject.boolean(f"{ROLLOUT}.multi_turn.enable") or not follows_verl(subject):
        return
    if subject.value(f"{ROLLOUT}.agent.agent_loop_config_path") is not None:
        return
    known = [parser for release, parsers in SINCE.items() if at_least(subject, release) for parser in parsers]
    if name in known or is_own_name(subject, name) or loads_modules(subject):
        return
    near = get_close_matches(name, known, 1)
    yield subject.finding(
        check,
        f"multi_turn.format is {name}; {subject.verl} has {', '.join(known)}",
        key=KEY,
        help=f"write {KEY}={near[0] if near else 'hermes'}",
        fix=subject.change(KEY, near[0], safe=False) if near else None,
    )
