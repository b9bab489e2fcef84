"""The launches of a script's readings, each found once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lint.bash.programs.launchers import is_launcher, texts
from lint.bash.reading import Reading, RunCommand
from lint.bash.state.log import common
from lint.launch.find import Overrides, find
from lint.launch.launch import Launch
from lint.launch.started import Started, started_program
from lint.launch.sweep import each_of_sweep


class Launches:
    """Finds the launches of one script. Its readings have most of their commands and words in common: what was found in
    one of them is not looked for in the others again."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[Launch, ...]] = {}
        self._overrides = Overrides()

    def of(self, readings: Sequence[Reading]) -> Iterator[Launch]:
        """The launches of readings; one that several scenarios start in the same way is given once, for the first. A
        multirun is as many as it starts."""
        ways: dict[object, tuple[RunCommand, Started]] = {}
        for reading in readings:
            for command in reading.commands:
                name = command.words[0].value if command.words else ""
                started = started_program(texts(command.words)) if name is None or is_launcher(name) else None
                if started is None:
                    continue
                words = tuple([word.shown for word in command.words])
                environment = tuple(sorted((name, text.shown) for name, text in command.environment.items()))
                identity = (command.span, words, environment, command.called_from)
                command = replace(command, scenario={**reading.scenario, **command.scenario})
                first, started = ways.get(identity, (command, started))
                if first.decided != command.decided:
                    first = replace(first, decided=common(first.decided, command.conditions))
                ways[identity] = first, started
        for way, (command, started) in ways.items():
            if way not in self._known:
                launch = find(command, started, self._overrides)
                self._known[way] = () if launch is None else each_of_sweep(launch)
            yield from self._known[way]
