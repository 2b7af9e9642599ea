"""An unmodified script with Triton kernels, run without a GPU: its launches are recorded and predicted."""
from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..recorder import script
from ..recorder.memo import Memo, Recorded
from ..recorder.script import Run, Tool, execute, replaced
from . import fake_torch
from .gpus import Gpu, gpu_named


@contextlib.contextmanager
def _modules(modules: dict[str, Any]) -> Iterator[None]:
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    for name, module in modules.items():
        parent, _, own = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], own, module)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


@dataclass(frozen=True)
class _Torch:
    """What scripts import as torch."""

    device: Any
    modules: dict[str, Any]
    """That `import` finds; none where torch is installed."""
    launched: Callable[[tuple[Any, ...]], None]
    """Hears of what a kernel was launched with."""
    reads: Callable[[], int]
    """How often the script read values that only kernels could have made."""


@contextlib.contextmanager
def _torch(gpu: Gpu) -> Iterator[_Torch]:
    if not importlib.util.find_spec("torch"):
        torch = fake_torch.module(gpu)
        yield _Torch(torch.device("cuda"), fake_torch.modules(torch), lambda values: None, lambda: len(fake_torch.reads))
        return
    from . import real_torch

    with real_torch.posing(gpu) as known:
        yield _Torch(real_torch.torch.device("cuda"), {}, known.launched, lambda: known.reads)


def _bench(driver: Any) -> Any:
    def do_bench(fn: Any, *_: Any, quantiles: Any = None, **__: Any) -> Any:
        value = driver.time_of(fn)
        return value if quantiles is None else [value] * len(quantiles)
    return do_bench


def run(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> Run:
    """`run_script` that tells of a script that stopped, too."""
    from .driver import ForewarpDriver
    from .releases import active
    from . import fake_proton
    import triton.testing

    which = gpu if isinstance(gpu, Gpu) else gpu_named(gpu)
    memo = Memo(which, options)
    with _torch(which) as torch:
        driver = ForewarpDriver(which, memo.milliseconds, torch.device, torch.launched)
        bench = _bench(driver)
        with (active(driver), _modules({**torch.modules, **fake_proton.modules()}),
              replaced(triton.testing, do_bench=bench, do_bench_cudagraph=bench)):
            stopped = execute(path, arguments or [])
        launches = memo.recorded(driver.launches)
        return Run(launches + memo.recorded(memo.failed(driver.launches)), _remarks(driver, torch.reads()), stopped)


def _remarks(driver: Any, reads: int) -> list[str]:
    lines = []
    if driver.without_launch:
        lines.append(f"{driver.without_launch} benchmarks launched no Triton kernel: their time is not known, the script got nan")
    if reads:
        lines.append(f"the script read results {reads} times: no kernel was run, what it got is not what they would have made")
    if driver.not_compiled:
        lines.append(f"{driver.not_compiled} configurations were passed over: Triton's compiler failed on them, see above")
    return lines


def run_script(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> list[Recorded]:
    """Runs a script as `python3 SCRIPT ARGUMENTS` against a driver that compiles for one GPU, and predicts what it
    launches, in the order of first launches. Autotuners, `triton.testing.do_bench` and events get predicted milliseconds.
    Kernels are not run: what the script computes is not there. Without torch, the script's `import torch` gets a module
    that knows types and shapes (fake_torch.py); with torch, its tensors lie on the CPU (real_torch.py)."""
    done = run(path, gpu, arguments, **options)
    if done.stopped is not None:
        raise done.stopped
    return done.launches


def main(words: list[str] | None = None) -> int:
    """`python3 -m forewarp.triton --gpu h100,a100 script.py [ARGUMENTS]`"""
    return script.main(Tool("triton", "triton", "triton", gpu_named, run, "; where an assertion of LLVM stands above, Triton's compiler "
                            "failed: try another configuration there"), words)
