"""An unmodified script, run without a GPU for what it launches: what is the same for every kind of kernel."""
from __future__ import annotations

import argparse
import contextlib
import faulthandler
import importlib.util
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import Error
from .gpus import Gpu
from .launches import invalid_because
from .memo import Recorded


@dataclass(frozen=True)
class Run:
    launches: list[Recorded]
    """In the order of first launches; those of benchmarks are among them where they cannot be predicted."""
    remarks: list[str]
    """What else a reader has to know, a line each."""
    stopped: BaseException | None
    """What ended the script early."""


@contextlib.contextmanager
def replaced(owner: Any, **members: Any) -> Iterator[None]:
    before = {name: getattr(owner, name) for name in members}
    for name, value in members.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


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


def execute(path: str | Path, arguments: list[str]) -> BaseException | None:
    """As `python3 PATH ARGUMENTS`; what ended the script early, if something did."""
    with _command_line(path, arguments):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as ended:
            return ended if ended.code not in (None, 0) else None
        except Exception as error:
            return error
    return None


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
    return "\n".join(lines + [f"  {remark}" for remark in done.remarks])


def _processor_seconds() -> float:
    """Of this process and the assemblers that it has started."""
    return sum(os.times()[:4])


@dataclass(frozen=True)
class Tool:
    """A kind of kernel and how its scripts are run."""

    name: str
    """Of the command: `forewarp NAME`."""
    module: str
    """Of Python, without which there are no such kernels."""
    package: str
    """What pip installs it by."""
    gpu_named: Callable[[str], Any]
    run: Callable[..., Run]
    """(path, gpu, arguments, **options)."""
    on_signal: str
    """What a reader is told where a signal ended Python."""


def main(tool: Tool, words: list[str] | None = None) -> int:
    """`python3 -m forewarp.NAME --gpu h100,a100 script.py [ARGUMENTS]`"""
    command = f"forewarp {tool.name}"
    parser = argparse.ArgumentParser(prog=command, description=f"Predicts what a script with {tool.name} kernels launches")
    parser.add_argument("-g", "--gpu", required=True, help="names, with commas; the script is run once for each")
    parser.add_argument("--cache", choices=("cold", "warm", "dirty"), help="L2 before each kernel")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args(words)
    if not _importable(tool.module):
        print(f"{command}: error: the Python module '{tool.module}' is not there\nhint: pip install {tool.package}", file=sys.stderr)
        return 3
    try:
        gpus = [tool.gpu_named(name.strip()) for name in given.gpu.split(",")]
    except Error as error:
        print(f"{command}: error: {error}", file=sys.stderr)
        return error.exit_code
    if not Path(given.script).is_file():
        print(f"{command}: error: {given.script}: no such file\nhint: the script's path comes after the options", file=sys.stderr)
        return 3
    importlib.import_module(tool.module)  # once for all GPUs

    failed = 0
    for gpu in gpus:
        sys.stdout.flush()
        child = os.fork()  # modules of the script keep kernels, and autotuners their choice: each GPU has its own
        if child == 0:
            return _one(tool, given.script, gpu, given.arguments, {"cache": given.cache} if given.cache else {})
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            print(f"{command}: error: {given.script} on {gpu.name}: signal {-code} ended Python{tool.on_signal}", file=sys.stderr)
        failed = abs(code) or failed
    return failed


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


def _one(tool: Tool, script: str, gpu: Gpu, arguments: list[str], options: dict[str, Any]) -> int:
    faulthandler.enable()  # where a compiler aborts, Python's stack names the script's line
    done = tool.run(script, gpu, arguments, **options)
    sys.stdout.flush()
    if done.stopped is not None:
        print(_why_stopped(script, done.stopped), file=sys.stderr)
    print(table(done, gpu, _processor_seconds()))
    return 1 if done.stopped else 7 if any(each.prediction is None for each in done.launches) else 0
