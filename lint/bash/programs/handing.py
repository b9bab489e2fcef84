"""What a launcher hands on to the program that it starts: environment, working directory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from lint.bash.programs import environments
from lint.bash.programs.environments import Environment, NoString
from lint.bash.programs.launcher_table import HandsOn, Variables
from lint.bash.programs.launchers import Option, Step, is_launcher, steps, texts
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.outside import Outside
from lint.frozen import frozen
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.commands.simple import Call


@frozen
class Handed:
    """The environment of a program as it differs from that of the shell that starts its launchers.

    `given` are the variables that launchers set (None: as in the shell), after all others were handed on or not.
    `directory`: the working directory if one was named; `copied`: it is a copy of it, under another name. `elsewhere`:
    the launcher to another machine or file system.
    """

    hands_on: HandsOn = "all"
    given: Mapping[str, Text | None] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    directory: Text | None = None
    sets: tuple[tuple[Variables, str], ...] = ()  # the variables that a launcher may set, and its name
    elsewhere: str = ""
    copied: bool = False
    by: str = ""  # the launcher that does not hand on, for messages

    def variables(self, own: Mapping[str, Text], inherited: Collection[str] = ()) -> dict[str, Text]:
        """The variables of the program, from those that the shell exports.

        `inherited` are those of which the caller says what they are in all that the script starts.
        """
        found: dict[str, Text] = {}
        for name, text in own.items():
            kept = name in inherited or name in self.removed
            replaced = None if kept else replaced_by(self.sets, name, text)
            if replaced is not None:
                found[name] = replaced
            elif self.hands_on == "all" and name not in self.removed:
                found[name] = text
            elif self.hands_on == "perhaps":
                found[name] = self.unknown(name, text.pieces[0].origin.span if text.pieces else Span("", 0, 0))
        for name, given in self.given.items():
            value = own.get(name) if given is None else given
            if value is not None:
                found[name] = value
        return found

    @property
    def gives(self) -> tuple[tuple[Mapping[str, str], str], ...]:
        """What launchers may set, as `Outside.given` has it."""
        return tuple((group.gives, launcher) for group, launcher in self.sets)

    def unknown(self, name: str, span: Span) -> Text:
        """A variable that the launcher may or may not hand on."""
        return Text((Unknown(f"value of ${name} under {self.by}", Origin(span, "environment", name)),))


def replaced_by(sets: Sequence[tuple[Variables, str]], name: str, text: Text) -> Text | None:
    """What a launcher sets in the place of a value of the script; None if none does."""
    for group, launcher in reversed(sets):
        if group.sets_anyway(name):
            span = text.pieces[0].origin.span if text.pieces else Span("", 0, 0)
            return Outside(((group.gives, launcher),)).value(name, span)
    return None


def handed_on(way: Sequence[Step], words: Sequence[Text], contents: Mapping[int, Text]) -> Handed:
    """What the launchers of a command, outermost first, hand on to the program at its end.

    `contents`: of the files that they read the environment from (`contents_of`).
    """
    handed = Handed()
    for step in way:
        handed = _through(step, words, contents, handed)
    return handed


def contents_of(call: Call) -> Mapping[int, Text]:
    """The files that the launchers of a command read an environment from, by the word that names each.

    One that is not in the checkout, and was not written by the script, is said to be unread.
    """
    if not is_launcher(call.words[0].value):
        return {}
    found: dict[int, Text] = {}
    for step in steps(texts(call.words)):
        for option in step.options:
            named = _value(option, call.words) if step.launcher.sets.get(option.name) in _FILES else None
            if named is None:
                continue
            content = written.content(call.evaluator, call.state, named)
            if content is not None:
                found[option.index] = content
            else:
                reason = f"{step.name} {option.name} {named.shown}: what the file says of the environment is not known"
                call.evaluator.budget.report(call.span, reason)
    return found


def no_strings(words: Sequence[Text], contents: Mapping[int, Text]) -> Iterator[NoString]:
    """The variables that a command gives to Ray in YAML or JSON, and that are not strings there."""
    for step in steps(texts(words)):
        for option in step.options:
            form = step.launcher.sets.get(option.name)
            text = contents.get(option.index) if form == "file of ray" else _value(option, words)
            if form in ("ray", "file of ray") and text is not None:
                yield from environments.no_strings(text)


def _through(step: Step, words: Sequence[Text], contents: Mapping[int, Text], before: Handed) -> Handed:
    launcher = step.launcher
    names = {*step.flags, *(option.name for option in step.options)}
    hands_on = launcher.hands_on
    if launcher.all_with & names:
        hands_on = "all"
    if launcher.nothing_with & names:
        hands_on = "nothing"
    given: dict[str, Text | None] = {}
    directory, by = None, step.name
    for option in sorted(step.options, key=lambda option: launcher.sets.get(option.name) not in _FILES):
        text = _value(option, words)
        form = launcher.sets.get(option.name)
        if text is None or form is None:
            continue
        if form == "slurm":
            hands_on = _slurm_keeps(text, hands_on)
        said = _said(form, contents.get(option.index) if form in _FILES else text)
        if said is None:
            hands_on, by = "perhaps", f"{step.name} {option.name}"
        else:
            given.update(said.variables)
            directory = said.directory or directory
    for index in step.assignments:
        given.update(_pair(words[index]))
    removed = {
        text.value for option in step.options if option.name in launcher.unsets if (text := _value(option, words))
    }
    directories = [_value(option, words) for option in step.options if option.name in launcher.directory] or [directory]
    after = replace(before, elsewhere=step.name, directory=None) if launcher.elsewhere else before
    if hands_on == "nothing":
        after = replace(after, sets=())
    for group in launcher.variables:
        given_before = {name: text for name, text in after.given.items() if not group.sets_anyway(name)}
        removed_before = frozenset(name for name in after.removed if not group.sets_anyway(name))
        sets = (*after.sets, (group, step.name))
        after = replace(after, sets=sets, given=given_before, removed=removed_before)
    if hands_on != "all":
        weaker: HandsOn = "nothing" if "nothing" in (hands_on, before.hands_on) else "perhaps"
        kept = {} if hands_on == "nothing" else after.given
        after = replace(after, hands_on=weaker, given=kept, removed=frozenset(), by=by)
    if removed:
        left = {name: text for name, text in after.given.items() if name not in removed}
        after = replace(after, given=left, removed=after.removed | {name for name in removed if name is not None})
    if directories[-1] is not None:
        after = replace(after, directory=directories[-1], copied=launcher.copies_directory)
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


def _said(form: str, text: Text | None) -> Environment | None:
    """What a text of some form says; None if that is not known."""
    if text is None:
        return None
    if form in _FORMS:
        return Environment(_FORMS[form](text))
    return _TEXTS[form](text)


_FORMS: Mapping[str, Callable[[Text], Mapping[str, Text | None]]] = {"pair": _pair, "pairs": _pairs, "slurm": _slurm}
_FILES: Mapping[str, Callable[[Text], Environment | None]] = {
    "file of lines": environments.of_lines,
    "file of ray": environments.of_ray,
}
_TEXTS = {**_FILES, "ray": environments.of_ray}
