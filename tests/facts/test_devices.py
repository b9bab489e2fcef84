"""Devices and the software of each release."""

from __future__ import annotations

from lint.facts.devices import find_device, load_devices
from lint.facts.software import load_software, software_of, version


def test_ascend_devices_have_the_bytes_that_the_runtime_reports() -> None:
    measured = {name: round(device.memory_bytes / 2**30, 2) for name, device in load_devices().items()}
    assert measured["ascend-a2"] == 60.96
    assert measured["ascend-a3"] == 61.27


def test_every_device_of_the_design_is_there_with_a_source() -> None:
    names = ["ascend-a2", "ascend-a3", "ascend-a5", "a100-80g", "h100", "h800", "h20", "h200", "b200", "mi300x"]
    assert set(names) <= set(load_devices())
    assert all(device.source for device in load_devices().values())


def test_a_device_is_found_in_any_case_and_an_unknown_one_is_none() -> None:
    device = find_device("Ascend-A3")
    assert device is not None
    assert device.per_node == 16
    assert find_device("tpu-v5") is None


def test_each_release_states_its_rollout_engine_for_both_kinds() -> None:
    assert {release for release, _ in load_software()} == {"0.6.1", "0.7.1", "0.8.0", "0.9.0", "0.9.1"}
    software = software_of("0.7.1", "npu")
    assert software is not None
    assert software.vllm_ascend == "0.13.0"
    assert software_of("0.1.0", "npu") is None


def test_versions_compare_as_numbers() -> None:
    assert version("0.18.0rc1") == (0, 18, 0)
    assert version("0.9.1") < version("0.12.0") < version("0.18.0")
    assert version("2.9.0.post2") == (2, 9, 0)
