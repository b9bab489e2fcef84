"""A launch: a command that starts a trainer, with its Hydra overrides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lint.bash.reading import RunCommand, Text
from lint.text import Span

Prefix = Literal["", "+", "++", "~"]


@dataclass(frozen=True, slots=True)
class Override:
    """One Hydra override of a launch.

    `value` is None only for `~key`. `span` is where the override is written (the array element, not the `"${A[@]}"`
    that passes it on); `key_span` and `value_span` are inside it where they are written there, else equal to it.
    """

    prefix: Prefix
    key: str  # without prefix and package
    package: str | None  # `key@package=value`; the part after the at sign
    value: Text | None
    span: Span
    key_span: Span
    value_span: Span
    index: int  # in argv of the launch's command


@dataclass(frozen=True, slots=True)
class Launch:
    """A command that starts an entry point. `other` are words after the entry point that are neither an override nor
    a flag that Hydra knows (index in argv)."""

    command: RunCommand
    entry_point: str  # "verl.trainer.main_ppo"
    entry_span: Span
    launcher: str  # "python", "torchrun", "ray job submit", ...
    overrides: tuple[Override, ...]
    config_name: Text | None
    config_path: Text | None
    config_dir: Text | None
    multirun: bool
    other: tuple[int, ...]
    environment: Mapping[str, Text]  # of the trainer process: exports, `env`, `--runtime-env-json` where readable
    launcher_options: Mapping[str, Text] = field(default_factory=dict)  # `--nproc_per_node` of torchrun, ...
