"""Look-ups into a launch's config that keep account of what is unknown and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from reprlib import repr as shown
from typing import Any

from lint.launch.config import LARGEST, Special
from lint.subject.subject import Subject

PRECISIONS: Mapping[str, int] = {
    **dict.fromkeys(("bf16", "bfloat16", "fp16", "float16", "16", "half"), 2),
    **dict.fromkeys(("fp32", "float32", "32", "float"), 4),
}
"""Bytes of a number by the names that trainers and rollouts know.

verl/utils/torch_dtypes.py (0.6.1 to 0.9.1); vllm/config/model.py :: ModelDType (0.18.0).
"""


@dataclass(slots=True)
class Values:
    """Reads settings of one subject. `missing` are values only a run could tell, `assumed` what was taken instead.

    A key that the release does not have gives the fallback silently, and so does a null that is the release's own:
    its code has no such switch, or chooses. A value of another kind is as bad as an unknown one: nothing is computed.
    """

    subject: Subject
    missing: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    def integer(self, key: str, fallback: int) -> int:
        value = self.subject.integer(key)
        return self._or(key, fallback, "a whole number") if value is None else value

    def size(self, key: str, fallback: int, least: int = 1) -> int:
        """A whole number that no launch starts with below the `least`."""
        value = self.integer(key, fallback)
        if value >= least:
            return value
        self.missing.append(f"{key} is {value}, below {least}")
        return fallback

    def number(self, key: str, fallback: float) -> float:
        value = self.subject.number(key)
        if value is None or not isfinite(value):
            return float(self._or(key, fallback, "a number"))
        return value

    def boolean(self, key: str, fallback: bool) -> bool:
        value = self.subject.boolean(key)
        return self._or(key, fallback, "True or False") if value is None else value

    def string(self, key: str, fallback: str) -> str:
        value = self.subject.string(key)
        return self._or(key, fallback, "a text") if value is None else value

    def precision(self, key: str, fallback: str) -> int:
        """Bytes of a number of the named type, which may be written as torch's."""
        return self.bytes_of(key, self.string(key, fallback))

    def bytes_of(self, key: str, name: str) -> int:
        """Bytes of a number of the type that a key names."""
        size = PRECISIONS.get(name.removeprefix("torch."))
        if size is None:
            self.missing.append(f"{key} is {shown(name)}, no precision that is known")
        return size or max(PRECISIONS.values())

    def optional_integer(self, key: str) -> int | None:
        """None if the key is null or absent, which the caller has a meaning for."""
        value = self.subject.integer(key)
        if value is None and not self.subject.is_null(key):
            self._or(key, None, "a whole number")
        return value

    def optional_string(self, key: str) -> str | None:
        value = self.subject.string(key)
        if value is None and not self.subject.is_null(key):
            self._or(key, None, "a text")
        return value

    def require(self, *keys: str) -> None:
        """Nothing is computed unless these are known, whatever they are: for what `derived` decides by them."""
        for key in keys:
            setting = self.subject.setting(key)
            if setting is not None and isinstance(setting.value, Special):
                self._or(key, None, "")

    def node(self, key: str, *names: str) -> dict[str, object]:
        """A dict value, empty if there is none: `override_transformer_config` and its like; `names` must be known."""
        self.require(key, *(f"{key}.{name}" for name in names))
        value = self.subject.value(key)
        found = dict(value) if isinstance(value, dict) else {}
        for setting in self.subject.config.below(key):
            if not isinstance(setting.value, Special):
                found[setting.key.removeprefix(key + ".")] = setting.value
        return found

    def written(self, key: str) -> str:
        """A value as the script writes it, with what only a run could tell left open: enough to recognize a name."""
        setting = self.subject.setting(key)
        if setting is None:
            return ""
        if setting.override is not None and setting.override.value is not None:
            return setting.override.value.shown
        return str(setting.value)

    def assume(self, text: str) -> None:
        if text not in self.assumed:
            self.assumed.append(text)

    def _or(self, key: str, fallback: Any, kind: str) -> Any:
        """The fallback, with a note where something is set that is not of the `kind` that is needed."""
        setting = self.subject.setting(key)
        if setting is None:
            return fallback
        if isinstance(setting.value, Special):
            self.missing.append(
                f"{key} is {'not set' if setting.value is Special.MISSING else 'not known before a run'}"
            )
        elif setting.value is not None:
            huge = isinstance(setting.value, int) and abs(setting.value) > LARGEST
            objection = "more than 64 bits hold" if huge else f"not {kind}"
            self.missing.append(f"{key} is {shown(setting.value)}, {objection}")
        elif setting.default is not None:
            self.missing.append(f"{key} is null, not {kind}")
        return fallback
