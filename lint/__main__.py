"""The `recipe-lint` command: finds the subcommand and imports only that one, so that short runs stay short."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

import lint

if TYPE_CHECKING:
    import typer

VERSION, VERBOSE = ("--version", "-V"), ("--verbose", "-v")
FAILED = 2
COLLECT = (100_000, 10, 10)
"""How seldom to look for cycles: the tool makes many small objects and next to none of these."""
TRACEBACK = "RECIPE_LINT_TRACEBACK"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Ends the process with the exit status that README documents."""
    given = complete(sys.argv[1:] if arguments is None else arguments)
    if any(word in VERSION for word in given) and all(word in (*VERSION, *VERBOSE) for word in given):
        print_version(any(word in VERBOSE for word in given))
        return
    from lint.cli.ending import ENDED, INTERRUPTED, at_once, told_by_signals

    gc.set_threshold(*COLLECT)
    open_streams()
    try:
        try:
            with told_by_signals():
                application(given)(given, prog_name="recipe-lint")
        finally:
            if not sys.stdout.closed:  # as the server does when the editor says goodbye
                sys.stdout.flush()
    except (KeyboardInterrupt, SystemExit) as end:  # typer makes an exit of an interrupt
        status = end.code if isinstance(end, SystemExit) else INTERRUPTED
        if not isinstance(status, int) or status not in ENDED:
            raise
        if sys.stderr is not None and sys.stderr.isatty():
            print(file=sys.stderr)  # below the line that tells how far the run is
        at_once(status)
    except BrokenPipeError:  # the reader of our output is gone: nothing is left to say, and nowhere to say it
        discard_output()
        sys.exit(INTERRUPTED)
    except OSError as error:
        discard_output()
        unnamed = "the current folder" if isinstance(error, FileNotFoundError) else "standard output"
        print(f"recipe-lint: {error.filename or unnamed}: {error.strerror or error}", file=sys.stderr)
        sys.exit(FAILED)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        discard_output()
        print(defect(error), file=sys.stderr)
        sys.exit(FAILED)


def defect(error: Exception) -> str:
    """What is said of an error that nobody expected: it is ours, and how to report it."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return (
        f"recipe-lint: a defect of this tool, not of what it was given: {text}{place}\n"
        f"recipe-lint: please report it with the call and the script at {lint.PROJECT}/issues "
        f"(with {TRACEBACK}=1 it shows where it happened)"
    )


def open_streams() -> None:
    """Stand-ins for standard streams that the caller has closed; escapes for characters that an encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 -- open as long as we run
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """What is left to write would fail again when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complete(arguments: list[str]) -> list[str]:
    """The arguments with options by their names here, and with the values that were left out: where another option, a
    path or nothing follows."""
    from lint.cli import OPTIONAL_VALUES, OTHER_NAMES

    completed = []
    for given, following in zip(arguments, [*arguments[1:], "-"], strict=False):
        name, equals, value = given.partition("=")
        argument = OTHER_NAMES.get(name, name) + equals + value
        left_out = argument in OPTIONAL_VALUES and (following.startswith("-") or os.path.lexists(following))
        completed.append(f"{argument}={OPTIONAL_VALUES[argument]}" if left_out else argument)
    return completed


def application(arguments: list[str]) -> typer.Typer:
    """The typer application, with the one subcommand that `arguments` names or, for help and completion, with all."""
    import typer

    from lint.cli import COMMANDS
    from lint.cli.examples import epilog
    from lint.cli.flatten import flattened
    from lint.cli.flowing import let_flow

    root = typer.Typer(
        name="recipe-lint",
        help=lint.__doc__,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @root.callback()
    def options(
        version: bool = typer.Option(False, *VERSION, help="Print the version."),
        verbose: bool = typer.Option(False, *VERBOSE, help="With --version: when each file of facts was read."),
    ) -> None:
        if version:
            print_version(verbose)
            raise typer.Exit

    named = arguments[:1] if arguments and arguments[0] in COMMANDS else list(COMMANDS)
    for name in named:
        module = import_module(f"lint.cli.{name}")
        if hasattr(module, "application"):
            root.add_typer(module.application, name=name, epilog=epilog(name))
        else:
            root.command(name, epilog=epilog(name))(flattened(module.command))
    let_flow(root)
    return root


def print_version(verbose: bool) -> None:
    """Print the version and, if `verbose`, when what each file of facts states was read."""
    print(f"recipe-lint {lint.__version__}")
    if verbose:
        from lint.facts.inventory import data_files

        for file in data_files():
            print(f"  {file.date}  {file.path}")


if __name__ == "__main__":
    main()
