"""One script through the pipeline: what is read as if given, and when a finding names its conditions."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lint.bash.files import NoFiles
from lint.checking.examination import Examination, Request
from lint.checking.linter import examine, understand
from lint.checking.scenarios import merge_scenarios
from lint.files.sources import Files
from lint.findings import Edit, Finding, Fix
from lint.rules.registry import all_rules
from lint.settings import ScriptSettings
from lint.subject.subject import Subject
from lint.text import Source, Span

REQUEST = Request(ScriptSettings(select=("unknown-key",), shellcheck=False), ScriptSettings())
WRONG = "python3 -m verl.trainer.main_ppo trainer.nodes=2\n"


def checked(text: str) -> Examination:
    return examine(Source("run.sh", text), REQUEST, Files(NoFiles(), os.curdir))


def scenarios(text: str) -> list[dict[str, str]]:
    return [dict(finding.scenario) for finding in checked(text).findings]


def test_a_script_that_wants_arguments_is_read_as_if_it_had_some() -> None:
    text = f'if [ "$#" -lt 2 ]; then\n    echo "usage: run.sh GPUS FOLDER"\n    exit 1\nfi\ngpus=$1\nshift 2\n{WRONG}'
    assert [finding.rule for finding in checked(text).findings] == ["unknown-key"]
    subjects = understand(Source("run.sh", text), REQUEST, Files(NoFiles(), os.curdir)).subjects
    assert [word.shown for word in subjects[0].launch.command.words][-1] == "trainer.nodes=2"


def test_a_script_that_wants_variables_is_read_as_if_they_were_set() -> None:
    assert scenarios(f"set -u\n: ${{WORK_DIR:?}}\ncd $OTHER_DIR\n{WRONG}") == [{}]


def test_a_condition_that_every_way_to_the_launch_passes_is_not_named() -> None:
    assert scenarios(f"if [[ -f model ]]; then\n{WRONG}fi\n") == [{}]


def test_a_condition_that_the_finding_needs_is_named() -> None:
    text = "if [[ -f model ]]; then name=nodes; else name=nnodes; fi\n" + WRONG.replace("nodes", "$name")
    assert scenarios(text) == [{"line 1: [[ -f model ]]": "true"}]


def test_the_values_of_a_multirun_that_a_finding_needs_are_named() -> None:
    multirun = WRONG.replace("main_ppo", "main_ppo -m data.seed=1,2")
    assert scenarios(multirun) == [{}]
    keys = "data.seed=1,2 data.train_batch_size=64,1024 actor_rollout_ref.actor.ppo_mini_batch_size=32,256"
    more = "actor_rollout_ref.rollout.name=vllm algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8"
    text = f"python3 -m verl.trainer.main_ppo -m {keys} {more}\n"
    request = Request(ScriptSettings(select=("mini-batch-gt-train-batch",), shellcheck=False), ScriptSettings())
    found = examine(Source("run.sh", text), request, Files(NoFiles(), os.curdir)).findings
    needed = {"data.train_batch_size": "64", "actor_rollout_ref.actor.ppo_mini_batch_size": "256"}
    assert [one.scenario for one in found] == [needed], "the seed makes no difference"


def test_a_toggle_is_named_where_its_default_is_right() -> None:
    text = "DEVICE=${DEVICE:-gpu}\n[[ $DEVICE == npu ]] && name=nodes || name=nnodes\n" + WRONG.replace(
        "nodes", "$name"
    )
    assert scenarios(text) == [{"DEVICE": "npu"}]
    both = "DEVICE=${DEVICE:-gpu}\n[[ $DEVICE == npu ]] && tp=1 || tp=2\n" + WRONG.replace("\n", " a.b=$tp\n")
    assert {} in scenarios(both)


@pytest.mark.parametrize("text", [f"for i in {{1..403}}; do\n{WRONG.strip()} a.b=$i\ndone\n", WRONG * 403])
def test_of_very_many_launches_it_is_said_which_are_not_checked(text: str) -> None:
    examined = checked(text)
    assert [unchecked.reason for unchecked in examined.unchecked] == [
        "launches that are not checked from here on: 3 of 403"
    ]
    assert [finding.rule for finding in examined.findings] == ["unknown-key"] * len(examined.findings)


def merged(*findings: Finding) -> list[Finding]:
    return merge_scenarios((one, one.scenario) for one in findings)


def finding(**scenario: str) -> Finding:
    return Finding("one", "error", "high", Span("run.sh", 0, 1), "m", scenario=scenario)


def test_findings_of_several_scenarios_are_joined() -> None:
    assert merged(finding(), finding(A="1")) == [finding()]
    assert merged(finding(A="1", B="2"), finding(A="1", B="3")) == [finding(A="1")]
    assert merged(finding(A="1"), finding(A="2")) == [finding()]
    assert merged(finding(A="1"), finding(B="2")) == [finding(A="1")]


def test_what_is_found_for_a_default_that_only_a_run_can_tell_names_it() -> None:
    """verl's recipes ask python whether torch_npu is there: neither kind of device is the default."""
    script = (
        "D=${D:-$(python3 -c 'import torch_npu' && echo npu || echo gpu)}\n"
        "B=${B:-vllm}\n"
        "if [[ $D == npu ]]; then key=one; else key=two; fi\n"
        "if [[ $B == sglang ]]; then more=3; fi\n"
        "python3 -m verl.trainer.main_ppo data.$key=1 data.three=$more\n"
    )
    found = {one.message.split()[5].rstrip(":"): dict(one.scenario) for one in checked(script).findings if one.key}
    wanted = {"data.one": {"D": "npu"}, "data.two": {"D": "gpu"}, "data.three": {}}
    assert {key: found[key] for key in wanted} == wanted


