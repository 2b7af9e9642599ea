"""What differs between releases of Triton, told by what they have and not by their number (docs/guide/triton.md says which were tried)."""
from __future__ import annotations

import contextlib
import inspect
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any

from triton.compiler.compiler import CompiledKernel
from triton.compiler.errors import CompilationError
from triton.runtime import driver as runtime_driver, errors

_ACTIVE = "_active" if hasattr(runtime_driver, "_active") else "active"  # the former: None until it is asked for
_LOADED = "n_max_threads" if "n_max_threads" in CompiledKernel._init_handles.__code__.co_names else "n_spills"


@contextlib.contextmanager
def active(driver: Any) -> Iterator[Any]:
    """Triton's driver inside the block."""
    before = getattr(runtime_driver, _ACTIVE)
    runtime_driver.set_active(driver)
    try:
        yield driver
    finally:
        setattr(runtime_driver, _ACTIVE, before)


@contextlib.contextmanager
def tuned_by(benchmark: Callable[..., Any], kernel: Any) -> Iterator[None]:
    """An autotuner keeps its first driver's benchmark and, by the arguments alone, what was fastest: it chooses anew inside the block."""
    before = []
    while hasattr(kernel, "fn"):
        if hasattr(kernel, "configs"):
            before.append((kernel, {name: vars(kernel)[name] for name in ("do_bench", "cache") if name in vars(kernel)}))
            kernel.do_bench, kernel.cache = benchmark, {}
        kernel = kernel.fn
    try:
        yield
    finally:
        for each, own in before:
            del each.do_bench, each.cache
            vars(each).update(own)


def loaded(module: Any, function: Any, registers: int, spills: int, most_threads: int) -> tuple[Any, ...]:
    """What `load_binary` returns."""
    found = (module, function, registers, spills)
    return (*found, most_threads) if _LOADED == "n_max_threads" else found


def bound_arguments(source: Any, values: tuple[Any, ...]) -> tuple[list[str], dict[str, Any], list[Any]]:
    """Names, types and values of a launch in the order of the kernel's parameters. Some releases hand over the values without those
    known when the kernel was compiled."""
    names, signature, given = list(source.fn.arg_names), dict(source.signature), list(values)
    if len(given) == len(names):
        return names, signature, given
    left = iter(given)
    given = [next(left) if name in signature else source.constants[name] for name in names]
    return names, {name: "constexpr" if name in source.constants else signature[name] for name in names}, given


def compiling_side_by_side(workers: Executor) -> Any:
    """A block in which warm-ups are compiled by `workers`, errors passed over; None: this release has none."""
    try:
        from triton.runtime._async_compile import AsyncCompileMode
    except ImportError:
        return None
    return AsyncCompileMode(workers, ignore_errors=True) if "ignore_errors" in inspect.signature(AsyncCompileMode).parameters else None


def compile_errors() -> tuple[type[Exception], ...]:
    """Of a configuration that Triton, its assembler or its linker refuses."""
    return (CompilationError, subprocess.CalledProcessError, getattr(errors, "PTXASError", RuntimeError))


class _NoGpu:
    """In place of the driver of a machine without a GPU: some releases ask it for a benchmark while a kernel is decorated."""

    def get_benchmarker(self) -> Callable[..., Any]:
        return lambda *args, **kwargs: runtime_driver.active.get_benchmarker()(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("Triton finds no GPU: call forewarp.triton.predict or rank, or run the script by `forewarp triton`")


def decorate_without_gpu() -> None:
    default = getattr(runtime_driver, "default", None) if _ACTIVE == "active" else None
    make = getattr(default, "_init_fn", None)
    if make is None:
        return

    def make_or_stand_in() -> Any:
        try:
            return make()
        except (ImportError, RuntimeError):  # no torch, or no driver of a vendor
            return _NoGpu()
    default._init_fn = make_or_stand_in
