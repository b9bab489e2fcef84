"""`recipe-lint new`: a copy of a recipe for another model, cluster or device."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from lint.cli.arguments import FINDINGS, NO_INPUT, DeviceName, ModelName, Nodes, fail, save, stated
from lint.frozen import frozen


@frozen
class Wanted:
    """What the copy is for"""

    model: ModelName = None
    nnodes: Nodes = None
    devices_per_node: Annotated[int | None, typer.Option(metavar="N", min=1, help="Devices on each node.")] = None
    device: DeviceName = None


def command(
    recipe: Annotated[str, typer.Argument(help="The script to copy.")],
    output: Annotated[Path, typer.Argument(help="The new script.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the new script if it exists.")] = False,
    *,
    wanted: Wanted,
) -> None:
    """Copy a recipe under a new name, and adapt sizes until they are legal and fit.

    Parallel sizes, batch sizes, offload and the memory share of the rollout are changed where a rule objects, each to
    the nearest value that helps. The head comment is written anew: hardware, expected memory, what was changed; what
    only the original could know is marked as its own. What was changed and why goes to standard error.

    Exit status: 0 written, 1 written and something still does not fit, 2 the call is wrong, 3 no such recipe.
    """
    from lint.files import discovery
    from lint.fixes.adapt import NotAdaptable, Wish, adapt
    from lint.fixes.head import with_new_head
    from lint.fixes.trial import SOMEBODY

    def at_home(value: str) -> str:
        return value.replace(SOMEBODY["HOME"], "$HOME")  # whose it is, only a run can tell

    stated(device=wanted.device, model=wanted.model)
    data = discovery.read(recipe)
    source = discovery.decode(recipe, data) if isinstance(data, bytes) else data
    if isinstance(source, discovery.Unreadable):
        fail(f"{recipe}: {source.reason}", NO_INPUT)
    if output.exists() and not force:
        fail(f"{output} exists; --force replaces it")
    name = output.stem.removeprefix("run_")
    wish = Wish(name, wanted.model, wanted.nnodes, wanted.devices_per_node, wanted.device)
    try:
        adapted = adapt(replace(source, path=str(output)), wish)
    except NotAdaptable as error:
        fail(str(error))
    save(output, with_new_head(adapted, recipe, str(output)).encode("utf-8", "surrogateescape"), 0o755)
    lines = [f"{output}: copied from {recipe}"]
    lines += [
        f"  {step.key}: {at_home(step.before) or 'unset'} -> {at_home(step.after) or 'gone'} ({step.reason})"
        for step in adapted.steps
    ]
    lines += [f"  by hand: {what}" for what in adapted.by_hand]
    lines += [f"  left: {finding.message}" for finding in adapted.left]
    sys.stderr.write("\n".join(lines) + "\n")
    raise typer.Exit(FINDINGS if adapted.left or adapted.by_hand else 0)
