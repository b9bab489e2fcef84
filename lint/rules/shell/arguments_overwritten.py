r"""Arguments of the script are passed before overrides of the script, which then overwrite them.

## What it finds
A launch in which overrides follow `"$@"`, in a script that does not fill `$@` itself (`set -- ...`).

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

from collections.abc import Iterator, Sequence

from lint.bash.syntax import Assignment, Function, SimpleCommand, Word
from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject

ALL = frozenset({'"$@"', "$@", '"${@}"', "${@}"})
"""Words that are the arguments of the script, and nothing else."""


@rule(severity="warning", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Launches outside of functions, whose `$@` would be arguments of the function."""
    functions = [(node.start, node.end) for node in subject.nodes.of(Function)]
    text = subject.script.source.text
    commands = (one.words for one in subject.nodes.of(SimpleCommand) if one.words)
    if any(text.startswith("set", words[0].start) and _written(text, words[:2]) == ["set", "--"] for words in commands):
        return
    for place in places(subject):
        start, words = place.command.start, place.command.words
        at = next((word.start for word in words if text[word.start : word.end] in ALL), None)
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


def _written(text: str, words: Sequence[Assignment | Word]) -> list[str]:
    """Words as they are written."""
    return [text[word.start : word.end] for word in words]
