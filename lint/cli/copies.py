"""`recipe-lint copies`: recipes against their copies on branches and in folders; `copies backport` makes a copy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lint.cli.arguments import FINDINGS, NO_INPUT, USAGE, Environment, fail, parse_environment
from lint.cli.choices import Format

if TYPE_CHECKING:
    from lint.copies.backport import Backported
    from lint.copies.sides import Side

application = typer.Typer(help="Compare recipes with their copies on release branches and in folders.")


@application.callback(invoke_without_command=True)
def survey(
    context: typer.Context,
    format: Annotated[
        Format,
        typer.Option("--format", "--output-format", "-f", help="text, markdown and json are tables; others findings."),
    ] = Format.auto,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show copies that are the same, and what is declared.")
    ] = False,
    env: Environment = None,
) -> None:
    """Compare every recipe with its copies, as `[tool.recipe-lint.copies]` names them.

    Exit status: 0 every difference is declared, 1 one is not, 2 settings or call are wrong, 3 a place cannot be read.
    """
    if context.invoked_subcommand is not None:
        return
    from lint.cli.running import cores
    from lint.copies import places, report
    from lint.copies.git import NotRead
    from lint.copies.survey import survey as survey_copies
    from lint.output import automatic, render
    from lint.output.terminal import Style, wants_colour
    from lint.settings import BadSettings, settings_for

    try:
        settings = settings_for(".")
        copies = places.read(settings)
        if not copies.places:
            fail(f"{settings.file or 'the settings'}: [[{places.TABLE}.places]] names no branches and no folder")
        found = survey_copies(copies, parse_environment(env or ()), cores())
    except NotRead as error:
        fail(str(error), NO_INPUT)
    except BadSettings as error:
        fail(str(error))
    style = Style(wants_colour(sys.stdout))
    name = automatic() if format is Format.auto else format.value
    if name == "text":
        text = report.text(found, style, show_all)
    elif name == "markdown":
        text = report.markdown(found)
    elif name == "json":
        text = report.as_json(found)
    else:
        text = render(name, report.as_report(found), style)
    sys.stdout.write(text)
    raise typer.Exit(0 if all(copy.same for copy in found) else FINDINGS)


@application.command()
def backport(
    script: Annotated[str, typer.Argument(help="A path, or `ref:path` for a file of a commit.")],
    to: Annotated[str, typer.Option(help="A release of verl (0.8.0), or a branch whose name holds one.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the copy to this file, or below this folder.")
    ] = None,
    patch: Annotated[bool, typer.Option("--patch", help="Print a patch that `git apply` takes.")] = False,
    env: Environment = None,
) -> None:
    """Write the copy of a script for another release: keys are translated, values and layout stay.

    The copy goes to standard output, what was changed or could not be carried over to standard error.

    Exit status: 0 carried over whole, 1 the release cannot express some of it, 2 the call is wrong, 3 no such script.
    """
    from lint.copies.backport import backport as carry_over
    from lint.copies.git import NotRead
    from lint.copies.sides import release_in, side
    from lint.fixes.patch import patch as patch_of
    from lint.schema.load import shipped
    from lint.settings import BadSettings

    release = release_in(to)
    if release is None:
        fail(f"{to!r} names no release of verl; known are {', '.join(shipped())}")
    try:
        original = side(script, parse_environment(env or ()))
        carried = carry_over(original, release)
        if patch:
            before = present(to, original)
            sys.stdout.buffer.write(encoded(patch_of(original.source.path, before, carried.text)))
        elif output is None:
            sys.stdout.buffer.write(encoded(carried.text))
        else:
            _write(output, original.source.path, carried.text)
    except NotRead as error:
        fail(str(error), NO_INPUT)
    except BadSettings as error:
        fail(str(error))
    sys.stderr.write(explained(original, carried))
    raise typer.Exit(FINDINGS if carried.lost else 0)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def present(to: str, original: Side) -> str | None:
    """The text that a patch starts from: what the branch has at that path; for a mere release, the script itself."""
    from lint.copies.git import NotRead, Repository

    path = original.source.path
    try:
        repository = Repository.at(Path())
        data = repository.read(repository.commit(to), [path])
    except NotRead:
        return original.source.text
    return data[path].decode("utf-8", "surrogateescape") if path in data else None


def _write(output: Path, path: str, text: str) -> None:
    """Write the copy to a file, or below a folder under its own path."""
    target = output / path if output.is_dir() or output.suffix == "" else output
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(encoded(text))
        target.chmod(0o755 if text.startswith("#!") else 0o644)
    except OSError as error:
        fail(f"{target}: cannot be written: {error.strerror}", USAGE)


def explained(original: Side, carried: Backported) -> str:
    """What was changed, what is lost, and what to look at; lines of standard error."""
    lines = [f"{original.shown}: from verl {carried.before} to {carried.after}"]
    lines += [f"  line {change.line}: {change.what}" for change in carried.changes]
    lines += [f"  not carried over, line {lost.line}: {lost.what}" for lost in carried.lost]
    lines += [f"  a rule objects there: {message}" for message in carried.objections]
    lines += [f"  only there: {hint}" for hint in carried.only_there]
    lines += [f"  other default: {other.key} is {other.after} there, {other.before} here" for other in carried.defaults]
    return "\n".join(lines) + "\n"
