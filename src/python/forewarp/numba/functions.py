"""A compiled kernel as Numba's runtime asks about it: registers, threads that fit."""
from __future__ import annotations

import functools
import types
from typing import Any

from .compiling import Code
from .gpus import Gpu

_THREADS = 32


def _registers_of_warp(gpu: Gpu, registers: int) -> int:
    unit = int(gpu.facts["register_alloc_unit"])
    return -(-registers * _THREADS // unit) * unit


def most_threads(gpu: Gpu, registers: int | None) -> int:
    """Of a group whose registers fit on a multiprocessor."""
    if not registers:
        return gpu.max_threads
    return min(gpu.max_threads, int(gpu.facts["registers_per_sm"]) // _registers_of_warp(gpu, registers) * _THREADS)


def groups_per_sm(gpu: Gpu, registers: int | None, threads: int, shared_bytes: int) -> int:
    """By threads, groups, registers and shared memory (CUDA C++ Programming Guide, compute capabilities)."""
    warps = -(-threads // _THREADS)
    fit = min(int(gpu.facts["max_groups_per_sm"]), int(gpu.facts["max_threads_per_sm"]) // (warps * _THREADS))
    if registers:
        fit = min(fit, int(gpu.facts["registers_per_sm"]) // (_registers_of_warp(gpu, registers) * warps))
    return min(fit, int(gpu.facts["shared_per_sm_bytes"]) // shared_bytes) if shared_bytes else fit


def suggested_threads(gpu: Gpu, registers: int | None, shared_bytes: int, limit: int = 0) -> int:
    """As cuOccupancyMaxPotentialBlockSize chooses: the largest group of those that keep most threads on a multiprocessor."""
    most = min(limit or gpu.max_threads, most_threads(gpu, registers))
    return max(range(most, 0, -_THREADS), key=lambda threads: groups_per_sm(gpu, registers, threads, shared_bytes) * threads, default=_THREADS)


class Function:
    """In the place of Numba's function of a loaded module."""

    def __init__(self, gpu: Gpu, name: str, code: Code) -> None:
        self.name, self.handle, self.gpu, self.code = name, self, gpu, code
        most = most_threads(gpu, code.registers)
        counts = {"num_regs": code.registers or 0, "const_size_bytes": 0, "local_size_bytes": code.frame or 0,
                  "shared_size_bytes": 0, "max_threads_per_block": most}
        self.attrs = types.SimpleNamespace(regs=code.registers or 0, shared=0, local=code.frame or 0, const=0, maxthreads=most)
        self.kernel = types.SimpleNamespace(attributes=_Attributes(counts), handle=self)
        self.module = types.SimpleNamespace(initialized=True, setup=lambda: None)

    def __int__(self) -> int:
        return 1

    def set_shared_memory_carveout(self, carveout: int) -> None:
        pass

    cache_config = lambda self, **_: None  # noqa: E731


class _Count(int):
    """A number that is also called: cuda.core before 1.0 has methods where later ones have properties."""

    def __call__(self) -> int:
        return int(self)


class _Attributes:
    def __init__(self, counts: dict[str, int]) -> None:
        self.__dict__.update({name: _Count(value) for name, value in counts.items()})


def suggestion(gpu: Gpu) -> Any:
    """For Context.get_max_potential_block_size."""
    def suggest(self: Any, func: Any, b2d_func: Any, memsize: int, blocksizelimit: int, flags: Any = None) -> tuple[int, int]:
        return 0, suggested_threads(gpu, func.code.registers, memsize, blocksizelimit)
    return suggest


def occupancy(gpu: Gpu) -> Any:
    """For Context.get_active_blocks_per_multiprocessor."""
    @functools.wraps(groups_per_sm)
    def active(self: Any, func: Any, blocksize: int, memsize: int, flags: Any = None) -> int:
        return groups_per_sm(gpu, func.code.registers, blocksize, memsize)
    return active
