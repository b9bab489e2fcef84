"""A script is carried over to another release: what can be said there is said, the rest is listed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lint.copies.backport import backport, check
from lint.copies.rewriting import Change
from lint.fixes.patch import patch
from tests.copies.conftest import Work, launch, side

PLACES = "recipe", "verl.experimental"
NEW_BUCKET = "actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes"
OLD_BUCKET = "actor_rollout_ref.rollout.update_weights_bucket_megabytes"


def array(*elements: str, head: str = "") -> str:
    """A script that starts the trainer with an array of overrides."""
    lines = "".join(f"    {element}\n" for element in elements)
    return f'#!/usr/bin/env bash\n{head}ALL=(\n{lines})\npython3 -m verl.trainer.main_ppo "${{ALL[@]}}" "$@"\n'


def carried(text: str, before: str, after: str) -> str:
    return backport(side(text, release=before), after).text


# ----------------------------------------------------------------------------------------------- what is translated


def test_a_renamed_key_is_written_as_the_release_names_it() -> None:
    assert carried(array(f"{NEW_BUCKET}=4096"), "0.9.1", "0.6.1") == array(f"{OLD_BUCKET}=4096")


def test_a_program_that_was_renamed_is_started_under_its_name_there() -> None:
    sync, merged = (array("trainer.nnodes=2").replace("main_ppo", name) for name in ("main_ppo_sync", "main_ppo"))
    assert carried(sync, "0.8.0", "0.9.1") == merged
    assert carried(merged, "0.9.1", "0.8.0") == merged  # there it is the name of another program, which came first
    recipe, moved = (
        array("trainer.nnodes=2").replace("verl.trainer", f"{place}.one_step_off_policy") for place in PLACES
    )
    assert carried(recipe, "0.6.1", "0.8.0") == moved
    assert carried(moved, "0.8.0", "0.6.1") == recipe


def test_it_works_forward_too() -> None:
    assert carried(array(f"{OLD_BUCKET}=4096"), "0.6.1", "0.9.1") == array(f"{NEW_BUCKET}=4096")


def test_a_plus_is_added_where_the_release_has_the_field_but_no_entry() -> None:
    plain = array("algorithm.rollout_correction.rollout_is=token")
    assert carried(plain, "0.9.1", "0.8.0") == plain
    added = array("+actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype=bf16")
    assert carried(added, "0.9.1", "0.8.0") == added


def test_a_plus_is_dropped_where_the_release_has_the_key() -> None:
    before = array("+ray_kwargs.ray_init.runtime_env.py_executable=x", "+data.gen_batch_size=8", "+trainer.use_v1=True")
    result = backport(side(before, release="0.8.0"), "0.9.1")
    assert "    trainer.use_v1=True\n" in result.text
    assert "+trainer.use_v1 is trainer.use_v1 there" in [change.what for change in result.changes]


def test_the_release_is_named_anew_with_its_software() -> None:
    head = "# Software: verl 0.9.1, CANN 9.1.0, vllm-ascend 0.23.0\n# recipe-lint: device=ascend-a3 release=0.9.1\n"
    text = carried(array("trainer.save_freq=5", head=head) + 'echo "install verl 0.9.1"\n', "0.9.1", "0.8.0")
    assert "# Software: verl 0.8.0, CANN 9.0.0, vllm-ascend 0.18.0\n" in text
    assert "# recipe-lint: device=ascend-a3 release=0.8.0\n" in text
    assert 'echo "install verl 0.8.0"\n' in text


def test_everything_else_stays_byte_for_byte() -> None:
    text = (
        "#!/bin/bash\r\n# a  comment\t\udcff\n\n\n"
        f"A=( trainer.save_freq=5   # every five\n   '{NEW_BUCKET}=4096'\t)  \n"
        'python3 -m verl.trainer.main_ppo "${A[@]}"   "$@"'
    )
    assert carried(text, "0.9.1", "0.6.1") == text.replace(NEW_BUCKET, OLD_BUCKET)


def test_a_script_that_needs_nothing_stays_as_it_is() -> None:
    text = array("trainer.save_freq=5", "data.train_batch_size=$((4 * 4))")
    result = backport(side(text), "0.8.0")
    assert (result.text, result.changes, result.lost) == (text, (), ())


# ---------------------------------------------------------------------------------------------------- what is lost


def test_what_the_release_lacks_becomes_a_comment_in_an_array() -> None:
    result = backport(side(array("trainer.save_freq=5", "trainer.v1.trainer_mode=sync # the mode")), "0.8.0")
    assert result.text == array("trainer.save_freq=5", "# not in verl 0.8.0: trainer.v1.trainer_mode=sync # the mode")
    assert [(lost.line, lost.what) for lost in result.lost] == [
        (4, "verl 0.8.0 has no trainer.v1.trainer_mode: it is a comment now")
    ]


@pytest.mark.parametrize("position", [0, 1, 2])
def test_what_the_release_lacks_is_cut_out_of_a_continued_command(position: int) -> None:
    kept = ["trainer.save_freq=5", "trainer.test_freq=5"]
    overrides = [*kept[:position], "trainer.v1.trainer_mode=sync", *kept[position:]]
    result = backport(side(launch(*overrides)), "0.8.0")
    assert result.text == launch(*kept)
    assert "trainer.v1.trainer_mode=sync" in result.lost[0].what


def test_what_stands_with_others_on_a_line_is_cut_out_alone() -> None:
    result = backport(side("python3 -m verl.trainer.main_ppo trainer.use_v1=True trainer.save_freq=5\n"), "0.8.0")
    assert result.text == "python3 -m verl.trainer.main_ppo  trainer.save_freq=5\n"
    assert len(result.lost) == 1


def test_a_computed_key_is_listed_instead_of_guessed() -> None:
    text = f'name={NEW_BUCKET}\npython3 -m verl.trainer.main_ppo "$name=4096"\n'
    result = backport(side(text), "0.6.1")
    assert "the key is not written in this script as it is" in result.lost[0].what


def test_a_carried_script_is_taken_by_its_release() -> None:
    text = array(f"{NEW_BUCKET}=4096", "trainer.v1.trainer_mode=sync", "algorithm.filter_groups.enable=True")
    for release in ("0.6.1", "0.7.1", "0.8.0"):
        again = backport(side(carried(text, "0.9.1", release), release=release), release)
        assert again.lost == ()


# ----------------------------------------------------------------------------------------------------- what to look at


def test_a_key_that_a_later_release_dropped_is_pointed_out() -> None:
    text = array("model_engine=megatron", "actor_rollout_ref.actor.megatron.param_offload=True")
    hints = backport(side(text), "0.9.0").only_there
    assert any(hint.startswith("actor_rollout_ref.actor.megatron.grad_offload (default False)") for hint in hints)
    assert backport(side(text, release="0.9.0"), "0.8.0").only_there == ()


def test_a_default_that_differs_is_pointed_out_unless_the_script_sets_the_key() -> None:
    key = "actor_rollout_ref.rollout.max_num_seqs"
    found = {other.key: (other.before, other.after) for other in backport(side(array()), "0.8.0").defaults}
    assert found[key] == ("256", "1024")
    assert key not in {other.key for other in backport(side(array(f"{key}=256")), "0.8.0").defaults}


def test_what_rules_say_only_of_the_copy_is_told() -> None:
    """verl 0.9.0 holds whole gradients between the micro-batches of a mini-batch."""
    text = array(
        "actor_rollout_ref.model.path=Qwen/Qwen3-32B",
        "algorithm.adv_estimator=grpo",
        "actor_rollout_ref.rollout.name=vllm",
        "actor_rollout_ref.rollout.n=8",
        "actor_rollout_ref.actor.use_dynamic_bsz=True",
        "actor_rollout_ref.actor.fsdp_config.param_offload=True",
        "actor_rollout_ref.actor.fsdp_config.optimizer_offload=True",
        "trainer.nnodes=4",
        head="# recipe-lint: device=ascend-a2\n",
    )
    assert any("gradients" in said and "device-memory" in said for said in backport(side(text), "0.9.0").objections)
    assert backport(side(text), "0.9.1").objections == ()


# --------------------------------------------------------------------------------------------------------- patches


@pytest.mark.parametrize("path", ["a.sh", "deep/er/a b.sh"])
@pytest.mark.parametrize(
    ("old", "new"), [(None, "#!/bin/sh\nx\n"), ("a\nb\n", "a\nc"), ("a", "a\n"), ("\x0ca\n", "\x0cb\n")]
)
def test_a_patch_is_taken_by_git(path: str, old: str | None, new: str, work: Work) -> None:
    if old is not None:
        work.write(path, old)
    subprocess.run(["git", "apply", "-"], input=patch(path, old, new).encode(), cwd=work.folder, check=True)
    file: Path = work.folder / path
    assert file.read_text() == new
    assert bool(file.stat().st_mode & 0o100) == (old is None)


def test_no_change_is_no_patch() -> None:
    assert patch("a.sh", "x\n", "x\n") == ""


# --------------------------------------------------------------------------------------------------------- engines

MEGATRON = "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2"


def test_an_engine_that_an_older_release_chooses_by_its_config_is_named_so() -> None:
    result = backport(side(array("model_engine=megatron", MEGATRON)), "0.7.1")
    command = 'python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer "${ALL[@]}"'
    assert result.text == array(MEGATRON).replace('python3 -m verl.trainer.main_ppo "${ALL[@]}"', command)
    assert result.lost == ()
    assert Change(6, "--config-name=ppo_megatron_trainer chooses the engine") in result.changes


def test_a_config_that_chooses_the_engine_stays_where_the_release_has_it() -> None:
    text = launch("--config-name=ppo_megatron_trainer.yaml", MEGATRON)
    assert carried(text, "0.7.1", "0.9.1") == text


def test_engines_that_differ_by_scenario_are_not_named_by_one_config() -> None:
    text = 'ENGINE=${ENGINE:-dp}\ncase $ENGINE in megatron) M="model_engine=megatron" ;; dp) M= ;; esac\n'
    result = backport(side(text + "python3 -m verl.trainer.main_ppo $M trainer.save_freq=5\n"), "0.7.1")
    assert "--config-name" not in result.text
    assert any("model_engine has no option `megatron`" in lost.what for lost in result.lost)


def test_what_only_a_loss_brings_to_light_is_lost_too() -> None:
    """0.7.1 has no `automodel` engine: without it, what is below it is refused as well."""
    text = array("model_engine=nothing", "actor_rollout_ref.actor.nothing.size=2", "trainer.save_freq=5")
    result = backport(side(text, release="0.8.0"), "0.7.1")
    assert [lost.line for lost in result.lost] == [3, 4]
    assert check(side(text), result.text, "0.7.1").refused == ()


def test_the_quotes_around_what_is_lost_go_with_it() -> None:
    text = 'python3 -m verl.trainer.main_ppo "trainer.v1.trainer_mode=sync" trainer.save_freq=5\n'
    assert carried(text, "0.9.1", "0.8.0") == "python3 -m verl.trainer.main_ppo  trainer.save_freq=5\n"
    quoted = array('"trainer.v1.trainer_mode=sync"')
    assert carried(quoted, "0.9.1", "0.8.0") == array('# not in verl 0.8.0: "trainer.v1.trainer_mode=sync"')


@pytest.mark.parametrize(
    "word", ['trainer.v1.trainer_mode="$MODE"', '"trainer.v1.trainer_mode=${MODE}"', "'trainer.v1.trainer_mode=sync'"]
)
def test_a_word_is_lost_whole(word: str) -> None:
    before = "MODE=sync\n" + array("trainer.save_freq=5", word)
    assert carried(before, "0.9.1", "0.8.0") == "MODE=sync\n" + array(
        "trainer.save_freq=5", f"# not in verl 0.8.0: {word}"
    )
    line = f"MODE=sync\npython3 -m verl.trainer.main_ppo {word} trainer.save_freq=5\n"
    assert carried(line, "0.9.1", "0.8.0") == line.replace(word, "")


def test_of_a_string_of_overrides_only_the_one_is_lost() -> None:
    text = 'FLAGS="trainer.save_freq=5 trainer.v1.trainer_mode=sync"\npython3 -m verl.trainer.main_ppo $FLAGS\n'
    assert carried(text, "0.9.1", "0.8.0") == text.replace("trainer.v1.trainer_mode=sync", "")


def test_lines_are_those_of_the_script_that_is_carried_over() -> None:
    overrides = ["trainer.v1.trainer_mode=sync", "trainer.save_freq=5", "trainer.v1.trainer_mode=async"]
    result = backport(side(launch(*overrides)), "0.8.0")
    assert result.text == launch("trainer.save_freq=5")
    assert [lost.line for lost in result.lost] == [3, 5]
