"""Values that are packed once there are many."""

from lint.checking import packed
from lint.checking.packed import Packed
from lint.text import Source


def test_what_is_packed_comes_back_equal_and_in_order() -> None:
    kept: Packed[Source] = Packed()
    sources = {f"{number}.sh": Source(f"{number}.sh", f"x={number}\ny=\udcff\n") for number in range(packed.FEW + 20)}
    kept.update(sources)
    assert dict(kept) == sources
    assert list(kept) == list(sources)
    assert len(kept) == len(sources)


def test_a_later_value_replaces_a_packed_one() -> None:
    kept: Packed[int] = Packed()
    kept.update({str(number): number for number in range(packed.FEW + 2)})
    last = str(packed.FEW + 1)
    assert kept[last] == packed.FEW + 1
    kept[last] = -1
    assert kept[last] == -1
    del kept[last]
    assert last not in kept
    assert "0" in kept