def test_a_model_that_nobody_knows_is_said() -> None:
    path = "actor_rollout_ref.model.path"
    text = f"python3 -m verl.trainer.main_ppo {path}=my/Wondermodel-9B\n"
    assert [place.reason.partition(":")[0] for place in checked(text).unchecked] == [
        "the model 'my/Wondermodel-9B' is not known"
    ]
    assert checked(text.replace("my/Wondermodel-9B", "Qwen/Qwen3-8B")).unchecked == ()
    assert checked(f"# recipe-lint: model=Qwen3-8B\n{text}").unchecked == ()


def test_what_cannot_be_checked_is_said() -> None:
    unchecked = checked("python3 -m my.trainer a.b=1\nsource /etc/profile.d/x.sh\n").unchecked
    assert any("my.trainer" in place.reason for place in unchecked)
    assert any("/etc/profile.d/x.sh" in place.reason for place in unchecked)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/models/Qwem3-32B", "the model '/models/Qwem3-32B' is not known, did you mean Qwen3-32B?: "),
        ("/models/ours", "the model '/models/ours' is not known: "),
    ],
)
def test_a_model_that_is_nearly_known_is_named(path: str, said: str) -> None:
    unchecked = checked(f"python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path={path}\n").unchecked
    assert any(place.reason.startswith(said) for place in unchecked), unchecked


def test_memory_that_cannot_be_computed_is_said_with_its_reason_where_model_and_devices_are_known() -> None:
    size = "actor_rollout_ref.rollout.tensor_model_parallel_size"
    launch = "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen3-8B "
    launch += f"actor_rollout_ref.rollout.name=vllm {size}=$(nproc)\n"
    request = Request(ScriptSettings(), ScriptSettings(select=("device-memory",)))
    files = Files(NoFiles(), os.curdir)
    (place,) = examine(Source("run.sh", f"# recipe-lint: device=h100\n{launch}"), request, files).unchecked
    assert place.reason == f"memory is not checked: {size} is not known before a run"
    assert examine(Source("run.sh", launch), request, files).unchecked == ()


def test_of_a_launch_that_is_torn_only_errors_are_said() -> None:
    text = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n\nactor_rollout_ref.rollout.n=8\n"
    everything, files = Request(ScriptSettings(), ScriptSettings()), Files(NoFiles(), os.curdir)
    examined = examine(Source("run.sh", text), everything, files)
    rules = {finding.rule: finding.severity for finding in examined.findings}
    assert rules == {"continuation-broken": "error"}  # and not that rollout.name or a micro-batch size is missing
    assert any("until the continuation-broken here is mended" in place.reason for place in examined.unchecked)


def test_errors_of_a_torn_launch_that_do_not_come_from_it_are_said() -> None:
    torn = "python3 -m verl.trainer.main_ppo trainer.nnode=1 \\\n\nactor_rollout_ref.rollout.n=8\n"
    whole = "python3 -m verl.trainer.main_ppo trainer.nnodes=1\n"
    everything, files = Request(ScriptSettings(), ScriptSettings()), Files(NoFiles(), os.curdir)
    examined = examine(Source("run.sh", torn + whole), everything, files)
    assert {finding.rule for finding in examined.findings if finding.span.start < len(torn)} == {
        "continuation-broken",
        "unknown-key",
    }
    assert "mandatory-value-missing" in {
        finding.rule for finding in examined.findings if finding.span.start > len(torn)
    }


