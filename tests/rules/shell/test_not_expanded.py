"""Which dollar signs are left in an override by mistake."""

import pytest

from tests.rules.pipeline import found

HEAD = "DATA=/mnt/data\npython3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm"


@pytest.mark.parametrize(
    "word", ["'data.train_files=$DATA/a.parquet'", "data.train_files='$HOME/a.parquet'", "data.train_files=\\$DATA/a"]
)
def test_a_name_with_a_value_is_meant_to_be_replaced(word: str) -> None:
    (finding,) = found("variable-not-expanded", f"{HEAD} {word}")
    assert "as text: bash does not replace it in single quotes" in finding.message


@pytest.mark.parametrize(
    "word",
    [
        "data.train_files=$DATA/a.parquet",
        '"data.train_files=$HOME/a.parquet"',
        "'+data.pattern=^x$'",
        "'+data.format=$5'",
        "'+data.template=$name'",  # nothing here has that name
        "'+data.path=${data.train_files}'",  # Hydra's
    ],
)
def test_a_dollar_sign_that_may_be_meant(word: str) -> None:
    assert found("variable-not-expanded", f"{HEAD} {word}") == []
