"""What programs do to files that the script wrote: copy, move, remove, and change as only a run could tell."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.reading import Known, Origin, Text
from lint.bash.state import written
from lint.bash.state.places import key_of
from lint.bash.state.state import File

if TYPE_CHECKING:
    from lint.bash.commands.simple import Call

# Programs that leave the files alone that they are given.
_READERS = frozenset(
    [
        ".",
        "[",
        "awk",
        "basename",
        "bash",
        "cat",
        "chgrp",
        "chmod",
        "chown",
        "cmp",
        "comm",
        "cut",
        "diff",
        "dirname",
        "du",
        "echo",
        "egrep",
        "env",
        "fgrep",
        "file",
        "find",
        "grep",
        "head",
        "id",
        "jq",
        "kubectl",
        "ls",
        "md5sum",
        "mktemp",
        "nl",
        "nohup",
        "od",
        "printf",
        "ps",
        "python",
        "readlink",
        "realpath",
        "rsync",
        "sbatch",
        "scp",
        "sh",
        "sha256sum",
        "sleep",
        "sort",
        "source",
        "srun",
        "ssh",
        "stat",
        "sync",
        "tail",
        "test",
        "timeout",
        "torchrun",
        "tr",
        "true",
        "uniq",
        "wc",
        "which",
        "xargs",
        "yes",
        "zcat",
    ]
)
_CHANGERS = frozenset(("tee", "rm", "unlink", "rmdir", "mkdir", "touch", "cp", "mv", "install", "chmod"))


def apply(call: Call, output: Text | None) -> None:
    """Change the files of a state as a program does that ends well. `output`: what it writes, if that is known."""
    name = call.name
    if name not in _CHANGERS:
        _may_change(call)
        return
    operands = [word for word in call.words[1:] if not (word.value or "").startswith("-")]
    options = [value for word in call.words[1:] if (value := word.value) is not None and value.startswith("-")]
    if name == "tee":
        _tee(call, operands, output, any(option in ("-a", "--append") for option in options))
    elif name in ("rm", "unlink", "rmdir"):
        for word in operands:
            written.remove(call.state, word)
    elif name in ("mkdir", "touch"):
        for word in operands:
            _make(call, word, folder=name == "mkdir")
    elif name in ("cp", "mv", "install") and len(operands) == 2:
        if not any(set(option) & set("rRad") for option in options if not option.startswith("--")):
            _copy(call, *operands)
        if name == "mv":
            written.remove(call.state, operands[0])
    elif name == "chmod":
        _allow(call, operands)
    else:
        _may_change(call)


def _tee(call: Call, operands: Sequence[Text], output: Text | None, add: bool) -> None:
    stream = call.state.descriptors.get(0)
    given = output if output is not None else call.state.inputs.get(stream) if stream else None
    for word in operands:
        call.evaluator.streams += 1
        number = call.evaluator.streams
        if written.open_for_output(call.evaluator, call.state, word, add, number):
            if given is None:
                written.spoil_stream(call.state, number)
            else:
                written.append(call.state, number, given)


def _make(call: Call, word: Text, folder: bool) -> None:
    key = key_of(call.state, word)
    if (key is not None and key not in call.state.files) or (key is not None and call.state.files[key].exists is None):
        written.change(call.state, key, File(known=False, folder=folder))


def _copy(call: Call, source: Text, target: Text) -> None:
    into = written.find(call.evaluator, call.state, target)
    if (into is not None and into.folder) or target.shown.endswith("/"):
        name = posixpath.basename(source.value or "")
        if not name:
            return
        target = Text((*target.pieces, Known(f"/{name}", Origin(call.span, "substitution"))))
    written.put(call.state, target, written.content(call.evaluator, call.state, source))


def _allow(call: Call, operands: Sequence[Text]) -> None:
    """`chmod +x file`."""
    mode = operands[0].value if operands else None
    for word in operands[1:]:
        key = key_of(call.state, word)
        if (
            key is not None
            and key in call.state.files
            and mode is not None
            and ("x" in mode or any(digit in mode for digit in "1357"))
        ):
            file = call.state.files[key]
            written.change(call.state, key, replace(file, executable=True))


def _may_change(call: Call) -> None:
    """A program that is not known may change each file that it is given."""
    if not any(file.known and not file.folder for file in call.state.files.values()):
        return
    in_place = any((word.value or "").startswith(("-i", "--in-place")) for word in call.words[1:])
    if posixpath.basename(call.name) in _READERS and not in_place:
        return
    for word in call.words[1:]:
        key = key_of(call.state, word)
        if key is not None and key in call.state.files and not call.state.files[key].folder:
            written.spoil(call.state, key)
