"""The files of a launch, and what their names say they are for."""

from __future__ import annotations

import re

from lint.regular import regular

TRAINING, VALIDATION = "data.train_files", "data.val_files"
PLACEHOLDER = regular(r"your[_-]|<\w|^\W*$", re.IGNORECASE)
HELD_OUT = regular(r"(^|[^a-z])(test|val|valid|validation|eval)([^a-z]|$)", re.IGNORECASE)
TRAIN = regular(r"(^|[^a-z])train", re.IGNORECASE)


def paths(value: object) -> list[str]:
    """The files of a setting, one path or a list of them; what the user must replace is left out."""
    several = value if isinstance(value, list) else [value]
    return [one for one in several if isinstance(one, str) and one and not PLACEHOLDER.search(one)]


def last(path: str) -> str:
    """The file name of a path."""
    return path.rstrip("/").rsplit("/", 1)[-1]


def named_for_tests(path: str) -> bool:
    """True for the name of a file that is held out from training."""
    return HELD_OUT.search(last(path)) is not None and TRAIN.search(last(path)) is None
