"""From a model path or hub name to a name of the table. A wrong match is worse than none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath

from lint.frozen import frozen
from lint.regular import regular

SAME_SHAPE = frozenset({"instruct", "base", "chat", "thinking", "it", "hf", "bf16", "rl", "sft", "zero", "pt"})
"""Name endings under which a publisher ships the same shape."""
DATES = regular(r"^(2[3-9](0[1-9]|1[0-2])|0[1-9][0-3]\d|1[0-2][0-3]\d)$")
"""A dated re-release: 2507 (year, month) or 0528 (month, day)."""
OTHER_WORDS = (
    "vision", "omni", "audio", "math", "coder", "code", "distill", "embedding", "reranker", "reward", "prune", "pruned",
    "guard", "draft", "speculator", "nemotron", "lite", "mini", "small", "medium", "large", "tiny", "micro", "flash",
    "turbo", "eagle",
)  # fmt: skip
OTHER_SHAPE = regular(
    rf"^({'|'.join(OTHER_WORDS)}|vl|v|moe|rm|orm|prm|mtp|eagle\d|air|pro|max|next|cut"
    r"|awq|gptq|gguf|int[48]|fp[48]|w[48]a(8|16)|[a-z]?\d+(x\d+)?[bm]|a\d+b|v?\d{1,2}|\d+(bit|layers?|l))$"
)
"""Name parts that announce another shape or other bytes than the name before them."""
ENDINGS = tuple(sorted(word for word in (*SAME_SHAPE, *OTHER_WORDS) if len(word) > 3))
ALIKE = 0.8  # of difflib, from which on a part is taken for a misspelt ending

MOST_PARTS = 20  # of a name of the table


@frozen
class Match:
    """A known name inside a longer one. `suffix` is what follows it; `certain` is False if that says nothing known."""

    name: str
    suffix: str
    certain: bool


def match_name(path: str, names: Mapping[str, str]) -> Match | None:
    """The longest known name that a path or hub name begins with, None when its ending announces another shape, or is
    nearly one that is known (`Qwen3-8B-Instrcut`): there may be no such model.

    `names` maps comparable names (`comparable`) to names of the table.
    """
    parts = comparable(last_name(path)).split("-")
    for end in range(min(len(parts), MOST_PARTS), 0, -1):
        name = names.get("-".join(parts[:end]))
        if name is None:
            continue
        rest = parts[end:]
        if any(OTHER_SHAPE.match(part) or corrected(part) != part for part in rest):
            return None
        certain = all(part in SAME_SHAPE or DATES.match(part) for part in rest)
        return Match(name, "-".join(rest), certain)
    return None


def corrected(part: str) -> str:
    """A part of a name, or the known ending that it is nearly: `instruct` for `instrcut`."""
    known = len(part) < 4 or part in SAME_SHAPE or OTHER_SHAPE.match(part)
    return part if known else next(iter(get_close_matches(part, ENDINGS, 1, ALIKE)), part)


def last_name(path: str) -> str:
    """The model's name in `org/name`, `/models/name/`, `hdfs://.../name` or a Hugging Face cache folder."""
    folders = PurePosixPath(path.strip().rstrip("/")).parts
    for folder in reversed(folders):
        if folder.startswith("models--"):
            return folder.rsplit("--", 1)[-1]
    return folders[-1] if folders else ""


def comparable(name: str) -> str:
    """Lower case, `_` and `.` as `-`, publisher prefixes off, family and version apart as in the published names."""
    text = re.sub(r"[-_. ]+", "-", name.lower()).strip("-")
    text = re.sub(r"^(meta|nvidia|openai)-(?=[a-z])", "", text)
    text = re.sub(r"^qwen-(?=\d)", "qwen", text)
    return re.sub(r"^(llama|gemma|glm)(?=\d)", r"\1-", text)
