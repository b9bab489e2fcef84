r"""A launch uses a variable that nothing sets.

## What it finds
A variable without a default that is part of an override and that neither the script nor a file that it sources assigns.
Names in capitals may come from the environment of the site (`HDFS_ROOT`, `RAY_DATA_HOME`): they are reported as
information only, unless the script assigns nearly the same name.

## Why it hurts
It expands to nothing: `key=` gives an empty value, `$WORK_DIR/data` a path at the root. Under `set -u` the script ends
there.

## When it fails
silently: an empty value; before start: with set -u

## Example that fails
```bash
gen_tp=8
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$rollout_tp "$@"  # <- here
```

## Example that passes
```bash
gen_tp=8
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$gen_tp "$@"
```

## Fix
Assign it, or give it a default: `${NAME:-value}`.

## Sources
- verl commits c12b0cfee ($gen_tp), bd756c15c ($LAST_LAYER for last_layer), 16bdafaad ($DEVICE under set -u)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from lint.bash.reading import Known, Origin
from lint.findings import Finding
from lint.launch.launch import Launch
from lint.rules.rule import rule
from lint.rules.shell.array_undefined import assigned
from lint.rules.subject import ScriptSubject
from lint.text import Span

ALWAYS = re.compile(
    r"HOME|USER|LOGNAME|PATH|PWD|OLDPWD|SHELL|HOSTNAME|HOST|UID|EUID|PPID|RANDOM|SECONDS|LINENO|BASH_\w+|TMPDIR|LANG|TERM"
    r"|CONDA_PREFIX|VIRTUAL_ENV|PYTHONPATH|LD_LIBRARY_PATH|LD_PRELOAD|(SLURM|ARNOLD|OMPI|PET|MASTER|VC|MA)_\w+"
    r"|(NODE_|LOCAL_)?RANK|(LOCAL_)?WORLD_SIZE"
)


def unset(origin: Origin) -> Iterator[Origin]:
    """The steps of a chain that are variables which nothing sets."""
    if origin.kind == "unset":
        yield origin
    for source in origin.sources:
        yield from unset(source)


def empty_uses(launch: Launch) -> Iterator[tuple[str, Span, str]]:
    """Name, place and key of every use in an override."""
    for override in launch.overrides:
        for piece in override.value.pieces if override.value is not None else ():
            if isinstance(piece, Known):
                for origin in unset(piece.origin):
                    if origin.name is not None:
                        yield origin.name, origin.span, override.key


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Uses of names that are assigned nowhere, each name once."""
    names = assigned(subject)
    reported: set[str] = set()
    for launch in subject.launches:
        for name, span, key in empty_uses(launch):
            if name in reported or ALWAYS.fullmatch(name) or name in names or not name.isidentifier():
                continue
            reported.add(name)
            lowered = {one.lower(): one for one in names}
            same = lowered.get(name.lower())
            near = [same] if same else get_close_matches(name, names, 1, 0.8)
            site = name.isupper() and not near
            yield subject.finding(
                check,
                span,
                f"{name} is set nowhere in this script, so {key} gets nothing for it"
                + (" unless the environment holds it" if site else ""),
                severity="info" if site else None,
                confidence="medium" if site else None,
                help=f"write {near[0]}" if near else f"assign it, or write ${{{name}:-value}}",
                scenario=launch.command.scenario,
            )
