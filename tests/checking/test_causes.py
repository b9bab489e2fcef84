"""Causes before what follows from them."""

from __future__ import annotations

from lint.bash.reading import Unchecked
from lint.checking.causes import causes_first, without_consequences
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.findings import Finding, Related, Severity
from lint.settings import ScriptSettings
from lint.text import Source, Span
from tests.rules.pipeline import Beside


def at(line: int, rule: str = "token-budget", severity: Severity = "error", names: tuple[int, ...] = ()) -> Finding:
    """A finding at a line that names other lines."""
    related = tuple(Related(Span("run.sh", other * 10, other * 10 + 5), "is set here") for other in names)
    return Finding(rule, severity, "high", Span("run.sh", line * 10, line * 10 + 5), "text", related=related)


def test_without_a_misread_script_nothing_waits() -> None:
    findings = [at(1), at(2, severity="warning")]
    assert without_consequences(findings, ()) == (findings, ())


def test_where_lines_end_in_carriage_returns_everything_else_waits() -> None:
    cause = at(1, "line-ends")
    waits = (Unchecked(cause.span, "2 other findings wait until the line-ends here is mended"),)
    assert without_consequences([cause, at(2, "continuation-broken"), at(3, severity="info")], ()) == ([cause], waits)


def test_where_lines_became_part_of_a_value_everything_else_waits() -> None:
    script = "A=${A:-50\nB=3\npython3 -m verl.trainer.main_ppo trainer.nodes=1\n{ :; }\necho $C }\n"
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert [finding.rule for finding in examination.findings] == ["brace-missing"]


def test_beside_a_launch_that_is_cut_short_other_errors_are_shown() -> None:
    cause = at(1, "continuation-broken")
    waits = (Unchecked(cause.span, "1 other finding waits until the continuation-broken here is mended"),)
    assert without_consequences([cause, at(2), at(3, severity="info")], ()) == ([cause, at(2)], waits)


def test_a_blank_behind_the_backslash_is_one_error() -> None:
    script = "python3 -m verl.trainer.main_ppo \\\n    trainer.nnodes=1 \\ \n    trainer.n_gpus_per_node=8\n"
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert [finding.rule for finding in examination.findings] == ["continuation-broken"]


def test_what_compares_values_waits_in_the_arrays_of_a_launch_that_is_cut_short_too() -> None:
    script = (
        "A=(\n    data.max_prompt_length=512\n    data.max_response_length=512\n    trainer.nodess=1\n"
        "    actor_rollout_ref.actor.use_dynamic_bsz=True\n"
        "    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=600\n)\n"
        "B=(actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size=2)\n"
        'python3 -m verl.trainer.main_ppo \\\n    "${A[@]}"\n    "${B[@]}"\n'
    )
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert sorted(one.rule for one in examination.findings) == ["continuation-broken", "unknown-key"]


def test_an_array_that_bash_cannot_read_is_one_mistake() -> None:
    script = (
        "ACTOR =(\n    actor_rollout_ref.actor.ppo_mini_batch_size=64\n    actor_rollout_ref.rollout.name=vllm\n)\n"
        'python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.nodess=1 "${ACTOR[@]}"\n'
    )
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert sorted(one.rule for one in examination.findings) == ["syntax-error", "syntax-error", "unknown-key"]


def test_a_launch_that_is_cut_short_is_not_blamed_for_the_default_of_what_it_lost() -> None:
    script = (
        "python3 -m verl.trainer.main_ppo \\\n    data.train_batch_size=128\n"
        "    actor_rollout_ref.actor.ppo_mini_batch_size=64 \\\n    trainer.nnodes=1\n"
    )
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert [finding.rule for finding in examination.findings] == ["continuation-broken"]


def test_the_environment_is_not_compared_with_the_default_of_what_a_launch_lost() -> None:
    script = (
        "export CUDA_VISIBLE_DEVICES=1,2,3,4\npython3 -m verl.trainer.main_ppo \\\n    data.train_batch_size=128\n"
        "    trainer.n_gpus_per_node=4\n"
    )
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert [finding.rule for finding in examination.findings] == ["continuation-broken"]


def test_a_launch_that_lacks_overrides_is_not_blamed_for_what_they_would_say() -> None:
    script = (
        "DATA=(data.train_batch_size=128)\nACTOR=(actor_rollout_ref.actor.ppo_mini_batch_size=128 trainer.nodes=1)\n"
        'python3 -m verl.trainer.main_ppo trainer.save_frequency=1 "${ACTOR[@]}"\n'
    )
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert sorted(finding.rule for finding in examination.findings if finding.severity != "info") == [
        "overrides-not-passed",
        "unknown-key",
        "unknown-key",
    ]
    (waits,) = (one.reason for one in examination.unchecked if "overrides-not-passed" in one.reason)
    assert waits.endswith("until the overrides-not-passed here is mended")


def test_a_launch_whose_array_is_misspelled_is_not_blamed_for_what_it_lacks() -> None:
    script = 'OVERRIDES=(data.train_batch_size=128)\npython3 -m verl.trainer.main_ppo "${OVERIDES[@]}" "$@"\n'
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert {finding.rule for finding in examination.findings} == {"array-undefined", "overrides-not-passed"}


def test_an_array_that_may_have_been_left_out_holds_nothing_back() -> None:
    findings = [at(1, "array-undefined", "warning"), at(2)]
    assert without_consequences(findings, ()) == (findings, ())


def test_an_override_with_a_wrong_key_is_shown_in_a_launch_that_is_cut_short() -> None:
    script = "python3 -m verl.trainer.main_ppo \\\n    trainer.nodes=1\n    trainer.n_gpus_per_node=8\n"
    examination = examine(Source("run.sh", script), Request(ScriptSettings(), ScriptSettings()), Files(Beside(), "."))
    assert [finding.rule for finding in examination.findings] == ["unknown-key", "continuation-broken"]


def test_what_names_the_place_of_another_finding_comes_after_it() -> None:
    first, second, third = at(1, names=(3,)), at(2), at(3, names=(1,))
    assert list(causes_first({"run.sh": [second, third, first]})) == [third, first, second]


def test_a_remark_is_no_cause_of_an_error_that_names_its_place() -> None:
    error, remark = at(1, names=(2,)), at(2, severity="info")
    assert list(causes_first({"run.sh": [error, remark]})) == [error, remark]


def test_a_chain_of_findings_may_be_as_long_as_a_script() -> None:
    chain = [at(line, names=(line + 1,)) for line in range(5000)]
    assert list(causes_first({"run.sh": chain})) == chain[::-1]


def test_a_cause_in_another_file_comes_before_what_names_it_and_once() -> None:
    cause = Finding("error-there", "error", "high", Span("sourced.sh", 3, 4), "there")
    beside = Finding("error-beside", "error", "high", Span("sourced.sh", 1, 2), "beside it")
    following = Finding("error-here", "error", "high", Span("run.sh", 1, 2), "here", related=(Related(cause.span, ""),))
    assert list(causes_first({"sourced.sh": [cause, beside], "run.sh": [following]})) == [cause, following, beside]
