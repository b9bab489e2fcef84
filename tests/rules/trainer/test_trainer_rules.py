"""Trainer generations and asynchronous modes."""

from typing import Any

import pytest

from tests.rules.factory import findings, subject

CORRECTION = "algorithm.rollout_correction"


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        ("v1-unsupported-estimator", {"algorithm.adv_estimator": "gdpo"}, {}, ["error"]),
        ("v1-unsupported-estimator", {"algorithm.adv_estimator": "gdpo"}, {"release": "0.8.0"}, []),
        ("v1-unsupported-estimator", {"algorithm.adv_estimator": "rloo"}, {}, []),
        ("v1-bypass-mode", {f"{CORRECTION}.bypass_mode": "True"}, {}, []),
        (
            "v1-bypass-mode",
            {f"{CORRECTION}.bypass_mode": "True", f"{CORRECTION}.loss_type": "reinforce"},
            {},
            ["warning"],
        ),
        ("v1-unread-keys", {"trainer.balance_batch": "False"}, {}, ["info"]),
        ("v1-unread-keys", {"trainer.balance_batch": "False", "trainer.use_v1": "False"}, {}, []),
        ("separate-async-batch", {"data.train_batch_size": 256}, {}, []),
        ("async-without-correction", {}, {}, []),
        ("transfer-queue-environment", {"transfer_queue.enable": "True"}, {"release": "0.9.0"}, []),
    ],
)
def test_trainers(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities
