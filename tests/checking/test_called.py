"""A script is checked as the workflows of its repository start it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.checking.called import MOST_WAYS
from lint.checking.examination import Request
from lint.checking.linter import Understood, examine, understand
from lint.checking.remembered import forget
from lint.checking.run import Job, load
from lint.files.sources import files_beside
from lint.findings import Finding
from lint.settings import ScriptSettings
from lint.text import Source

SCRIPT = """\
NODES=${NODES:-2}
python3 -m verl.trainer.main_ppo trainer.$KEY=$NODES actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B "$@"
"""
WORKFLOW = """\
jobs:
  first:
    runs-on: L20x8
    steps:
      - run: |
          bash run.sh
      - run: |
          KEY=nodes bash run.sh
  second:
    runs-on: linux-aarch64-a3-16
    steps:
      - run: bash run.sh trainer.nodes=3
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """`run.sh` in the current folder, in a repository with one workflow."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/w.yml").write_text(WORKFLOW)
    (tmp_path / "run.sh").write_text("KEY=${KEY:-nnodes}\n" + SCRIPT)
    monkeypatch.chdir(tmp_path)
    return "run.sh"


def request(*rules: str, **environment: str) -> Request:
    settings = ScriptSettings(select=rules or ("unknown-key",), shellcheck=False, environment=environment)
    return Request(settings, ScriptSettings())


def source(path: str) -> Source:
    loaded = load(Job(path, request()))
    assert isinstance(loaded, Source)
    return loaded


def findings(path: str, asked: Request) -> tuple[Finding, ...]:
    return examine(source(path), asked, files_beside(path)).findings


def understood(path: str) -> Understood:
    return understand(source(path), request(), files_beside(path))


def test_what_a_step_gives_is_a_scenario_and_the_step_is_named(path: str) -> None:
    (by_variable,) = (one for one in findings(path, request()) if one.scenario == {"KEY": "nodes"})
    (related,) = (other for other in by_variable.related if other.span.path != path)
    start, end = related.span.start, related.span.end
    assert related.message == "job first starts it so on L20x8"
    assert WORKFLOW[start:end] == "KEY=nodes bash run.sh"


def test_what_an_argument_does_stands_in_the_step(path: str) -> None:
    (by_argument,) = (one for one in findings(path, request()) if not one.scenario)
    assert by_argument.span.path == ".github/workflows/w.yml"
    assert WORKFLOW[by_argument.span.start : by_argument.span.end] == "trainer.nodes=3"


def test_the_command_line_wins_over_what_a_step_gives(path: str) -> None:
    assert all("KEY" not in one.scenario for one in findings(path, request(KEY="nnodes")))


def test_what_the_script_starts_by_itself_stays_apart(path: str) -> None:
    found = understood(path)
    assert len(found.launches) == len(found.subjects) == 1
    assert len(found.called) == 2
    assert len(found.calls) == 3


def test_the_runner_of_a_step_names_the_device(path: str) -> None:
    found = understood(path)
    devices = [subject.device.name for subject in (*found.subjects, *found.called) if subject.device is not None]
    assert sorted(devices) == ["ascend-a3", "l20", "l20"]


def test_a_step_does_not_take_ways_for_another_kind_of_device(path: str) -> None:
    probe = "DEVICE=${DEVICE:-$(python3 -c 'import torch_npu' && echo npu || echo gpu)}\n"
    choose = "case $DEVICE in npu) N=16 ;; gpu) N=8 ;; esac\n"
    launch = "python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=$N trainer.nnodes=$NODES\n"
    Path(path).write_text(probe + choose + "NODES=${NODES:-1}\n" + launch)
    Path(".github/workflows/w.yml").write_text(WORKFLOW.replace("KEY=nodes", "NODES=2"))
    found = understood(path)
    assert [subject.cluster and subject.cluster.devices_per_node for subject in found.subjects] == [16, 8]
    assert [subject.cluster and subject.cluster.devices_per_node for subject in found.called] == [8]


def test_a_script_says_itself_what_it_is_for(path: str) -> None:
    text = Source(path, "# recipe-lint: device=h100\n" + source(path).text)
    found = understand(text, request(), files_beside(path))
    assert {subject.device and subject.device.name for subject in found.subjects} == {"h100"}


def test_what_no_variable_of_the_script_takes_makes_no_launch(path: str) -> None:
    Path(path).write_text("python3 -m verl.trainer.main_ppo trainer.nodes=2\n")
    found = understood(path)
    assert [len(subject.calls) for subject in found.subjects] == [2, 1]  # one for each device
    assert found.called == ()


def test_of_many_calls_each_value_is_read_once(path: str) -> None:
    step = "      - run: NODES={nodes} KEY={key} bash run.sh\n"
    steps = "".join(step.format(nodes=nodes, key=key) for nodes in (1, 2, 3) for key in ("nnodes", "val_only", "nodes"))
    Path(".github/workflows/w.yml").write_text("jobs:\n  first:\n    steps:\n" + steps)
    given = [dict(subject.launch.command.scenario) for subject in understood(path).called]
    assert {one["NODES"] for one in given} | {"2"} == {"1", "2", "3"}
    assert {one["KEY"] for one in given} == {"nnodes", "val_only", "nodes"}
    assert len(given) == 3


def test_a_finding_that_needs_no_step_names_none(path: str) -> None:
    Path(path).write_text("python3 -m verl.trainer.main_ppo trainer.nodes=2\n")
    (finding,) = findings(path, request())
    assert finding.related == ()


def test_a_finding_that_needs_the_runner_names_the_step(path: str) -> None:
    Path(path).write_text(
        "# recipe-lint: release=0.6.1\n"
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang trainer.n_gpus_per_node=8\n"
    )
    (finding,) = findings(path, request("sglang-npu-backend"))
    assert [other.message for other in finding.related] == ["job second starts it so on linux-aarch64-a3-16"]


def test_a_model_that_the_script_makes_has_sizes_of_its_own(path: str) -> None:
    make = "python3 scripts/init_random_model.py --output_path $HOME/made/Qwen3-8B\n"
    launch = "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=$HOME/made/Qwen3-8B\n"
    for text, known in ((launch, True), (make + launch, False), (make.replace("_path ", "_path=") + launch, False)):
        found = understand(Source(path, text), request(), files_beside(path))
        assert (found.subjects[0].model is not None) is known
    unchecked = examine(Source(path, make + launch), request(), files_beside(path)).unchecked
    assert any("the script makes this model itself" in one.reason for one in unchecked)


def test_a_variable_that_steps_give_is_not_missing(path: str) -> None:
    text = "set -u\npython3 -m verl.trainer.main_ppo trainer.project_name=$KIND\n"
    Path(path).write_text(text)
    assert [one.rule for one in findings(path, request("variable-unbound"))] == ["variable-unbound"]
    Path(".github/workflows/w.yml").write_text(WORKFLOW.replace("KEY=", "KIND="))
    forget()
    assert findings(path, request("variable-unbound")) == ()


def test_a_variable_that_a_step_gives_by_another_name_is_told_at_the_step(path: str) -> None:
    Path(path).write_text("python3 -m verl.trainer.main_ppo trainer.total_epochs=${EPOCHS:-1}\n")
    Path(".github/workflows/w.yml").write_text(WORKFLOW.replace("KEY=nodes", "EPOCH=2"))
    (finding,) = findings(path, request("variable-not-taken"))
    assert finding.message == "job first gives EPOCH, which run.sh does not read; it reads EPOCHS, with a default"
    assert finding.span.path == ".github/workflows/w.yml"


def test_a_value_that_is_partly_known_names_the_model(path: str) -> None:
    Path(path).write_text("python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=${MODEL_PATH:-x}\n")
    workflow = WORKFLOW.replace("KEY=nodes", "MODEL_PATH=$HOME/models/Qwen3-8B")
    Path(".github/workflows/w.yml").write_text(workflow)
    (subject,) = understood(path).called
    assert subject.model is not None
    assert (subject.model.name, subject.launch.command.scenario) == ("Qwen3-8B", {})


def test_a_variable_of_the_job_that_the_script_does_not_take_is_told_once_where_it_is_given(path: str) -> None:
    steps = "    steps:\n      - run: bash run.sh\n      - run: NODESS=3 bash run.sh\n      - run: bash run.sh a.b=1\n"
    text = f"jobs:\n  first:\n    env:\n      NODESS: 4\n{steps}"
    Path(".github/workflows/w.yml").write_text(text)
    found = findings(path, request("variable-not-taken"))
    assert [text[one.span.start : one.span.end] for one in found] == ["NODESS: 4", "NODESS=3"]
    assert [text[one.span.start : one.span.end] for one in found[0].related] == ["bash run.sh"]


def test_a_script_that_a_workflow_starts_and_that_is_not_there_is_told(path: str) -> None:
    text = WORKFLOW + "      - run: bash runn.sh\n"
    Path(".github/workflows/w.yml").write_text(text)
    files = files_beside(path)
    examination = examine(source(path), request(), files)
    told = [one for one in examination.unchecked if one.span.path != path]
    assert [text[one.span.start : one.span.end] for one in told] == ["bash runn.sh"]
    assert [one.reason for one in told] == ["runn.sh is run as a script, but is not a file of the repository"]
    assert files.still_holds(examination.looked_up)
    Path("runn.sh").write_text("echo\n")
    assert not files_beside(path).still_holds(examination.looked_up)


def test_ways_beyond_a_bound_are_said(path: str) -> None:
    loop = "for i in $(seq 300); do KEY=key_$i bash run.sh; done"
    Path(".github/workflows/w.yml").write_text(f"jobs:\n  first:\n    steps:\n      - run: {loop}\n")
    understood = understand(source(path), request(), files_beside(path))
    assert len(understood.called) == MOST_WAYS
    assert [one.reason for one in understood.unjudged] == [
        f"300 ways in which workflows start run.sh: {MOST_WAYS} of them are checked"
    ]
