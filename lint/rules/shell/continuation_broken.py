r"""A continued command ends too early, and the rest of its overrides are run as commands.

## What it finds
A line `some.key=value`, or `"${OVERRIDES[@]}"` with such elements, that bash runs as a command of its own, because the
launch before it ended: at a blank line or a comment after a backslash, at a backslash with blanks behind it, or at a
line that lacks its backslash.

## Why it hurts
Training starts with the first half of its settings and defaults for the rest. "command not found" comes only after
training has ended. A shipped recipe of verl lost 34 of its 68 overrides this way in three releases.

## When it fails
silently: the lost settings stay at their defaults

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \

    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    trainer.n_gpus_per_node=8
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    trainer.n_gpus_per_node=8
```

## Fix
Delete the blank or comment line, the blanks behind the backslash, or add the backslash. An array
(`OVERRIDES=( ... )`, `"${OVERRIDES[@]}"`) needs no backslashes and may hold comments.

## Sources
- bash reference manual, 3.1.2.1: a backslash joins a line with the next one only if nothing stands behind it
- verl 0.8.0, 0.9.0, main: verl/experimental/fully_async_policy/shell/geo3k_qwen25vl_7b_megatron_4_4.sh, line 73
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import SimpleCommand
from lint.findings import Finding, Fix, Related
from lint.rules.rule import rule
from lint.rules.shell._continuing import both, broken, follows, is_override, overrides_run, written_overrides
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Overrides that are commands; one finding for each break, with the number of overrides that it costs."""
    source = subject.script.source
    counts = overrides_run(subject)
    lost = [command for command in subject.nodes.of(SimpleCommand) if is_override(command) or command.start in counts]
    if not lost:
        return
    launches = [place.command for place in places(subject)]
    takers = [place.command for place in places(subject) if place.passes_words_on]
    breaks: list[tuple[str, Fix | None]] = []
    for command in lost:
        breaks.append(broken(subject, command, takers))
        if breaks[-1][1] is not None:
            takers.append(command)
    for index, command in enumerate(lost):
        if index and follows(source, lost[index - 1], command):
            continue
        reason, fix = breaks[index]
        for later in range(index + 1, len(lost)):
            if not follows(source, lost[later - 1], lost[later]):
                break
            fix = both(fix, breaks[later][1])
        until = next((one.start for one in lost[index + 1 :] if one.start > command.end + 200), len(source.text))
        count = sum(
            counts.get(one.start) or written_overrides(source, one) for one in lost[index:] if one.start < until
        )
        above = [one for one in launches if one.end <= command.start]
        related = [Related(subject.span(above[-1]), "this launch ends before it")] if above else []
        yield subject.finding(
            check,
            Span(source.path, command.start, command.end),
            f"{count} override{'s' if count > 1 else ''} from here on {'are' if count > 1 else 'is'} run as a command, "
            f"not passed: {reason}",
            help="join the lines, or put the overrides into an array",
            related=related,
            fix=fix,
        )
