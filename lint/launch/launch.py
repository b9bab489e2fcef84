"""A launch: a command that starts a trainer, with its Hydra overrides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from lint.bash.reading import RunCommand, Text
from lint.frozen import frozen
from lint.launch.written import part_span
from lint.text import Span

Prefix = Literal["", "+", "++", "~"]


@frozen
class Override:
    """One Hydra override of a launch.

    `value` is None only for `~key`. `span` is where the override is written (the array element, not the `"${A[@]}"`
    that passes it on), `text` is the whole word as it is written there.
    """

    prefix: Prefix
    key: str  # without prefix and package
    package: str | None  # `key@package=value`; the part after the at sign
    value: Text | None
    span: Span
    index: int  # in argv of the launch's command
    text: Text = field(repr=False)

    @property
    def key_span(self) -> Span:
        """Where the key is written: inside `span` if it stands there, else equal to it."""
        start = len(self.prefix)
        return part_span(self.text, start, start + len(self.key)) or self.span

    @property
    def value_span(self) -> Span:
        """Where the value is written, likewise."""
        if self.value is None:
            return self.span
        shown = self.text.shown
        return part_span(self.text, shown.index("=") + 1, len(shown)) or self.span


@frozen
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
    environment: Mapping[str, Text]  # of the trainer process: exports, `env`, what Ray is given, where readable
    launcher_options: Mapping[str, Text] = field(default_factory=dict)  # `--nproc_per_node` of torchrun, ...
    chosen: Mapping[str, str] = field(default_factory=dict)  # of a multirun: its value of each key that has several
    is_of_many: bool = False  # one of a multirun that starts more launches than are read
