"""How Megatron splits the layers of a model over pipeline stages."""

from __future__ import annotations


def split_problem(layers: int, stages: int, given: list[int], counted: int, virtual: int | None) -> str | None:
    """What Megatron would refuse about a split, or None. `given` are the layers of the first and last stage."""
    if given and counted:
        return "first/last stage sizes and account_for_..._in_pipeline_split exclude each other"
    left, middle = layers + counted - sum(given), stages - len(given)
    if middle and (left < 0 or left % middle):
        taken = f" after {' + '.join(map(str, given))} in the end stages" if given else ""
        extra = f" + {counted} for embedding and loss" if counted else ""
        return f"{left - counted}{extra} layers{taken} do not divide over {middle} stages"
    if bool(left) != bool(middle):
        return f"{left} layers are left for {middle} middle stages"
    if virtual and virtual > 1:
        for size in (*given, *([left // middle] if middle else [])):
            if size % virtual:
                return f"a stage of {size} layers does not divide by virtual size {virtual}"
    return None
