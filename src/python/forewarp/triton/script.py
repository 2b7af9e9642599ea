"""An unmodified script with Triton kernels, run without a GPU: its launches are recorded and predicted."""
from __future__ import annotations

import contextlib
import faulthandler
import importlib.util
import math
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import fake_torch
from .gpus import Gpu, gpu_named
from .launches import Launch
from .predicting import invalid_because, predict_launch
from .room import with_room


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
        self._launches: dict[tuple[Any, ...], Launch] = {}

    def prediction(self, launch: Launch) -> dict[str, Any]:
        key = (launch.code, launch.words, launch.reason)
        if key not in self._known:
            self._launches[key] = launch
            try:
                self._known[key] = with_room(lambda each: predict_launch(each, self._gpu, **self._options), launch)
            except Exception as error:  # kept: the next one would end the same way
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, Exception):
            raise found
        return found

    def milliseconds(self, launches: list[Launch]) -> float:
        """Of launches in a row; NaN where one cannot be predicted, which `failed` remembers."""
        try:
            made = [self.prediction(launch) for launch in launches]
        except Exception:
            return math.nan
        return sum(each["time_ms"] for each in made) if all(each.get("valid", True) for each in made) else math.inf

    def failed(self, launches: list[Launch]) -> list[Launch]:
        """Launches of benchmarks without a prediction that are not among these."""
        listed = {(launch.code, launch.words, launch.reason) for launch in launches}
        return [self._launches[key] for key, found in self._known.items() if isinstance(found, Exception) and key not in listed]


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


def _grouped(launches: list[Launch], memo: _Memo) -> list[Recorded]:
    counts: dict[tuple[Any, ...], list[Any]] = {}
    for launch in launches:
        counts.setdefault((launch.code, launch.words, launch.reason), [launch, 0])[1] += 1
    recorded = []
    for launch, times in counts.values():
        try:
            recorded.append(Recorded(launch, times, memo.prediction(launch), ""))
        except Exception as error:  # of any kind: the other launches still count
            recorded.append(Recorded(launch, times, None, str(error)))
    return recorded


@dataclass(frozen=True)
class Run:
    launches: list[Recorded]
    """In the order of first launches; those of benchmarks are among them where they cannot be predicted."""
    without_launch: int
    """Benchmarks of something that is no Triton kernel, which got NaN."""
    not_compiled: int
    """Configurations that an autotuner passed over because a pass of Triton's compiler failed."""
    unknown_reads: int
    """So often the script read what only a kernel could have made, and got what was there before."""
    stopped: BaseException | None
    """What ended the script early."""


@contextlib.contextmanager
def _command_line(path: str | Path, arguments: list[str]) -> Iterator[None]:
    before, folder = sys.argv, str(Path(path).resolve().parent)
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.argv = before
        sys.path.remove(folder)


