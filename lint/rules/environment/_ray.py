"""What stands between the shell of a launch and its workers: they inherit from `ray start`, not from the driver."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection

from lint.bash.numbers import whole
from lint.bash.programs.handing import handed_on
from lint.bash.programs.launchers import steps, texts
from lint.bash.reading import RunCommand
from lint.frozen import frozen
from lint.launch.launch import Launch
from lint.subject.subject import ScriptSubject

CONTAINERS = ("docker ", "podman ", "nerdctl ")


@frozen
class Obstacle:
    """Why exports do not reach the workers, whether that is certain, which names do all the same, and how the others
    would, if that is not a matter of Ray."""

    reason: str
    certain: bool
    passed: Collection[str]
    remedy: str | None = None


def obstacle(subject: ScriptSubject, launch: Launch) -> Obstacle | None:
    """What stands between the shell of a launch and its workers; None if Ray is started by the launch itself."""
    if launch.launcher.startswith("ray job submit"):
        outermost = launch.command.outermost
        if any(re.match(r"--runtime-env(=|\Z)", word.shown) for word in outermost.words) and not outermost.contents:
            return None  # a file that is not here, which may hold any of them
        own = outermost.environment
        given = {name for name, text in launch.environment.items() if text != own.get(name)}
        return Obstacle("ray job submit does not send the environment of this shell", True, given)
    kept_out = _kept_out(launch)
    if kept_out is not None:
        return kept_out
    start = last_start(subject, launch)
    if start is not None:
        line = subject.sources[start.span.path].line(start.span.start)
        return Obstacle(f"ray start in line {line} runs before them", True, start.environment)
    counts = [
        one.value.value or "" for one in launch.overrides if one.key == "trainer.nnodes" and one.value is not None
    ]
    if counts and counts[-1].isdecimal() and whole(counts[-1]) > 1:
        reason = f"with trainer.nnodes {counts[-1]} Ray is started elsewhere, and workers see what ray start saw"
        return Obstacle(reason, False, ())
    return None


def _kept_out(launch: Launch) -> Obstacle | None:
    """A launcher that starts the program in another environment than its own: a container, another machine, another
    user. What runs in a container that is there already may have been given them when that was started."""
    command: RunCommand | None = launch.command
    while command is not None:
        handed = handed_on(steps(texts(command.words)), command.words, command.contents)
        if handed.hands_on == "nothing":
            reason = f"{handed.by} does not hand on the environment of this shell"
            certain = handed.elsewhere != "" and not handed.by.endswith(" exec")
            option = "-e NAME" if handed.by.startswith(CONTAINERS) else None
            remedy = f"add {option} for each to {handed.by}" if option else f"export them in what {handed.by} starts"
            return Obstacle(reason, certain, launch.environment, remedy)
        command = command.starter
    return None


def last_start(subject: ScriptSubject, launch: Launch) -> RunCommand | None:
    """The last `ray start` that runs before a launch."""
    for command in reversed(subject.split(launch)[0]):
        if [posixpath.basename(word.shown) for word in command.words[:2]] == ["ray", "start"]:
            return command
    return None
