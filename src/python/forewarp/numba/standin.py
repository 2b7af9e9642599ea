"""What Numba asks of CUDA's driver, for a GPU that is not there: memory lies in the host's, streams and events are numbers."""
from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from typing import Any

from ..recorder.script import replaced
from .gpus import Gpu
from .memory import Memory

_DRIVER_VERSION = 12090  # of CUDA 12.9: newer compilers' code would be loaded, too
_GIVING_BACK = {"cuMemFree", "cuMemFreeHost", "cuMemHostUnregister", "cuStreamDestroy", "cuEventDestroy", "cuLibraryUnload"}


class _Handle(int):
    """As ctypes has numbers, too: versions of numba-cuda differ in what they take."""

    @property
    def value(self) -> int:
        return int(self)


def attributes(gpu: Gpu) -> dict[str, int]:
    """Of CU_DEVICE_ATTRIBUTE_...: from the GPU file, and what the programming guide gives for all capabilities from 3.5 on."""
    facts = gpu.facts
    return {
        "MULTIPROCESSOR_COUNT": int(facts["sm_count"]), "WARP_SIZE": gpu.warp_width, "CLOCK_RATE": int(1000 * float(facts["sm_clock_mhz"])),
        "SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO": round(float(facts["fp32_to_fp64"])),
        "COMPUTE_CAPABILITY_MAJOR": gpu.capability[0], "COMPUTE_CAPABILITY_MINOR": gpu.capability[1],
        "L2_CACHE_SIZE": int(facts["l2_bytes"]), "MAX_THREADS_PER_BLOCK": gpu.max_threads,
        "MAX_THREADS_PER_MULTIPROCESSOR": int(facts["max_threads_per_sm"]),
        "MAX_BLOCKS_PER_MULTIPROCESSOR": int(facts["max_groups_per_sm"]),
        "MAX_REGISTERS_PER_BLOCK": int(facts["registers_per_sm"]), "MAX_REGISTERS_PER_MULTIPROCESSOR": int(facts["registers_per_sm"]),
        "MAX_SHARED_MEMORY_PER_BLOCK": int(facts["shared_per_group_default_bytes"]),
        "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": gpu.max_shared_bytes,
        "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": int(facts["shared_per_sm_bytes"]),
        "MAX_BLOCK_DIM_X": 1024, "MAX_BLOCK_DIM_Y": 1024, "MAX_BLOCK_DIM_Z": 64,
        "MAX_GRID_DIM_X": 2**31 - 1, "MAX_GRID_DIM_Y": 65535, "MAX_GRID_DIM_Z": 65535, "TOTAL_CONSTANT_MEMORY": 65536,
        "MAX_PITCH": 2**31 - 1, "UNIFIED_ADDRESSING": 1, "MANAGED_MEMORY": 1, "CAN_MAP_HOST_MEMORY": 1, "CONCURRENT_KERNELS": 1,
        "COOPERATIVE_LAUNCH": 1, "STREAM_PRIORITIES_SUPPORTED": 1, "ASYNC_ENGINE_COUNT": 2, "GPU_OVERLAP": 1,
        "COMPUTE_MODE": 0, "INTEGRATED": 0, "KERNEL_EXEC_TIMEOUT": 0, "TCC_DRIVER": 0, "MULTI_GPU_BOARD": 0,
        "PCI_DOMAIN_ID": 0, "PCI_BUS_ID": 0, "PCI_DEVICE_ID": 0, "PAGEABLE_MEMORY_ACCESS": 0, "CONCURRENT_MANAGED_ACCESS": 1,
    }


