"""Models that a script makes itself: they may be named like a published one, and have other sizes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from lint.bash.reading import Reading
from lint.launch.config import Config

MAKERS = {"init_random_model.py": "--output_path"}
"""Programs that write a model with sizes of their own, and the option that says where (verl main: scripts/)."""

NAMES = tuple(MAKERS)


def made_models(readings: Iterable[Reading]) -> frozenset[str]:
    """The folders, as they are shown, into which commands of the readings write such models."""
    found = set()
    for reading in readings:
        for command in reading.commands:
            words = [word.shown for word in command.words]
            program = next(
                (word for word in words if word.endswith(NAMES) and posixpath.basename(word) in MAKERS), None
            )
            option = None if program is None else MAKERS[posixpath.basename(program)]
            if option is None:
                continue
            for word, following in zip(words, (*words[1:], ""), strict=True):
                if word == option and following:
                    found.add(following)
                elif word.startswith(f"{option}="):
                    found.add(word.partition("=")[2])
    return frozenset(found)


def is_made(config: Config, key: str, made: Iterable[str]) -> bool:
    """Whether the model at a key is one of those that were made."""
    setting = config.get(key)
    value = None if setting is None or setting.override is None else setting.override.value
    return value is not None and value.shown in made
