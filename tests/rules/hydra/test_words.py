"""Prefixes of overrides, words that are none, options and modules of the launch."""

import pytest

from tests.rules.hydra.scripts import HEAD, only
from tests.rules.pipeline import found, lines, repaired

# ---------------------------------------------------------------------------------------------------- prefixes


def test_a_missing_plus_is_written() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.megatron.override_transformer_config.x=1 model_engine=megatron"
    assert repaired("missing-plus", script) == script.replace("actor_rollout_ref.actor.m", "+actor_rollout_ref.actor.m")


def test_a_plus_and_a_key_are_mended_inside_single_quotes() -> None:
    key = "ray_kwargs.ray_init.runtime_env.env_vars.TASK_QUEUE_ENABLE"
    script = f"ALL=(\n    '{key}=\"1\"'\n    'trainer.nnnodes=1'\n)\n{HEAD} \"${{ALL[@]}}\""
    assert f"'+{key}=" in repaired("missing-plus", script)
    (finding,) = found("unknown-key", script)
    assert finding.fix is not None
    assert [(edit.span.end - edit.span.start, edit.text) for edit in finding.fix.edits] == [(15, "trainer.nnodes")]


def test_a_field_that_the_config_leaves_out_needs_a_plus() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.rollout_n=4"
    finding = found("missing-plus", script) + found("unknown-key", script)
    assert len(finding) <= 1


def test_a_key_of_a_dict_that_the_config_leaves_out_needs_a_plus() -> None:
    key = "actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype"
    script = f"{HEAD} {key}=bf16"
    assert only("missing-plus", script).help == f"write +{key}"
    assert found("unknown-key", script) == []
    assert only("missing-plus", f"{HEAD} +{key.replace('reduce', 'param')}=bf16 {key}=bf16").help == f"write +{key}"


@pytest.mark.parametrize("prefix", ["+"])
def test_a_needless_plus_is_dropped(prefix: str) -> None:
    script = f"{HEAD} {prefix}trainer.total_epochs=3"
    assert repaired("needless-plus", script) == f"{HEAD} trainer.total_epochs=3"


def test_a_plus_in_an_array_is_dropped_there() -> None:
    script = f'ARGS=("+trainer.total_epochs=${{E:-3}}")\n{HEAD} "${{ARGS[@]}}"\n'
    assert repaired("needless-plus", script) == script.replace('"+', '"')


def test_a_second_plus_for_the_same_new_key_is_needless() -> None:
    finding = only("needless-plus", f"{HEAD} +trainer.mine=3 +trainer.mine=4")
    assert "set further up" in finding.message
    assert len(finding.related) == 1


@pytest.mark.parametrize("word", ["++trainer.total_epochs=3", "+trainer.total_training_steps=3", "+trainer.mine=1"])
def test_hydra_takes_these_prefixes(word: str) -> None:
    for rule in ("needless-plus", "missing-plus", "unknown-key", "moved-key"):
        assert found(rule, f"{HEAD} {word}") == []


# -------------------------------------------------------------------------------------------------- other words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("'trainer.total epochs=3'", "there is a blank in the key (character 14)"),
        ("trainer.total_epochs", "a word without `=` is not an override"),
        ("trainer.default_local_dir=~x/y", "a value does not begin with `~` (character 27)"),
        ("'trainer.logger=[console'", "the `[` here is not closed (character 16)"),
        ("'trainer.logger=[console,]'", "nothing stands behind the last comma of the list (character 24)"),
        ("\\ ", "a word without `=`"),
    ],
)
def test_what_is_no_override_says_why(word: str, message: str) -> None:
    assert message in only("override-syntax", f"{HEAD} {word}").message


@pytest.mark.parametrize("word", ["trainer.logger=[a,]", "'trainer.logger=[a,]'", '"trainer.logger=[a,]"'])
def test_the_letter_that_is_wrong_is_marked(word: str) -> None:
    script = f"{HEAD} {word}"
    span = only("override-syntax", script).span
    assert (span.start, script[span.start : span.end]) == (script.index("a,]") + 1, ",")


def test_a_long_word_is_shown_around_what_is_wrong() -> None:
    files = ",".join(f"/data/train_{number}.parquet" for number in range(20))
    message = only("override-syntax", f"{HEAD} 'data.train_files=[{files},,/more,{files}]'").message
    assert "train_19.parquet,,/more" in message
    assert len(message) < 200


def test_a_placeholder_is_not_to_be_quoted() -> None:
    assert only("override-syntax", f"{HEAD} 'trainer.default_local_dir=<path_to_ckpts>/x'").help == (
        "write the site's value in place of the placeholder"
    )


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("trainer.nnodes=2,", "drop the comma: blanks alone stand between overrides"),
        ("trainer.nnodes=2#two", "put a blank before the #, if a comment is meant"),
        ("'trainer.default_local_dir=\"a\"#b'", "put all of the value between the quotes"),
    ],
)
def test_what_stands_behind_a_value_is_named(word: str, advice: str) -> None:
    assert str(only("override-syntax", f"{HEAD} {word}").help).startswith(advice)


