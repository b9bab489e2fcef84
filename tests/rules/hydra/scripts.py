"""What the tests of the rules about Hydra have in common."""

from __future__ import annotations

from lint.findings import Finding
from tests.rules.pipeline import found

HEAD = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm"


def only(rule: str, script: str) -> Finding:
    """The one finding of a rule in a script."""
    findings = found(rule, script)
    assert len(findings) == 1, [one.message for one in findings]
    return findings[0]
