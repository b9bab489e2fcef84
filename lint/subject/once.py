"""What several rules ask of one subject, computed when the first of them asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class Remembering(Protocol):
    """A launch or a script with what was computed of it already, by the function that computed it."""

    @property
    def computed(self) -> dict[object, Any]: ...


Subject = TypeVar("Subject", bound=Remembering)
Answer = TypeVar("Answer")


def once(compute: Callable[[Subject], Answer]) -> Callable[[Subject], Answer]:
    """Compute the answer once for each subject. It is shared: nobody changes it."""

    @wraps(compute)
    def answer(subject: Subject) -> Answer:
        computed = subject.computed
        if compute not in computed:
            computed[compute] = compute(subject)
        found: Answer = computed[compute]
        return found

    return answer
