"""A driver for Triton's runtime that compiles for a GPU of the catalogue, records launches and runs nothing."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.runtime import driver as runtime_driver

from .gpus import Gpu
from .launches import Launch, describe

Benchmark = Callable[[list[Launch]], float]
"""Milliseconds of launches in a row."""

_numbers: dict[Gpu, int] = {}


def _number(gpu: Gpu) -> int:
    """Triton keeps compiled kernels by device number: each GPU has its own."""
    return _numbers.setdefault(gpu, len(_numbers))


class _Utils:
    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu

    def get_device_properties(self, device: int) -> dict[str, Any]:
        facts = self._gpu.facts
        return {"max_shared_mem": self._gpu.max_shared_bytes, "multiprocessor_count": facts["sm_count"],
                "max_num_regs": facts["registers_per_sm"], "warpSize": self._gpu.warp_width,
                "sm_clock_rate": int(1000 * float(facts["sm_clock_mhz"])), "mem_clock_rate": 0, "mem_bus_width": 0}

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[Any, ...]:
        return (name, name, 0, 0, self._gpu.max_threads)

    def unload_module(self, module: Any) -> None:
        pass


class _Event:
    """What scripts time with; nothing runs, so no time passes."""

    def __init__(self, enable_timing: bool = False) -> None:
        pass

    def record(self, stream: Any = None) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, other: Any) -> float:
        return 0.0


class _Interface:
    Event = _Event

    @staticmethod
    def synchronize(device: Any = None) -> None:
        pass

    @staticmethod
    def current_device() -> int:
        return runtime_driver.active.get_current_device()


class _NoCache:
    def zero_(self) -> None:
        pass


class ForewarpDriver(DriverBase):
    """`benchmark` gives the times by which an autotuner chooses; `launches` holds what a benchmark did not take."""

    def __init__(self, gpu: Gpu, benchmark: Benchmark) -> None:
        super().__init__()
        self.gpu, self.utils, self.launches = gpu, _Utils(gpu), []
        self._benchmark = benchmark
        self.failure: Exception | None = None

    @classmethod
    def is_active(cls) -> bool:
        return False  # never chosen by itself

    def get_current_target(self) -> GPUTarget:
        return GPUTarget(self.gpu.backend, self.gpu.arch, self.gpu.warp_width)

    def get_current_device(self) -> int:
        return _number(self.gpu)

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: Any = None) -> int:
        return 0

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_active_torch_device(self) -> Any:
        import torch
        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        return _Interface

    def get_empty_cache_for_benchmark(self) -> Any:
        return _NoCache()

    def clear_cache(self, cache: Any) -> None:
        pass

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: Any) -> Any:
        return None

    def launcher_cls(self, source: Any, metadata: Any) -> Callable[..., None]:
        def launch(x: int, y: int, z: int, stream: Any, function: Any, packed: Any, of_launch: Any, enter: Any,
                   leave: Any, *values: Any) -> None:
            if enter is not None:
                enter(of_launch)
            if x * y * z > 0:  # Triton keeps this function with the compiled kernel: the driver may be a later one
                runtime_driver.active.launches.append(describe(self.gpu, source, metadata, (x, y, z), values))
            if leave is not None:
                leave(of_launch)
        return launch

    def get_benchmarker(self) -> Callable[..., Any]:
        def benchmark(call: Callable[[], Any], *, quantiles: Any = None, **_: Any) -> Any:
            milliseconds = self.time_of(call)
            return milliseconds if quantiles is None else [milliseconds] * len(quantiles)
        return benchmark

    def time_of(self, call: Callable[[], Any]) -> float:
        """Predicted milliseconds of the launches that `call` makes."""
        before = self.launches
        self.launches = []
        try:
            call()
            return self._benchmark(self.launches)
        finally:
            self.launches = before


@contextlib.contextmanager
def active(driver: ForewarpDriver) -> Iterator[ForewarpDriver]:
    """Triton's driver inside the block."""
    before = runtime_driver._active
    runtime_driver.set_active(driver)
    try:
        yield driver
    finally:
        runtime_driver._active = before
