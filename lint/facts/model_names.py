"""From a model path or hub name to a name of the table. A wrong match is worse than none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from lint.frozen import frozen

SAME_SHAPE = frozenset({"instruct", "base", "chat", "thinking", "it", "hf", "bf16", "rl", "sft", "zero", "pt"})
"""Name endings under which a publisher ships the same shape."""
DATES = re.compile(r"^(2[3-9](0[1-9]|1[0-2])|0[1-9][0-3]\d|1[0-2][0-3]\d)$")
"""A dated re-release: 2507 (year, month) or 0528 (month, day)."""
OTHER_SHAPE = re.compile(
    r"^(vl|v|vision|omni|audio|math|coder|code|moe|distill|embedding|reranker|reward|rm|orm|prm|guard|mtp|eagle\d?"
    r"|draft|speculator|nemotron|air|lite|mini|small|medium|large|tiny|micro|flash|pro|max|turbo|next|pruned?|cut"
    r"|awq|gptq|gguf|int[48]|fp[48]|w[48]a(8|16)|[a-z]?\d+(x\d+)?[bm]|a\d+b|v?\d{1,2}|\d+(bit|layers?|l))$"
)
"""Name parts that announce another shape or other bytes than the name before them."""

MOST_PARTS = 20  # of a name of the table


@frozen
class Match:
    """A known name inside a longer one. `suffix` is what follows it; `certain` is False if that says nothing known."""

    name: str
    suffix: str
    certain: bool


def match_name(path: str, names: Mapping[str, str]) -> Match | None:
    """The longest known name that a path or hub name begins with, None when its ending announces another shape.

    `names` maps comparable names (`comparable`) to names of the table.
    """
    parts = comparable(last_name(path)).split("-")
    for end in range(min(len(parts), MOST_PARTS), 0, -1):
        name = names.get("-".join(parts[:end]))
        if name is None:
            continue
        rest = parts[end:]
        if any(OTHER_SHAPE.match(part) for part in rest):
            return None
        certain = all(part in SAME_SHAPE or DATES.match(part) for part in rest)
        return Match(name, "-".join(rest), certain)
    return None


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