class Calls:
    """The driver's functions that Numba calls, as its wrapper gives their results: without the status."""

    def __init__(self, gpu: Gpu, memory: Memory, recorder: Any) -> None:
        self._gpu, self._memory, self._recorder = gpu, memory, recorder
        self._attributes = attributes(gpu)
        self._contexts: list[int] = []
        self._handles = itertools.count(2)
        self._marks: dict[int, Any] = {}

    # devices and contexts
    def cuDriverGetVersion(self) -> int:
        return _DRIVER_VERSION

    def cuDeviceGetCount(self) -> int:
        return 1

    def cuDeviceGetAttribute(self, code: Any, device: Any) -> int:
        name = code.name.removeprefix("CU_DEVICE_ATTRIBUTE_")
        if name not in self._attributes:
            raise AttributeError(f"forewarp: the file of {self._gpu.name} does not say {name}")
        return self._attributes[name]

    def cuCtxGetCurrent(self) -> int:
        return _Handle(self._contexts[-1] if self._contexts else 0)

    def cuCtxGetDevice(self) -> int:
        return 0

    def cuCtxPushCurrent(self, context: Any) -> tuple[()]:
        self._contexts.append(int(context))
        return ()

    def cuCtxPopCurrent(self) -> int:
        return _Handle(self._contexts.pop())

    def cuDeviceCanAccessPeer(self, device: Any, other: Any) -> int:
        return 0

    def _nothing(self, *_: Any) -> tuple[()]:
        return ()

    def _wait(self, *_: Any) -> tuple[()]:
        self._recorder.clock.wait()
        return ()

    cuCtxSynchronize = cuStreamSynchronize = cuEventSynchronize = _wait
    cuInit = cuDevicePrimaryCtxRelease = cuDevicePrimaryCtxReset = cuStreamDestroy = cuStreamWaitEvent = _nothing
    cuEventQuery = cuEventDestroy = _nothing
    cuProfilerStart = cuProfilerStop = cuLibraryUnload = cuKernelSetCacheConfig = cuKernelSetAttribute = _nothing
    cuMemHostRegister = cuMemHostUnregister = cuModuleUnload = _nothing

    # memory
    def _pointer(self, address: int) -> Any:
        from cuda.bindings import driver
        return driver.CUdeviceptr(address)

    def cuMemAlloc(self, size: int) -> Any:
        return self._pointer(self._memory.allocate(size))

    def cuMemAllocManaged(self, size: int, flags: int) -> Any:
        return self._pointer(self._memory.allocate(size, known=True))

    def cuMemHostAlloc(self, size: int, flags: int) -> int:
        return self._memory.allocate(size, known=True)

    def cuMemHostGetDevicePointer(self, pointer: Any, flags: int) -> Any:
        return self._pointer(int(pointer))

    def cuMemFree(self, pointer: Any) -> tuple[()]:
        self._memory.free(int(pointer))
        return ()

    cuMemFreeHost = cuMemFree

    def cuMemGetInfo(self) -> tuple[int, int]:
        """(free, total): of the host, where the memory lies."""
        import os
        page = os.sysconf("SC_PAGE_SIZE")
        return os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page

    def cuMemGetAddressRange(self, pointer: Any) -> tuple[int, int]:
        span = self._memory.span(int(pointer))
        if span is None:
            raise ValueError(f"forewarp: no memory of the GPU lies at {int(pointer):#x}")
        return span

    def cuPointerGetAttribute(self, attribute: Any, pointer: Any) -> Any:
        return self._pointer(int(pointer))

    def cuMemcpyHtoD(self, to: Any, source: Any, size: int, stream: Any = 0) -> tuple[()]:
        self._memory.copy(int(to), int(source), int(size))
        return ()

    cuMemcpyHtoDAsync = cuMemcpyDtoD = cuMemcpyDtoDAsync = cuMemcpyHtoD

    def cuMemcpyDtoH(self, to: Any, source: Any, size: int, stream: Any = 0) -> tuple[()]:
        if not self._memory.is_known(int(source), int(size)):
            self._recorder.results_read += 1
        self._recorder.clock.wait()
        return self.cuMemcpyHtoD(to, source, size)

    cuMemcpyDtoHAsync = cuMemcpyDtoH

    def cuMemsetD8(self, to: Any, value: int, size: int, stream: Any = 0) -> tuple[()]:
        self._memory.fill(int(to), int(value), int(size))
        return ()

    cuMemsetD8Async = cuMemsetD8

    # streams and events
    def cuStreamCreate(self, flags: int) -> int:
        return _Handle(next(self._handles))

    cuEventCreate = cuStreamCreate

    def cuEventRecord(self, event: Any, stream: Any) -> tuple[()]:
        self._marks[int(event)] = self._recorder.mark(int(stream))
        return ()

    def cuEventElapsedTime(self, begin: Any, end: Any) -> float:
        marks = [self._marks.get(int(event)) for event in (begin, end)]
        if None in marks:
            raise ValueError("forewarp: an event is asked for its time that was not recorded")
        return self._recorder.milliseconds_between(*marks)


def _functions(calls: Calls) -> dict[str, Any]:
    return {name: getattr(calls, name) for name in dir(calls) if name.startswith("cu")}


def _missing(driver: Any, name: str) -> Any:
    raise NotImplementedError(f"forewarp: the stand-in for the driver has no {name}")


@contextlib.contextmanager
def _driver(module: Any, calls: Calls) -> Iterator[None]:
    """Numba's one driver object, which binds functions on first use: ours are there before."""
    from numba.cuda import utils

    before = dict(module.driver.__dict__)
    module.driver.__dict__.clear()
    module.driver.__dict__.update(is_initialized=True, initialization_error=None, pid=None, lib=None, devices=utils.UniqueDict(),
                                  **_functions(calls))
    module._logger = getattr(module, "_logger", None) or module.make_logger()  # made with the first call of a driver
    try:
        with replaced(module.Driver, __getattr__=_missing):
            yield
    finally:
        module.driver.__dict__.clear()
        module.driver.__dict__.update(before)
        if module.driver.initialization_error is not None:  # no driver: what the script leaves is given back to us
            module.driver.__dict__.update({name: function for name, function in _functions(calls).items() if name in _GIVING_BACK})


def _forget_devices(devices: Any) -> None:
    """Numba keeps its list of devices, and each thread's context."""
    devices.gpus.__dict__.pop("lst", None)
    kept = getattr(getattr(type(devices.gpus), "lst", None), "fget", None)
    if kept is not None:
        kept.cache_clear()
    devices._runtime._tls = threading.local()


@contextlib.contextmanager
def driver_of(gpu: Gpu, memory: Memory, recorder: Any) -> Iterator[None]:
    """Inside, Numba finds one device: the GPU."""
    import weakref

    from numba.cuda.cudadrv import devices, driver

    def device(self: Any, number: int = 0) -> None:
        self.id, self.compute_capability, self.name = 0, gpu.capability, gpu.name
        self.uuid, self.primary_context = "GPU-00000000-0000-0000-0000-000000000000", None

    def context(self: Any) -> Any:
        if self.primary_context is None:
            self.primary_context = driver.Context(weakref.proxy(self), _Handle(1))
        return self.primary_context

    def callback(self: Any, function: Any, argument: Any = None) -> None:
        function(self, 0, argument)

    members = {"_to_core_stream": lambda stream: stream} if hasattr(driver, "_to_core_stream") else {}
    _forget_devices(devices)
    try:
        with (_driver(driver, Calls(gpu, memory, recorder)), replaced(driver, **members), replaced(driver.Stream, add_callback=callback),
              replaced(driver.Device, __init__=device, get_primary_context=context)):
            yield
    finally:
        _forget_devices(devices)
