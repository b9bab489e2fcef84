"""`recipe-lint copies`: recipes against their copies on branches and in folders; `copies backport` makes a copy."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Context, Exit, Option, Typer

from lint.cli.arguments import FINDINGS, NO_INPUT, Environment, fail, parse_environment, save
from lint.cli.choices import FORMAT, Format
from lint.cli.examples import epilog
from lint.cli.flatten import flattened
from lint.frozen import frozen
from lint.regular import regular

if TYPE_CHECKING:
    from lint.copies.places import Copies
    from lint.copies.survey import Survey
    from lint.copies.update import Brought

application = Typer(help="Compare recipes with their copies on release branches and in folders.")


@frozen
class Showing:
    """Output"""

    format: Annotated[Format, Option(*FORMAT, help="text, markdown and json are tables; others findings.")] = (
        Format.auto
    )
    all: Annotated[bool, Option("--all", help="Show copies that are the same, and what is declared.")] = False
    history: Annotated[
        bool, Option("--history", help="Say on which side each difference came about, and by which commits.")
    ] = False


@frozen
class Destination:
    """Where to"""

    to: Annotated[str, Option(help="A release of verl (0.8.0), or a branch whose name holds one.")]
    output: Annotated[Path | None, Option("--output", "-o", help="This file, or below this folder.")] = None
    patch: Annotated[bool, Option("--patch", help="Print a patch that `git apply` takes.")] = False


@frozen
class Present:
    """A copy that is there already"""

    base: Annotated[str | None, Option(metavar="REF", help="The commit with the recipe that it was made from.")] = None
    overwrite: Annotated[bool, Option("--overwrite", help="Lose what was edited in it.")] = False


@application.callback(invoke_without_command=True)
@flattened
def survey(
    context: Context,
    env: Environment = None,
    *,
    showing: Showing,
) -> None:
    """Compare every recipe with its copies, as `[tool.recipe-lint.copies]` names them, else on branches release/v*.

    Exit status: 0 every difference is declared, 1 one is not, or one is declared that is none, 2 settings or call are
    wrong, 3 a place cannot be read.
    """
    if context.invoked_subcommand is not None:
        return
    from lint.cli.running import cores
    from lint.copies import history as of_git
    from lint.copies import places
    from lint.copies.git import NotRead
    from lint.copies.survey import in_usual_places
    from lint.copies.survey import survey as survey_copies
    from lint.settings import BadSettings, settings_for

    try:
        settings = settings_for(".")
        copies = places.read(settings)
        if not copies.places:
            copies = in_usual_places(copies)
            for place in copies.places:
                print(
                    f"recipe-lint: no places in the settings: copies are looked for on {', '.join(place.branches)}",
                    file=sys.stderr,
                )
        if not copies.places:
            where = settings.file or "no settings file (`recipe-lint init` writes one)"
            table = f"[[{places.table_in(settings.file)}.places]]"
            fail(f"{where}: no places of copies: add {table} with `branches` or a `folder`")
        found = survey_copies(copies, parse_environment(env or ()), cores())
        if showing.history:
            found = replace(found, copies=of_git.trace(found.copies))
    except NotRead as error:
        fail(str(error), NO_INPUT)
    except BadSettings as error:
        fail(str(error))
    sys.stdout.write(render_survey(showing.format, found, copies, showing.all))
    raise Exit(0 if found.clean else FINDINGS)


def render_survey(format: Format, found: Survey, copies: Copies, show_all: bool) -> str:
    """A survey in one of the formats."""
    from lint.copies import findings, json, markdown, report
    from lint.files.discovery import shown_path
    from lint.output import automatic, render
    from lint.output.terminal import Style, wants_colour
    from lint.text import Source

    style = Style(wants_colour(sys.stdout))
    name = automatic() if format is Format.auto else format.value
    if name == "text":
        return report.text(found, style, show_all)
    if name == "markdown":
        return markdown.render(found, show_all)
    if name == "json":
        return json.render(found)
    settings = None if copies.file is None else Source.decode(shown_path(str(copies.file)), copies.file.read_bytes())
    return render(name, findings.report(found, settings), style)


@application.command(epilog=epilog("copies backport"))
@flattened
def backport(
    script: Annotated[str, Argument(help="A path, or `ref:path` for a file of a commit.")],
    env: Environment = None,
    *,
    destination: Destination,
    present: Present,
) -> None:
    """Write the copy of a script for another release: keys are translated, values and layout stay.

    A copy that is there already (the file of --output, or that of the branch) is brought up to date: what was edited in
    it stays, and where both changed the same lines it gets conflict markers. What it was made from is told by the line
    `copy-of` in its head, by --base, or by the commit at which the branches part.

    The copy goes to standard output, what was changed or could not be carried over to standard error.

    Exit status: 0 carried over whole, 1 the release cannot express some of it or a merge has conflicts, 2 the call is
    wrong, 3 no such script.
    """
    from lint.copies.backport import backport as carry_over
    from lint.copies.git import NotRead
    from lint.copies.sides import release_in, side
    from lint.copies.update import NoBase, bring
    from lint.fixes.patch import patch as patch_of
    from lint.schema.load import shipped
    from lint.settings import BadSettings

    to, output = destination.to, destination.output
    release = release_in(to)
    if release is None:
        fail(f"{to!r} names no release of verl; known are {', '.join(shipped())}")
    try:
        original = side(script, parse_environment(env or ()))
        target = None if output is None else target_of(output, original.source.path)
        brought = bring(original, carry_over(original, release), to, target, present.base, present.overwrite)
    except NoBase as error:
        fail(str(error))
    except NotRead as error:
        fail(str(error), NO_INPUT)
    except BadSettings as error:
        fail(str(error))
    if destination.patch:
        sys.stdout.buffer.write(encoded(patch_of(brought.path, brought.before, brought.text)))
    elif target is None:
        sys.stdout.buffer.write(encoded(brought.text))
    else:
        save(target, encoded(brought.text), 0o755 if brought.text.startswith("#!") else 0o644)
    sys.stderr.write(explained(brought) + _destination(brought, target, destination.patch))
    raise Exit(0 if brought.whole else FINDINGS)


def _destination(brought: Brought, target: Path | None, patch: bool) -> str:
    """Where the copy is, or where its patch is to be applied; a line of standard error, or none."""
    from lint.output.terminal import visible

    if patch and brought.in_place:
        said = f"the patch changes {brought.path} itself"
    elif patch:
        said = f"the patch is for {brought.copy}"
    elif target is not None:
        said = f"written to {target}"
    else:
        return ""
    return f"  {visible(said)}\n"


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


VERSION_END = regular(r"\d+\.\d+$")
"""How the name of a folder for a release ends; no suffix of a file."""


def target_of(output: Path, path: str) -> Path:
    """The file to write: the one that is named, or one below a folder under the script's own path.

    Below a folder of copies that the settings name, that is the path from the root of the recipes.
    """
    from lint.copies import places
    from lint.copies.git import NotRead, Repository
    from lint.settings import settings_for

    copies = places.read(settings_for("."))
    if output.resolve() in {(copies.base / place.folder).resolve() for place in copies.places if place.folder}:
        try:
            top = Repository.at(Path()).top
        except NotRead:
            top = Path()
        root, script = (copies.base / copies.root).resolve(), (top / path).resolve()
        return output / (script.relative_to(root) if script.is_relative_to(root) else path)
    is_file = not output.is_dir() and output.suffix and not VERSION_END.search(output.name)
    return output if is_file else output / path


def explained(brought: Brought) -> str:
    """What was changed, what is lost, what was merged, and what to look at; lines of standard error."""
    from lint.copies.table import key_of, shown
    from lint.output.terminal import visible
    from lint.output.text import plural

    carried = brought.carried
    lines = [f"{brought.recipe}: from verl {carried.before} to {carried.after}"]
    if brought.unknown_branch is not None:
        lines.append(f"  git has no branch {brought.unknown_branch} here: this is the recipe for that release")
    lines += [f"  line {change.line}: {change.what}" for change in carried.changes]
    lines += [f"  not carried over, line {lost.line}: {lost.what}" for lost in carried.lost]
    if brought.updated is not None:
        lines.append(f"  merged into {brought.copy}, which was made from {brought.updated.base}")
        for edit in brought.updated.edits:
            lines.append(f"  edited in the copy: {key_of(edit)} is {shown(edit.b)}, was {shown(edit.a)}")
        lines += [
            f"  conflict, line {line}: recipe and copy changed the same lines" for line in brought.updated.conflicts
        ]
    lines += [f"  refused there, line {refused.line}: {refused.what}" for refused in brought.checked.refused]
    lines += [f"  not checked, line {place.line}: {place.what}" for place in brought.checked.unchecked]
    lines += [f"  a rule objects there: {message}" for message in carried.objections]
    lines += [f"  only there: {hint}" for hint in carried.only_there]
    lines += [f"  other default: {other.key} is {other.after} there, {other.before} here" for other in carried.defaults]
    if not brought.conflicts and not brought.checked.refused and not brought.checked.unchecked:
        overrides, launches = (
            plural(brought.checked.overrides, "override"),
            plural(brought.checked.launches, "launch", "launches"),
        )
        lines.append(f"  checked: verl {carried.after} takes all {overrides} of {launches}")
    return "".join(f"{visible(line)}\n" for line in lines)
