"""One launch on every release: does it compose, and what breaks where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lint.launch.compose import Composition, compose
from lint.launch.launch import Launch
from lint.schema.load import load, shipped


@dataclass(frozen=True, slots=True)
class Standing:
    """How a launch fares on one release."""

    release: str
    composition: Composition

    @property
    def composes(self) -> bool | None:
        """True if Hydra composes the launch and its module exists, None if it could not be checked."""
        if self.composition.unchecked is not None:
            return None
        primary = self.composition.primary
        missing = primary is not None and primary.missing_module is not None
        return not self.composition.problems and not missing

    @property
    def reasons(self) -> tuple[str, ...]:
        """What breaks, in the order in which a start would meet it; why it was not checked, if it was not."""
        if self.composition.unchecked is not None:
            return (self.composition.unchecked,)
        primary = self.composition.primary
        missing = primary.missing_module if primary is not None else None
        first = (f"there is no module {missing}",) if missing else ()
        return first + tuple(problem.message for problem in self.composition.problems)


def standings(launch: Launch, releases: Sequence[str] | None = None) -> tuple[Standing, ...]:
    """The launch on each release, oldest first; all that come with the tool by default."""
    return tuple(Standing(release, compose(launch, load(release))) for release in releases or shipped())
