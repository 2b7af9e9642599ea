"""An unmodified script with Triton kernels, run without a GPU: its launches are recorded and predicted."""
from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
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


def _bench(driver: Any) -> Any:
    def do_bench(fn: Any, *_: Any, quantiles: Any = None, **__: Any) -> Any:
        value = driver.time_of(fn)
        return value if quantiles is None else [value] * len(quantiles)
    return do_bench


def run(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> Run:
    """`run_script` that tells of a script that stopped, too."""
    from .driver import ForewarpDriver, active
    from . import fake_proton
    import triton.testing

    which = gpu if isinstance(gpu, Gpu) else gpu_named(gpu)
    memo = Memo(which, options)
    torch = None if importlib.util.find_spec("torch") else fake_torch.module(which)
    driver = ForewarpDriver(which, memo.milliseconds, torch and torch.device("cuda"))
    bench = _bench(driver)
    modules = {**(fake_torch.modules(torch) if torch else {}), **fake_proton.modules()}
    with active(driver), _modules(modules), replaced(triton.testing, do_bench=bench, do_bench_cudagraph=bench):
        stopped = execute(path, arguments or [])
    launches = memo.recorded(driver.launches)
    return Run(launches + memo.recorded(memo.failed(driver.launches)), _remarks(driver), stopped)


def _remarks(driver: Any) -> list[str]:
    lines = []
    if driver.without_launch:
        lines.append(f"{driver.without_launch} benchmarks launched no Triton kernel: their time is not known, the script got nan")
    if driver.not_compiled:
        lines.append(f"{driver.not_compiled} configurations were passed over: Triton's compiler failed on them, see above")
    return lines


def run_script(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> list[Recorded]:
    """Runs a script as `python3 SCRIPT ARGUMENTS` against a driver that compiles for one GPU, and predicts what it
    launches, in the order of first launches. Autotuners, `triton.testing.do_bench` and events get predicted milliseconds.
    Kernels are not run: what the script computes is not there. Without torch, the script's `import torch` gets a module
    that knows types and shapes (fake_torch.py)."""
    done = run(path, gpu, arguments, **options)
    if done.stopped is not None:
        raise done.stopped
    return done.launches


def main(words: list[str] | None = None) -> int:
    """`python3 -m forewarp.triton --gpu h100,a100 script.py [ARGUMENTS]`"""
    return script.main(Tool("triton", "triton", "triton", gpu_named, run, "; where an assertion of LLVM stands above, Triton's compiler "
                            "failed: try another configuration there"), words)
