"""Numba kernels (`@cuda.jit`) on NVIDIA GPUs that are not there (docs/guide/numba.md). Needs numba-cuda with its compiler wheels.

>>> import forewarp, forewarp.numba
>>> x = forewarp.buffer("fp32", 1 << 24)
>>> forewarp.numba.predict(axpy, 1 << 16, 256, 2.0, x, x, gpu="a100,h100")
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .. import Error, _call, _native, predict as predict_source
from ..buffers import Buffer, dtype

__all__ = ["compiling_for", "kernel_values", "predict", "ptx_of"]

_HEAD = re.compile(r"^[ \t]*\.(version|target|address_size)\b.*$", re.MULTILINE)
_SCALARS = {bool: "boolean", int: "int64", float: "float64"}  # as Numba takes Python's numbers


def _as_buffer(value: Any) -> Buffer | None:
    """Of anything with type, shape and strides in bytes (NumPy's, Numba's device arrays) or ours. None: a number."""
    if isinstance(value, Buffer):
        return value
    if not hasattr(value, "dtype") or not getattr(value, "shape", ()):
        return None
    kind, shape = dtype(value.dtype), tuple(int(size) for size in value.shape)
    strides = tuple(int(step) // kind.itemsize for step in value.strides)
    return Buffer(kind, shape, strides, 1 + sum((size - 1) * abs(step) for size, step in zip(shape, strides)))


def kernel_values(arguments: Iterable[Any]) -> list[str]:
    """The values of the compiled kernel's parameters in order, as `--arg` takes them. Numba hands an array over as two
    places of the host, numbers of elements and bytes of one, its data, its sizes, its strides in bytes."""
    words: list[str] = []
    for value in arguments:
        array = _as_buffer(value)
        if array is None:
            words.append(str(int(value)) if isinstance(value, bool) else repr(getattr(value, "item", lambda: value)()))
            continue
        size = array.element_size()
        words += ["0", "0", str(array.numel()), str(size), array.argument(), *map(str, array.shape),
                  *(str(step * size) for step in array.strides)]
    return words


def _numba_type(value: Any) -> Any:
    from numba import types
    from numba.np import numpy_support

    array = _as_buffer(value)
    if array is not None:
        rows = Buffer(array.dtype, array.shape).strides == array.strides
        return types.Array(getattr(types, "boolean" if array.dtype == "bool" else str(array.dtype)), array.ndim, "C" if rows else "A")
    if hasattr(value, "dtype"):  # a number of NumPy's
        return numpy_support.from_dtype(value.dtype)
    if type(value) not in _SCALARS:
        raise Error(f"an argument of type {type(value).__name__} is neither number nor array", "", "pass a number, "
                    "forewarp.buffer(...) or a NumPy array", "usage", 2)
    return getattr(types, _SCALARS[type(value)])


def _capability(gpu: str) -> tuple[int, int]:
    facts = _call(_native.gpu, gpu)
    target = str(facts["target"])
    if not target.startswith("sm_"):
        raise Error(f"Numba compiles CUDA kernels; {facts['name']} is {target}", gpu, "choose an NVIDIA GPU", "unsupported", 7)
    return divmod(int(target[3:].rstrip("af")), 10)


@contextlib.contextmanager
def compiling_for(gpu: str) -> Iterator[None]:
    """Inside, `@vectorize([...], target="cuda")`, which compiles where it stands, asks no driver."""
    with _device_of(_capability(gpu)), _cuda_without_driver():
        yield


def _kernel_of(kernel: Any, types_of: tuple[Any, ...]) -> Any:
    """Of a `@vectorize(target="cuda")` function the kernel of these inputs (the last array is what it writes)."""
    functions = getattr(kernel, "functions", None)
    if functions is None:
        return kernel
    from numba.np import numpy_support

    inputs = tuple(numpy_support.as_dtype(getattr(each, "dtype", each)) for each in types_of[:-1])
    if inputs not in functions:
        raise Error(f"the vectorized function has no kernel of ({', '.join(map(str, inputs))})", "", "give arrays of the types in "
                    "@vectorize([...]), and the one that is written behind them", "usage", 2)
    return functions[inputs][1]


def ptx_of(kernel: Any, arguments: Iterable[Any], gpu: str) -> str:
    """PTX of a `@cuda.jit` kernel, or of the function under one, for a GPU and arguments of these types."""
    try:
        from numba import cuda
    except ImportError:
        raise Error("the Python module 'numba.cuda' is not there", "", "pip install 'numba-cuda[cu12]'", "not_found", 3) from None
    types_of = tuple(_numba_type(each) for each in arguments)
    kernel = _kernel_of(kernel, types_of)
    options = getattr(kernel, "targetoptions", {})
    kept = {name: options[name] for name in ("fastmath", "opt") if name in options}
    capability = _capability(gpu)
    with _device_of(capability), _cuda_without_driver():
        codes = cuda.compile_all(getattr(kernel, "py_func", kernel), types_of, cc=capability, device=False, abi="numba", lineinfo=True,
                                 output="ptx", **kept)[0]
    return _one_module(codes)


def _one_module(codes: list[Any]) -> str:
    """The kernel's PTX with that of the functions that it calls (Numba's halves are C++), whose heads are left out."""
    texts = [code if isinstance(code, str) else getattr(code, "code", b"") for code in codes]
    if not all(texts):
        raise Error("the kernel is linked with machine code", "link=", "link C++ sources, or leave link= out", "unsupported", 7)
    words = [text.decode() if isinstance(text, bytes) else text for text in texts]
    return "\n".join([words[0].rstrip("\0")] + [_HEAD.sub("", text.rstrip("\0")) for text in words[1:]])


@contextlib.contextmanager
def _cuda_without_driver() -> Iterator[None]:
    """Numba has NVRTC compile C++ by way of cuda.core, which asks the driver of what it can load: here NVRTC is asked alone."""
    try:
        from cuda.bindings import nvrtc
        from numba.cuda.cudadrv import nvrtc as of_numba
        before = of_numba.Program
    except (ImportError, AttributeError):  # other versions of Numba have another way
        yield
        return

    class Program:
        def __init__(self, source: str, kind: str, options: Any) -> None:
            self._source, self._options = source, options

        def compile(self, target: str, logs: Any = None) -> Any:
            options = [word for word in self._options.as_bytes("nvrtc") if word != b"--generate-line-info"]
            _, program = nvrtc.nvrtcCreateProgram(self._source.encode(), b"linked.cu", 0, [], [])
            status, = nvrtc.nvrtcCompileProgram(program, len(options), options)
            if int(status) != 0:
                raise Error(f"NVRTC does not compile C++ that the kernel calls ({status.name})", "", "give Numba sources that NVRTC "
                            "takes", "compile", 5)
            _, size = nvrtc.nvrtcGetPTXSize(program)
            text = bytes(size)
            nvrtc.nvrtcGetPTX(program, text)
            nvrtc.nvrtcDestroyProgram(program)
            return types.SimpleNamespace(code=text)

    of_numba.Program = Program
    try:
        yield
    finally:
        of_numba.Program = before


@contextlib.contextmanager
def _device_of(capability: tuple[int, int]) -> Iterator[None]:
    """Numba asks the driver for the GPU where a kernel calls a `@cuda.jit(device=True)` function, and keeps what it has
    compiled of that: here the GPU is the one asked for, and nothing is kept."""
    from numba import cuda

    dispatcher = cuda.dispatcher.CUDADispatcher
    names, compiled = vars(sys.modules[dispatcher.__module__]), []
    asked, compile_device = names["get_current_device"], dispatcher.compile_device

    def remembered(self: Any, args: Any, *words: Any, **named: Any) -> Any:
        compiled.append((self, args))
        return compile_device(self, args, *words, **named)

    names["get_current_device"] = lambda: types.SimpleNamespace(compute_capability=capability)
    dispatcher.compile_device = remembered
    try:
        yield
    finally:
        names["get_current_device"], dispatcher.compile_device = asked, compile_device
        for function, args in compiled:
            function.overloads.pop(args, None)


def _kept(ptx: str) -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forewarp" / "numba"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(ptx.encode()).hexdigest()[:32]}.ptx"
    if not path.exists():  # written beside it and renamed: another process never sees half of it
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(ptx, encoding="utf-8")
        fresh.replace(path)
    return path


def _dimensions(size: int | tuple[int, ...]) -> str:
    return ",".join(map(str, size)) if isinstance(size, tuple) else str(size)


def predict(kernel: Any, grid: int | tuple[int, ...], block: int | tuple[int, ...], *arguments: Any, gpu: str | Iterable[str],
            shared_bytes: int = 0, options: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Predictions of `kernel[grid, block, 0, shared_bytes](*arguments)`, one a GPU, fastest first: the objects of
    `forewarp predict --format json`. Arrays are `forewarp.buffer(...)` or NumPy's (whose contents are not looked at); Python's
    numbers are int64 and float64, as Numba takes them. `options` are further ones of `forewarp.predict`."""
    names = gpu.split(",") if isinstance(gpu, str) else list(gpu)
    answers = []
    for name in names:
        path = _kept(ptx_of(kernel, arguments, name.strip()))
        answers += predict_source(str(path), gpu=name.strip(), grid=_dimensions(grid), local=_dimensions(block),
                                  dynamic_shared=str(shared_bytes),
                                  arg=[f"{place}={value}" for place, value in enumerate(kernel_values(arguments))], **(options or {}))
    return sorted(answers, key=lambda answer: answer["time_ms"])
