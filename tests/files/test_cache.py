"""The cache gives back what was stored under the same key, and nothing else, whatever happens to its files."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lint.files.cache import Cache, digest, tool_version


def test_a_result_holds_for_its_key_alone(tmp_path: Path) -> None:
    cache = Cache.at(tmp_path)
    cache.store("kind", "run.sh", "key", {"a": [1, None, "x"]})
    assert cache.load("kind", "run.sh", "key") == {"a": [1, None, "x"]}
    assert cache.load("kind", "run.sh", "other key") is None
    assert cache.load("other kind", "run.sh", "key") is None
    assert cache.load("kind", "other.sh", "key") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[]", b'{"key": "key"}', b"[" * 100_000])
def test_a_damaged_file_is_a_miss(tmp_path: Path, damage: bytes) -> None:
    cache = Cache.at(tmp_path)
    cache.store("kind", "run.sh", "key", 1)
    for file in tmp_path.rglob("*.json"):
        file.write_bytes(damage)
    assert cache.load("kind", "run.sh", "key") is None
    cache.store("kind", "run.sh", "key", 2)
    assert cache.load("kind", "run.sh", "key") == 2


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="devices of Linux")
def test_a_pipe_or_a_device_in_its_place_is_a_miss(tmp_path: Path) -> None:
    cache = Cache.at(tmp_path)
    cache.store("kind", "run.sh", "key", 1)
    (file,) = tmp_path.rglob("*.json")
    file.unlink()
    os.mkfifo(file)
    assert cache.load("kind", "run.sh", "key") is None
    file.unlink()
    file.symlink_to("/dev/zero")
    assert cache.load("kind", "run.sh", "key") is None


def test_one_changed_byte_anywhere_is_a_miss(tmp_path: Path) -> None:
    cache = Cache.at(tmp_path)
    cache.store("kind", "run.sh", "key", {"line": 11})
    (file,) = tmp_path.rglob("*.json")
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cache.load("kind", "run.sh", "key") is None


def test_writers_at_the_same_time_leave_one_whole_result(tmp_path: Path) -> None:
    cache = Cache.at(tmp_path)
    values = [[number] * 2000 for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda value: cache.store("kind", "run.sh", "key", value), values))
    assert cache.load("kind", "run.sh", "key") in values
    assert [file.name for file in tmp_path.rglob(".new-*")] == []


def test_it_stays_out_of_version_control_and_of_the_way(tmp_path: Path) -> None:
    Cache.at(tmp_path).store("kind", "run.sh", "key", 1)
    assert (tmp_path / ".recipe-lint-cache" / ".gitignore").read_text() == "*\n"
    (tmp_path / "file").write_text("")
    Cache(tmp_path / "file").store("kind", "run.sh", "key", 1)
    assert Cache(tmp_path / "file").load("kind", "run.sh", "key") is None
    assert Cache(None).load("kind", "run.sh", "key") is None


def test_digests_tell_parts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest(b"a") != digest("a")
    assert tool_version() == tool_version()
