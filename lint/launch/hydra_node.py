"""Overrides of Hydra's own settings (`hydra.run.dir=...`, `hydra/launcher=...`).

They live beside the program's config and are typed by Hydra. The usual ones are answered here; for the rest, Hydra is
imported and asked, on an empty config.
"""

from __future__ import annotations

from functools import lru_cache

from lint.launch.override import ParsedOverride

_TEXT = frozenset({"hydra.run.dir", "hydra.sweep.dir", "hydra.sweep.subdir", "hydra.job.name"})


def is_hydra_key(key: str) -> bool:
    """True if a key belongs to Hydra itself."""
    return key == "hydra" or key.startswith(("hydra.", "hydra/"))


def refused_by_hydra(override: ParsedOverride, word: str) -> str | None:
    """Hydra's complaint about an override of its own settings, None if it takes it."""
    if override.prefix in ("", "++") and override.package is None:
        if override.key in _TEXT and isinstance(override.value, str) and "${" not in override.value:
            return None
        if override.key == "hydra.searchpath" and isinstance(override.value, list):
            return None
        if override.key == "hydra.job.chdir" and isinstance(override.value, bool):
            return None
        if override.key == "hydra.output_subdir" and (override.value is None or isinstance(override.value, str)):
            return None
    return _ask_hydra(word)


@lru_cache(maxsize=64)
def _ask_hydra(word: str) -> str | None:
    import os
    import tempfile

    from hydra import compose, initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException

    with tempfile.TemporaryDirectory() as folder:
        GlobalHydra.instance().clear()
        try:
            with initialize_config_dir(config_dir=os.path.realpath(folder), version_base=None):
                compose(config_name=None, overrides=[word])
        except (HydraException, ValueError, TypeError, AssertionError) as error:
            return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        finally:
            GlobalHydra.instance().clear()
    return None
