"""`recipe-lint check`: check scripts and print what was found."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from lint.cli.apart import chosen, refuse_apart
from lint.cli.arguments import CLEAN, FINDINGS, NO_INPUT, fail
from lint.cli.choices import Format
from lint.cli.known import baseline_of, save_baseline, without_known
from lint.cli.options import Changes, Launched, Output, Rules, Running, Scripts
from lint.cli.presenting import show
from lint.cli.running import Call, Outcome, collect, cores, lacking, run, say
from lint.output.terminal import visible


def command(
    paths: Annotated[list[str] | None, Argument(help="Scripts, folders, or - for standard input.")] = None,
    *,
    output: Output,
    rules: Rules,
    scripts: Scripts,
    target: Launched,
    releases: Annotated[
        str | None,
        Option(
            metavar="all|R,R",
            help="Several releases: on which each script works, and what breaks where.",
            rich_help_panel="What to check against",
        ),
    ] = None,
    changes: Changes,
    running: Running,
) -> None:
    """Check launch scripts without running them.

    Exit status: 0 nothing found, 1 errors or warnings, 2 the call or the settings are wrong, 3 an input was not found.
    """
    refuse_apart(
        chosen(output, rules, scripts, target, changes, running)
        | {name for name, given in (("--releases", releases is not None), ("-", "-" in (paths or ()))) if given}
    )
    if output.statistics and output.format not in (Format.auto, Format.text, Format.json):
        fail(f"--statistics is shown as text or json, not as {output.format.value}")
    if paths and "-" not in paths and scripts.stdin_filename is not None:
        fail("--stdin-filename names what is read from standard input, and paths without - were given")
    call = Call(
        paths=tuple(paths or ["." if scripts.stdin_filename is None else "-"]),
        given=target.stated(target.nnodes),
        values=rules.settings(),
        filters=rules.filters(running.strict),
        processes=running.jobs or cores(),
        cached=not running.no_cache,
        changed=scripts.changed,
        stdin_filename=scripts.stdin_filename,
        force_exclude=scripts.force_exclude,
    )
    if scripts.show_files or scripts.show_settings:
        _show_inputs(call, scripts.show_settings)
    elif running.watch:
        from lint.cli.watching import check_again

        check_again(
            call,
            lambda: baseline_of(call, rules.baseline),
            lambda depends: _present(without_known(run(call, depends), rules.baseline, call), output),
        )
    elif releases is not None:
        from lint.cli.releases import check_releases

        raise Exit(check_releases(call, releases, output, running.exit_zero))
    elif changes.asked:
        raise Exit(_change(call, changes, rules.baseline, output, running.exit_zero))
    else:
        outcome = run(call)
        if rules.write_baseline is not None:
            save_baseline(rules.write_baseline, outcome.report)
        outcome = without_known(outcome, rules.write_baseline or rules.baseline, call)
        _present(outcome, output)
        raise Exit(_status(outcome, call, running.exit_zero))


def _present(outcome: Outcome, output: Output) -> None:
    say(outcome.lacking)
    show(outcome, output)


def _status(outcome: Outcome, call: Call, exit_zero: bool) -> int:
    if outcome.lacking:
        return NO_INPUT
    return FINDINGS if not exit_zero and call.filters.fails(outcome.report.findings) else CLEAN


def _show_inputs(call: Call, with_settings: bool) -> None:
    """Print each script that would be checked, or the settings that hold for it."""
    from lint.cli.settings import print_settings

    found = collect(call)
    for job in found.jobs:
        if with_settings:
            print_settings(job.path, sys.stdout, job.request)
        else:
            print(visible(job.path))
    without = lacking(found, call)
    say(without)
    if without:
        raise Exit(NO_INPUT)


def _change(call: Call, changes: Changes, known: Path | None, output: Output, exit_zero: bool) -> int:
    """Apply fixes or suppressions, or print the patch of them; the exit status."""
    from lint.cli.changing import changed, put_patch, write

    outcome = run(call)
    if changes.add_ignore is not None:
        outcome = without_known(outcome, known, call)
    repaired = changed(outcome, call, changes)
    if changes.diff:
        differs = put_patch(repaired, output)
        say(outcome.lacking)
        return NO_INPUT if outcome.lacking else FINDINGS if differs and not exit_zero else CLEAN
    write(repaired, "fixed" if changes.add_ignore is None else "suppressed")
    left = without_known(replace(outcome, report=repaired.report), known, call)
    _present(left, output)
    return _status(left, call, exit_zero)
