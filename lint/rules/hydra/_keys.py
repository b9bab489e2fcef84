"""What is said of the keys of a launch: which Hydra refuses, what the release is called, and which node holds a key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lint.launch.compose import Cause, Composition, Problem
from lint.schema.load import load, release_of
from lint.subject.subject import Subject


def problems(subject: Subject, *causes: Cause) -> Iterator[Problem]:
    """What Hydra refuses for one of these causes."""
    if subject.composition is not None:
        for problem in subject.composition.problems:
            if problem.cause in causes:
                yield problem


def release(composition: Composition) -> str:
    """What a launch was composed of, for messages: a release, or the configs of another package on top of one."""
    schema, primary = composition.schema, composition.primary
    if schema.date is not None and primary is not None and primary.names[0] not in load(release_of(schema)).folders:
        return f"{primary.names[0]} (with {schema.title})"
    return schema.title


def having(releases: Sequence[str]) -> str:
    """`0.8.0 has it`, `0.8.0 and 0.9.0 have it`."""
    if len(releases) == 1:
        return f"{releases[0]} has it"
    return f"{', '.join(releases[:-1])} and {releases[-1]} have it"


def parent(key: str) -> str:
    """The key of the node that holds a key; empty for the root."""
    return key.rpartition(".")[0]
