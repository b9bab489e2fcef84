"""What a test says: true, false, or a status that only a run could tell."""

from __future__ import annotations

import re
from typing import TypeAlias

from lint.bash.origins import derive
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.unknown import ExitStatus, likely_text
from lint.bash.words.arithmetic import Number
from lint.text import Span

Decision: TypeAlias = "bool | Unknown"


class TestFault(Exception):
    """A test that bash rejects; its exit status is 2."""


def negated(decision: Decision) -> Decision:
    """`! decision`."""
    if isinstance(decision, ExitStatus):
        return ExitStatus(decision.reason, decision.origin, likely=int(decision.likely == 0), assumed=decision.assumed)
    if isinstance(decision, Unknown):
        return decision
    return not decision


def combined(left: Unknown, right: Decision, either: bool) -> Unknown:
    truths = [likely_true(left), likely_true(right)]
    return undecided(left.reason, left.origin, any(truths) if either else all(truths))


def likely_true(decision: Decision) -> bool:
    return decision.likely == 0 if isinstance(decision, ExitStatus) else decision is True


def undecided(reason: str, origin: Origin, likely: bool) -> ExitStatus:
    return ExitStatus(f"result of {reason}", origin, likely=0 if likely else 1)


def compared(operator: str, left: Number, right: Number, first: Text, second: Text, span: Span) -> Decision:
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        origin = derive(span, "expansion", None, tuple(p.origin for t in (first, second) for p in t.pieces)[:8])
        guesses = [likely_text(text).strip() for text in (first, second)]
        likely = all(re.fullmatch(r"[-+]?[0-9]+", guess) for guess in guesses) and relation(
            operator, int(guesses[0]), int(guesses[1])
        )
        return undecided(f"{first.brief} {operator} {second.brief}", origin, likely)
    return relation(operator, left, right)


def relation(operator: str, left: int, right: int) -> bool:
    return {
        "-eq": left == right,
        "-ne": left != right,
        "-lt": left < right,
        "-le": left <= right,
        "-gt": left > right,
        "-ge": left >= right,
    }[operator]
