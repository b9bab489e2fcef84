"""Random overrides of a verl tree's real keys, through our composer and through real Hydra: `make hydra TREE=...`.

Prints each difference, and how many there are; the exit status is 1 if there is one. Composing verl's whole tree with
real Hydra takes half a second, so most examples apply their overrides to a copy of one composition, by Hydra's own code
(`ConfigLoaderImpl._apply_overrides_to_config`); every fifth goes through `hydra.compose` from the start.
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
import warnings
from pathlib import Path
from typing import Any

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

from lint.launch.compose import compose
from lint.schema.checkout import checkout_schema
from lint.schema.tree import leaves
from tests.launch.witness import Verdict, ask_hydra, launch, random_override

CONFIGS = {
    "verl.trainer.main_ppo": "ppo_trainer",
    "verl.trainer.sft_trainer": "sft_trainer_engine",
}


def main() -> int:
    """Run the comparison."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tree", type=Path)
    options.add_argument("--examples", type=int, default=5000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    warnings.simplefilter("ignore")
    schema = checkout_schema(given.tree)
    chance = random.Random(given.seed)
    folder = given.tree / "verl/trainer/config"
    differences = rejected = 0
    for module, name in CONFIGS.items():
        base = compose(launch("python", "-m", module, "trainer.x=1"), schema).base
        keys = sorted({key for key, _ in leaves(base)})
        files = schema.folders["verl/trainer/config"]
        groups: dict[str, list[str]] = {}
        for path in files:
            if "/" in path:
                groups.setdefault(path.rpartition("/")[0], []).append(path.rpartition("/")[2])
        packages = sorted({".".join(key.split(".")[:2]) for key in keys})
        start = OmegaConf.create(ask_hydra(folder, name, []).config)
        OmegaConf.set_struct(start, True)
        for example in range(given.examples // len(CONFIGS)):
            whole = example % 5 == 0
            count = chance.randint(1, 3)
            words = [random_override(chance, keys, groups if whole else {}, packages) for _ in range(count)]
            theirs = ask_hydra(folder, name, words) if whole else apply_alone(start, words, set(groups))
            if theirs is None:
                continue
            ours = compose(launch("python", "-m", module, *words), schema)
            rejected += theirs.config is None
            if not same(ours, theirs):
                differences += 1
                print(f"{words}\n  hydra: {theirs.reason[:300] or 'composes'}\n  ours:  {ours.rejected}")
    print(f"{given.examples} examples, {rejected} refused by Hydra, {differences} differences")
    return 1 if differences else 0


def apply_alone(start: Any, words: list[str], groups: set[str]) -> Verdict | None:
    """Hydra's own application of overrides to a copy of a composed config; None if one is about a group."""
    try:
        parsed = OverridesParser.create().parse_overrides(words)
        if any(override.key_or_group in groups or override.is_sweep_override() for override in parsed):
            return None
        config = copy.deepcopy(start)
        ConfigLoaderImpl._apply_overrides_to_config(parsed, config)
        return Verdict(OmegaConf.to_container(config))
    except Exception as error:
        return Verdict(None, f"{type(error).__name__}: {error}")


def same(ours: Any, theirs: Verdict) -> bool:
    """Equal verdicts and, if both compose, equal configs."""
    if theirs.config is None:
        return ours.rejected is not None
    return ours.rejected is None and ours.tree == theirs.config


if __name__ == "__main__":
    sys.exit(main())
