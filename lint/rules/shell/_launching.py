"""Where the launches of a script stand in its tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lint.bash.programs.launchers import steps, texts
from lint.bash.reading import RunCommand
from lint.bash.syntax import Pipeline, SimpleCommand
from lint.frozen import frozen
from lint.launch.launch import Launch
from lint.subject.once import once
from lint.subject.subject import ScriptSubject


@frozen
class Place:
    """A launch with its command in the tree and the pipeline that this command is part of."""

    launch: Launch
    command: SimpleCommand
    pipeline: Pipeline
    position: int  # in the pipeline

    @property
    def last(self) -> bool:
        """True if nothing follows the command in its pipeline."""
        return self.position == len(self.pipeline.commands) - 1

    @property
    def passes_words_on(self) -> bool:
        """Whether a word that is added to the command is a word of the launch: not where it starts a shell."""
        return _passes_words_on(self.launch.command)

    @property
    def merged(self) -> bool:
        """True if `|&` sends the errors of the command down the pipe."""
        return not self.last and self.pipeline.merged[self.position]


def _passes_words_on(command: RunCommand) -> bool:
    starter = command.starter
    if starter is None:
        return True
    way = steps(texts(starter.words))
    joined = bool(way) and way[-1].what == "text" and not way[-1].alone and way[-1].after + 1 < len(starter.words)
    return joined and _passes_words_on(starter)


@once
def places(subject: ScriptSubject) -> Sequence[Place]:
    """The launches that are written in this very file, each place once whatever the scenarios."""
    return tuple(_places(subject))


def _places(subject: ScriptSubject) -> Iterator[Place]:
    path = subject.script.source.path
    launches: dict[int, Launch] = {}
    for launch in subject.launches:
        starting = launch.command.outermost
        if launch.command.span.path == starting.span.path == path:
            launches.setdefault(starting.span.start, launch)
    for pipeline in subject.nodes.of(Pipeline):
        for position, command in enumerate(pipeline.commands):
            if isinstance(command, SimpleCommand) and command.start in launches:
                yield Place(launches[command.start], command, pipeline, position)
