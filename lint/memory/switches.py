"""How the code of a launch's verl behaves where releases differ in what they hold in memory."""

from __future__ import annotations

from dataclasses import fields

from lint.memory.inputs import Switches
from lint.rules.subject import Subject
from lint.rules.versions import version

# The images of this release are the first with transformers 5, which keeps the experts of a layer as one tensor: not a
# behaviour of verl's own code, so no probe of `lint/schema/data/behaviours.json` finds it.
_PACKED_EXPERTS_SINCE = "0.8.0"


def switches_of(subject: Subject) -> Switches:
    """The switches of the release or checkout that a launch is checked against."""
    packed = version(subject.release) >= version(_PACKED_EXPERTS_SINCE)
    names = (field.name for field in fields(Switches) if field.name != "packed_experts")
    return Switches(packed_experts=packed, **{name: subject.behaves(name) for name in names})
