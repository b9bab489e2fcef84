"""`recipe-lint server`: the editor server."""

from __future__ import annotations

from lint.cli.arguments import fail
from lint.cli.ending import at_once, leave_to_the_system


def command() -> None:
    """Serve an editor over standard input and output (Language Server Protocol)."""
    try:
        from lint.server.features import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        fail("the server needs pygls: pip install 'recipe-lint[server]'")
    leave_to_the_system()  # nothing is half done here, and what runs beside ends with it
    try:
        serve()
    except SystemExit as end:
        at_once(int(end.code or 0))
    at_once(0)
