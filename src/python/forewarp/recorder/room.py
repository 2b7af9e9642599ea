"""Kernels that go past the end of a small array: allocators have memory there, so they run on a GPU."""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .. import Error
from .launches import Launch

_SEGMENT_BYTES = 2 << 20
"""Of torch's allocator for tensors of up to 1 MiB (PyTorch's notes on CUDA semantics, memory management); CUDA's maps pages of this size."""
_BEYOND = re.compile(r"out-of-bounds (?:load|store|atomic\w*) (?:from|to|on|at) '(\d+)' .*index (\d+) .*has (\d+) elements of (\d+) bytes")


def _roomier(launch: Launch, error: Error) -> Launch | None:
    """With a whole segment for the array that the error names. None: it is about something else, or the place is outside of it."""
    found = _BEYOND.search(error.message)
    if found is None:
        return None
    place, index, elements, size = map(int, found.groups())
    if index * size >= _SEGMENT_BYTES or elements * size >= _SEGMENT_BYTES // 2:
        return None
    start = f"--arg={place}=buffer:"
    words = tuple(re.sub(r"\[\d+\].*", f"[{_SEGMENT_BYTES // size}]", word) if word.startswith(start) else word for word in launch.words)
    return replace(launch, words=words) if words != launch.words else None


def with_room(predicted: Callable[[Launch], dict[str, Any]], launch: Launch) -> dict[str, Any]:
    """What `predicted` says of the launch; where it goes past the end of small arrays, of the launch with room behind them, and the first
    such place under "beyond_the_end"."""
    first = ""
    while True:
        try:
            return predicted(launch) | ({"beyond_the_end": first} if first else {})
        except Error as error:
            roomier = _roomier(launch, error)
            if roomier is None:
                raise
            first = first or f"  past the end of argument {_BEYOND.search(error.message)[1]}: {error.where}"
            launch = roomier
