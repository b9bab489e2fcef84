"""`recipe-lint check`: check scripts and print what was found."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from lint import settings
from lint.checking.run import Job, check
from lint.cli.arguments import (
    CLEAN,
    FINDINGS,
    NO_INPUT,
    DeviceName,
    Environment,
    ModelName,
    Nodes,
    Release,
    Verl,
    fail,
    parse_names,
    stated,
)
from lint.cli.choices import ConfidenceLevel, Format, SeverityLevel
from lint.cli.running import Call, Filters, Outcome, collect, cores, filtered, run
from lint.files.cache import Cache
from lint.output import automatic, render
from lint.output.report import SEVERITIES, Report
from lint.output.terminal import Style, visible, wants_colour
from lint.output.text import plural
from lint.suppression import baseline


def command(
    paths: Annotated[list[str] | None, typer.Argument(help="Scripts, folders, or - for standard input.")] = None,
    format: Annotated[
        Format,
        typer.Option("--format", "--output-format", "-f", help="auto: github inside GitHub Actions, else text."),
    ] = Format.auto,
    output_file: Annotated[Path | None, typer.Option("--output-file", "-o", help="Write the report to a file.")] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Only these rules: names, groups, shellcheck codes; with commas.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Not these rules.")] = None,
    min_severity: Annotated[
        SeverityLevel, typer.Option(help="Show findings from this severity on.")
    ] = SeverityLevel.info,
    confidence: Annotated[
        ConfidenceLevel | None,
        typer.Option(help="Show findings from this confidence on.", show_default="medium"),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Findings of severity info fail the run too.")] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="End with status 0 whatever is found.")] = False,
    release: Release = None,
    releases: Annotated[
        str | None,
        typer.Option(metavar="all|R,R", help="Check against several releases: which ones work, and what breaks where."),
    ] = None,
    verl: Verl = None,
    device: DeviceName = None,
    model: ModelName = None,
    nnodes: Nodes = None,
    env: Environment = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply safe fixes.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="Apply fixes that may change what a script means, too.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print the fixes as a patch; change nothing.")] = False,
    statistics: Annotated[bool, typer.Option("--statistics", help="Print how often each rule reports.")] = False,
    baseline_file: Annotated[
        Path | None, typer.Option("--baseline", help="Leave out the findings that this file holds.")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option("--write-baseline", help="Write all findings to this file, as a baseline.")
    ] = None,
    changed: Annotated[
        str | None,
        typer.Option(metavar="[REF]", help="Only files that differ from a commit (HEAD if none is named)."),
    ] = None,
    stdin_filename: Annotated[str | None, typer.Option(help="The path that standard input is to be known by.")] = None,
    shellcheck: Annotated[
        bool | None, typer.Option("--shellcheck/--no-shellcheck", help="Run shellcheck too.", show_default="run")
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Processes.", show_default="cores")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write the cache.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a script changes.")] = False,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print the settings of each script, and end.")
    ] = False,
) -> None:
    """Check launch scripts without running them.

    Exit status: 0 nothing found, 1 errors or warnings, 2 the call or the settings are wrong, 3 an input was not found.
    """
    filters = Filters(
        SEVERITIES[list(SeverityLevel).index(min_severity)], confidence.value if confidence else None, strict
    )
    given = stated(release=release, verl=verl, device=device, model=model, nodes=nnodes, environment=env or ())
    values: dict[str, Any] = {}
    if select:
        values["select"] = parse_names(select)
    if ignore:
        values["ignore"] = parse_names(ignore)
    if shellcheck is not None:
        values["shellcheck"] = shellcheck
    call = Call(
        paths=tuple(paths or ["."]),
        given=given,
        values=values,
        filters=filters,
        processes=jobs or cores(),
        cached=not no_cache,
        changed=changed,
        stdin_filename=stdin_filename,
    )
    if show_settings:
        from lint.cli.settings import print_settings

        for job in collect(call).jobs:
            print_settings(job.path, sys.stdout)
        return
    if watch:
        from lint.files.watch import watch as watch_files

        watch_files(lambda: [job.path for job in collect(call).jobs], lambda: _show(run(call), format, None))
        return
    if releases is not None:
        raise typer.Exit(_matrix(call, releases, format, exit_zero))
    if fix or unsafe_fixes or diff:
        raise typer.Exit(_repair(call, unsafe_fixes, diff, format, output_file, exit_zero))
    outcome = run(call)
    report = _against_baseline(outcome, baseline_file, write_baseline, call)
    outcome = replace(outcome, report=report)
    if statistics:
        sys.stdout.write(table(report))
    else:
        _show(outcome, format, output_file)
    raise typer.Exit(_status(outcome, filters, exit_zero or write_baseline is not None))


def _status(outcome: Outcome, filters: Filters, zero: bool) -> int:
    if outcome.without_input:
        return NO_INPUT
    return FINDINGS if not zero and filters.fails(outcome.report.findings) else CLEAN


# ------------------------------------------------------------------------------------------------------ presenting


def _show(outcome: Outcome, format: Format, output_file: Path | None) -> None:
    name = automatic() if format.value == "auto" else format.value
    if output_file is None:
        sys.stdout.write(_sendable(render(name, outcome.report, Style(wants_colour(sys.stdout)))))
        return
    try:
        output_file.parent.mkdir(parents=True, exist_ok=True)
        output_file.write_text(render(name, outcome.report, Style(False)), "utf-8", "backslashreplace")
    except OSError as error:
        fail(f"{output_file}: cannot be written: {error.strerror}")


def _sendable(text: str) -> str:
    """Characters that the encoding of standard output lacks are shown as escapes."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def table(report: Report) -> str:
    """How often each rule reports, the most frequent first."""
    counts = Counter((finding.rule, finding.severity) for finding in report.findings)
    fixable = Counter(finding.rule for finding in report.findings if finding.fix is not None)
    widest = max((len(rule) for rule, _ in counts), default=0)
    lines = [
        f"{count:>6}  {severity:<7}  {rule:<{widest}}" + (f"  {fixable[rule]} fixable" if fixable[rule] else "")
        for (rule, severity), count in sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    ]
    total = plural(sum(counts.values()), "finding")
    lines.append(f"{total} in {plural(report.scripts, 'script')}, {plural(report.launches, 'launch', 'launches')}")
    return "".join(line.rstrip() + "\n" for line in lines)


