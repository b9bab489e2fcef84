"""Engines that send weights from the trainer to the rollout."""

from lint.subject.derived import ROLLOUT

KEY = f"{ROLLOUT}.checkpoint_engine.backend"
ENGINES = ("naive", "nccl", "nixl", "mooncake", "kimi_ckpt_engine")
