"""`recipe-lint server`: the editor server."""

from __future__ import annotations

from lint.cli.arguments import fail


def command() -> None:
    """Serve an editor over standard input and output (Language Server Protocol)."""
    try:
        from lint.server.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        fail("the server needs pygls: pip install 'recipe-lint[server]'")
    serve()
