r"""An override is written as a pattern for file names.

## What it finds
A word of a launch that sets a key and holds an unquoted `[...]`, `*` or `?`: `trainer.logger=['console','wandb']`. The
quotes inside protect what they enclose, not the brackets. The first such word of a script, with the number of others.

## Why it hurts
The shell looks for files that match. Bash leaves the word as it is where it finds none, which holds by luck alone (a
file `trainer.logger=c` would become the argument), and not with `shopt -s nullglob` or `failglob`. zsh, and whoever
pastes the command there, ends with "no matches found". Confidence is low where the script asks for bash in its first
line.

## When it fails
before start: in zsh, and in bash with failglob

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \
    trainer.logger=['console','wandb'] "$@"  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \
    trainer.logger='["console","wandb"]' "$@"
```

## Fix
Quote the whole value: `trainer.logger='["console","wandb"]'`.

## Sources
- bash reference manual, 3.5.8 Filename Expansion; zsh manual, 14.8 Filename Generation
- verl commit a31a8f251, which quoted the loggers of 129 scripts
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.bash.syntax import Literal, Word
from lint.bash.walk import constant
from lint.findings import Edit, Finding, Fix
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

SHEBANG = regular(r"#!.*\bbash\b")
PATTERN = regular(r"[*?]|\[[^/]*\]", re.DOTALL)


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Words that are overrides as they are written, with a pattern outside of quotes and expansions."""
    path, text = subject.script.source.path, subject.script.source.text
    overrides = {override.span: override for launch in subject.launches for override in launch.overrides}
    written = {
        (span.start, span.end): override
        for span, override in overrides.items()
        if span.path == path and _may_be_pattern(text[span.start : span.end])
    }
    found = []
    for word in subject.nodes.of(Word) if written else ():
        override = written.get((word.start, word.end))
        if override is not None and PATTERN.search(_unquoted(word)):
            found.append((word, override))
    by_bash = SHEBANG.match(text) is not None
    for word, override in found[:1]:
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        plain = constant(word)
        span = Span(path, word.start, word.end)
        quoted = None if plain is None or "'" in plain else Fix("quote it", True, (Edit(span, f"'{plain}'"),))
        yield subject.finding(
            check,
            span,
            f"{override.key}{others} is written as a file name pattern: zsh ends with `no matches found`, "
            "bash passes it on if no file matches",
            confidence="low" if by_bash else None,
            help=f"quote the value: {override.key}='...'",
            fix=quoted,
        )


def _may_be_pattern(written: str) -> bool:
    """Whether a text has one of the signs of a pattern, which few overrides have."""
    return "*" in written or "?" in written or "[" in written


def _unquoted(word: Word) -> str:
    """The text of a word with a letter for each part that is quoted or an expansion."""
    return "".join(part.text if isinstance(part, Literal) else "q" for part in word.parts)
