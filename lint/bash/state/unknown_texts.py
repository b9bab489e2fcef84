"""What a text that is not known leaves behind in the shell that runs it: variables that it may have set."""

from __future__ import annotations

from dataclasses import replace

from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state.state import State
from lint.bash.state.unknown_values import unknown_like
from lint.regular import regular
from lint.text import Span

_HOOK = regular(
    r"output of `(?:\S*/)?(?:(?:conda|mamba|micromamba) .*\bshell\b.*\b(?:hook|activate)\b|brew .*\bshellenv\b"
    r"|(?:pyenv|rbenv|nodenv|starship|zoxide) .*\binit\b|(?:opam|fnm) .*\benv\b"
    r"|(?:ssh-agent|dircolors|modulecmd|lmod|register-python-argcomplete|keychain|lesspipe|tset|resize)[ `])"
)
"""Commands whose output sets up a shell: functions, PATH and variables of their own, none that a script has set."""
_KEPT = frozenset(("IFS", "OPTIND"))


def may_have_set(state: State, what: str) -> None:
    """Any variable that the script has not set may be set now."""
    state.outside = replace(state.outside, ran=what)


def may_all_have_changed(state: State, text: Text, span: Span) -> None:
    """A text was run that is not known: all variables are unknown now, unless it only sets up the shell."""
    may_have_set(state, "a text that is not known was run")
    if all(isinstance(piece, Unknown) and _HOOK.match(piece.reason) for piece in text.pieces):
        return
    reason = "may be set by a text that is not known"
    for name, value in list(state.variables.items()):
        if not value.readonly and name not in _KEPT:
            state.variables[name] = unknown_like([value], f"{name} {reason}", span)
    if state.positional:
        arguments = Unknown(f"arguments, which {reason}", Origin(span, "expansion"), splits=True)
        state.positional = (Text((arguments,)),)
