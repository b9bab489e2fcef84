"""What a finding says of the key that it is about."""

from tests.rules.factory import findings, subject

MICRO_BATCH = "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"


def test_a_value_that_is_null_is_shown_as_hydra_writes_it() -> None:
    launched = subject({"actor_rollout_ref.actor.use_dynamic_bsz": "False", MICRO_BATCH: "null"})
    assert [one.value for one in findings("micro-batch-missing", launched) if one.key == MICRO_BATCH] == ["null"]
