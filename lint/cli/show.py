"""`recipe-lint show`: what a script would run, with the effective values and where each comes from."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from lint.bash.reading import Known, Origin, Required, RunCommand, Text, Unchecked
from lint.cli.arguments import CLEAN, NO_INPUT, fail, request_for
from lint.cli.choices import AsTextOrJson, TextOrJson
from lint.cli.options import Launched
from lint.files import discovery
from lint.files.sources import files_beside
from lint.launch.launch import Override
from lint.output.plain import dumps
from lint.output.terminal import Style, padded, visible, wants_colour, width
from lint.regular import regular
from lint.subject.subject import Subject
from lint.text import Source, Span

LONGEST = 200  # characters of source text in one step of an origin
WIDEST, WIDEST_BOTH = 52, 84  # cells of the keys, and of keys and values; what is longer pushes the rest of its line
WRITTEN = regular(r"value of (?P<variable>\$\w+)|output of `(?P<command>[^`]*)`")
OUTSIDE = ("environment", "scenario", "positional")  # kinds of origin that no text of the script decides


def command(
    scripts: Annotated[list[str], typer.Argument(help="Scripts, folders, or - for standard input.")],
    commands: Annotated[
        bool, typer.Option("--commands", help="Every external command, in the order in which bash runs them, as JSON.")
    ] = False,
    format: AsTextOrJson = TextOrJson.text,
    *,
    target: Launched,
) -> None:
    """Show each launch of a script: entry point, effective values, and where each of them was decided.

    What only a run could tell stands in angle brackets: <$HOME>, <$(date)>, <working directory>. In JSON it is written
    with its reason, as <unknown: value of $HOME>.
    """
    given = target.stated(target.nnodes)
    sources, unreadable = load(scripts)
    if commands:
        document = _commands(sources, given.environment)
    else:
        from lint.checking.linter import understand

        understood = {
            path: understand(source, request_for(path, given), files_beside(path)) for path, source in sources.items()
        }
        shown = [(subject, found.sources) for found in understood.values() for subject in found.subjects]
        if format is TextOrJson.text:
            style = Style(wants_colour(sys.stdout))
            sys.stdout.write("\n".join(table(subject, texts, style) for subject, texts in shown))
            if not shown and sources:
                say_no_launch(sources)
        document = {
            "version": 1,
            "launches": [launch_to_plain(subject, texts) for subject, texts in shown],
            "unchecked": [
                unchecked_to_plain(unchecked, found.sources)
                for found in understood.values()
                for unchecked in dict.fromkeys(place for reading in found.readings for place in reading.unchecked)
            ],
        }
    document["unchecked"] += [{"path": path, "line": 1, "reason": reason} for path, reason in unreadable.items()]
    if commands or format is TextOrJson.json:
        sys.stdout.write(dumps(document))
    else:
        for row in document["unchecked"]:
            print(f"not read: {visible(row['path'])}:{row['line']}: {visible(row['reason'])}", file=sys.stderr)
    raise typer.Exit(NO_INPUT if unreadable else CLEAN)


def load(arguments: Sequence[str]) -> tuple[dict[str, Source], dict[str, str]]:
    """The text of each script, and why others have none; ends the command where there is no script at all."""
    found = discovery.discover([path for path in arguments if path != "-"], lambda path: False)
    sources: dict[str, Source] = {}
    unreadable = {one.path: one.reason for one in (*found.missing, *found.closed)}
    for path in (*found.paths, *(["-"] if "-" in arguments else [])):
        data = sys.stdin.buffer.read() if path == "-" else discovery.read(path)
        source = discovery.decode(path, data) if isinstance(data, bytes) else data
        if isinstance(source, Source):
            sources[path] = source
        else:
            unreadable[path] = f"the file {source.reason}"
    if not sources and not unreadable:
        fail(f"no scripts found in {', '.join(map(visible, arguments))}", NO_INPUT)
    return sources, unreadable


def say_no_launch(sources: Collection[str]) -> None:
    """Tell people why they see nothing: these scripts start no trainer."""
    where = visible(next(iter(sources))) if len(sources) == 1 else f"{len(sources)} scripts"
    print(f"recipe-lint: nothing in {where} starts a trainer that is known", file=sys.stderr)


# -------------------------------------------------------------------------------------------------------- commands


def _commands(sources: Mapping[str, Source], environment: Mapping[str, str]) -> dict[str, Any]:
    """What bash runs with this environment and no other: unlike launches, commands behind the end of a script that
    lacks a variable are not shown, and it is said where it ends."""
    from lint.bash.evaluator import read
    from lint.bash.parser import parse

    rows: list[dict[str, Any]] = []
    unchecked: list[dict[str, Any]] = []
    for path, source in sources.items():
        beside = files_beside(path)
        reading = read(parse(source), environment=environment, files=beside)
        texts = {path: source, **beside.sources}
        rows += [{**command_to_plain(one, texts), "started_by": starter(one)} for one in reading.commands]
        ends = map(_end, reading.required)
        unchecked += [unchecked_to_plain(place, texts) for place in dict.fromkeys((*reading.unchecked, *ends))]
    return {"version": 1, "commands": rows, "unchecked": unchecked}


def _end(required: Required) -> Unchecked:
    """Why no command is shown behind a variable, or an argument, that only a caller sets."""
    if required.name.isdecimal():
        missing, way_on = f"no argument {required.name} is given", ""
    else:
        missing, way_on = f"{required.name} is not set", f"; with --env {required.name}=... it is read on"
    return Unchecked(required.span, f"{missing} ({required.message}): bash goes no further here{way_on}")


def command_to_plain(command: RunCommand, sources: Mapping[str, Source]) -> dict[str, Any]:
    """One command in the shape of DESIGN "Command line"."""
    return {
        "path": command.span.path,
        "line": _line(sources, command.span),
        "scenario": dict(command.conditions),
        "argv": [word.shown for word in command.words],
        "unresolved": [index for index, word in enumerate(command.words) if word.value is None],
        "environment": {name: text.shown for name, text in command.environment.items()},
    }


def starter(command: RunCommand) -> str | None:
    """The program that starts a command in place of the script (`bash -c`, `bash other.sh`, `ray job submit`)."""
    return None if command.starter is None else command.starter.words[0].shown


def unchecked_to_plain(unchecked: Unchecked, sources: Mapping[str, Source]) -> dict[str, Any]:
    return {"path": unchecked.span.path, "line": _line(sources, unchecked.span), "reason": unchecked.reason}


def _line(sources: Mapping[str, Source], span: Span) -> int:
    source = sources.get(span.path)
    return 1 if source is None else source.line(span.start)


# --------------------------------------------------------------------------------------------------------- launches


def launch_to_plain(subject: Subject, sources: Mapping[str, Source]) -> dict[str, Any]:
    """One launch in the shape of DESIGN "Command line"."""
    launch = subject.launch
    return {
        **command_to_plain(launch.command, sources),
        "environment": {name: text.shown for name, text in launch.environment.items()},
        "entry_point": launch.entry_point,
        "release": subject.release,
        "overrides": [override_to_plain(override, sources) for override in launch.overrides],
    }


def override_to_plain(override: Override, sources: Mapping[str, Source]) -> dict[str, Any]:
    key = override.key if override.package is None else f"{override.key}@{override.package}"
    source = sources.get(override.span.path)
    line, column = (1, 1) if source is None else source.position(override.span.start)
    return {
        "prefix": override.prefix,
        "key": key,
        "value": None if override.value is None else override.value.shown,
        "line": line,
        "column": column,
        "origin": [_step(origin, sources) for origin in origins(override)],
    }


def origins(override: Override) -> list[Origin]:
    """The steps that a value went through, from where it is written back to what decides it, each place once."""
    found: dict[tuple[Span, str], Origin] = {}
    if override.value is not None:
        for piece in override.value.pieces:
            for origin in _chain(piece.origin):
                found.setdefault((origin.span, origin.kind), origin)
    return list(found.values())


def _chain(origin: Origin) -> Iterator[Origin]:
    """The steps of one piece. What comes from outside of the script stands where the script reads it."""
    yield origin
    for source in origin.sources:
        yield from [replace(source, span=origin.span)] if source.from_outside else _chain(source)


def _step(origin: Origin, sources: Mapping[str, Source]) -> dict[str, Any]:
    span, source = origin.span, sources.get(origin.span.path)
    line, column = (1, 1) if source is None else source.position(span.start)
    text = "" if source is None else source.text[span.start : min(span.end, span.start + LONGEST)]
    outside = origin.kind in OUTSIDE and not origin.sources  # an argument of a function has a text that gives it
    return {"line": line, "column": column, "text": origin.name if outside else text, "kind": origin.kind}


# ------------------------------------------------------------------------------------------------------------ table


def table(subject: Subject, sources: Mapping[str, Source], style: Style) -> str:
    """A launch for people: one override a line, with its effective value and the place that decides it."""
    launch = subject.launch
    where = f"{launch.command.span.path}:{_line(sources, launch.command.span)}"
    lines = [f"{style.paint('emphasis', visible(where))}  {visible(launch.entry_point)}, verl {subject.release}"]
    facts = []
    if subject.model is not None:
        facts.append(f"model {subject.model.name}")
    if subject.cluster is not None:
        facts.append(f"{subject.cluster.nodes} x {subject.cluster.devices_per_node} devices")
    if subject.device is not None:
        facts.append(subject.device.name)
    if facts:
        lines.append("  " + ", ".join(facts))
    if launch.command.conditions:
        said = ", ".join(f"{name}={value}" for name, value in launch.command.conditions.items())
        lines.append(f"  when {visible(said)}")
    rows = [_row(subject, override, sources) for override in launch.overrides]
    rows += [(name, brief(text), "environment") for name, text in sorted(launch.environment.items())]
    keys = min(max((width(visible(key)) for key, _, _ in rows), default=0), WIDEST)
    both = min(max((keys + 2 + width(visible(value)) for _, value, _ in rows), default=0), WIDEST_BOTH)
    for key, value, place in rows:
        text = padded(f"{padded(visible(key), keys)}  {visible(value)}", both)
        lines.append(f"  {text}  {style.paint('dim', place)}".rstrip())
    return "\n".join(lines) + "\n"


def _row(subject: Subject, override: Override, sources: Mapping[str, Source]) -> tuple[str, str, str]:
    value = "(deleted)" if override.value is None else brief(override.value)
    places = [_place(subject, override.span, sources)]
    for origin in origins(override)[-1:]:
        places.append(_place(subject, origin.span, sources))
        if origin.kind in OUTSIDE:
            given = "argument {}" if origin.kind == "positional" else "{} from the environment"
            places.append(given.format(origin.name))
    return override.prefix + override.key, value, " <- ".join(dict.fromkeys(places))


def brief(text: Text) -> str:
    """A text for people: what only a run could tell in brackets, a variable or command as scripts write it."""
    return "".join(piece.text if isinstance(piece, Known) else f"<{_written(piece.reason)}>" for piece in text.pieces)


def _written(reason: str) -> str:
    found = WRITTEN.fullmatch(reason)
    return reason if found is None else found["variable"] or f"$({found['command']})"


def _place(subject: Subject, span: Span, sources: Mapping[str, Source]) -> str:
    line = _line(sources, span)
    return f"line {line}" if span.path == subject.launch.command.span.path else f"{span.path}:{line}"
