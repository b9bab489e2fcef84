"""Builds what verl's workers build from a config before they touch a device. Runs under a Python that has verl.

usage: python worker_configs.py OVERRIDE...

Ends with the error of verl's own dataclasses and checks, if there is one.
"""

import sys
from pathlib import Path

import verl
from hydra import compose, initialize_config_dir
from omegaconf import open_dict
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import omega_conf_to_dataclass, validate_config

with initialize_config_dir(str(Path(verl.__file__).parent / "trainer/config"), version_base=None):
    config = compose("ppo_trainer", sys.argv[1:])
critic, reference = need_critic(config), need_reference_policy(config)
validate_config(config, reference, critic)
models = config.actor_rollout_ref
parts = [models.model, models.actor, models.rollout, config.algorithm]
if critic:
    parts.append(config.critic)
if reference:
    # The reference worker is configured as an actor; these keys are renamed for it (engine_workers.py, init_model).
    with open_dict(models.ref):
        models.ref.ppo_mini_batch_size = models.actor.ppo_mini_batch_size
        models.ref.ppo_micro_batch_size = models.ref.pop("log_prob_micro_batch_size")
        models.ref.ppo_micro_batch_size_per_gpu = models.ref.pop("log_prob_micro_batch_size_per_gpu")
        models.ref.use_dynamic_bsz = models.ref.pop("log_prob_use_dynamic_bsz")
        models.ref.ppo_max_token_len_per_gpu = models.ref.pop("log_prob_max_token_len_per_gpu")
    parts.append(models.ref)
for part in parts:
    omega_conf_to_dataclass(part)
