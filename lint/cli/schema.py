"""`recipe-lint schema`: list the releases that are known, and build a schema of another one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lint.cli.arguments import fail, save
from lint.cli.examples import epilog

if TYPE_CHECKING:
    from lint.schema.schema import Schema
    from lint.schema.source_tree import SourceTree

application = typer.Typer(
    help="Schemas of verl releases: list those that are known, build another.", no_args_is_help=True
)


@application.command("list", epilog=epilog("schema list"))
def list_schemas() -> None:
    """List the releases whose schemas come with the tool, and what each was built from."""
    from lint.schema.load import load, shipped

    for release in shipped():
        schema = load(release)
        modules = len(schema.entry_points)
        configs = sum(len(files) for files in schema.folders.values())
        typer.echo(
            f"{release:<7} {schema.date}  {schema.origin}  sha256 {schema.sha256[:12]}  "
            f"{modules} entry points, {configs} config files, {len(schema.classes)} dataclasses"
        )


@application.command("build", epilog=epilog("schema build"))
def build_schema(
    source: Annotated[Path, typer.Argument(metavar="DIR|WHEEL", help="A checkout of verl, or a wheel of it.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write there; standard output if left out.")
    ] = None,
    verify: Annotated[bool, typer.Option(help="Compose everything with real Hydra, too, and compare.")] = True,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Compare anew what was compared before.")] = False,
) -> None:
    """Build the schema of a checkout or a wheel: one JSON file, the same for the same input.

    Every entry point, config name and engine is composed with real Hydra and compared; nothing is written if a
    composition differs. What was compared is not compared again, as long as the files, the tool and Hydra are the same.
    """
    from lint.schema.build import build
    from lint.schema.source_tree import NotATree, open_tree
    from lint.schema.store import dump

    try:
        tree = open_tree(source)
    except NotATree as error:
        fail(str(error))
    schema = build(tree)
    if not schema.entry_points:
        fail(f"{source}: no entry point of Hydra in it")
    text = dump(schema)
    compared = _compared(schema, text, tree, not no_cache) if verify else None
    if output is None:
        typer.echo(text, nl=False)
    else:
        save(output, text.encode())
    checked = "" if compared is None else f"; {compared} compositions equal Hydra's"
    typer.echo(f"verl {schema.release}: {len(schema.entry_points)} entry points{checked}", err=True)


def _compared(schema: Schema, text: str, tree: SourceTree, cached: bool) -> int:
    """How many compositions equal real Hydra's, now or when it was asked before; ends the command where one differs."""
    from importlib.metadata import version

    from lint.cli.running import cache_here
    from lint.files.cache import digest, tool_version
    from lint.schema.verify import cases, differences

    cache = cache_here(cached)
    key = digest(tool_version(), version("hydra-core"), version("omegaconf"), tree.sha256, text)
    known = cache.load("compared", tree.sha256, key)
    if isinstance(known, int):
        return known
    found = list(differences(schema, tree))
    for difference in found[:20]:
        typer.echo(
            f"{difference.case.title}: {difference.key}: {difference.ours!r}, but Hydra says {difference.theirs!r}",
            err=True,
        )
    if found:
        typer.echo(f"{len(found)} differences from Hydra; nothing was written", err=True)
        raise typer.Exit(1)
    count = len(list(cases(schema)))
    cache.store("compared", tree.sha256, key, count)
    return count
