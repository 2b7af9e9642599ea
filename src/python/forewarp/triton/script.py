"""An unmodified script with Triton kernels, run without a GPU: its launches are recorded and predicted."""
from __future__ import annotations

import contextlib
import importlib.util
import os
import runpy
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import fake_torch
from .gpus import Gpu, gpu_named
from .launches import Launch
from .predicting import predict_launch


@dataclass(frozen=True)
class Recorded:
    launch: Launch
    times: int
    """So often in the script, with equal sizes and arguments."""
    prediction: dict[str, Any] | None
    error: str
    """Why there is no prediction; else ""."""

    @property
    def time_ms(self) -> float:
        return float("nan") if self.prediction is None else float(self.prediction["time_ms"])


class _Memo:
    """Predicted milliseconds by what is launched: scripts launch the same thing a thousand times."""

    def __init__(self, gpu: Gpu, options: dict[str, Any]) -> None:
        self._gpu, self._options = gpu, options
        self._known: dict[tuple[Any, ...], dict[str, Any] | Exception] = {}

    def prediction(self, launch: Launch) -> dict[str, Any]:
        key = (launch.code, launch.words)
        if key not in self._known:
            try:
                self._known[key] = predict_launch(launch, self._gpu, **self._options)
            except Exception as error:  # kept: the next one would end the same way
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, Exception):
            raise found
        return found

    def milliseconds(self, launches: list[Launch]) -> float:
        return sum(self.prediction(launch)["time_ms"] for launch in launches)


@contextlib.contextmanager
def _replaced(owner: Any, **members: Any) -> Iterator[None]:
    before = {name: getattr(owner, name) for name in members}
    for name, value in members.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


@contextlib.contextmanager
def _modules(**modules: Any) -> Iterator[None]:
    added = {name.replace("__", "."): module for name, module in modules.items()}
    sys.modules.update(added)
    try:
        yield
    finally:
        for name in added:
            sys.modules.pop(name, None)


def _bench(driver: Any) -> Any:
    def do_bench(fn: Any, *_: Any, quantiles: Any = None, **__: Any) -> Any:
        value = driver.time_of(fn)
        return value if quantiles is None else [value] * len(quantiles)
    return do_bench


def _grouped(launches: list[Launch], memo: _Memo) -> list[Recorded]:
    counts: dict[tuple[Any, ...], list[Any]] = {}
    for launch in launches:
        counts.setdefault((launch.code, launch.words), [launch, 0])[1] += 1
    recorded = []
    for launch, times in counts.values():
        try:
            recorded.append(Recorded(launch, times, memo.prediction(launch), ""))
        except Exception as error:  # of any kind: the other launches still count
            recorded.append(Recorded(launch, times, None, str(error)))
    return recorded


def run_script(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> list[Recorded]:
    """Runs a script as `python3 SCRIPT ARGUMENTS` against a driver that compiles for one GPU, and predicts what it
    launches, in the order of first launches. Autotuners and `triton.testing.do_bench` get predicted milliseconds. Kernels
    are not run: what the script computes is not there. Without torch, the script's `import torch` gets a module that
    knows types and shapes (fake_torch.py)."""
    from .driver import ForewarpDriver, active
    import triton.testing

    which = gpu if isinstance(gpu, Gpu) else gpu_named(gpu)
    memo = _Memo(which, options)
    driver = ForewarpDriver(which, memo.milliseconds)
    bench = _bench(driver)
    torch = {} if importlib.util.find_spec("torch") else {"torch": fake_torch.module(which)}
    before, folder = sys.argv, str(Path(path).resolve().parent)
    sys.argv = [str(path), *(arguments or [])]
    sys.path.insert(0, folder)
    try:
        with active(driver), _modules(**torch), _replaced(triton.testing, do_bench=bench, do_bench_cudagraph=bench):
            try:
                runpy.run_path(str(path), run_name="__main__")
            except SystemExit as ended:
                if ended.code not in (None, 0):
                    raise
    finally:
        sys.argv = before
        sys.path.remove(folder)
    return _grouped(driver.launches, memo)


def table(recorded: list[Recorded], gpu: Gpu, seconds: float) -> str:
    """What a person reads."""
    lines = [f"{gpu.name}: {sum(each.times for each in recorded)} launches, {len(recorded)} of them different, "
             f"{seconds:.1f} s of processor time"]
    for each in recorded:
        what = f"{each.launch.kernel}{list(each.launch.grid)}"
        options = " ".join(f"{key}={value}" for key, value in each.launch.options.items() if key != "num_ctas")
        if each.prediction is None:
            lines.append(f"  {what:40} x{each.times:<5} not predicted: {each.error}")
            continue
        low, high = each.prediction["interval_ms"]
        lines.append(f"  {what:40} x{each.times:<5} {each.time_ms:10.4g} ms  ({low:.4g} .. {high:.4g})  "
                     f"{each.prediction['limiter']}  {options}")
    return "\n".join(lines)


def _processor_seconds() -> float:
    """Of this process and the assemblers that it has started."""
    return sum(os.times()[:4])


def main(words: list[str] | None = None) -> int:
    """`python3 -m forewarp.triton --gpu h100,a100 script.py [ARGUMENTS]`"""
    import argparse

    from .. import Error

    parser = argparse.ArgumentParser(prog="forewarp triton", description="Predicts what a script with Triton kernels launches")
    parser.add_argument("-g", "--gpu", required=True, help="names, with commas; the script is run once for each")
    parser.add_argument("--cache", choices=("cold", "warm", "dirty"), help="L2 before each kernel")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args(words)
    if importlib.util.find_spec("triton") is None:
        print("forewarp triton: error: the Python module 'triton' is not there\nhint: pip install triton", file=sys.stderr)
        return 3
    options = {"cache": given.cache} if given.cache else {}
    failed = False
    for name in given.gpu.split(","):
        try:
            which, begin = gpu_named(name.strip()), _processor_seconds()
            recorded = run_script(given.script, which, given.arguments, **options)
        except Error as error:
            print(f"forewarp triton: error: {error}", file=sys.stderr)
            return error.exit_code
        failed = failed or any(each.prediction is None for each in recorded)
        print(table(recorded, which, _processor_seconds() - begin))
    return 7 if failed else 0
