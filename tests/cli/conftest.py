"""Running the command inside the test process, in an empty folder."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lint import settings
from lint.__main__ import main


@dataclass(frozen=True)
class Ended:
    """How a call of the command ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]

SCRIPT = """\
#!/usr/bin/env bash
# recipe-lint: device=ascend-a3 release=0.9.1
set -euo pipefail
train_batch=64
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size="${train_batch}" \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.n=4 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \\
    actor_rollout_ref.model.path=Qwen/Qwen3-8B \\
    trainer.nnodes=1 \\
    trainer.n_gpus_per_node=16 \\
    trainer.save_freq=10 \\
    "$@"
"""
"""A script without findings of severity warning or above."""

BROKEN = SCRIPT.replace("rollout.n=4", "rollout.enn=4")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    settings.nearest.cache_clear()
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Call the command; `files` are written before, `stdin` is what it can read."""

    def call(*arguments: str, files: Mapping[str, str | bytes] | None = None, stdin: str = "") -> Ended:
        for name, text in (files or {}).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        settings.nearest.cache_clear()
        status = 0
        try:
            main(list(arguments))
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        captured = capfdbinary.readouterr()
        return Ended(status, captured.out.decode(), captured.err.decode())

    return call


QUIET = ("--no-shellcheck", "--no-cache")
ONLY = ("--select", "unknown-key,mini-batch-gt-train-batch,arguments-not-passed,tool")
"""Rules whose findings tests are about, so that a new rule breaks none of them."""


def findings(ended: Ended) -> list[dict[str, Any]]:
    """The findings in JSON output."""
    found: list[dict[str, Any]] = json.loads(ended.out)["findings"]
    return found


def rules(ended: Ended) -> list[str]:
    """The rules of the findings in JSON output, without remarks."""
    return [finding["rule"] for finding in findings(ended) if finding["severity"] != "info"]
