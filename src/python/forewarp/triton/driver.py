"""A driver for Triton's runtime that compiles for a GPU of the catalogue, records launches and runs nothing."""
from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase
from triton.runtime import driver as runtime_driver

from ..recorder.cubin import frame_of, registers_of
from ..recorder.launches import Launch, LaunchNotModelled
from .events import Event
from .gpus import Gpu
from .launches import describe
from .releases import loaded

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
                "max_threads_per_sm": facts["max_threads_per_sm"], "arch": str(self._gpu.arch),
                "sm_clock_rate": int(1000 * float(facts["sm_clock_mhz"])), "mem_clock_rate": 0, "mem_bus_width": 0}

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[Any, ...]:
        """No module: Triton unloads those at exit, by a driver that is not active any more."""
        return loaded(None, name, registers_of(kernel) or 0, (frame_of(kernel) or 0) // 4, self._gpu.max_threads)

    def unload_module(self, module: Any) -> None:
        pass


class _Interface:
    Event = Event

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
    """`benchmark` gives the times by which an autotuner chooses; `launches` holds what a benchmark did not take.
    `torch_device`: where a script puts its tensors, torch's CPU if not given. `launched` hears of each launch's values."""

    def __init__(self, gpu: Gpu, benchmark: Benchmark, torch_device: Any = None,
                 launched: Callable[[tuple[Any, ...]], None] = lambda values: None) -> None:
        super().__init__()
        self.gpu, self.utils, self.launches = gpu, _Utils(gpu), []
        self._benchmark, self._torch_device, self.launched = benchmark, torch_device, launched
        self.not_compiled = 0
        """Configurations of an autotuner."""
        self.without_launch = 0
        """Benchmarks of something that is no Triton kernel."""

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
        if self._torch_device is not None:
            return self._torch_device
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
                active_driver = runtime_driver.active
                active_driver.launches.append(_described(self.gpu, source, metadata, (x, y, z), values))
                active_driver.launched(values)
            if leave is not None:
                leave(of_launch)
        return launch

    def get_benchmarker(self) -> Callable[..., Any]:
        """Of autotuners: what cannot be predicted is never the fastest."""
        def benchmark(call: Callable[[], Any], *, quantiles: Any = None, **_: Any) -> Any:
            try:
                milliseconds = self.time_of(call)
            except RuntimeError as error:
                if "PassManager" not in str(error):  # else a pass of Triton's compiler gave up
                    raise
                milliseconds = math.nan
                self.not_compiled += 1
            milliseconds = math.inf if math.isnan(milliseconds) else milliseconds
            return milliseconds if quantiles is None else [milliseconds] * len(quantiles)
        return benchmark

    def milliseconds(self, launches: list[Launch]) -> float:
        """NaN where there is none: the time of something that is no Triton kernel is not known."""
        if launches:
            return self._benchmark(launches)
        self.without_launch += 1
        return math.nan

    def time_of(self, call: Callable[[], Any]) -> float:
        """Predicted milliseconds of the launches that `call` makes."""
        before = self.launches
        self.launches = []
        try:
            call()
            return self.milliseconds(self.launches)
        finally:
            self.launches = before


def _described(gpu: Gpu, source: Any, metadata: Any, grid: tuple[int, int, int], values: tuple[Any, ...]) -> Launch:
    """A launch that cannot be written down says why when it is predicted: the script goes on."""
    try:
        return describe(gpu, source, metadata, grid, values)
    except LaunchNotModelled as error:
        return Launch(metadata.name, grid, {}, {}, metadata.shared, None, Path(), reason=str(error))
