"""The command line: one module for each subcommand, imported only when that subcommand runs.

`COMMANDS` names them in the order of the help text. A module `lint/cli/<name>.py` holds either `command`, a function
whose signature declares the arguments (typer reads it) and whose docstring is the help text, or `application`, a
`typer.Typer` with subcommands of its own. Both end by `raise typer.Exit(status)` when the status is not 0.
"""

OPTIONAL_VALUES = {"--changed": "HEAD"}
"""Options whose value may be left out, and what then stands for it."""

OTHER_NAMES = {"--output-format": "--format"}
"""Names that options have in other linters, and those that they have here."""

COMMANDS = (
    *("check", "show", "memory", "compare", "copies", "new"),
    *("rules", "explain", "schema", "settings", "init", "server"),
)
