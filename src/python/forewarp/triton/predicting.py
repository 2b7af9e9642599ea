"""Predictions of launches."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from concurrent.futures import Executor
from typing import Any

from .. import Error
from ..recorder.launches import Launch, predict_launch
from .gpus import Gpu, gpu_named

os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # Triton's own default; unset it warns


def gpus_of(names: str | Iterable[str]) -> list[Gpu]:
    words = names.split(",") if isinstance(names, str) else [word for name in names for word in name.split(",")]
    if not words:
        raise Error("no GPU is named", "gpu", "forewarp gpus lists them", "usage", 2)
    return [gpu_named(word.strip()) for word in words]


def milliseconds(launches: list[Launch], gpu: Gpu, **options: Any) -> float:
    """Of launches in a row. What cannot be predicted takes for ever, as a configuration that cannot launch does."""
    total = 0.0
    for launch in launches:
        prediction = predict_launch(launch, gpu, **options)
        if not prediction.get("valid", True):
            return float("inf")
        total += prediction["time_ms"]
    return total


def record(kernel: Any, grid: Any, args: tuple[Any, ...], meta: dict[str, Any], gpu: Gpu, **options: Any) -> list[Launch]:
    """The launches of `kernel[grid](*args, **meta)` on a GPU; an autotuner chooses by prediction."""
    from .driver import ForewarpDriver
    from .releases import active, tuned_by

    with (active(ForewarpDriver(gpu, lambda launches: milliseconds(launches, gpu, **options))) as driver,
          tuned_by(driver.get_benchmarker(), kernel)):
        kernel[grid](*args, **meta)
    return driver.launches


def compile_ahead(kernel: Any, args: tuple[Any, ...], metas: list[dict[str, Any]], gpu: Gpu, workers: Executor) -> None:
    """Has Triton compile `kernel` with each of `metas`, side by side, where this Triton can; `record` then finds the
    compiled kernels. What does not compile says so there."""
    from .driver import ForewarpDriver
    from .releases import active, compiling_side_by_side

    side_by_side = compiling_side_by_side(workers)
    if side_by_side is None:
        return
    with active(ForewarpDriver(gpu, lambda launches: 0.0)), side_by_side:
        for meta in metas:
            with contextlib.suppress(Exception):  # the same call is made again by `record`, which reports it
                kernel.warmup(*args, grid=(1,), **meta)


def predict(kernel: Any, grid: Any, *args: Any, gpu: str | Iterable[str], options: dict[str, Any] | None = None,
            **meta: Any) -> list[dict[str, Any]]:
    """Predictions of `kernel[grid](*args, **meta)`, one a GPU, fastest first: the objects of `forewarp predict --format
    json`, with the launch under "launch_of_triton". Arrays are `forewarp.buffer(...)` or torch's tensors (whose contents
    are not looked at). `options` are further ones of `forewarp.predict`. An autotuned kernel is predicted in the
    configuration that predicts fastest."""
    answers = []
    for each in gpus_of(gpu):
        launches = record(kernel, grid, args, meta, each, **(options or {}))
        if not launches:
            raise Error("the grid has no group: nothing is launched", "", "", "launch", 6)
        prediction = predict_launch(launches[-1], each, **(options or {}))
        prediction["launch_of_triton"] = launches[-1]
        answers.append(prediction)
    return sorted(answers, key=lambda answer: answer["time_ms"])
