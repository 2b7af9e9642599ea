"""Configurations of an autotuned kernel by predicted time."""
from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from .. import Error
from ..recorder.launches import Launch, LaunchNotModelled, invalid_because, predict_launch
from .gpus import Gpu, gpu_named
from .predicting import compile_ahead, gpus_of, record


@dataclass(frozen=True)
class Ranked:
    config: Any
    """triton.Config."""
    time_ms: float
    """NaN where it cannot launch or cannot be predicted."""
    interval_ms: tuple[float, float]
    registers: int | None
    shared_bytes: int
    limiter: str
    reason: str
    """Why there is no time; else ""."""

    @property
    def valid(self) -> bool:
        return not self.reason


@dataclass(frozen=True)
class Ranking:
    gpu: str
    configurations: tuple[Ranked, ...]
    """Fastest first; those without a time at the end, in the order of the kernel's list."""

    @property
    def best(self) -> Any:
        return self.configurations[0].config

    def to_measure(self, error: float = 0.1) -> int:
        """How many of the first ones may be the fastest if each predicted time is wrong by up to `error` of itself,
        independently: those whose least time is below the first one's most. Errors common to all cancel."""
        first = self.configurations[0]
        if not first.valid:
            return 0
        most = first.time_ms * (1 + error)
        return sum(each.valid and each.time_ms * (1 - error) <= most for each in self.configurations)

    def table(self) -> str:
        lines = [f"{self.gpu}: measure the first {self.to_measure()} of {len(self.configurations)}"]
        for place, each in enumerate(self.configurations, 1):
            time = f"{each.time_ms:.4g} ms, {each.limiter}" if each.valid else each.reason
            config = each.config.all_kwargs().items() if hasattr(each.config, "all_kwargs") else {"": each.config}.items()
            lines.append(f"{place:4}  {time:28}  " + " ".join(f"{key}={value}" for key, value in config if key != "num_ctas"))
        return "\n".join(lines)


def _unpruned(kernel: Any) -> tuple[Any, list[Any]]:
    """The function below an autotuner, and the autotuner's configurations."""
    if not hasattr(kernel, "configs") or not hasattr(kernel, "fn"):
        raise Error("the kernel is not autotuned: it has no configurations", "", "use forewarp.triton.predict", "usage", 2)
    return kernel.fn, list(kernel.configs)


def _without_time(config: Any, reason: str) -> Ranked:
    return Ranked(config, math.nan, (math.nan, math.nan), None, 0, "", reason)


def _recorded(function: Any, config: Any, grid: Any, args: tuple[Any, ...], meta: dict[str, Any], gpu: Gpu,
              options: dict[str, Any]) -> Launch | Ranked:
    """The launch of one configuration, or why there is none."""
    from triton.runtime.errors import OutOfResources

    from .releases import compile_errors

    try:
        return record(function, grid, args, {**meta, **config.all_kwargs()}, gpu, **options)[-1]
    except OutOfResources as error:
        return _without_time(config, f"{error.name}: {error.required} needed, {error.limit} there")
    except (*compile_errors(), LaunchNotModelled) as error:
        return _without_time(config, str(error).strip().splitlines()[-1])
    except Error as error:
        return _without_time(config, str(error))


def _predicted(config: Any, launch: Launch | Ranked, gpu: Gpu, options: dict[str, Any]) -> Ranked:
    if isinstance(launch, Ranked):
        return launch
    try:
        prediction = predict_launch(launch, gpu, **options)
    except (Error, LaunchNotModelled) as error:
        return _without_time(config, str(error))
    if not prediction["valid"]:
        return _without_time(config, invalid_because(prediction))
    low, high = prediction["interval_ms"]
    return Ranked(config, prediction["time_ms"], (low, high), launch.registers, launch.shared_bytes, prediction["limiter"], "")


def rank(kernel: Any, grid: Any, *args: Any, gpu: str | Iterable[str], options: dict[str, Any] | None = None,
         **meta: Any) -> Any:
    """All configurations of a `triton.autotune`d kernel by predicted time: a Ranking, or a list of them where several
    GPUs are named. The autotuner's own pruning is passed over. Triton's compiles and the predictions use all cores that
    the process may use."""
    function, configs = _unpruned(kernel)
    rankings = []
    for each in gpus_of(gpu):
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as workers:
            compile_ahead(function, args, [{**meta, **config.all_kwargs()} for config in configs], each, workers)
            launches = [_recorded(function, config, grid, args, meta, each, options or {}) for config in configs]
            made = list(workers.map(lambda config, launch, gpu=each: _predicted(config, launch, gpu, options or {}),
                                    configs, launches))
        made.sort(key=lambda entry: (not entry.valid, entry.time_ms if entry.valid else 0))
        rankings.append(Ranking(each.name, tuple(made)))
    return rankings[0] if len(rankings) == 1 else rankings


def perf_model(gpu: str, kernel: Callable[[], Any], **options: Any) -> Callable[..., float]:
    """For `triton.autotune(prune_configs_by={"perf_model": perf_model("a100", lambda: matmul), "top_k": 4})`: predicted
    milliseconds of a configuration. `kernel` gives the autotuned kernel, whose name exists only after the decorator.
    Inside of a script that runs on a GPU the compiles are Triton's own."""
    which = gpu_named(gpu)

    def model(**given: Any) -> float:
        function = kernel()
        while hasattr(function, "configs"):
            function = function.fn
        arguments = dict(given)
        grid = arguments.pop("grid")
        arguments.pop("warmup", None)
        try:
            launches = record(function, grid, (), arguments, which, **options)
            return predict_launch(launches[-1], which, **options)["time_ms"]
        except Exception as error:  # whatever a compiler raises: the configuration cannot launch
            if isinstance(error, (KeyboardInterrupt, TypeError)):
                raise
            return math.inf

    return model
