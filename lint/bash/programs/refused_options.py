"""Options that a launcher does not know, and ends at: of those whose options are all in `launchers.json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from lint.bash.programs.launcher_table import Launcher
from lint.bash.programs.launchers import Step, steps
from lint.frozen import frozen


@frozen
class RefusedOption:
    """An option of word `index` that is no option of its launcher, or the beginning of several (`fitting`)."""

    launcher: str
    index: int
    name: str
    fitting: tuple[str, ...]
    nearest: str | None


def refused_options(words: Sequence[str | None]) -> Iterator[RefusedOption]:
    """What argparse refuses of the own options of the launchers in a command."""
    begin = 1
    for step in steps(words):
        if step.launcher.flags is not None:
            yield from _refused(step, words, begin)
        begin = step.after + 1


def _refused(step: Step, words: Sequence[str | None], begin: int) -> Iterator[RefusedOption]:
    launcher, values = step.launcher, {option.index for option in step.options if option.offset == 0}
    known = _options(launcher)
    for index in range(begin, min(step.after, len(words))):
        word = words[index]
        if index in values:
            continue
        if word is None:
            return  # the program, perhaps: what follows is its own
        if not word.startswith("-") or len(word) == 1:
            continue
        name = launcher.option(word.partition("=")[0])
        if name in known or (not name.startswith("--") and name[:2] in known and len(name) == len(word)):
            continue  # `-r3` is `-r` with its value
        fitting = tuple(sorted(option for option in known if name.startswith("--") and option.startswith(name)))
        if len(fitting) != 1:
            near = get_close_matches(f"--{name.lstrip('-')}", sorted(known), 1, 0.7)
            yield RefusedOption(step.name, index, word.partition("=")[0], fitting, near[0] if near else None)


def _options(launcher: Launcher) -> frozenset[str]:
    return launcher.value | launcher.module | launcher.command | (launcher.flags or frozenset())
