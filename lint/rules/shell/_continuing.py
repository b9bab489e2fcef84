"""Overrides that bash runs as commands: why the launch above them ended, and how to join the two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lint.bash.syntax import Literal, SimpleCommand, Word
from lint.findings import Edit, Fix
from lint.regular import regular
from lint.subject.subject import ScriptSubject
from lint.text import Source, Span

OVERRIDE = regular(r"[+~]{0,2}[A-Za-z_]\w*(\.[\w@/-]+)+=")
GAP = regular(r"[ \t]*(#.*)?\Z")
AT_ITS_END = regular(r"[ \t]*\\?[ \t]*(#.*)?")  # what is left of a line behind the last command of it
ESCAPED_BLANK = regular(r"(?<!\\)(\\\\)*\\[ \t]#")  # in `\ #` bash sees a word, and its author a comment
CONTINUED = regular(r"[ \t]+\\")


def is_override(command: SimpleCommand) -> bool:
    """True if bash would look for a program that is named like an override."""
    word = command.words[0] if command.words else None
    first = word.parts[0] if isinstance(word, Word) and word.parts else None
    return isinstance(first, Literal) and OVERRIDE.match(first.text) is not None


def overrides_run(subject: ScriptSubject) -> Mapping[int, int]:
    """Commands of this file that come out as overrides, by where they start: how many overrides each of them holds."""
    path = subject.script.source.path
    counts: dict[int, int] = {}
    for command in (command for reading in subject.readings for command in reading.commands):
        if command.span.path == path and command.words and OVERRIDE.match(command.words[0].shown):
            held = sum(OVERRIDE.match(word.shown) is not None for word in command.words)
            counts[command.span.start] = max(held, counts.get(command.span.start, 0))
    return counts


def written_overrides(source: Source, command: SimpleCommand) -> int:
    """How many words of a command are written as overrides."""
    return sum(OVERRIDE.match(source.text[word.start : word.end]) is not None for word in command.words)


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
    meant = ESCAPED_BLANK.search(source.text, start, comment)
    if meant is not None:
        comment = meant.end() - 1
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


def follows(source: Source, before: SimpleCommand, after: SimpleCommand) -> bool:
    """Whether a lost command stands right below another one, or beside it."""
    return source.line(after.start) <= source.line(before.end) + 1


def _ends_with_override(source: Source, command: SimpleCommand) -> bool:
    last = command.words[-1]
    return last.end == command.end and OVERRIDE.match(source.text[last.start : last.end].lstrip("\"'")) is not None


def both(first: Fix | None, second: Fix | None) -> Fix | None:
    """Two fixes as one, unless the second is less certain: then it waits for a finding of its own."""
    if first is None or second is None or second.safe < first.safe:
        return first
    return replace(first, edits=first.edits + second.edits)
