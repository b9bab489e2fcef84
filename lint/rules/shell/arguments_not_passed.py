r"""Arguments of the script do not reach the launch.

## What it finds
A script that starts a trainer and uses `"$@"` nowhere.

## Why it hurts
`bash run.sh trainer.nnodes=4` runs with what the script says and drops the rest without a word.

## When it fails
silently: overrides on the command line are ignored

## Example that fails
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 "$@"
```

## Fix
Append `"$@"` to the launch. In `bash -c '...'` it stands for what follows the text: `bash -c '... "$@"' bash "$@"`. In
the text of a here-document it becomes one word with all arguments.

## Sources
- bash reference manual, 3.4.2 Special Parameters, and 6.1 Invoking Bash: `-c`
- verl commit 7f8de223f, which added it to shipped scripts
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import DoubleQuoted, Function, Parameter, Word
from lint.findings import Edit, Finding, Fix
from lint.regular import regular
from lint.rules.rule import rule
from lint.rules.shell._launching import Place, places
from lint.subject.subject import ScriptSubject
from lint.text import Span

EXECUTING = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
"""What stands before a command that `find` runs."""
SHELL = regular(r"(?:.*/)?(?:ba|da|k|z)?sh")
OF_TEXT = regular(r"-[a-z]*c")


@rule(severity="info", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """No use of all arguments; a script that takes single ones may have its own way, so it gets no fix."""
    names = {parameter.name for parameter in subject.nodes.of(Parameter)}
    if names & {"@", "*"}:
        return
    takes = any(name.isdigit() and name != "0" for name in names)
    for place in places(subject):
        end = place.command.end
        function = _function(subject, place)
        insert = Edit(Span(subject.script.source.path, end, end), ' "$@"')
        yield subject.finding(
            check,
            place.launch.entry_span,
            "arguments of the script are not passed on: overrides on the command line are dropped",
            help=_help(place, function),
            fix=None
            if takes or function or not place.passes_words_on
            else Fix("pass the arguments on", True, (insert,)),
        )
        return


def _function(subject: ScriptSubject, place: Place) -> str | None:
    """The innermost function of the script that holds a launch: there, "$@" are its own arguments."""
    holding = [one for one in subject.nodes.of(Function) if one.start <= place.command.start < one.end]
    return holding[-1].name if holding else None


def _help(place: Place, function: str | None) -> str | None:
    """What to write where the launch stands; None where no word that could be added reaches it as one."""
    starter = place.launch.command.starter
    if place.passes_words_on:
        everywhere = f", and to every call of {function}" if function else ""
        return f'append "$@" to the launch{everywhere}'
    if function or starter is None or starter.starter is not None:
        return None
    words = [word.value or "" for word in starter.words]
    if EXECUTING.intersection(words):
        return 'write "$@" behind the last override of the launch'
    text = place.command.words[-1]
    is_text = any(SHELL.fullmatch(word) for word in words[:-2]) and OF_TEXT.fullmatch(words[-2])
    if not is_text or not isinstance(text, Word) or not text.start <= place.launch.entry_span.start < text.end:
        return None
    doubly = any(isinstance(part, DoubleQuoted) for part in text.parts)
    inner = r"\"\$@\"" if doubly else '"$@"'
    return f'end the text with {inner}, and write bash "$@" behind it'
