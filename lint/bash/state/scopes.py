"""What ends with a function, and with `unset`: the variables that `local` and `declare` shadow."""

from __future__ import annotations

from lint.bash.state.complaints import ReadonlyFault, is_readonly
from lint.bash.state.state import State, Value
from lint.bash.state.variables import resolve
from lint.bash.words.special import COMPUTED, MACHINE


def unset(state: State, name: str) -> bool:
    """`unset name`; False if it is read-only."""
    name, _ = resolve(state, name)
    if is_readonly(state, name):
        return False
    for frame in reversed(state.frames[:-1]):
        if name in frame.shadowed:
            if name in state.frames[-1].shadowed:
                break
            _restore(state, name, frame.shadowed.pop(name))
            return True
    if name in MACHINE or name in COMPUTED or state.outside.gives(name):
        state.variables[name] = Value(None)
    else:
        state.variables.pop(name, None)
    return True


def _restore(state: State, name: str, value: Value | None) -> None:
    if value is None:
        state.variables.pop(name, None)
    else:
        state.variables[name] = value


def make_local(state: State, name: str) -> None:
    """Shadow `name` in the function that runs. Raises ReadonlyFault for a global variable that is readonly."""
    frame = state.frames[-1]
    if name in frame.shadowed:
        return
    outer = state.variables.get(name)
    if is_readonly(state, name) and not any(name in each.shadowed for each in state.frames):
        raise ReadonlyFault(f"{name}: readonly variable")
    frame.shadowed[name] = outer
    state.variables[name] = Value(None, exported=outer is not None and outer.exported)


def leave_function(state: State) -> None:
    """Forget the variables of the function that returns."""
    frame = state.frames.pop()
    if frame.options is not None:
        state.options = frame.options
    for name, outer in frame.shadowed.items():
        _restore(state, name, outer)
