"""Our verdict on random launches equals that of the checks which the real verl makes at start.

VERL_PYTHON=/path/to/python-with-verl-0.9.1 python -m pytest tests/rules/real/check_verdicts.py
"""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from lint.findings import Finding
from lint.rules.registry import load
from tests.rules import factory
from tests.rules.real.generate import launches

AT_START = (
    "lora-rank",
    "megatron-world",
    "micro-batch-both-set",
    "micro-batch-missing",
    "mini-batch-gt-train-batch",
    "rollout-expert-product",
    "sp-needs-remove-padding",
    "train-batch-divisible",
    "value-not-allowed",
)


def is_checked_at_start(finding: Finding, overrides: Mapping[str, object]) -> bool:
    """False for what verl leaves to Megatron or to the engine, which refuse when the actor is built."""
    if finding.rule == "megatron-world":
        return not overrides["actor_rollout_ref.actor.use_dynamic_bsz"]
    return finding.rule != "micro-batch-missing" or str(finding.key).endswith("_per_gpu")


@pytest.fixture
def interpreter() -> str:
    return os.environ["VERL_PYTHON"]


def test_verdicts_agree(interpreter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "BASE", {})
    given = launches(int(os.environ.get("COUNT", "150")), seed=int(os.environ.get("SEED", "1")))
    file = tmp_path / "launches.json"
    file.write_text(json.dumps(given))
    judge = Path(__file__).with_name("judge.py")
    run = subprocess.run([interpreter, str(judge), str(file)], capture_output=True, text=True, check=True)
    differences = []
    for overrides, verdict in zip(given, json.loads(run.stdout), strict=True):
        nodes, devices = (int(str(overrides.pop(f"trainer.{key}"))) for key in ("nnodes", "n_gpus_per_node"))
        launched = factory.subject(overrides, model=None, nodes=nodes, devices=devices)
        found = [
            finding
            for name in AT_START
            for finding in load(name).check(replace(launched, options=load(name).options))
            if finding.severity == "error"
        ]
        refused = any(is_checked_at_start(finding, overrides) for finding in found)
        if (verdict == "ok") == refused:
            differences.append((verdict, [finding.rule for finding in found], overrides))
    assert differences == []
