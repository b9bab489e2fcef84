"""Arguments of rollout engines by version."""

from __future__ import annotations

import pytest

from lint.facts.engine_arguments import load_arguments
from lint.facts.software import load_software


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
def test_what_the_command_line_of_vllm_takes(version: str, name: str, taken: bool | None) -> None:
    assert load_arguments("vllm").takes(version, name) is taken


@pytest.mark.parametrize(
    ("version", "name", "taken"),
    [
        ("0.5.12", "chunked_prefill_size", True),
        ("0.5.12", "chunked-prefill-size", False),
        ("0.5.12", "chunked_prefill", False),
        ("0.5.9", "disaggregation_decode_tp", True),
        ("0.5.10", "disaggregation_decode_tp", False),
        ("0.5.5", "mamba_scheduler_strategy", False),
        ("0.1.0", "chunked_prefill_size", None),
    ],
)
def test_what_keywords_sglang_takes(version: str, name: str, taken: bool | None) -> None:
    assert load_arguments("sglang").takes(version, name) is taken


def test_the_version_in_each_image_is_listed() -> None:
    images = load_software().items()
    assert {one.vllm for (release, _), one in images if release != "0.6.1"} == set(load_arguments("vllm").versions)
    assert {one.sglang for _, one in images} - {None} == set(load_arguments("sglang").versions)


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_what_to_write_instead_is_taken_by_the_newest_version(engine: str) -> None:
    arguments = load_arguments(engine)
    newest = list(arguments.versions)[-1]
    for old, new in arguments.instead.items():
        assert arguments.takes(newest, old) is False
        assert new is None or arguments.takes(newest, new.partition("=")[0].partition(".")[0])
