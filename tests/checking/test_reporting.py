"""A run over many scripts reports what a run over a few does: what is kept in a file comes out of it as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint import packed
from lint.checking.examination import Request
from lint.checking.run import Job, check
from lint.files.cache import Cache
from lint.output import FORMATS, render
from lint.output.terminal import Style
from lint.settings import ScriptSettings

SHARED = "MODEL=/models/Qwen3-8B\nif [ -z \n"
SCRIPT = """\
#!/bin/bash
source ./shared.sh
# recipe-lint: ignore[mini-batch-gt-train-batch] -- nothing of the kind here
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\
    data.train_batch_size=8 actor_rollout_ref.actor.ppo_mini_batch_size=16 trainer.nodes={number} "$@"
"""


@pytest.mark.parametrize("name", FORMATS)
def test_reports_are_the_same_however_many_scripts_there_are(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shared.sh").write_text(SHARED)
    for number in range(6):
        (tmp_path / f"{number}.sh").write_text(SCRIPT.format(number=number))
    request = Request(ScriptSettings(shellcheck=False), ScriptSettings())
    jobs = [Job(str(path), request) for path in sorted(tmp_path.glob("*.sh"))]
    few = render(name, check(jobs, processes=1, cache=Cache(None)), Style(False))
    for limit in ("FEW", "SHORT", "PAGE"):
        monkeypatch.setattr(packed, limit, 2)
    many = render(name, check(jobs, processes=1, cache=Cache(None)), Style(False))
    assert few.count("unknown-key") >= 6
    assert many == few
