"""Arguments of vLLM by version."""

from __future__ import annotations

import pytest

from lint.facts.software import load_software
from lint.facts.vllm_arguments import load_arguments, takes


@pytest.mark.parametrize(
    ("version", "name", "taken"),
    [
        ("0.18.0", "max_num_seqs", True),
        ("0.18.0", "max-num-seqs", True),
        ("0.18.0", "no_enable_prefix_caching", True),
        ("0.18.0", "max_num_batched", True),
        ("0.17.0", "swap_space", True),
        ("0.18.0", "swap_space", False),
        ("0.13.0", "disable_mm_preprocessor_cache", False),
        ("0.1.0", "swap_space", None),
    ],
)
def test_what_a_version_takes(version: str, name: str, taken: bool | None) -> None:
    assert takes(version, name) is taken


def test_each_image_since_0_7_1_is_listed() -> None:
    images = {one.vllm for (release, _), one in load_software().items() if release != "0.6.1"}
    assert images == set(load_arguments().versions)


def test_what_to_write_instead_is_taken_by_the_newest_version() -> None:
    newest = list(load_arguments().versions)[-1]
    for old, new in load_arguments().instead.items():
        assert takes(newest, old) is False
        assert new is None or takes(newest, new.partition("=")[0].partition(".")[0])
