"""A caching allocator and the tensors of an FSDP training step: the source of the constants `slack_*`.

`FixedSegments` does what c10/cuda/CUDACachingAllocator.cpp does without expandable segments: sizes in steps of 512
bytes, segments of 2 MiB, 20 MiB or the size itself, best fit, splitting, merging with free neighbours, and, when the
device is full, giving back whole free segments before it fails. `GrowingSegments` does it with them: one range of
addresses for each stream, backed by pages of 20 MiB that go back when they are free.
"""

from __future__ import annotations

import random
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

GIB, MIB = 2**30, 2**20
ENDLESS = 2**62


class OutOfMemory(Exception):
    """The device is full even after everything that is free was given back."""


@dataclass(frozen=True, slots=True)
class Block:
    """A tensor's place."""

    stream: str
    segment: int
    start: int
    size: int


class Allocator(Protocol):
    """What a training step needs of an allocator. `peak` is the most that was allocated at once."""

    peak: int

    def take(self, size: float, stream: str = "compute") -> Block: ...

    def drop(self, block: Block) -> None: ...


@dataclass
class FixedSegments:
    """`capacity` bytes; `free` holds (size, segment, start) in order for each stream."""

    capacity: int
    peak: int = 0
    allocated: int = 0
    reserved: int = 0
    sizes: dict[int, int] = field(default_factory=dict)
    free: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)

    def take(self, size: float, stream: str = "compute") -> Block:
        need = (int(size) + 511) // 512 * 512
        pool = f"{stream}, {'small' if need <= MIB else 'large'}"
        free = self.free.setdefault(pool, [])
        found = bisect_left(free, (need, -1, -1))
        if found == len(free):
            self._reserve(need, free)
            found = bisect_left(free, (need, -1, -1))
        whole, segment, start = free.pop(found)
        if whole - need > (MIB if need > MIB else 511):
            insort(free, (whole - need, segment, start + need))
        else:
            need = whole
        self.allocated += need
        self.peak = max(self.peak, self.allocated)
        return Block(pool, segment, start, need)

    def drop(self, block: Block) -> None:
        free, start, size = self.free[block.stream], block.start, block.size
        self.allocated -= size
        for place in [one for one in free if one[1] == block.segment]:
            if place[2] == start + size:
                size += place[0]
            elif place[2] + place[0] == start:
                start, size = place[2], size + place[0]
            else:
                continue
            free.remove(place)
        insort(free, (size, block.segment, start))

    def _reserve(self, need: int, free: list[tuple[int, int, int]]) -> None:
        size = 2 * MIB if need <= MIB else 20 * MIB if need < 10 * MIB else -(-need // (2 * MIB)) * 2 * MIB
        if self.reserved + size > self.capacity:
            self._give_back()
        if self.reserved + size > self.capacity:
            raise OutOfMemory
        self.reserved += size
        segment = len(self.sizes)
        self.sizes[segment] = size
        insort(free, (size, segment, 0))

    def _give_back(self) -> None:
        for free in self.free.values():
            self.reserved -= sum(size for size, segment, _ in free if size == self.sizes[segment])
            free[:] = [place for place in free if place[0] != self.sizes[place[1]]]


@dataclass
class GrowingSegments:
    """`free` holds (start, size) in order of address for each stream; `pages` what of it is backed by memory."""

    capacity: int
    peak: int = 0
    allocated: int = 0
    reserved: int = 0
    free: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    pages: dict[str, set[int]] = field(default_factory=dict)

    def take(self, size: float, stream: str = "compute") -> Block:
        need = (int(size) + 511) // 512 * 512
        free, pages = self.free.setdefault(stream, [(0, ENDLESS)]), self.pages.setdefault(stream, set())
        fitting = [place for place in free if place[1] >= need]
        backed = [place for place in fitting if place[1] < ENDLESS // 2 and self._page_range(*place) <= pages]
        start, whole = min(backed, key=lambda place: place[1]) if backed else fitting[0]
        if self.reserved + self._page_size(start, need, pages) > self.capacity:
            self._give_back()
        if self.reserved + self._page_size(start, need, pages) > self.capacity:
            raise OutOfMemory
        self.reserved += self._page_size(start, need, pages)
        pages |= self._page_range(start, need)
        free.remove((start, whole))
        if whole > need:
            insort(free, (start + need, whole - need))
        self.allocated += need
        self.peak = max(self.peak, self.allocated)
        return Block(stream, 0, start, need)

    def drop(self, block: Block) -> None:
        free, start, size = self.free[block.stream], block.start, block.size
        self.allocated -= size
        after = bisect_left(free, (start, 0))
        if after < len(free) and free[after][0] == start + size:
            size += free.pop(after)[1]
        if after and sum(free[after - 1]) == start:
            before = free.pop(after - 1)
            start, size = before[0], before[1] + size
        insort(free, (start, size))

    def _page_range(self, start: int, size: int) -> set[int]:
        return set(range(start // (20 * MIB), (start + size - 1) // (20 * MIB) + 1))

    def _page_size(self, start: int, size: int, pages: set[int]) -> int:
        return 20 * MIB * len(self._page_range(start, size) - pages)

    def _give_back(self) -> None:
        for stream, pages in self.pages.items():
            for start, size in self.free[stream]:
                first, last = -(-start // (20 * MIB)), (start + size) // (20 * MIB)
                returned = {page for page in pages if first <= page < last}
                pages -= returned
                self.reserved -= 20 * MIB * len(returned)


@dataclass(frozen=True, slots=True)
class Shape:
    """A dense decoder. `parameters` of the whole model."""

    layers: int
    hidden: int
    key_value: int
    intermediate: int
    vocabulary: int
    parameters: float

    @property
    def layer(self) -> float:
        return (self.parameters - 2 * self.vocabulary * self.hidden) / self.layers


def train(
    allocator: Allocator, shape: Shape, *, world: int, samples: int, steps: int = 2, adapter: bool = False
) -> None:
    """FSDP1 steps of four micro-batches of `samples` each, 355 +- 110 tokens long. Raises OutOfMemory."""
    lengths = random.Random(0)
    for _ in range(shape.layers):
        allocator.take(shape.layer * (4 if adapter else 12) / world)  # parameters, both moments
    allocator.take(2 * shape.vocabulary * shape.hidden * (4 if adapter else 12) / world)
    for _ in range(steps):
        gradients: list[Block] = []
        for micro in range(4):
            tokens = int(sum(max(60.0, lengths.gauss(355, 110)) for _ in range(samples)))
            new = _micro_batch(allocator, shape, world, tokens, adapter=adapter)
            if micro:
                _drop(allocator, new)
            else:
                gradients = new
        _drop(allocator, gradients)


def _drop(allocator: Allocator, blocks: Iterable[Block]) -> None:
    for block in blocks:
        allocator.drop(block)


def _micro_batch(allocator: Allocator, shape: Shape, world: int, tokens: int, *, adapter: bool) -> list[Block]:
    """Forward and backward pass; the sharded gradients that stay."""
    take, drop = allocator.take, allocator.drop
    root = take(4 * shape.vocabulary * shape.hidden, "gather")
    checkpoints = [take(2 * tokens * shape.hidden)]
    for _ in range(shape.layers):
        gathered = take(2 * shape.layer, "gather")
        kept = _layer(allocator, shape, tokens)
        checkpoints.append(take(2 * tokens * shape.hidden))
        _drop(allocator, [*kept, gathered])
    logits, first, second = (take(2 * tokens * shape.vocabulary) for _ in range(3))
    _drop(allocator, (second, logits))
    scaled = take(2 * tokens * shape.vocabulary)
    drop(first)
    flowing = take(2 * tokens * shape.hidden)
    drop(scaled)
    gradients: list[Block] = []
    gathered = take(2 * shape.layer, "gather")
    for layer in reversed(range(shape.layers)):
        kept = _layer(allocator, shape, tokens)
        following = take(2 * shape.layer, "gather") if layer else None
        _drop(allocator, reversed(kept))
        drop(flowing)
        flowing = take(2 * tokens * shape.hidden)
        if not adapter:
            whole, reduced = take(2 * shape.layer), take(4 * shape.layer, "reduce")
            gradients.append(take(4 * shape.layer / world, "reduce"))
            _drop(allocator, (whole, reduced))
        _drop(allocator, (gathered, checkpoints.pop()))
        gathered = following or root
    _drop(allocator, (flowing, *checkpoints, root))
    return gradients


def _layer(allocator: Allocator, shape: Shape, tokens: int) -> list[Block]:
    """What a layer keeps while it is computed."""
    hidden, key_value, wide = shape.hidden, shape.key_value, shape.intermediate
    norm, heads = (4 * hidden, 4 * hidden, 2 * hidden), (2 * hidden, 2 * key_value, 2 * key_value)
    attention = (*heads, *heads[:2], 2 * hidden, 2 * hidden)
    return [allocator.take(tokens * size) for size in (*norm, *attention, *norm, *4 * (2 * wide,))]


def lost(kind: type[FixedSegments] | type[GrowingSegments], shape: Shape, *, world: int, samples: int) -> int:
    """Bytes that a device needs beyond what is allocated at most, to a hundredth, so that training does not fail."""
    free = kind(ENDLESS)
    train(free, shape, world=world, samples=samples, adapter=True)
    low, high = free.peak, 2 * free.peak
    while high - low > free.peak // 200:
        middle = (low + high) // 2
        try:
            train(kind(middle), shape, world=world, samples=samples, adapter=True)
            high = middle
        except OutOfMemory:
            low = middle
    return high - free.peak
