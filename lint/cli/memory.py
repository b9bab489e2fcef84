"""`recipe-lint memory`: what each phase of a launch takes on one device and on one node, from the script alone."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lint.cli.arguments import CLEAN, NO_INPUT, DeviceName, Environment, ModelName, Release, Verl, request_for, stated
from lint.cli.show import load, unchecked_to_plain
from lint.files.sources import files_beside
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


def command(
    scripts: Annotated[list[str], typer.Argument(help="Scripts, or folders.")],
    format: Annotated[MemoryFormat, typer.Option("--format", "--output-format", "-f")] = MemoryFormat.text,
    release: Release = None,
    verl: Verl = None,
    device: DeviceName = None,
    model: ModelName = None,
    env: Environment = None,
    tokens: Annotated[int | None, typer.Option(min=1, help="Tokens of a usual sample, prompt and response.")] = None,
    tp: Annotated[int | None, typer.Option(min=1, help="What if the rollout had this tensor parallel size.")] = None,
    util: Annotated[
        float | None, typer.Option(min=0.01, max=1, help="What if with this gpu_memory_utilization.")
    ] = None,
    sp: Annotated[int | None, typer.Option(min=1, help="What if with this Ulysses sequence parallel size.")] = None,
    nnodes: Annotated[int | None, typer.Option(min=1, help="What if on this number of nodes.")] = None,
    devices: Annotated[int | None, typer.Option(min=1, help="What if with this number of devices per node.")] = None,
    token_budget: Annotated[
        int | None, typer.Option(min=1, help="What if with this many tokens per device in a micro-batch.")
    ] = None,
    bucket: Annotated[
        int | None, typer.Option(min=1, help="What if with this update_weights_bucket_megabytes.")
    ] = None,
    offload: Annotated[
        bool | None, typer.Option(help="What if parameters and optimizer were moved to the host, or not.")
    ] = None,
    chunked_entropy: Annotated[
        bool | None, typer.Option(help="What if with entropy_from_logits_with_chunking, or without.")
    ] = None,
) -> None:
    """Predict the device memory of each phase and the host memory of a node.

    Nothing runs: sizes follow from the script, the release's defaults and the architecture of the model.
    """
    from lint.memory.report import to_plain
    from lint.memory.what_if import WhatIf

    given = stated(release=release, verl=verl, device=device, model=model, environment=env or ())
    change = WhatIf(tp, util, sp, nnodes, token_budget, bucket, offload, chunked_entropy)
    sources, unreadable = load(scripts)
    found: list[LaunchMemory] = []
    not_read: list[dict[str, Any]] = []
    for path, source in sources.items():
        launches, unchecked = read(path, source, given, change, tokens, devices)
        found += launches
        not_read += unchecked
    rows = [*not_read, *({"path": path, "line": 1, "reason": reason} for path, reason in unreadable.items())]
    if format is MemoryFormat.json:
        plain = [to_plain(launch) for launch in found]
        print(json.dumps({"version": 1, "launches": plain, "unchecked": rows}, indent=2))
    elif format is MemoryFormat.svg:
        from lint.memory.picture import pictures

        sys.stdout.write(pictures(found))
    elif format is MemoryFormat.html:
        from lint.memory.page import html

        sys.stdout.write(html(found))
    else:
        from lint.memory.text import text

        style = Style(wants_colour(sys.stdout))
        sys.stdout.write("\n".join(text(launch, style) for launch in found))
    if format is not MemoryFormat.json:
        for row in rows:
            print(f"not read: {visible(row['path'])}:{row['line']}: {visible(row['reason'])}", file=sys.stderr)
    raise typer.Exit(NO_INPUT if unreadable else CLEAN)


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
                subject.launch.command.scenario,
                None if subject.model is None else subject.model.name,
                None if subject.device is None else subject.device.name,
                inputs,
                change.words,
            )
        )
    places = dict.fromkeys(place for reading in understood.readings for place in reading.unchecked)
    return launches, [unchecked_to_plain(place, understood.sources) for place in places]
