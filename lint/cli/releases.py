"""`recipe-lint check --releases`: the same scripts against several releases of verl."""

from __future__ import annotations

from dataclasses import replace

from lint.checking.matrix import Matrix, document, text
from lint.cli.arguments import CLEAN, FINDINGS, NO_INPUT, fail, stated
from lint.cli.choices import Format
from lint.cli.options import Output
from lint.cli.presenting import put
from lint.cli.running import Call, run, say
from lint.output.plain import dumps
from lint.schema.load import shipped


def check_releases(call: Call, named: str, output: Output, exit_zero: bool) -> int:
    """Check every script against several releases; without shellcheck, which knows none, unless it is asked for."""
    if output.format not in (Format.auto, Format.text, Format.json):
        fail(f"--releases is shown as text or json, not as {output.format.value}")
    releases = shipped() if named == "all" else tuple(name.strip() for name in named.split(","))
    values = {"shellcheck": False, **call.values}
    outcomes = {
        release: run(replace(call, given=replace(call.given, release=stated(release=release).release), values=values))
        for release in releases
    }
    first = next(iter(outcomes.values()))
    matrix = Matrix(tuple(job.path for job in first.jobs), {name: row.report for name, row in outcomes.items()})
    put((dumps(document(matrix)) if output.format is Format.json else text(matrix, output.style),), output)
    say(first.lacking)
    if first.lacking:
        return NO_INPUT
    return FINDINGS if matrix.fails and not exit_zero else CLEAN