def _against_baseline(outcome: Outcome, file: Path | None, write: Path | None, call: Call) -> Report:
    """The report without what the baseline knows; a baseline that shrank is written back."""
    report = outcome.report
    if write is not None:
        try:
            baseline.save(write, baseline.collect(report))
        except baseline.BadBaseline as error:
            fail(str(error))
        print(f"recipe-lint: wrote {plural(len(report.findings), 'finding')} to {write}", file=sys.stderr)
        return report
    named = file or _baseline_of(call)
    if named is None:
        return report
    try:
        known = baseline.load(named)
    except baseline.BadBaseline as error:
        fail(str(error))
    complete = not call.values and call.filters.severity == "info" and call.filters.confidence is None
    compared = baseline.compare(report, known, [job.path for job in outcome.jobs], complete)
    if compared.remaining != known:
        gone = sum(known.values()) - sum(compared.remaining.values())
        try:
            baseline.save(named, compared.remaining)
            print(f"recipe-lint: took {plural(gone, 'finding')} that no longer occur out of {named}", file=sys.stderr)
        except baseline.BadBaseline as error:  # a checkout that is read only: the entries can stay
            print(f"recipe-lint: {error}; {plural(gone, 'finding')} in it no longer occur", file=sys.stderr)
    return replace(report, findings=compared.findings, baselined=compared.known)


def _baseline_of(call: Call) -> Path | None:
    found = settings.settings_for(call.paths[0] if call.paths[0] != "-" else ".").baseline
    return Path(found) if found else None


# -------------------------------------------------------------------------------------------------------- releases


def _matrix(call: Call, named: str, format: Format, zero: bool) -> int:
    """Check every script against several releases; only what Hydra refuses, unless rules were chosen."""
    from lint.checking.matrix import Matrix, document, text
    from lint.output.plain import dumps
    from lint.schema.load import shipped

    if format not in (Format.auto, Format.text, Format.json):
        fail(f"--releases is shown as text or json, not as {format.value}")
    releases = shipped() if named == "all" else tuple(name.strip() for name in named.split(","))
    values = {"select": ("hydra",), **call.values}
    outcomes = {
        release: run(replace(call, given=replace(call.given, release=stated(release=release).release), values=values))
        for release in releases
    }
    first = next(iter(outcomes.values()))
    matrix = Matrix(tuple(job.path for job in first.jobs), {name: row.report for name, row in outcomes.items()})
    if format is Format.json:
        sys.stdout.write(dumps(document(matrix)))
    else:
        sys.stdout.write(_sendable(text(matrix, Style(wants_colour(sys.stdout)))))
    if first.without_input:
        return NO_INPUT
    return FINDINGS if matrix.fails and not zero else CLEAN


# ---------------------------------------------------------------------------------------------------------- fixing


def _repair(call: Call, unsafe: bool, only_show: bool, format: Format, output_file: Path | None, zero: bool) -> int:
    """Apply fixes, or show them; the exit status."""
    from lint.fixes.repair import difference, repair

    outcome = run(call)
    if any(job.data is not None for job in outcome.jobs) and not only_show:
        fail("--fix cannot change standard input; ask for a patch with --diff")

    def again(jobs: Sequence[Job]) -> Report:
        report = check(jobs, processes=1, cache=Cache(None))
        return filtered(report, jobs, call.filters)

    repaired = repair(outcome.jobs, outcome.report, again, unsafe)
    for path in repaired.refused:
        print(f"recipe-lint: {visible(path)}: its fixes would break the script and were left out", file=sys.stderr)
    if only_show:
        patch = difference(repaired)
        sys.stdout.flush()
        sys.stdout.buffer.write(patch.encode("utf-8", "surrogateescape"))
        if outcome.without_input:
            return NO_INPUT
        return FINDINGS if patch and not zero else CLEAN
    for path, source in repaired.texts.items():
        try:
            with open(path, "r+b") as file:
                file.write(source.encode())
                file.truncate()
        except OSError as error:
            fail(f"{path}: cannot be written: {error.strerror}")
    left = replace(outcome, report=repaired.report)
    _show(left, format, output_file)
    if repaired.fixed:
        count = plural(len(repaired.fixed), "finding")
        print(f"recipe-lint: fixed {count} in {plural(len(repaired.texts), 'script')}", file=sys.stderr)
    return _status(left, call.filters, zero)
