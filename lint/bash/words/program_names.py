"""File name expansion where the names are known: programs and scripts of the checkout.

Which files a folder will hold when a script runs is not known, for runs write some. They do not write programs and
scripts, unless the script that is read does: those of the checkout are the ones that a pattern finds.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.bash.files import FileReader
from lint.bash.state import written
from lint.bash.state.state import State
from lint.bash.words import pattern
from lint.regular import regular

_OF_PROGRAMS = regular(r"\.(?:sh|bash|slurm|sbatch|py)\Z")
_OTHER_RULES = frozenset(("globstar", "nocaseglob"))
_MOST = 2_000  # names that one pattern is replaced by


class _NotKnown(Exception):
    """The folder is not in the checkout, or the script itself writes there what the pattern may find."""


def program_names(state: State, shape: str, folder: str | None, extglob: bool, files: FileReader) -> list[str] | None:
    """The names that a pattern stands for, in order; None if that is not known. `folder`: where the pattern begins,
    relative to the start."""
    if folder is None or "\0" in shape or not _OF_PROGRAMS.search(shape):
        return None
    if state.shell_options & _OTHER_RULES or "GLOBIGNORE" in state.variables:
        return None
    components = shape.split("/")
    first = next((index for index, one in enumerate(components) if pattern.has_pattern(one, extglob)), 0)
    found = [""]
    try:
        for index, component in enumerate(components):
            before = "/" if index else ""
            if not pattern.has_pattern(component, extglob):
                found = [f"{name}{before}{pattern.unescape(component)}" for name in found]
                continue
            if index > first:  # the others are no folders
                found = [name for name in found if files.names(posixpath.join(folder, name)) is not None]
            found = [
                f"{name}{before}{one}"
                for name in found
                for one in _fitting(state, posixpath.join(folder, f"{name}{before}"), component, extglob, files)
            ]
            if len(found) > _MOST:
                return None
    except _NotKnown:
        return None
    if pattern.has_pattern(components[-1], extglob):
        return found
    return [name for name in found if files.exists(posixpath.join(folder, name))]


def _fitting(state: State, place: str, component: str, extglob: bool, files: FileReader) -> Iterator[str]:
    """The names in a folder that one component of a pattern stands for."""
    names = files.names(place)
    if names is None or any(pattern.matches(name, component, extglob) for name in written.names(state, place)):
        raise _NotKnown
    state.work += len(names)
    hidden = component.startswith((".", "\\.")) or "dotglob" in state.shell_options
    for name in sorted(names):
        if pattern.matches(name, component, extglob) and (hidden or not name.startswith(".")):
            yield name
