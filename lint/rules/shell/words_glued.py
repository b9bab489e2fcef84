r"""Two arguments of a launch are glued together by a backslash at the end of a line.

## What it finds
A word of a launch that runs over a line continuation: the line ends with `value\`, without a blank before the
backslash, and the next line starts in the first column.

## Why it hurts
Bash removes backslash and line end and joins what is left: `--config-name=ppo.yaml` and `data.x=1` become one argument.
One of them is lost, or Hydra stops on the mixture. (Blanks at the start of the next line separate the two.)

## When it fails
before start: Hydra refuses the argument; or silently, if the mixture happens to be a value

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \
data.max_prompt_length=1024\
data.max_response_length=1024
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \
data.max_prompt_length=1024 \
data.max_response_length=1024
```

## Fix
Put a blank before the backslash.

## Sources
- bash reference manual, 3.1.2.1
- verl: shipped scripts write `'...yaml'\` before an indented line, which is fine
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import DoubleQuoted, Quoted, Word
from lint.findings import Edit, Finding, Fix
from lint.regular import regular
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Span

JOINT = regular(r"(?<=[^\s\\=,])\\\r?\n(?=(--|[+~]{0,2}[A-Za-z_]\w*(\.[\w@/-]+)*=))")


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A word that holds a second `key=` behind a continuation."""
    source = subject.script.source
    for place in places(subject):
        for word in place.command.words:
            if not isinstance(word, Word) or "\n" not in source.text[word.start : word.end]:
                continue
            joint = JOINT.search(source.text, word.start, word.end)
            quoted = [part for part in word.parts if isinstance(part, (Quoted, DoubleQuoted))]
            if joint is None or any(part.start <= joint.start() < part.end for part in quoted):
                continue
            yield subject.finding(
                check,
                Span(source.path, joint.start(), joint.start() + 1),
                f"no blank before this backslash: {joint[1]}... is glued to the argument above",
                help="put a blank before the backslash",
                fix=Fix("separate the arguments", True, (Edit(Span(source.path, joint.start(), joint.start()), " "),)),
            )
