"""An unmodified script with Numba kernels, run without a GPU: its launches are recorded and predicted."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from ..recorder import script
from ..recorder.memo import Memo, Recorded
from ..recorder.script import Run, Tool, execute
from .gpus import Gpu, gpu_named


def run(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> Run:
    """`run_script` that tells of a script that stopped, too."""
    from .recording import Recorder, recording
    from .results import Comparisons

    which = gpu if isinstance(gpu, Gpu) else gpu_named(gpu)
    memo = Memo(which, options)
    recorder = Recorder(which, memo)
    with recording(recorder), Comparisons(recorder) as comparisons, recorder.clock.shown():
        stopped = execute(path, arguments or [])
    return Run(memo.recorded(recorder.launches), _remarks(recorder, comparisons.passed, stopped), stopped)


def _remarks(recorder: Any, passed: int, stopped: BaseException | None) -> list[str]:
    lines = []
    if recorder.results_read:
        lines.append(f"{recorder.results_read} results were read that are not there, for kernels are not run: the script got what it had "
                     "put there before, else zeros")
    if passed:
        lines.append(f"{passed} comparisons of arrays passed without a look")
    if stopped is not None and recorder.results_read:
        lines.append("a check or a branch on a result may have stopped it: leave it out to see the launches behind it")
    return lines


def run_script(path: str | Path, gpu: str | Gpu, arguments: list[str] | None = None, **options: Any) -> list[Recorded]:
    """Runs a script as `python3 SCRIPT ARGUMENTS` against a driver of ours that has one GPU, and predicts what it launches, in the
    order of first launches. Events get predicted milliseconds. Kernels are not run: a result is what the host had put there."""
    done = run(path, gpu, arguments, **options)
    if done.stopped is not None:
        raise done.stopped
    return done.launches


def main(words: list[str] | None = None) -> int:
    """`python3 -m forewarp.numba --gpu h100,a100 script.py [ARGUMENTS]`"""
    return script.main(Tool("numba", "numba.cuda", "'numba-cuda[cu12]'", gpu_named, run, ""), words)
