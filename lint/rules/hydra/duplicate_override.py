"""A launch sets the same key twice in one list.

## What it finds
Two overrides of one key with known values that are written in the same command or the same array, so that none of them
is a deliberate change of the other. Where both values are the same, this is info.

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

import re
from collections.abc import Iterator, Sequence

from lint.findings import Finding
from lint.launch.config import UNKNOWN
from lint.launch.launch import Override
from lint.rules.hydra._fields import applied
from lint.rules.hydra._overrides import report
from lint.rules.rule import rule
from lint.subject.subject import Subject

BETWEEN = re.compile(r"^[ \t]*\)|\+?=\(|^[ \t]*(?:if|elif|else|fi|case|esac|for|done)\b", re.MULTILINE)
"""What ends one list or begins another: a change across it may be meant."""


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Pairs of overrides that stand in one list, the earlier one reported."""
    last: dict[str, Override] = {}
    for override in applied(subject) or _unchecked(subject):
        if override.prefix == "~" or override.value is None:
            continue
        earlier = last.get(override.key)
        last[override.key] = override
        if earlier is None or not _one_list(subject, earlier, override):
            continue
        first, second = _value(subject, earlier), _value(subject, override)
        if UNKNOWN in (first, second):
            continue
        same = first == second
        yield report(
            subject,
            check,
            earlier,
            f"{earlier.key} is set to {_shown(earlier)} twice: whoever edits this one changes nothing"
            if same
            else f"{earlier.key} is set to {_shown(earlier)} here and to {_shown(override)} further down: "
            f"{_shown(override)} counts",
            severity="info" if same else None,
            help="keep one of them",
            also=[override],
        )


def _shown(override: Override) -> str:
    shown = override.value.shown if override.value is not None else ""
    return shown or "''"


def _unchecked(subject: Subject) -> Sequence[Override]:
    """The overrides of a program whose config is not known: Hydra takes the last one there, too."""
    composition = subject.composition
    return subject.launch.overrides if composition is not None and composition.unchecked is not None else ()


def _value(subject: Subject, override: Override) -> object:
    """What Hydra reads; the text where the config is not known."""
    parsed = None if subject.composition is None else subject.composition.parsed.get(override.index)
    text = None if override.value is None else override.value.value
    return parsed.value if parsed is not None else UNKNOWN if text is None else text


def _one_list(subject: Subject, earlier: Override, later: Override) -> bool:
    """True if nothing between the two ends one list or begins another."""
    source = subject.sources.get(earlier.span.path)
    if source is None or earlier.span.path != later.span.path or later.span.start <= earlier.span.end:
        return False
    return BETWEEN.search(source.text[earlier.span.end : later.span.start]) is None
