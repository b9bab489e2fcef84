"""No value of any key makes a rule fail: what a script holds may be of the wrong type, zero, negative or absurd."""

import random
from dataclasses import replace

import pytest

from lint.rules.registry import all_rules
from tests.rules.factory import subject

VALUES = (
    "null",
    "0",
    "-1",
    "-3",
    "1",
    "7",
    "1e30",
    "1.5",
    "True",
    "text",
    "''",
    "[1,a]",
    "[]",
    "{a: 1}",
    "99999999999999",
)
ENGINES: tuple[dict[str, str], ...] = ({}, {"model_engine": "megatron"}, {"model_engine": "veomni"})
RULES = [rule for rule in all_rules() if rule.scope == "launch"]


@pytest.mark.parametrize("seed", range(24))
def test_every_rule_lives_through_strange_values(seed: int) -> None:
    chance = random.Random(seed)
    release = chance.choice(("0.7.1", "0.8.0", "0.9.0", "0.9.1"))
    engine = {} if release == "0.7.1" else chance.choice(ENGINES)
    model = chance.choice((None, "Qwen3-8B", "Qwen3-30B-A3B", "Qwen3-Next-80B-A3B", "DeepSeek-V3", "Qwen2.5-VL-7B"))
    device = chance.choice((None, "ascend-a2", "h100"))
    keys = [key for key, setting in subject(engine, release=release).config.settings.items() if is_plain(setting.value)]
    chosen = chance.sample(sorted(set(keys) - {"model_engine"}), 200)
    launched = subject(
        {**engine, **{key: chance.choice(VALUES) for key in chosen}}, model=model, device=device, release=release
    )
    for rule in RULES:
        if rule.applies_to(release):
            list(rule.check(replace(launched, options=rule.options)))


def is_plain(value: object) -> bool:
    """True for a key that any value may be given to without changing which keys there are."""
    return not isinstance(value, (dict, list))