def test_readings_of_one_script_share_a_bound_and_say_where_it_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lint.bash.scenarios.MOST_STEPS", 3000)
    monkeypatch.setattr("lint.checking.linter.MOST_STEPS", 3000)
    loop = "for ((i = 0; i < 900; i++)); do x=$i; done\n"
    toggles = "".join(f"[[ ${{T{number}:-a}} == b ]] && y{number}=1\n" for number in range(12))
    demands = "".join(f': "${{V{number}:?}}"\n' for number in range(12))
    for text in (loop + toggles + WRONG, loop + demands + WRONG):
        source = Source("run.sh", text)
        understood = understand(source, REQUEST, Files(NoFiles(), os.curdir))
        assert sum(reading.steps for reading in understood.readings) < 2 * 3000
        said = [place for reading in understood.readings for place in reading.unchecked]
        (gap,) = [place for place in said if place.reason.startswith("not read under every value")]
        assert source.line(gap.span.start) > 1


def test_readings_with_arguments_share_the_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lint.bash.scenarios.MOST_STEPS", 3000)
    monkeypatch.setattr("lint.checking.linter.MOST_STEPS", 3000)
    source = Source("run.sh", "for ((i = 0; i < 1600; i++)); do x=$i; done\n[[ $9 == on ]] && " + WRONG)
    (reading,) = understand(source, REQUEST, Files(NoFiles(), os.curdir)).readings
    said = [(source.text[place.span.start : place.span.end], place.reason) for place in reading.unchecked]
    assert said == [("$9", "not read as if it were given 2 or more arguments: that takes more than 3000 steps")]


def test_a_check_that_nobody_waits_for_ends_before_the_next_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    class Outdated(Exception):
        pass

    def end() -> None:
        raise Outdated

    def judged(subject: object) -> Iterator[Finding]:
        pytest.fail("a rule ran")

    rule = next(one for one in all_rules() if one.name == "unknown-key")
    monkeypatch.setattr("lint.checking.linter.selected", lambda *_: [replace(rule, check=judged)])
    with pytest.raises(Outdated):
        examine(Source("run.sh", WRONG), REQUEST, Files(NoFiles(), os.curdir), end)


def test_a_fix_that_stands_outside_of_its_file_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = next(rule for rule in all_rules() if rule.name == "unknown-key")

    def backwards(subject: Subject) -> Iterator[Finding]:
        edit = Edit(Span("run.sh", 5, 2), "x")
        yield replace(subject.finding(rule, "m"), fix=Fix("write x", True, (edit,)))

    monkeypatch.setattr("lint.checking.selection.rules_under", lambda release: (replace(rule, check=backwards),))
    assert [finding.fix for finding in checked(WRONG).findings] == [None]


def test_rules_do_not_judge_defaults_that_words_may_have_changed() -> None:
    launch = "python3 -m verl.trainer.main_ppo $(cat args) data.train_batch_size=64 trainer.nodes=2\n"
    everything = Request(ScriptSettings(shellcheck=False), ScriptSettings())

    def errors(text: str) -> set[str]:
        found = examine(Source("run.sh", text), everything, Files(NoFiles(), os.curdir)).findings
        return {finding.rule for finding in found if finding.severity == "error"}

    assert errors(launch) == {"unknown-key"}
    said = examine(Source("run.sh", launch), everything, Files(NoFiles(), os.curdir)).unchecked
    assert any("may set any key of the launch" in one.reason for one in said)
    assert errors(launch.replace("$(cat args) ", "")) > {"unknown-key", "mini-batch-gt-train-batch"}


@pytest.mark.parametrize("number", ["9" * 5000, "²"])
def test_numbers_that_no_machine_holds_are_read(number: str) -> None:
    script = f"""
# recipe-lint: nodes={number} expected-tokens={number}
export HCCL_EXEC_TIMEOUT={number} HCCL_OP_EXPANSION_MODE=AIV HCCL_IF_BASE_PORT={number} HCCL_BUFFSIZE={number}
export HCCL_HOST_SOCKET_PORT_RANGE={number}-{number}
ray start --head --resources='{{"NPU": {number}}}'
torchrun --nproc_per_node={number} --nnodes={number} -m verl.trainer.sft_trainer data.train_batch_size={number}
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node={number} trainer.nnodes={number} data.train_files.{number}=x
"""
    request = Request(ScriptSettings(), ScriptSettings())
    found = examine(Source("run.sh", script), request, Files(NoFiles(), os.curdir)).findings
    assert [finding.message for finding in found if finding.rule == "internal-error"] == []
