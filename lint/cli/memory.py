"""`recipe-lint memory`: what each phase of a launch takes on one device and on one node, from the script alone."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, BadParameter, Exit, Option

from lint.cli.arguments import CLEAN, NO_INPUT, request_for
from lint.cli.choices import FORMAT
from lint.cli.options import Target
from lint.cli.show import load, say_no_launch, unchecked_to_plain
from lint.files.sources import files_beside
from lint.frozen import frozen
from lint.output.plain import dumps
from lint.output.terminal import Style, visible, wants_colour
from lint.settings import ScriptSettings
from lint.text import Source

if TYPE_CHECKING:
    from lint.memory.report import LaunchMemory
    from lint.memory.what_if import WhatIf


class MemoryFormat(str, Enum):
    text = "text"
    json = "json"
    svg = "svg"
    html = "html"


def _a_number(share: float | None) -> float | None:
    if share is not None and share != share:  # a range of numbers lets nan through
        raise BadParameter("nan is no share of the device")
    return share


@frozen
class Sizes:
    """What if"""

    tokens: Annotated[int | None, Option(metavar="N", min=1, help="Tokens of a usual sample, prompt and response.")] = (
        None
    )
    tp: Annotated[int | None, Option(metavar="N", min=1, help="The tensor parallel size of the rollout.")] = None
    util: Annotated[
        float | None, Option(metavar="SHARE", min=0.01, max=1, callback=_a_number, help="gpu_memory_utilization.")
    ] = None
    sp: Annotated[int | None, Option(metavar="N", min=1, help="The Ulysses sequence parallel size.")] = None
    nnodes: Annotated[int | None, Option(metavar="N", min=1, help="The number of nodes.")] = None
    devices: Annotated[int | None, Option(metavar="N", min=1, help="Devices per node.")] = None
    token_budget: Annotated[int | None, Option(metavar="N", min=1, help="Tokens per device in a micro-batch.")] = None
    bucket: Annotated[int | None, Option(metavar="N", min=1, help="update_weights_bucket_megabytes.")] = None


@frozen
class Switches:
    """What if, on or off"""

    offload: Annotated[bool | None, Option(help="Parameters and optimizer are moved to the host.")] = None
    chunked_entropy: Annotated[bool | None, Option(help="The entropy is computed in chunks.")] = None


def changes(sizes: Sizes, switches: Switches) -> WhatIf:
    """What replaces the values of a launch."""
    from lint.memory.what_if import WhatIf

    return WhatIf(
        sizes.tp,
        sizes.util,
        sizes.sp,
        sizes.nnodes,
        sizes.token_budget,
        sizes.bucket,
        switches.offload,
        switches.chunked_entropy,
    )


def command(
    scripts: Annotated[list[str], Argument(help="Scripts, folders, or - for standard input.")],
    format: Annotated[MemoryFormat, Option(*FORMAT, help="How to show it.")] = MemoryFormat.text,
    *,
    target: Target,
    sizes: Sizes,
    switches: Switches,
) -> None:
    """Predict the device memory of each phase and the host memory of a node.

    Nothing runs: sizes follow from the script, the release's defaults and the architecture of the model.
    """
    from lint.memory.report import merged, to_plain

    given, change = target.stated(), changes(sizes, switches)
    sources, unreadable = load(scripts)
    found: list[LaunchMemory] = []
    not_read: list[dict[str, Any]] = []
    for path, source in sources.items():
        launches, unchecked = read(path, source, given, change, sizes.tokens, sizes.devices)
        found += launches
        not_read += unchecked
    rows = [*not_read, *({"path": path, "line": 1, "reason": reason} for path, reason in unreadable.items())]
    if format is MemoryFormat.json:
        plain = [to_plain(launch) for launch in found]
        sys.stdout.write(dumps({"version": 1, "launches": plain, "unchecked": rows}))
    elif format is MemoryFormat.svg:
        from lint.memory.picture import pictures

        sys.stdout.write(pictures(merged(found)))
    elif format is MemoryFormat.html:
        from lint.memory.page import html

        sys.stdout.write(html(merged(found)))
    else:
        from lint.memory.text import text

        style = Style(wants_colour(sys.stdout))
        sys.stdout.write("\n".join(text(launch, style) for launch in merged(found)))
    if format is not MemoryFormat.json:
        if not found and sources:
            say_no_launch(sources)
        for row in rows:
            print(f"not read: {visible(row['path'])}:{row['line']}: {visible(row['reason'])}", file=sys.stderr)
    raise Exit(NO_INPUT if unreadable else CLEAN)


def read(
    path: str,
    source: Source,
    given: ScriptSettings,
    change: WhatIf,
    tokens: int | None = None,
    devices: int | None = None,
) -> tuple[list[LaunchMemory], list[dict[str, Any]]]:
    """The memory of each launch of one script, and what of it could not be read."""
    from lint.checking.linter import understand
    from lint.memory.inputs import MemoryInputs
    from lint.memory.reading import read_inputs
    from lint.memory.report import launch_memory
    from lint.memory.what_if import apply

    understood = understand(source, request_for(path, given), files_beside(path))
    subjects = [subject for subject in understood.subjects if subject.device is not None]
    if given.device is None or not subjects:  # else launches for another kind of device were not asked for
        subjects = list(understood.subjects)
    launches = []
    for subject in subjects:
        inputs = read_inputs(subject, tokens or subject.expected_tokens, devices)
        if isinstance(inputs, MemoryInputs):
            inputs = apply(inputs, change)
        span = subject.launch.command.span
        text = understood.sources.get(span.path, source)
        launches.append(
            launch_memory(
                span.path,
                text.line(span.start),
                {**subject.launch.command.conditions, **subject.launch.chosen},
                None if subject.model is None else subject.model.name,
                None if subject.device is None else subject.device.name,
                inputs,
                change.words,
            )
        )
    places = dict.fromkeys(place for reading in understood.readings for place in reading.unchecked)
    return launches, [unchecked_to_plain(place, understood.sources) for place in places]
