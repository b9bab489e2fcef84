"""Where the local Hugging Face cache keeps models."""

from __future__ import annotations

import os


def hub() -> str:
    """The folder of the cache."""
    home = os.environ.get("HF_HOME") or os.path.join("~", ".cache", "huggingface")
    return os.path.expanduser(os.environ.get("HF_HUB_CACHE") or os.path.join(home, "hub"))


def snapshots_of(name: str) -> str | None:
    """The folder that holds the commits of a model; None for a path, which names no model of the hub."""
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        return None
    return os.path.join(hub(), f"models--{name.replace('/', '--')}", "snapshots")
