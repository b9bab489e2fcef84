r"""A continued command ends too early, and the rest of its overrides are run as commands.

## What it finds
A line `some.key=value` that bash runs as a command of its own, because the launch before it ended: at a blank line or a
comment after a backslash, at a backslash with blanks behind it, or at a line that lacks its backslash.

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

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lint.bash.syntax import Literal, SimpleCommand, Word
from lint.findings import Edit, Finding, Fix, Related
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Source, Span

OVERRIDE = re.compile(r"[+~]{0,2}[A-Za-z_]\w*(\.[\w@/-]+)+=")
GAP = re.compile(r"[ \t]*(#.*)?\Z")
AT_ITS_END = re.compile(r"[ \t]*\\?[ \t]*(#.*)?")  # what is left of a line behind the last command of it
CONTINUED = re.compile(r"[ \t]+\\")


def is_override(command: SimpleCommand) -> bool:
    """True if bash would look for a program that is named like an override."""
    word = command.words[0] if command.words else None
    first = word.parts[0] if isinstance(word, Word) and word.parts else None
    return isinstance(first, Literal) and OVERRIDE.match(first.text) is not None


def broken(subject: ScriptSubject, lost: SimpleCommand, takers: Sequence[SimpleCommand]) -> tuple[str, Fix | None]:
    """Why the command before a lost one ended, and how to join the two.

    They are joined only if that command takes overrides (`takers`: launches, and what is joined to one) and nothing but
    the break stands between them. The fix is safe if it deletes no comment, and adds a backslash to no line but the one
    above that ends with an override: behind `"$@"` or a redirection, the author may have meant the command to end.
    """
    source = subject.script.source
    line = source.line(lost.start)
    previous = line - 1
    while previous > 0 and GAP.match(source.line_text(previous)):
        previous -= 1
    if previous == 0:
        return "no command stands before it", None
    start = source.line_starts[previous - 1]
    end = start + len(source.line_text(previous))
    comment = next((one.start for one in subject.script.comments if start <= one.start < end), end)
    bare = source.text[start:comment].rstrip()
    backslashes = len(bare) - len(bare.rstrip("\\"))
    between = Span(source.path, source.line_starts[previous], source.line_starts[line - 1])
    commented = "#" in source.text[between.start : between.end]
    taker = next((one for one in reversed(takers) if start < one.end <= between.start), None)

    safe = comment == end and not commented
    if not backslashes:
        reason, title = f"line {previous} does not end with a backslash", "continue the line"
        safe = safe and previous == line - 1 and taker is not None and _ends_with_override(source, taker)
    elif backslashes % 2 == 0:
        return f"the backslash at the end of line {previous} is escaped by another", None
    elif start + len(bare) < end:
        what = "a comment stands" if comment < end else "blanks stand"
        reason, title = f"{what} behind the backslash of line {previous}", "delete what stands behind the backslash"
    elif between.start < between.end:
        what = "a comment" if commented else "a blank line"
        reason, title = f"{what} follows the backslash of line {previous}", "delete the lines in between"
    else:
        return f"the command ends before the backslash of line {previous}", None
    if taker is None or not AT_ITS_END.fullmatch(source.text, taker.end, max(taker.end, end)):
        return reason, None
    content = start + len(bare[:-1].rstrip() if backslashes else bare)
    edits = []
    if not CONTINUED.fullmatch(source.text, content, end):
        edits.append(Edit(Span(source.path, content, end), " \\"))
    if between.start < between.end:
        edits.append(Edit(between, ""))
    return reason, Fix(title, safe, tuple(edits))


def _follows(source: Source, before: SimpleCommand, after: SimpleCommand) -> bool:
    """Whether a lost command stands right below another one, or beside it."""
    return source.line(after.start) <= source.line(before.end) + 1


def _ends_with_override(source: Source, command: SimpleCommand) -> bool:
    last = command.words[-1]
    return last.end == command.end and OVERRIDE.match(source.text[last.start : last.end].lstrip("\"'")) is not None


def _both(first: Fix | None, second: Fix | None) -> Fix | None:
    """Two fixes as one, unless the second is less certain: then it waits for a finding of its own."""
    if first is None or second is None or second.safe < first.safe:
        return first
    return replace(first, edits=first.edits + second.edits)


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Overrides that are commands; one finding for each break, with the number of overrides that it costs."""
    source = subject.script.source
    lost = [command for command in subject.nodes.of(SimpleCommand) if is_override(command)]
    launches = [place.command for place in places(subject)]
    takers = [place.command for place in places(subject) if place.passes_words_on]
    breaks: list[tuple[str, Fix | None]] = []
    for command in lost:
        breaks.append(broken(subject, command, takers))
        if breaks[-1][1] is not None:
            takers.append(command)
    for index, command in enumerate(lost):
        if index and _follows(source, lost[index - 1], command):
            continue
        reason, fix = breaks[index]
        for later in range(index + 1, len(lost)):
            if not _follows(source, lost[later - 1], lost[later]):
                break
            fix = _both(fix, breaks[later][1])
        until = next((one.start for one in lost[index + 1 :] if one.start > command.end + 200), len(source.text))
        count = sum(
            OVERRIDE.match(source.text[word.start : word.end]) is not None
            for one in lost[index:]
            if one.start < until
            for word in one.words
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
