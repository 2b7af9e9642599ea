"""Predictions of single launches."""
from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from .. import Error
from . import arguments as of_arguments
from .arguments import Array, type_of
from .compiling import ptx_of as ptx_of_library, without_driver
from .gpus import Gpu, gpu_named


def _need_numba() -> None:
    try:
        from numba import cuda  # noqa: F401
    except ImportError:
        raise Error("the Python module 'numba.cuda' is not there", "", "pip install 'numba-cuda[cu12]'", "not_found", 3) from None


@contextlib.contextmanager
def _recorder_for(gpu: Gpu, options: dict[str, Any] | None = None) -> Iterator[Any]:
    from ..recorder.memo import Memo
    from .recording import Recorder, recording

    recorder = Recorder(gpu, Memo(gpu, options or {}))
    with recording(recorder):
        yield recorder


@contextlib.contextmanager
def compiling_for(gpu: str) -> Iterator[None]:
    """Inside, `@vectorize([...], target="cuda")` and `@cuda.jit` with types, which compile where they stand, ask no driver."""
    which = gpu_named(gpu)
    _need_numba()
    with _recorder_for(which):
        yield


def kernel_values(arguments: Iterable[Any]) -> list[str]:
    """The values of the compiled kernel's parameters in order, as `--arg` takes them."""
    return [value.buffer.argument() if isinstance(value, Array) else value for value in of_arguments.kernel_values(arguments)]


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


def _compiled(kernel: Any, arguments: tuple[Any, ...]) -> Any:
    """Anew for each GPU: a dispatcher keeps what it has compiled."""
    from numba.cuda import dispatcher

    types_of = tuple(type_of(each) for each in arguments)
    kernel = _kernel_of(kernel, types_of)
    options = dict(getattr(kernel, "targetoptions", {}))
    if not hasattr(kernel, "py_func"):
        from numba import cuda
        kernel = cuda.jit(kernel)
        options = dict(kernel.targetoptions)
    return dispatcher._Kernel(kernel.py_func, types_of, **options)


def ptx_of(kernel: Any, arguments: Iterable[Any], gpu: str) -> str:
    """PTX of a `@cuda.jit` kernel, or of the function under one, for a GPU and arguments of these types."""
    which = gpu_named(gpu.strip())
    _need_numba()
    with _recorder_for(which), without_driver():
        library = _compiled(kernel, tuple(arguments))._codelibrary
        return ptx_of_library(library, library._ensure_cc(None))


def predict(kernel: Any, grid: int | tuple[int, ...], block: int | tuple[int, ...], *arguments: Any, gpu: str | Iterable[str],
            shared_bytes: int = 0, options: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Predictions of `kernel[grid, block, 0, shared_bytes](*arguments)`, one a GPU, fastest first: the objects of
    `forewarp predict --format json`. Arrays are `forewarp.buffer(...)` or NumPy's, whose contents are looked at where the time
    rests on them; Python's numbers are int64 and float64, as Numba takes them. `options` are further ones of `forewarp.predict`."""
    answers = []
    for name in gpu.split(",") if isinstance(gpu, str) else list(gpu):
        which = gpu_named(name.strip())
        _need_numba()
        with _recorder_for(which, options) as recorder:
            launch = recorder.described(_compiled(kernel, arguments), arguments, _three(grid), _three(block), shared_bytes)
        answers.append(recorder.memo.prediction(launch))
    return sorted(answers, key=lambda answer: answer["time_ms"])


def _three(size: int | tuple[int, ...]) -> tuple[int, ...]:
    sizes = size if isinstance(size, tuple) else (size,)
    return (*sizes, *(1,) * (3 - len(sizes)))
