"""Real Hydra as a witness: what it says of overrides on a config folder, and random overrides to ask it about."""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from lint.bash.reading import Known, Origin, RunCommand, Text
from lint.launch.find import find
from lint.launch.launch import Launch
from lint.text import Span


@dataclass(frozen=True)
class Verdict:
    """The composed config with interpolations left as text, or None with the `reason` if Hydra refuses."""

    config: Any
    reason: str = ""


def ask_hydra(folder: Path, config_name: str, words: list[str]) -> Verdict:
    """Compose with real Hydra."""
    GlobalHydra.instance().clear()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with initialize_config_dir(config_dir=str(folder.resolve()), version_base=None):
                return Verdict(OmegaConf.to_container(hydra_compose(config_name=config_name, overrides=words)))
    except Exception as error:
        return Verdict(None, f"{type(error).__name__}: {error}")
    finally:
        GlobalHydra.instance().clear()


def command(words: list[str]) -> RunCommand:
    """A command as if its words stood on one line, each a literal."""
    texts, spans, offset = [], [], 0
    for word in words:
        span = Span("script.sh", offset, offset + len(word))
        texts.append(Text((Known(word, Origin(span, "literal")),) if word else ()))
        spans.append(span)
        offset += len(word) + 1
    return RunCommand(Span("script.sh", 0, offset), tuple(texts), tuple(spans), {}, {})


def launch(*words: str) -> Launch:
    """The launch of a command."""
    found = find(command(list(words)))
    assert found is not None
    return found


SCALARS = ["1", "0.5", "true", "null", "abc", "''", "", "1e-6", "???", "a b", "'x y'", "/a/b.c", "-1", "${a.b}"]
VALUES = [
    *SCALARS,
    "[]",
    "{}",
    "[1,2]",
    "[a,'b']",
    "{x:1}",
    "{x:{y:2}}",
    "[{x:1}]",
    "'${'",
    "a,b",
    "x:y",
    "=",
    "(",
    "range(1,3)",
]


def random_override(chance: random.Random, keys: list[str], groups: dict[str, list[str]], packages: list[str]) -> str:
    """An override over real keys and groups, with mutations: prefixes, values, typos, nesting, wrong groups."""
    prefix = chance.choice(["", "", "", "+", "++", "~"])
    if groups and chance.random() < 0.2:
        group = chance.choice(sorted(groups))
        package = chance.choice(["", "", "@" + chance.choice(packages)])
        option = chance.choice([*groups[group], "nothing", "[]", "null", "1", "{x:1}"])
        return prefix + group + package + ("" if prefix == "~" and chance.random() < 0.5 else f"={option}")
    key = chance.choice(keys)
    change = chance.random()
    if change < 0.12:
        key = key[:-1] or key
    elif change < 0.24:
        key += chance.choice([".x", ".0", ".x.y"])
    elif change < 0.36:
        key = ".".join(key.split(".")[: chance.randint(1, 3)])
        if chance.random() < 0.3:
            return f"{prefix}{key}=null"
    elif change < 0.4:
        key = re.sub(r"\.\w+$", ".new", key)
    if prefix == "~" and chance.random() < 0.6:
        return f"~{key}"
    value = chance.choice(VALUES)
    if value == "${a.b}":
        value = "${" + chance.choice(keys) + "}"
    if chance.random() < 0.15:
        value = "{" + key.rpartition(".")[2] + ":1," + chance.choice(["x:2", "x:{y:3}", "x:[1]"]) + "}"
    return f"{prefix}{key}={value}"
