"""What this process remembers of files on disk, and forgets when they change."""

from __future__ import annotations

import os

from lint import settings, shellcheck
from lint.files import checkout
from lint.schema import checkout as schemas

REMEMBERED = (
    settings.nearest,
    shellcheck.configuration,
    checkout.enclosing_repository,
    checkout.enclosing_folder,
    checkout.nearest_folder,
    checkout.folders_in,
    checkout.state_of,
    schemas.checkout_schema,
    schemas.extended,
)
"""Functions that keep what they read: a run of `check` is too short for that to matter, a server is not."""


def forget() -> None:
    """Read everything anew from now on."""
    for function in REMEMBERED:
        function.cache_clear()


def state(path: str) -> str:
    """A name for the present state of the checkout around a path: it changes when one of its files does."""
    checkout.state_of.cache_clear()
    return checkout.state_of_enclosing(os.path.abspath(path))
