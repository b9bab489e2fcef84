"""What this process remembers of files on disk, and forgets when they change."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lint import settings, shellcheck
from lint.bash import files
from lint.callers import calls, mentions
from lint.files import checkout, required
from lint.files.cache import digest
from lint.schema import checkout as schemas

REMEMBERED = (
    settings.nearest,
    shellcheck.configuration,
    files.real_folder,
    checkout.enclosing_repository,
    checkout.enclosing_folder,
    checkout.top_of,
    checkout.nearest_folder,
    checkout.folders_in,
    checkout.state_of,
    required.required_in,
    schemas.checkout_schema,
    schemas.extended,
    mentions.mentions,
    mentions.text_of,
    calls.steps_in,
    calls.calls_in,
    calls.missing_in,
    calls.started_in,
)
"""Functions that keep what they read: a run of `check` is too short for that to matter, a server is not."""


def forget() -> None:
    """Read everything anew from now on."""
    for function in REMEMBERED:
        function.cache_clear()


def surroundings(paths: Iterable[str]) -> str:
    """A name for the present state of the checkouts and the workflows around paths, and of the verl that their
    repositories ask for: it changes when one of their files does."""
    for function in (checkout.state_of, required.required_in, mentions.mentions, mentions.text_of):
        function.cache_clear()
    found: dict[tuple[str, object, str], None] = {}
    for path in paths:
        place = os.path.abspath(path)
        root = checkout.top_folder(place)
        calls = "" if root is None else mentions.state_of_calls(place, root)
        found[checkout.state_of_enclosing(place), required.required_verl(place), calls] = None
    return digest(*found)
