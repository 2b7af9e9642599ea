"""Memory of a GPU that is not there: it lies in the host's, and it is known of which parts the contents are what the script
put there. Kernels do not run, so what one has written is not known."""
from __future__ import annotations

import bisect
import ctypes
import zlib
from typing import Any

_ALIGNMENT = 256  # as an allocator of CUDA's
_LARGEST_LOOKED_AT = 1 << 26
"""Bytes of an array that are handed to a prediction, or compared."""


def bytes_at(address: int, size: int) -> memoryview:
    return memoryview((ctypes.c_char * size).from_address(address)).cast("B")


class Memory:
    def __init__(self) -> None:
        self._arrays: dict[int, Any] = {}
        self._sizes: dict[int, int] = {}
        self._bases: list[int] = []
        self._unknown: set[int] = set()
        self._results: dict[int, tuple[int, int]] = {}
        """Of the host: where results that are not there were copied to, with size and checksum of what lies there instead."""

    def allocate(self, size: int, known: bool = False) -> int:
        """Of the GPU. `known`: the host writes there without telling us (pinned and managed memory)."""
        import numpy  # pages come with the first touch

        array = numpy.zeros(size + _ALIGNMENT, dtype=numpy.uint8)
        address = -(-array.ctypes.data // _ALIGNMENT) * _ALIGNMENT
        self._arrays[address], self._sizes[address] = array, size
        bisect.insort(self._bases, address)
        if not known:
            self._unknown.add(address)
        return address

    def free(self, address: int) -> None:
        if self._arrays.pop(address, None) is not None:
            del self._sizes[address]
            self._bases.remove(address)
            self._unknown.discard(address)

    def span(self, address: int) -> tuple[int, int] | None:
        """Begin and bytes of the allocation around an address."""
        place = bisect.bisect_right(self._bases, address) - 1
        if place < 0:
            return None
        base = self._bases[place]
        return (base, self._sizes[base]) if address < base + max(1, self._sizes[base]) else None

    def copy(self, to: int, source: int, size: int) -> None:
        known = self.is_known(source, size)
        ctypes.memmove(to, source, size)
        self._written(to, size, known)

    def fill(self, to: int, value: int, size: int) -> None:
        ctypes.memset(to, value, size)
        self._written(to, size, True)

    def _written(self, address: int, size: int, known: bool) -> None:
        span = self.span(address)
        if span is None:
            self._results.pop(address, None)
            if not known:
                self._keep_result(address, size)
        elif not known:
            self._unknown.add(span[0])
        elif size >= span[1]:
            self._unknown.discard(span[0])

    def kernel_wrote(self, address: int, size: int) -> None:
        self._written(address, size, False)

    def _keep_result(self, address: int, size: int) -> None:
        if size <= _LARGEST_LOOKED_AT:
            self._results[address] = (size, zlib.crc32(bytes_at(address, size)))

    def is_known(self, address: int, size: int) -> bool:
        """Whether what lies there is what would lie there if kernels ran. Of results in the host's memory: not until the script
        has written something else there."""
        span = self.span(address)
        if span is not None:
            return span[0] not in self._unknown
        kept = self._results.get(address)
        if kept is None:
            return True
        if kept[0] >= size and zlib.crc32(bytes_at(address, kept[0])) == kept[1]:
            return False
        del self._results[address]
        return True

    def contents(self, address: int, size: int) -> bytes | None:
        """None: not known, or too much to hand on."""
        return bytes(bytes_at(address, size)) if size <= _LARGEST_LOOKED_AT and self.is_known(address, size) else None
