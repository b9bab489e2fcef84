"""What Hydra refuses about a launch."""

from __future__ import annotations

from typing import Any, Literal

from lint.frozen import frozen
from lint.launch.launch import Override
from lint.launch.refusal import Refusal

Cause = Literal[
    "unrecognized-argument",  # argparse of Hydra refuses the word
    "no-config-folder",
    "syntax",  # not an override, or not Hydra's grammar
    "sweep",  # several values without --multirun
    "no-entry-point",  # the release has no such module
    "no-primary",  # the release has no such primary config
    "group-value",  # a group takes a name or a list of names
    "forced-group",  # `++group=option`
    "no-config",
    "unreadable",  # a config file that is not YAML
    "not-read",  # a config file that Hydra would read, and we do not: what follows is not checked
    "no-option",  # the group has no such option
    "no-group",  # the group is not in the defaults list
    "no-deletion",
    "ambiguous",
    "malformed",
    "not-a-group",  # `key@package=value`, but there is no such group
    "unknown-key",
    "already-there",
    "not-there",
    "other-value",
    "not-a-node",
    "bad-interpolation",
    "hydra",  # an override of Hydra's own node that its types refuse
]
"""In the order in which a start would meet them, up to `malformed`; the rest is met in the order of the words."""


@frozen
class Problem:
    """One thing that Hydra refuses. `key` is what it stumbles over; `options` is what it would take instead."""

    cause: Cause
    message: str
    override: Override | None = None
    key: str | None = None
    index: int | None = None  # of the word in argv
    present: Any = None
    options: tuple[str, ...] = ()
    refusal: Refusal | None = None  # what in the word is wrong, for a syntax error
