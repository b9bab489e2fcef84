"""Runs under an interpreter that has verl: says of each launch in a file what verl's own checks at start say.

python judge.py LAUNCHES.json > VERDICTS.json        each verdict is "ok" or the error
"""

import contextlib
import io
import json
import os
import sys
from typing import Any

import verl
from hydra import compose, initialize_config_dir
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import omega_conf_to_dataclass, validate_config
from verl.workers.config.model import HFModelConfig

HFModelConfig.__post_init__ = lambda self: None  # it would read the model from the hub
CONFIGS = os.path.join(os.path.dirname(verl.__file__), "trainer", "config")


def judge(overrides: dict[str, Any]) -> str:
    with initialize_config_dir(config_dir=CONFIGS, version_base=None):
        config = compose("ppo_trainer", [f"{key}={value}" for key, value in overrides.items()])
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            validate_config(config, need_reference_policy(config), need_critic(config))
            omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "ok"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as launches:
        json.dump([judge(overrides) for overrides in json.load(launches)], sys.stdout)