@pytest.mark.parametrize("path", ["/data", "$HOME"])
def test_a_blank_ends_a_list_whatever_is_known_of_it(path: str) -> None:
    finding = only("override-syntax", f"{HEAD} data.train_files=[{path}/a.parquet, {path}/b.parquet]")
    assert finding.help == "quote the whole list, or leave out the blanks in it: 'data.train_files=[...]'"
    for whole in (f'"data.train_files=[{path}/a.parquet, {path}/b.parquet]"', f"data.train_files=[{path}/a,{path}/b]"):
        assert found("override-syntax", f"{HEAD} {whole}") == []


@pytest.mark.parametrize("words", ["trainer.nnodes = 2", "trainer.nnodes: 2", "trainer.nnodes"])
def test_a_word_of_an_array_is_reported_in_the_array(words: str) -> None:
    assert lines("override-syntax", f'ARGS=(\n    {words}\n)\n{HEAD} "${{ARGS[@]}}"\n') == [2]


def test_blanks_around_the_equals_sign_are_one_finding() -> None:
    assert "trainer.total_epochs" in only("override-syntax", f"{HEAD} trainer.total_epochs = 3").message


def test_a_blank_inside_a_key_is_mended() -> None:
    script = f"{HEAD} actor rollout_ref.rollout.n=8 trainer nnodes=2\n"
    assert "blank inside the key actor_rollout_ref.rollout.n" in found("override-syntax", script)[0].message
    assert repaired("override-syntax", script) == f"{HEAD} actor_rollout_ref.rollout.n=8 trainer.nnodes=2\n"
    assert found("unknown-key", script) == []


@pytest.mark.parametrize("written", ["trainer.nnodes = 2", "trainer.nnodes =2", "trainer.nnodes= 2"])
def test_blanks_around_the_equals_sign_are_taken_away(written: str) -> None:
    assert repaired("override-syntax", f"{HEAD} {written} a.b=1") == f"{HEAD} trainer.nnodes=2 a.b=1"


def test_values_with_a_comma_are_taken_for_a_sweep() -> None:
    finding = only("sweep-without-multirun", f"{HEAD} trainer.logger=console,wandb")
    assert finding.help == "write 'trainer.logger=[console,wandb]' for a list"
    assert found("sweep-without-multirun", f"{HEAD} trainer.logger=console,wandb --multirun") == []


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("+trainer.logger.0=x", "in the config of verl 0.9.1"),
        ("trainer.logger=[a] +trainer.logger.0=x", "set further up"),
        ("+trainer.mine={a:1} +trainer.mine.a=2", "set further up"),
    ],
)
def test_a_needless_plus_says_where_its_key_is_set(words: str, where: str) -> None:
    assert f" is {where} already" in only("needless-plus", f"{HEAD} {words}").message


def test_each_value_of_a_multirun_is_checked() -> None:
    finding = only("unknown-choice", f"{HEAD} actor_rollout_ref.actor.strategy=fsdp2,fdsp --multirun")
    assert finding.message.startswith("actor.strategy knows no 'fdsp'")
    assert only("unknown-key", f"{HEAD} trainer.nodes=1,2,3 --multirun").help == "did you mean trainer.nnodes?"


def test_a_wrong_option_names_the_nearest() -> None:
    assert only("config-group", f"{HEAD} model_engine=megatrom").help == "did you mean model_engine=megatron?"
    finding = only("config-group", f"{HEAD} model@actor_rollout_ref.models=hf_model")
    assert "model@actor_rollout_ref.model" in (finding.help or "")


def test_an_option_of_other_releases_names_them() -> None:
    assert only("config-group", f"{HEAD} model_engine=mindspeed").message.endswith("0.8.0 and 0.9.0 have it")


def test_an_option_of_a_package_that_is_not_known_here_is_no_error() -> None:
    script = f"{HEAD} 'hydra.searchpath=[pkg://other.config]' actor@actor_rollout_ref.actor=other_actor"
    assert [finding.severity for finding in found("config-group", script)] in ([], ["info"])


def test_a_module_of_another_release_names_its_successor() -> None:
    finding = only("unknown-entry-point", "python3 -m verl.trainer.main_ppo_sync actor_rollout_ref.rollout.name=vllm")
    assert finding.message == "verl 0.9.1 has no program verl.trainer.main_ppo_sync (0.8.0 has)"
    assert finding.help == "start verl.trainer.main_ppo"


def test_a_misspelt_module_is_no_module_of_somebody_else() -> None:
    finding = only("unknown-entry-point", "python3 -m verl.trainer.main_pp0 actor_rollout_ref.rollout.name=vllm")
    assert finding.help == "start verl.trainer.main_ppo"
    assert found("unknown-entry-point", "python3 -m mine.trainer.main_pp0 actor_rollout_ref.rollout.name=vllm") == []


def test_a_module_that_no_release_has_names_the_nearest() -> None:
    finding = only("unknown-entry-point", "python3 -m verl.trainer.ppo_main actor_rollout_ref.rollout.name=vllm")
    assert finding.message == "verl 0.9.1 has no program verl.trainer.ppo_main"
    assert finding.help == "start verl.trainer.main_ppo"
    by_slashes = "python3 -m verl/trainer/main_ppo actor_rollout_ref.rollout.name=vllm"
    assert only("unknown-entry-point", by_slashes).help == "start verl.trainer.main_ppo"
