"""The options of `check`, in the groups that its help shows; `Target` and `Launched` are of other subcommands, too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from lint.cli.arguments import DeviceName, Environment, ModelName, Nodes, Release, Verl, parse_names, stated
from lint.cli.choices import FORMAT, Colour, ConfidenceLevel, Format, SeverityLevel
from lint.cli.completing import rules_and_groups
from lint.cli.running import Filters
from lint.frozen import frozen
from lint.output import automatic
from lint.output.report import SEVERITIES
from lint.output.terminal import Style, wants_colour
from lint.settings import ScriptSettings


@frozen
class Target:
    """What to check against"""

    release: Release = None
    verl: Verl = None
    device: DeviceName = None
    model: ModelName = None
    env: Environment = None

    def stated(self, nodes: int | None = None) -> ScriptSettings:
        """The settings that these options are; ends the command at a name that is not known."""
        return stated(
            release=self.release,
            verl=self.verl,
            device=self.device,
            model=self.model,
            nodes=nodes,
            environment=self.env or (),
        )


@frozen
class Launched(Target):
    """What to check against"""

    nnodes: Nodes = None


@frozen
class Scripts:
    """Which scripts"""

    changed: Annotated[
        str | None,
        Option(
            metavar="[REF]",
            help="Only files that differ from a commit (HEAD if none is named); main... means where this left main.",
        ),
    ] = None
    stdin_filename: Annotated[str | None, Option(help="Standard input is to be checked, and known by this path.")] = (
        None
    )
    force_exclude: Annotated[
        bool, Option("--force-exclude", help="Leave out what the settings exclude also where it is named, as hooks do.")
    ] = False
    show_files: Annotated[bool, Option("--show-files", help="Print the scripts to check, and end.")] = False
    show_settings: Annotated[bool, Option("--show-settings", help="Print the settings of each script, and end.")] = (
        False
    )


@frozen
class Rules:
    """Which findings"""

    select: Annotated[
        list[str] | None,
        Option(help="Only these rules: names, groups, shellcheck codes; with commas.", autocompletion=rules_and_groups),
    ] = None
    ignore: Annotated[list[str] | None, Option(help="Not these rules.", autocompletion=rules_and_groups)] = None
    min_severity: Annotated[SeverityLevel, Option(help="From this severity on.")] = SeverityLevel.info
    confidence: Annotated[ConfidenceLevel | None, Option(help="From this confidence on.", show_default="medium")] = None
    shellcheck: Annotated[
        bool | None, Option("--shellcheck/--no-shellcheck", help="Run shellcheck too.", show_default="run")
    ] = None
    baseline: Annotated[Path | None, Option("--baseline", help="Leave out the findings that this file holds.")] = None
    write_baseline: Annotated[
        Path | None, Option("--write-baseline", help="Write all findings to this file, as a baseline.")
    ] = None

    def settings(self) -> dict[str, Any]:
        """The settings that these options replace; ends the command at a name that is no rule."""
        values: dict[str, Any] = {}
        if self.select:
            values["select"] = parse_names(self.select)
        if self.ignore:
            values["ignore"] = parse_names(self.ignore)
        if self.shellcheck is not None:
            values["shellcheck"] = self.shellcheck
        return values

    def filters(self, strict: bool) -> Filters:
        """Which findings are shown, and which make the exit status 1."""
        severity = SEVERITIES[list(SeverityLevel).index(self.min_severity)]
        return Filters(severity, self.confidence.value if self.confidence else None, strict)


@frozen
class Output:
    """Output"""

    format: Annotated[Format, Option(*FORMAT, help="auto: github inside GitHub Actions, else text.")] = Format.auto
    output_file: Annotated[
        Path | None, Option("--output-file", "-o", help="Write the report to this file, whole or not at all.")
    ] = None
    statistics: Annotated[bool, Option("--statistics", help="Print how often each rule reports, as text or json.")] = (
        False
    )
    color: Annotated[Colour, Option("--color", help="auto: on a terminal, by NO_COLOR and FORCE_COLOR.")] = Colour.auto

    @property
    def form(self) -> str:
        """The name of the format."""
        return automatic() if self.format is Format.auto else self.format.value

    @property
    def style(self) -> Style:
        """Whether to paint what goes to standard output or into the file."""
        if self.color is not Colour.auto:
            return Style(self.color is Colour.always)
        return Style(self.output_file is None and wants_colour(sys.stdout))


@frozen
class Changes:
    """Changes of scripts"""

    fix: Annotated[bool, Option("--fix", help="Apply safe fixes.")] = False
    unsafe_fixes: Annotated[
        bool, Option("--unsafe-fixes", help="Apply fixes that may change what a script means, too.")
    ] = False
    add_ignore: Annotated[
        str | None,
        Option(metavar="REASON", help="Suppress every finding that is shown, with this reason."),
    ] = None
    diff: Annotated[bool, Option("--diff", help="Print the changes as a patch; change nothing.")] = False

    @property
    def asked(self) -> bool:
        return self.fix or self.unsafe_fixes or self.diff or self.add_ignore is not None


@frozen
class Running:
    """Run"""

    strict: Annotated[bool, Option("--strict", help="Findings of severity info fail the run too.")] = False
    exit_zero: Annotated[bool, Option("--exit-zero", help="End with status 0 whatever is found.")] = False
    jobs: Annotated[int | None, Option("--jobs", "-j", metavar="N", min=1, help="Processes.", show_default="cores")] = (
        None
    )
    no_cache: Annotated[bool, Option("--no-cache", help="Neither read nor write the cache.")] = False
    watch: Annotated[
        bool, Option("--watch", help="Check again whenever a script, what it reads or its settings change.")
    ] = False
