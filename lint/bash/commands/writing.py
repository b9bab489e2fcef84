"""What the shell itself writes: the output of builtins, and its complaints."""

from __future__ import annotations

from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.ropes import written_after
from lint.bash.state.state import State
from lint.text import Span


def write(state: State, descriptor: int, text: Text) -> None:
    """Write to a descriptor; what goes to the terminal is not kept."""
    stream = state.descriptors.get(descriptor)
    if stream is not None and stream in state.opened:
        written.append(state, stream, text)
    elif stream:
        for piece in text.pieces:
            state.outputs[stream] = written_after(state.outputs.get(stream), piece)


def complain(state: State, span: Span) -> None:
    """The shell prints an error: its text is not known."""
    write(state, 2, Text((Unknown("an error of the shell", Origin(span, "substitution")),)))
