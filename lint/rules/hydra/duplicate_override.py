"""A launch sets the same key twice, and the first of the two does not count.

## What it finds
Two overrides of one key with known values that are written in the same command or the same array; or in two lists of
one file, where no launch that gets the first goes without the second. A second one that stands in a branch, in another
file, or among the arguments of a call may be a deliberate change. Where both values are the same, this is info.

## Why it hurts
Hydra takes the later one without a word; whoever edits the first one changes nothing.

## When it fails
silently: the later value counts

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.total_epochs=3 \\  # <- here
    trainer.total_epochs=15
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    trainer.total_epochs=15
```

## Fix
Keep one of them.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config (in order)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lint.findings import Finding, Related
from lint.launch.config import UNKNOWN
from lint.launch.launch import Override
from lint.rules.hydra._repeated import Pair, in_one_list, repeated, values
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Each place whose value another one takes over, once for all launches: a loop starts many."""
    for pairs, always in repeated(subject):
        together = [pair for pair in pairs if in_one_list(subject, pair)]
        known = [pair for pair in (pairs if always else together) if UNKNOWN not in values(pair)]
        if known:
            found = _finding(subject, known, always)
            yield found if together else replace(found, confidence="medium")


def _finding(subject: ScriptSubject, pairs: Sequence[Pair], always: bool) -> Finding:
    """What is said of a place, by the first launch in which its value is another one than what counts."""
    differing = [pair for pair in pairs if not _same(pair)]
    pair = (differing or pairs)[0]
    earlier, later = pair.earlier, pair.later
    found = subject.finding(
        check,
        earlier.span,
        f"{earlier.key} is set to {_shown(earlier)} here and to {_shown(later)}{_place(subject, later)}: "
        f"{_shown(later)} counts"
        if differing
        else f"{earlier.key} is set to {_shown(earlier)} twice: whoever edits this one changes nothing",
        severity=None if differing else "info",
        help="keep one of them",
        related=[Related(later.span, f"{later.key} is set here, too")],
        scenario={} if always else pair.subject.launch.command.scenario,
    )
    return replace(found, key=earlier.key, value=None if earlier.value is None else earlier.value.value)


def _same(pair: Pair) -> bool:
    earlier, later = values(pair)
    return earlier == later


def _place(subject: ScriptSubject, override: Override) -> str:
    source = subject.sources.get(override.span.path)
    return "" if source is None else f" in line {source.line(override.span.start)}"


def _shown(override: Override) -> str:
    shown = override.value.shown if override.value is not None else ""
    return shown or "''"
