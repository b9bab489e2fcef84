r"""A character looks like one of bash's, but is another: full-width or typographic punctuation, an invisible blank.

## What it finds
Unquoted text with typographic quotes, full-width punctuation, a long dash, a non-breaking or ideographic blank, or a
zero-width character.

## Why it hurts
Bash takes it as a letter. A typographic quote does not quote, a non-breaking blank does not separate, a full-width
equals sign does not assign: values carry the character, or two words become one.

## When it fails
silently: the character is part of the value

## Example that fails
```bash
python3 -m verl.trainer.main_ppo trainer.project_name=“demo” "$@"  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo trainer.project_name="demo" "$@"
```

## Fix
Type the plain character.

## Sources
- bash reference manual, 2 Definitions: metacharacters are ASCII
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from lint.bash.syntax import Literal
from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.text import Span

PLAIN = {
    "\u201c": '"',
    "\u201d": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u2013": "-",
    "\u2014": "--",
    "\u00a0": " ",
    "\u3000": " ",
    "\u200b": "",
    "\ufeff": "",
    **{chr(0xFF01 + offset): chr(0x21 + offset) for offset in range(15)},  # full-width ! to /
    **{chr(0xFF1A + offset): chr(0x3A + offset) for offset in range(7)},  # : to @
}


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """One finding for each piece of unquoted text, at the first such character; the fix replaces all of them."""
    path, whole = subject.script.source.path, subject.script.source.text
    for literal in subject.nodes.of(Literal):
        if literal.text.isascii():
            continue
        places = [at for at in range(literal.start, literal.end) if whole[at] in PLAIN]
        if not places:
            continue
        character = whole[places[0]]
        plain = PLAIN[character]
        edits = tuple(Edit(Span(path, at, at + 1), PLAIN[whole[at]]) for at in places)
        name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
        yield subject.finding(
            check,
            edits[0].span,
            f"{name} is a letter for bash",
            help=f"write {plain}" if plain.strip() else "write a plain blank" if plain else "delete it",
            fix=Fix("write plain characters", False, edits),
        )