def run(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> Run:
    """`run_script` that tells of a script that stopped, too."""
    from .driver import ForewarpDriver
    from .releases import active
    from . import fake_proton
    import triton.testing

    which = gpu if isinstance(gpu, Gpu) else gpu_named(gpu)
    memo = _Memo(which, options)
    stopped: BaseException | None = None
    with (_torch(which) as torch, _command_line(path, arguments or []),
          active(ForewarpDriver(which, memo.milliseconds, torch.device, torch.launched)) as driver, _modules({**torch.modules, **fake_proton.modules()}),
          _replaced(triton.testing, do_bench=_bench(driver), do_bench_cudagraph=_bench(driver))):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as ended:
            stopped = ended if ended.code not in (None, 0) else None
        except Exception as error:
            stopped = error
    launches = _grouped(driver.launches, memo)
    return Run(launches + _grouped(memo.failed(driver.launches), memo), driver.without_launch, driver.not_compiled, torch.reads(), stopped)


def run_script(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> list[Recorded]:
    """Runs a script as `python3 SCRIPT ARGUMENTS` against a driver that compiles for one GPU, and predicts what it
    launches, in the order of first launches. Autotuners, `triton.testing.do_bench` and events get predicted milliseconds.
    Kernels are not run: what the script computes is not there. Without torch, the script's `import torch` gets a module
    that knows types and shapes (fake_torch.py); with torch, its tensors lie on the CPU (real_torch.py)."""
    done = run(path, gpu, arguments, **options)
    if done.stopped is not None:
        raise done.stopped
    return done.launches


def _why_stopped(path: str, stopped: BaseException) -> str:
    """As Python would say it of the script alone, and what to do about it."""
    if isinstance(stopped, SystemExit):
        return f"{path} ended with {stopped.code!r}"
    where = stopped.__traceback__
    while where is not None and where.tb_frame.f_code.co_filename != path:
        where = where.tb_next
    text = "".join(traceback.format_exception(type(stopped), stopped, where)).rstrip()
    if isinstance(stopped, ModuleNotFoundError) and not str(stopped.name).startswith("torch."):
        text += f"\nhint: {sys.executable} -m pip install {str(stopped.name).split('.')[0]}, or name a Python that has it (--python)"
    return text


def table(done: Run, gpu: Gpu, seconds: float) -> str:
    """What a person reads."""
    recorded = done.launches
    until = "until the script stopped: " if done.stopped else ""
    lines = [f"{gpu.name}: {until}{sum(each.times for each in recorded)} launches, {len(recorded)} of them different, "
             f"{seconds:.1f} s of processor time"]
    for each in recorded:
        what = f"{each.launch.kernel}{list(each.launch.grid)}"
        options = " ".join(f"{key}={value}" for key, value in each.launch.options.items() if key != "num_ctas")
        if each.prediction is None or not each.prediction.get("valid", True):
            lines.append(f"  {what:40} x{each.times:<5} not predicted: {each.error or invalid_because(each.prediction)}")
            continue
        low, high = each.prediction["interval_ms"]
        lines.append(f"  {what:40} x{each.times:<5} {each.time_ms:10.4g} ms  ({low:.4g} .. {high:.4g})  "
                     f"{each.prediction['limiter']}  {options}{each.prediction.get('beyond_the_end', '')}")
    if done.without_launch:
        lines.append(f"  {done.without_launch} benchmarks launched no Triton kernel: their time is not known, the script got nan")
    if done.unknown_reads:
        lines.append(f"  the script read results {done.unknown_reads} times: no kernel was run, what it got is not what they would have made")
    if done.not_compiled:
        lines.append(f"  {done.not_compiled} configurations were passed over: Triton's compiler failed on them, see above")
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
    try:
        gpus = [gpu_named(name.strip()) for name in given.gpu.split(",")]
    except Error as error:
        print(f"forewarp triton: error: {error}", file=sys.stderr)
        return error.exit_code
    if not Path(given.script).is_file():
        print(f"forewarp triton: error: {given.script}: no such file\nhint: the script's path comes after the options", file=sys.stderr)
        return 3
    import triton  # noqa: F401  (once for all GPUs)

    failed = 0
    for gpu in gpus:
        sys.stdout.flush()
        child = os.fork()  # modules of the script keep kernels, and autotuners their choice: each GPU has its own
        if child == 0:
            return _one(given.script, gpu, given.arguments, {"cache": given.cache} if given.cache else {})
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            print(f"forewarp triton: error: {given.script} on {gpu.name}: signal {-code} ended Python; where an assertion of LLVM stands above, "
                  "Triton's compiler failed: try another configuration there", file=sys.stderr)
        failed = abs(code) or failed
    return failed


def _one(script: str, gpu: Gpu, arguments: list[str], options: dict[str, Any]) -> int:
    faulthandler.enable()  # where Triton's compiler aborts, Python's stack names the script's line
    done = run(script, gpu, arguments, **options)
    sys.stdout.flush()
    if done.stopped is not None:
        print(_why_stopped(script, done.stopped), file=sys.stderr)
    print(table(done, gpu, _processor_seconds()))
    return 1 if done.stopped else 7 if any(each.prediction is None for each in done.launches) else 0
