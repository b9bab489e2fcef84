"""Two scripts are compared by what they start, not by what they look like."""

from __future__ import annotations

import pytest

from lint.copies.compare import Difference, compare
from tests.copies.conftest import launch, side

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
UTILIZATION = "actor_rollout_ref.rollout.gpu_memory_utilization"
LEARNING_RATE = "actor_rollout_ref.actor.optim.lr"


def differences(
    a: str, b: str, releases: tuple[str, str] = ("0.9.1", "0.9.1")
) -> list[tuple[str, str | None, str | None]]:
    found = compare(side(a, "a.sh", releases[0]), side(b, "b.sh", releases[1]))
    return [(each.key, each.a.shown if each.a else None, each.b.shown if each.b else None) for each in found]


# ------------------------------------------------------------------------------------------------- what is the same


def test_the_same_text_is_the_same() -> None:
    assert differences(launch(f"{TP}=8"), launch(f"{TP}=8")) == []


@pytest.mark.parametrize(
    "other",
    [
        launch(f"{TP}=8", f"{UTILIZATION}=0.6", head="# a comment\n\n"),
        launch(f"{UTILIZATION}=0.6", f"{TP}=8"),
        launch(f"{TP}=4", f"{UTILIZATION}=0.6", f"{TP}=8"),
        launch(f"{TP}=$((4 * 2))", f"'{UTILIZATION}=0.6'"),
        launch(f"{TP}=${{GEN_TP:-8}}", f"{UTILIZATION}=0.60"),
        launch(f"+{TP}=8".removeprefix("+"), f"++{UTILIZATION}=6e-1"),
        f'A=({TP}=8 {UTILIZATION}=0.6)\npython3 -m verl.trainer.main_ppo "${{A[@]}}" "$@"\n',
    ],
)
def test_other_text_with_the_same_effect_is_the_same(other: str) -> None:
    assert differences(launch(f"{TP}=8", f"{UTILIZATION}=0.6"), other) == []


def test_a_default_may_be_written_or_not() -> None:
    assert differences(launch(f"{TP}=8", "algorithm.use_kl_in_reward=False"), launch(f"{TP}=8")) == []


def test_a_value_that_another_key_decides_may_be_written_or_not() -> None:
    """log_prob_use_dynamic_bsz follows use_dynamic_bsz."""
    dynamic = "actor_rollout_ref.actor.use_dynamic_bsz=True"
    written = launch(dynamic, "actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True")
    assert differences(written, launch(dynamic)) == []


def test_a_program_that_was_renamed_between_the_releases_is_the_same() -> None:
    new = launch(f"{TP}=8")
    old = launch(f"{TP}=4").replace("main_ppo", "main_ppo_sync")
    assert differences(old, new, ("0.8.0", "0.9.1")) == [(TP, "4", "8")]
    assert "verl.trainer.main_ppo_sync" in [key for key, _, _ in differences(old, new, ("0.8.0", "0.8.0"))]


def test_a_key_that_was_renamed_between_the_releases_is_the_same() -> None:
    name = "update_weights_bucket_megabytes=4096"
    old, new = (f"actor_rollout_ref.rollout.{middle}{name}" for middle in ("", "checkpoint_engine."))
    assert differences(launch(old), launch(new), ("0.6.1", "0.9.1")) == []
    changed = differences(launch(old), launch(new.replace("4096", "2048")), ("0.6.1", "0.9.1"))
    assert changed == [("actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes", "4096", "2048")]


def test_an_engine_may_be_chosen_in_either_way() -> None:
    by_name = launch("--config-name=ppo_megatron_trainer.yaml", f"{TP}=8")
    assert differences(by_name, launch("model_engine=megatron", f"{TP}=8")) == []


def test_a_toggle_that_starts_nothing_is_no_difference() -> None:
    dry = "if [[ ${DRY_RUN:-0} == 1 ]]; then\n    exit 0\nfi\n"
    assert differences(launch(f"{TP}=8", before=dry), launch(f"{TP}=8")) == []


def test_a_value_that_only_a_run_tells_is_the_same_if_it_is_asked_in_the_same_way() -> None:
    a, b = (launch('trainer.experiment_name="$(hostname)"', head=head) for head in ("", "# other\n"))
    assert differences(a, b) == []


# ------------------------------------------------------------------------------------------------- what is different


def test_each_key_is_named_once_with_both_values() -> None:
    a, b = launch(f"{TP}=8", f"{UTILIZATION}=0.6"), launch(f"{TP}=4", f"{UTILIZATION}=0.8")
    assert differences(a, b) == [(TP, "8", "4"), (UTILIZATION, "0.6", "0.8")]


