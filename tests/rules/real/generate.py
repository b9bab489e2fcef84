"""Random launches of `main_ppo`: sizes that fit and sizes that do not, in equal parts."""

from __future__ import annotations

from random import Random

A, R, F = "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.ref"


def launches(count: int, seed: int) -> list[dict[str, object]]:
    """Overrides of that many launches, the same for the same seed."""
    chance = Random(seed)
    return [launch(chance) for _ in range(count)]


def launch(chance: Random) -> dict[str, object]:
    estimator = chance.choice(("grpo", "grpo", "gae"))
    overrides: dict[str, object] = {
        f"{R}.name": "sglang",
        "algorithm.adv_estimator": estimator,
        f"{A}.use_dynamic_bsz": chance.random() < 0.4,
        "data.train_batch_size": chance.choice((8, 16, 32, 40, 48, 64, 96, 128, 256)),
        f"{A}.ppo_mini_batch_size": chance.choice((4, 8, 16, 32, 64, 256)),
        f"{R}.n": chance.choice((1, 2, 3, 4, 5, 8)),
        "trainer.nnodes": chance.choice((1, 2, 3)),
        "trainer.n_gpus_per_node": chance.choice((2, 4, 8)),
        f"{R}.tensor_model_parallel_size": chance.choice((1, 2, 4)),
    }
    sometimes: list[tuple[float, str, tuple[object, ...]]] = [
        (0.8, f"{A}.ppo_micro_batch_size_per_gpu", (1, 2, 4)),
        (0.15, f"{A}.ppo_micro_batch_size", (8, 16, 24)),
        (0.8, f"{R}.log_prob_micro_batch_size_per_gpu", (1, 2, 4)),
        (0.15, f"{R}.log_prob_micro_batch_size", (8,)),
        (0.5, f"{A}.use_kl_loss", (True,)),
        (0.4, f"{F}.log_prob_micro_batch_size_per_gpu", (2,)),
        (0.5 if estimator == "gae" else 0.0, "critic.ppo_micro_batch_size_per_gpu", (2,)),
        (0.1, "critic.ppo_micro_batch_size", (8,)),
        (0.3, f"{R}.expert_parallel_size", (1, 2, 4, 8)),
        (0.2, f"{R}.data_parallel_size", (2,)),
        (0.1, f"{R}.pipeline_model_parallel_size", (2,)),
        (0.1, f"{A}.loss_agg_mode", ("token-mean", "token-average")),
    ]
    if chance.random() < 0.4:
        overrides["model_engine"] = "megatron"
        sometimes += [
            (1.0, f"{A}.megatron.tensor_model_parallel_size", (1, 2, 4)),
            (1.0, f"{A}.megatron.pipeline_model_parallel_size", (1, 2)),
            (1.0, f"{A}.megatron.context_parallel_size", (1, 1, 2)),
        ]
    else:
        sometimes += [
            (0.3, f"{A}.ulysses_sequence_parallel_size", (1, 2, 4)),
            (0.5, "actor_rollout_ref.model.use_remove_padding", (True, False)),
        ]
    overrides.update({key: chance.choice(values) for share, key, values in sometimes if chance.random() < share})
    return overrides
