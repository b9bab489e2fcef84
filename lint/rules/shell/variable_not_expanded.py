"""An override holds `$NAME` as text, because it stands in single quotes or behind a backslash.

## What it finds
A value with `$` and the name of a variable that this script or the environment of a login sets (`$HOME`), letter for
letter as the trainer gets it.

## Why it hurts
Bash leaves it alone, and so do Hydra and verl: the path that is looked for begins with a dollar sign.

## When it fails
at start: no file or model has that name; for other keys silently

## Example that fails
```bash
DATA=/mnt/data
python3 -m verl.trainer.main_ppo \\
    'data.train_files=["$DATA/a.parquet","$DATA/b.parquet"]' "$@"  # <- here
```

## Example that passes
```bash
DATA=/mnt/data
python3 -m verl.trainer.main_ppo \\
    "data.train_files=[$DATA/a.parquet,$DATA/b.parquet]" "$@"
```

## Fix
Use double quotes.

## Sources
- hydra-core 1.3.2 hydra/grammar/OverrideLexer.g4 :: UNQUOTED_CHAR ($ is a letter like others)
- verl/utils/fs.py, verl/utils/dataset/rl_dataset.py (0.9.1): paths are not expanded
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import Assignment
from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

LITERAL = regular(r"(?<!\$)\$(?P<name>[A-Za-z_]\w*)")
OF_A_LOGIN = frozenset({"HOME", "PWD", "USER", "TMPDIR"})


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """The value that reaches the trainer still holds the dollar sign and a name that has a value."""
    names = {assignment.name for assignment in subject.nodes.of(Assignment)} | OF_A_LOGIN
    for launch in subject.launches:
        for override in launch.overrides:
            value = None if override.value is None else override.value.value
            if value is None or "$" not in value:
                continue
            kept = [found["name"] for found in LITERAL.finditer(value) if found["name"] in names]
            if kept:
                yield subject.finding(
                    check,
                    override.span,
                    f"{override.key} holds ${kept[0]} as text: bash does not replace it in single quotes or behind \\",
                    help="put the override into double quotes",
                )
