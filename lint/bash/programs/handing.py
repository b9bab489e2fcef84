"""What a launcher hands on to the program that it starts: environment, working directory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from lint.bash.programs.launchers import HandsOn, Option, Step
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.frozen import frozen
from lint.text import Span


@frozen
class Handed:
    """The environment of a program as it differs from that of the shell that starts its launchers.

    `given` are the variables that launchers set (None: as in the shell), after all others were handed on or not.
    `directory`: the working directory if one was named; `elsewhere`: it is on another machine or file system.
    """

    hands_on: HandsOn = "all"
    given: Mapping[str, Text | None] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    directory: Text | None = None
    elsewhere: bool = False
    by: str = ""  # the launcher that does not hand on, for messages

    def variables(self, own: Mapping[str, Text]) -> dict[str, Text]:
        """The variables of the program, from those that the shell exports."""
        found: dict[str, Text] = {}
        for name, text in own.items():
            if self.hands_on == "all" and name not in self.removed:
                found[name] = text
            elif self.hands_on == "perhaps":
                found[name] = self.unknown(name, text.pieces[0].origin.span if text.pieces else Span("", 0, 0))
        for name, given in self.given.items():
            value = own.get(name) if given is None else given
            if value is not None:
                found[name] = value
        return found

    def unknown(self, name: str, span: Span) -> Text:
        """A variable that the launcher may or may not hand on."""
        return Text((Unknown(f"value of ${name} under {self.by}", Origin(span, "environment", name)),))


def handed_on(way: Sequence[Step], words: Sequence[Text]) -> Handed:
    """What the launchers of a command, outermost first, hand on to the program at its end."""
    handed = Handed()
    for step in way:
        handed = _through(step, words, handed)
    return handed


def _through(step: Step, words: Sequence[Text], before: Handed) -> Handed:
    launcher = step.launcher
    names = {*step.flags, *(option.name for option in step.options)}
    hands_on = launcher.hands_on
    if launcher.all_with & names:
        hands_on = "all"
    if launcher.nothing_with & names:
        hands_on = "nothing"
    given: dict[str, Text | None] = {}
    for option in step.options:
        text = _value(option, words)
        form = launcher.sets.get(option.name)
        if text is None or form is None:
            continue
        if form == "slurm":
            hands_on = _slurm_keeps(text, hands_on)
        given.update(_FORMS[form](text))
    for index in step.assignments:
        given.update(_pair(words[index]))
    removed = {
        text.value for option in step.options if option.name in launcher.unsets if (text := _value(option, words))
    }
    directories = [_value(option, words) for option in step.options if option.name in launcher.directory]
    after = replace(before, elsewhere=before.elsewhere or launcher.elsewhere)
    if hands_on != "all":
        weaker: HandsOn = "nothing" if "nothing" in (hands_on, before.hands_on) else "perhaps"
        kept = {} if hands_on == "nothing" else before.given
        after = replace(after, hands_on=weaker, given=kept, removed=frozenset(), by=step.name)
    if removed:
        left = {name: text for name, text in after.given.items() if name not in removed}
        after = replace(after, given=left, removed=after.removed | {name for name in removed if name is not None})
    if launcher.elsewhere:
        after = replace(after, directory=None)
    if directories:
        after = replace(after, directory=directories[-1])
    return replace(after, given={**after.given, **given}) if given else after


def _value(option: Option, words: Sequence[Text]) -> Text | None:
    return words[option.index].slice(option.offset) if option.index < len(words) else None


def _pair(text: Text) -> Mapping[str, Text | None]:
    """`NAME=value`; `NAME` alone is handed on as it is."""
    name, equals, _ = text.shown.partition("=")
    if not name.isidentifier():
        return {}
    return {name: text.slice(len(name) + 1) if equals else None}


def _pairs(text: Text) -> Mapping[str, Text | None]:
    """`A=1,B=2`."""
    found: dict[str, Text | None] = {}
    start = 0
    for part in text.shown.split(","):
        found.update(_pair(text.slice(start, start + len(part))))
        start += len(part) + 1
    return found


def _slurm_keeps(text: Text, otherwise: HandsOn) -> HandsOn:
    """`--export=NONE` and `--export=A,B` hand on nothing else; `--export=ALL,A=1` everything."""
    names = [part.upper() for part in text.shown.split(",")]
    return otherwise if "ALL" in names else "nothing"


def _slurm(text: Text) -> Mapping[str, Text | None]:
    return {name: value for name, value in _pairs(text).items() if name.upper() not in ("ALL", "NONE", "NIL")}


def _ray(text: Text) -> Mapping[str, Text | None]:
    """`{"env_vars": {"NAME": "value"}}`."""
    try:
        variables = json.loads(text.value or "")["env_vars"].items()
        return {name: Text((Known(str(value), text.pieces[0].origin),)) for name, value in variables}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


_FORMS = {"pair": _pair, "pairs": _pairs, "slurm": _slurm, "ray": _ray}
