"""Bounds on the work that one script can cause: reading ends, with a message, where bash might run for ever."""

from __future__ import annotations

from dataclasses import dataclass, field

from lint.bash.reading import Unchecked
from lint.text import Span

STEPS = 60_000  # of one reading: a simple command is about one, a subshell or a forked path a few
TURNS = 10_000  # of one loop
PATHS = 32  # alive at the same time
MERGED = 3  # 1 << 3 commands take a step where the logs of two ways become one
APART = 64  # commands on ways that stay apart, before these have one log again
DEPTH = 60  # nested function calls, substitutions and sourced files
TEXT = 1 << 20  # characters of one value
ALTERNATIVES = 4  # outputs of one substitution that are told apart
LABEL = 80  # characters of source text in the name of a condition or a message
ALIKE = 5  # places that are reported for the same reason
WORDS = 50_000  # of one brace expansion, list or command; elements of an array
PARTS_A_STEP = 8  # of a value, or of the words of a brace expansion: so many take the time of a command
CHARACTERS_A_STEP = 1 << 12  # of texts that are put together or changed


@dataclass(slots=True)
class Budget:
    """What is left, and the places where it ran out (each place is reported once)."""

    steps: int = STEPS
    stopped: bool = False
    unchecked: list[Unchecked] = field(default_factory=list)
    lost: int = 0  # places so far at which something was not read
    reported: dict[str, int] = field(default_factory=dict)

    @property
    def exhausted(self) -> bool:
        return self.steps <= 0

    def run_out(self, span: Span) -> None:
        """Say, once, where reading stopped."""
        if not self.stopped:
            self.stopped = True
            self.report(span, f"reading stopped here: the script takes more than {STEPS} steps")

    def report(self, span: Span, reason: str, lost: bool = True) -> None:
        """Note a place: each once, and at most `ALIKE` for the same reason. `lost`: something there was not read."""
        self.lost += lost
        count = self.reported.get(reason, 0)
        if count < ALIKE and Unchecked(span, reason) not in self.unchecked:
            self.reported[reason] = count + 1
            self.unchecked.append(Unchecked(span, reason))