def test_what_one_side_leaves_out_is_compared_with_the_default() -> None:
    assert differences(launch(f"{TP}=8"), launch()) == [(TP, "8", "2")]


def test_a_key_that_only_one_release_has_is_a_difference() -> None:
    key = "actor_rollout_ref.actor.megatron.grad_offload"
    engine = "model_engine=megatron"
    assert differences(launch(engine, f"{key}=True"), launch(engine), ("0.9.0", "0.9.1")) == [(key, "True", None)]


def test_a_text_and_a_number_differ() -> None:
    name = "trainer.experiment_name"
    assert differences(launch(f"{name}=1"), launch(f"{name}='\"1\"'")) == [(name, "1", '"1"')]
    assert differences(launch("trainer.save_freq=1"), launch("trainer.save_freq=True")) == [
        ("trainer.save_freq", "1", "True")
    ]


def test_the_environment_of_the_trainer_is_compared() -> None:
    a = launch(f"{TP}=8", before="export TASK_QUEUE_ENABLE=2 SAME=1\n")
    b = launch(f"{TP}=8", before="export TASK_QUEUE_ENABLE=1 SAME=1\nexport MORE=x\n")
    assert differences(a, b) == [("$TASK_QUEUE_ENABLE", "2", "1"), ("$MORE", None, "x")]


def test_a_launch_that_one_side_lacks_is_a_difference() -> None:
    assert differences(launch(f"{TP}=8"), "echo nothing\n") == [("verl.trainer.main_ppo", "started", None)]


def test_values_differ_where_they_are_written() -> None:
    a = "gen_tp=8\n" + launch(f"{TP}=$gen_tp")
    (found,) = compare(side(a), side(launch(f"{TP}=4"), "b.sh"))
    assert isinstance(found, Difference)
    assert found.a is not None
    assert found.a.span is not None
    assert a[found.a.span.start : found.a.span.end] == f"{TP}=$gen_tp"


def test_a_difference_under_one_scenario_names_it() -> None:
    def text(value: int) -> str:
        toggle = f"DEVICE=${{DEVICE:-gpu}}\ntp=2\nif [[ $DEVICE == npu ]]; then tp={value}; fi\n"
        return launch(f"{TP}=$tp", before=toggle)

    (found,) = compare(side(text(8)), side(text(4), "b.sh"))
    assert (found.key, dict(found.scenario)) == (TP, {"DEVICE": "npu"})


def test_a_test_that_only_a_run_decides_makes_two_ways_of_one_launch() -> None:
    def text(value: int) -> str:
        return launch(f"{TP}=$tp", before=f"tp=2\nif [[ -e /dev/davinci0 ]]; then tp={value}; fi\n")

    assert differences(text(8), text(8) + "# more\n") == []
    (found,) = compare(side(text(8)), side(text(4), "b.sh"))
    assert (found.key, dict(found.scenario)) == (TP, {"line 3: [[ -e /dev/davinci0 ]]": "true"})
    assert differences(text(8), launch(f"{TP}=2")) == [(TP, "8", "2")]
    assert differences(launch(f"{TP}=2"), text(8)) == [(TP, "2", "8")]


@pytest.mark.parametrize("text", ["", "\n", "(", "python3 -m verl.trainer.main_ppo 'x", "\udc80"])
def test_bad_scripts_are_compared_without_a_failure(text: str) -> None:
    compare(side(text), side(launch(f"{TP}=8"), "b.sh"))
    compare(side(launch(f"{TP}=8")), side(text, "b.sh"))


def test_an_engine_is_the_same_whether_a_group_or_a_config_chooses_it() -> None:
    """0.7.1 has no option `megatron` of `model_engine`."""
    size = "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2"
    new = side(launch("model_engine=megatron", size), release="0.9.1")
    old = side(launch("--config-name=ppo_megatron_trainer.yaml", size), release="0.7.1")
    assert compare(new, old) == []
    assert [found.key for found in compare(side(launch(size), release="0.9.1"), old)] == ["--config-name"]
    other = side(launch("model_engine=veomni"), release="0.9.1")
    assert "model_engine" in [found.key for found in compare(other, old)]


def test_what_a_config_nobody_knows_would_say_is_unknown() -> None:
    """One side starts from a config of its own that is not at hand."""
    known = side(launch("trainer.save_freq=5"))
    (found,) = compare(known, side(launch("--config-path=/somewhere")))
    assert found.key == "trainer.save_freq"
    assert found.b is not None
    assert found.b.shown.startswith("<unknown: config folder /somewhere")
