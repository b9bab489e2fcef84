r"""Arguments of the script are passed before overrides of the script, which then overwrite them.

## What it finds
A launch in which overrides follow `"$@"`.

## Why it hurts
Of two overrides of one key Hydra takes the last: `bash run.sh trainer.nnodes=4` starts with the value of the script.

## When it fails
silently: overrides on the command line are without effect

## Example that fails
```bash
python3 -m verl.trainer.main_ppo "$@" trainer.n_gpus_per_node=8  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Move `"$@"` to the end of the launch.

## Sources
- hydra-core 1.3.2 hydra/_internal/config_loader_impl.py :: _apply_overrides_to_config (in their order)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import Function, Parameter
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject


@rule(severity="warning", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Launches outside of functions, whose `$@` would be arguments of the function."""
    functions = [(node.start, node.end) for node in subject.nodes.of(Function)]
    arguments = [node.start for node in subject.nodes.of(Parameter) if node.name == "@"]
    for place in places(subject):
        start, end = place.command.start, place.command.end
        at = next((position for position in arguments if start <= position < end), None)
        if at is None or not place.passes_words_on or any(first <= start < last for first, last in functions):
            continue
        spans = place.launch.command.word_spans
        later = {
            one.key: one for one in place.launch.overrides if spans[one.index].start > at and one.prefix in ("", "++")
        }
        if later:
            key, first = next(iter(later.items()))
            more = f" and {len(later) - 1} more" if len(later) > 1 else ""
            yield subject.finding(
                check,
                first.span,
                f'{key}{more} after "$@" overwrites what the user of the script asks for',
                help='move "$@" to the end of the launch',
                scenario=place.launch.command.scenario,
            )
