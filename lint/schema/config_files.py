"""Reads YAML config files as OmegaConf does, an order of magnitude faster (libyaml instead of pure Python).

OmegaConf's YAML differs from plain YAML 1.1 in three points, all kept here: `1e-6` is a float, dates stay strings,
and a key that appears twice in a mapping is an error. Source: omegaconf/_utils.py, `get_yaml_loader`, version 2.3.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from lint.regular import regular
from lint.schema.schema import ConfigFile, Fault

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_FLOAT = regular(
    r"""^(?:[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?
          |[-+]?[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+)
          |\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?
          |[-+]?[0-9]+(?:_[0-9]+)*(?::[0-5]?[0-9])+\.[0-9_]*
          |[-+]?\.(?:inf|Inf|INF)
          |\.(?:nan|NaN|NAN))$""",
    re.X,
)


MOST_ENTRIES = 50_000  # the largest config of verl has some hundred
DEEPEST = 100


class BadConfigFile(Exception):
    """A config file that cannot be read; the text says where and why."""


class TooLarge(BadConfigFile):
    """A config file that Hydra would read, and this tool does not."""


class _Loader(_Base):  # type: ignore[misc]
    """A safe YAML loader with OmegaConf's three differences."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.tag == yaml.resolver.BaseResolver.DEFAULT_SCALAR_TAG:
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        "while constructing a mapping",
                        node.start_mark,
                        f"found duplicate key {key.value}",
                        key.start_mark,
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


def read_or_fault(text: str, name: str) -> ConfigFile:
    """The config file in `text`, or an empty one with the fault that keeps it from being read."""
    try:
        return read_config(text, name)
    except BadConfigFile as error:
        return ConfigFile(None, None, {}, Fault(str(error), refused=not isinstance(error, TooLarge)))


def read_config(text: str, name: str) -> ConfigFile:
    """The config file in `text`. Raises `BadConfigFile`."""
    try:
        body = yaml.load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise BadConfigFile(f"{name}{_place(error.problem_mark)}: {error.problem or error}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadConfigFile(f"{name}: {' '.join(str(error).split())}") from error
    _bound(body, name)
    if body is None:
        body = {}
    if not isinstance(body, dict):
        raise BadConfigFile(f"{name}: not a mapping of keys to values")
    defaults = body.pop("defaults", None)
    if defaults is not None and not isinstance(defaults, list):
        raise BadConfigFile(f"{name}: `defaults` must be a list")
    return ConfigFile(_package_header(text, name), None if defaults is None else tuple(defaults), body)


def _place(mark: Any) -> str:
    return "" if mark is None else f":{mark.line + 1}:{mark.column + 1}"


def _bound(body: Any, name: str) -> None:
    """Refuse what would fill memory once it is copied: aliases of aliases, values nested without end."""
    entries = 0
    waiting = [(body, 0)]
    while waiting:
        value, depth = waiting.pop()
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        entries += len(inside)
        if entries > MOST_ENTRIES or depth > DEEPEST:
            raise TooLarge(f"{name}: more than {MOST_ENTRIES} values, or nested deeper than {DEEPEST}")
        waiting.extend((each, depth + 1) for each in inside)


def _package_header(text: str, name: str) -> str | None:
    """The value of a `# @package` line among the comments at the top (Hydra reads no further than 512 characters)."""
    package = None
    for line in text[:512].splitlines():
        line = line.strip()
        if not line:
            continue
        if not re.match(r"#\s*@", line):
            break
        words = line.lstrip("#").split()
        if len(words) != 2:
            raise BadConfigFile(f"{name}: a header is `# @package NAME`, got `{line}`")
        if words[0] == "@package":
            package = words[1]
    return package
