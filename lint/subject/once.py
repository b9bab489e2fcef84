"""What several rules ask of one subject, computed when the first of them asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast


class Remembering(Protocol):
    """A launch or a script with what was computed of it already, by the function that computed it."""

    @property
    def computed(self) -> dict[object, Any]: ...


Subject = TypeVar("Subject", bound=Remembering)
Further = ParamSpec("Further")
Answer = TypeVar("Answer")


def once(compute: Callable[Concatenate[Subject, Further], Answer]) -> Callable[Concatenate[Subject, Further], Answer]:
    """Compute the answer once for each subject, and for each further argument (by position). It is shared: nobody
    changes it."""

    @wraps(compute)
    def answer(subject: Subject, *further: Any) -> Answer:
        computed = subject.computed
        asked = (compute, further) if further else compute
        if asked not in computed:
            computed[asked] = compute(subject, *further)  # type: ignore[call-arg]
        known: Answer = computed[asked]
        return known

    return cast("Callable[Concatenate[Subject, Further], Answer]", answer)
